"""A response about a game shows a single state, even if a turn is resolved meanwhile."""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.test import Client
from psycopg import sql

from games.branches.models import Branch
from games.branches.services import create_branch
from games.chat.services import post_line
from games.play.models import Game, Turn
from games.play.resolution import resolve_turn
from games.votes.services import call_vote
from tests import cast
from tests.access.table import rows
from tests.access.walking import STREAMS, addresses
from tests.games.support import HALL, LANE, NOW, Table, open_turn

PLACE = "{game_id}"
STAFF_PAGE = "/admin/games/game/{}/change/"
SECRET = re.compile(r'name="csrfmiddlewaretoken" value="\w+"')


class PlayedTurn:
    """A resolved turn that can be undone and redone between any two SQL statements.

    It was resolved once by the service. Afterwards, another connection writes the rows from before or after
    the turn, each in one transaction, as a worker would.
    """

    def __init__(self, turn: Turn) -> None:
        self.number = turn.number
        self.other = psycopg.connect(**connection.get_connection_params(), autocommit=True)
        self.other.execute("SET session_replication_role = replica; SET lock_timeout = '100ms'")
        tables = [
            name
            for (name,) in self.other.execute(
                "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
            )
        ]
        before = {name: self._rows(name) for name in tables}
        self._copy("before", tables)
        assert resolve_turn(turn_id=turn.pk, now=NOW)
        self.changed = [name for name in tables if self._rows(name) != before[name]]
        self._copy("after", self.changed)
        assert {"games_game", "games_turn", "games_hand"} <= set(self.changed)
        self.take_back()

    def play(self) -> None:
        """Write the rows from after the turn."""
        self._write("after")

    def take_back(self) -> None:
        """Write the rows from before the turn."""
        self._write("before")

    def close(self) -> None:
        self.other.execute("DROP SCHEMA before CASCADE; DROP SCHEMA after CASCADE")
        self.other.close()

    def _rows(self, table: str) -> Any:
        hashed = sql.SQL("SELECT md5(string_agg(t::text, '' ORDER BY t::text)) FROM {} t")
        return self.other.execute(hashed.format(sql.Identifier(table))).fetchone()

    def _copy(self, schema: str, tables: list[str]) -> None:
        self.other.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(schema)))
        for name in tables:
            copy = sql.SQL("CREATE TABLE {} AS TABLE {}")
            self.other.execute(copy.format(sql.Identifier(schema, name), sql.Identifier("public", name)))

    def _write(self, schema: str) -> None:
        write = sql.SQL("DELETE FROM {0}; INSERT INTO {0} SELECT * FROM {1}")
        parts = [
            write.format(sql.Identifier("public", name), sql.Identifier(schema, name))
            for name in self.changed
        ]
        self.other.execute(sql.SQL("; ").join(parts))


class Between:
    """Runs an action once, after a request has run this many SQL statements."""

    def __init__(self, number: int, act: Callable[[], None]) -> None:
        self.left = number
        self.act = act
        self.asked: list[str] = []

    def __call__(self, execute: Any, *given: Any) -> Any:
        found = execute(*given)
        self.asked.append(str(given[0]))
        if len(self.asked) == self.left:
            self.act()
        return found


@pytest.fixture(params=["a turn in the middle", "the last turn"])
def played(request: pytest.FixtureRequest, transactional_db: None) -> Iterator[tuple[Game, PlayedTurn]]:
    """A game of Alice and Bob, and a resolved turn in it."""
    players = cast.alice(), cast.bob()
    if request.param == "the last turn":
        table = Table(LANE.saved())
        game = table.game(*players, options={"lives": 1})
        table.play(game, *players)
    else:
        table = Table(HALL.saved())
        game = table.game(*players)
        table.play(game, *players)
        table.play(game, *players)
    post_line(user=players[1], game_id=game.pk, text="Good luck!", now=NOW)
    call_vote(user=players[1], game_id=game.pk, kind="pause", days=7, now=NOW)
    create_branch(
        user=players[0], game=game, turn=open_turn(game).number - 1, orders={}, headings={}, now=NOW
    )
    table.move(game, *players)
    turn = PlayedTurn(open_turn(game))
    game.refresh_from_db()
    yield game, turn
    turn.close()


