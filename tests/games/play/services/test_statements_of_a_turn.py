"""A turn takes the documented SQL statements, for any number of players."""

import re
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.play.resolution import resolve_turn
from tests.cast import person
from tests.games.support import NOW, Table, open_turn

DOCUMENTED = Path(__file__).parents[4] / "docs/scaling.md"


def documented() -> list[list[str]]:
    """Return the documented SQL statements of each message to a worker."""
    messages: list[list[str]] = []
    for number, statement in re.findall(r"^\| (\d*) *\| `([^`]+)` \|", DOCUMENTED.read_text(), re.MULTILINE):
        if number:
            messages.append([])
        messages[-1].append(statement)
    return messages


def outline(statement: str) -> str:
    """Return the kind of an SQL statement, and the first table in it."""
    text = " ".join(statement.replace('"', "").split())
    found = re.match(
        r"WITH .*(DELETE) FROM (\w+)|(SELECT nextval)"
        r"|(\w+).*? (?:FROM |INTO |UPDATE )?(games_\w+|accounts_user)",
        text,
    )
    assert found, text
    return " ".join(filter(None, found.groups()))


@pytest.mark.usefixtures("planning")
@pytest.mark.parametrize("players", [2, 4])
def test_a_turn_takes_the_documented_statements_for_any_number_of_players(
    table: Table, alice: User, players: int
) -> None:
    others = [person(f"Player{number}") for number in range(1, players)]
    game = table.game(alice, *others)
    table.play(game, alice, *others)
    table.play(game, alice, *others)
    table.move(game, alice, *others)
    turn = open_turn(game)
    with CaptureQueriesContext(connection) as queries:
        assert resolve_turn(turn_id=turn.pk, now=NOW)
    statements = [query["sql"] for query in queries if "SAVEPOINT" not in query["sql"]]
    found = [[outline(each) for each in message.split(";\n")] for message in statements]
    for message in found:  # without new achievements
        if "INSERT games_achievement" in message:
            message.remove("INSERT games_achievement")
    assert found == documented()