def places(game: Game) -> Iterator[tuple[str, str]]:
    """Yield the path and kind of each readable address about a game, and of the lists of a player's games."""
    assert game.turn
    looked_at = {row.address for row in rows() if row.method == "GET"}
    values = {"game_id": game.pk, "seat": 1, "theme": "dark", "vote_id": game.votes.get().pk}
    values["branch_token"] = Branch.objects.get(game=game).token
    for address in addresses():
        if PLACE not in address or address in STREAMS or address not in looked_at:
            continue
        for number in (game.turn, game.turn - 1) if "{number}" in address else (0,):
            yield "/" + address.format_map({**values, "number": number}), address
    yield STAFF_PAGE.format(game.pk), STAFF_PAGE
    yield from ((path, path) for path in ("/", "/my-room/"))


def cuts(asked: list[str], changed: list[str]) -> dict[int, tuple[str, str]]:
    """Return the positions at which half a turn is visible, and the reads around them.

    A position is the number of statements before it. Each lies between two statements that read tables
    changed by a turn. Any other position is equivalent to one of these, or to the start or the end.

    >>> cuts(['FROM "a"', 'FROM "x"', 'FROM "b"', 'FROM "x"'], ["a", "b"])
    {2: ('FROM "a"', 'FROM "b"')}
    """
    reading = [at for at, said in enumerate(asked) if any(f'"{name}"' in said for name in changed)]
    return {after: (asked[before], asked[after]) for before, after in pairwise(reading)}


@pytest.mark.long
def test_a_turn_resolved_between_two_statements_is_seen_completely_or_not_at_all(
    played: tuple[Game, PlayedTurn],
) -> None:
    """Each view is interrupted once at each pair of statements."""
    game, turn = played
    client, staff = Client(raise_request_exception=False), Client(raise_request_exception=False)
    client.force_login(game.host)
    staff.force_login(cast.person("Chief", is_staff=True, is_superuser=True))

    def ask(place: str, act: Between) -> tuple[int, str]:
        with connection.execute_wrapper(act):
            answer = (staff if place.startswith("/admin/") else client).get(place)
        return answer.status_code, SECRET.sub("", answer.content.decode(errors="replace"))

    wrong = []
    interrupted: set[tuple[str, str, str]] = set()
    for place, address in places(game):
        ask(place, Between(0, turn.play))  # fills the caches now
        counted = Between(0, turn.play)
        before = ask(place, counted)
        turn.play()
        after = ask(place, Between(0, turn.play))
        turn.take_back()
        for number, around in cuts(counted.asked, turn.changed).items():
            if (address, *around) in interrupted:
                continue
            interrupted.add((address, *around))
            found = ask(place, Between(number, turn.play))
            turn.take_back()
            if found not in (before, after):
                wrong.append(f"{place}: {found[0]} after statement {number} of {len(counted.asked)}")
    assert len(interrupted) > 50
    assert {STAFF_PAGE, "/", "/my-room/"} <= {address for address, *_ in interrupted}
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("played", ["a turn in the middle"], indirect=True)
def test_forms_are_answered_although_a_turn_is_resolved_meanwhile(played: tuple[Game, PlayedTurn]) -> None:
    game, turn = played
    client = Client(raise_request_exception=False)
    client.force_login(game.host)
    place = game.get_absolute_url()
    forms = [
        (f"{place}seen/?has=", {"turn": str(turn.number - 1)}),
        (f"{place}start/", {}),
        (f"{place}turns/{turn.number}/preview/", {"register-1": "1"}),
        (f"{place}turns/{turn.number}/orders/", {"register-1": "1"}),
        (f"{place}turns/{turn.number}/draft/", {"register-1": "1"}),
    ]

    def play() -> None:
        with suppress(psycopg.errors.LockNotAvailable):  # the form's transaction comes first
            turn.play()

    def post(act: Between, address: str, body: dict[str, str]) -> int:
        with connection.execute_wrapper(act):
            answer = client.post(address, body)
        turn.take_back()
        return int(answer.status_code)

    for address, body in forms:
        counted = Between(0, play)
        assert post(counted, address, body) < 500
        found = [post(Between(k, play), address, body) for k in range(1, len(counted.asked) + 1)]
        assert max(found) < 500, f"{address}: {found}"
