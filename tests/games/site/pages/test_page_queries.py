"""Limits on the number of queries for a game's page."""

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.chat.services import post_line
from games.play.models import Game, Turn
from tests.cast import person
from tests.games.support import NOW, YARD, Table

MOST = 14
"""The maximum number of queries for a running game's page.

It includes the queries for session and user, the one for the player whose sitter a viewer is, and the one
for sitters and shorter clocks in the game's history.
"""

VIEWERS = ("Alice", "Player1", "Dave", "Erin")
"""The names of the logged-in viewers."""


def lengthen(game: Game, by: int) -> None:
    """Add copies of turn 1 to a game."""
    first = Turn.objects.get(game=game, number=1)
    assert first.first_seq is not None and first.last_seq is not None
    events = first.last_seq - first.first_seq + 1
    for turn in Turn.objects.filter(game=game, number__gt=1).order_by("-number"):
        Turn.objects.filter(pk=turn.pk).update(number=turn.number + by)
    for number in range(2, 2 + by):
        copy = Turn.objects.get(pk=first.pk)
        copy.pk, copy.number = None, number
        copy.first_seq, copy.last_seq = game.last_seq + 1, game.last_seq + events
        copy.save(force_insert=True)
        game.last_seq += events
    game.turn = (game.turn or 0) + by
    game.save()


@pytest.fixture
def game(table: Table, alice: User) -> Game:
    """A long game of six players that waits for Alice and others."""
    others = [person(f"Player{number}") for number in range(1, 6)]
    game = table.game(alice, *others)
    for _ in range(2):
        table.play(game, alice, *others)
    table.move(game, others[0])
    lengthen(game, 58)
    assert game.turn == 60
    return game


@pytest.fixture
def course(alice: User) -> Game:
    """A long game on joined boards that waits for Alice and others."""
    yard = YARD.saved()
    boards = [{"starship": yard.pk, "at": [column, 0], "turned": column} for column in range(3)]
    table, others = Table(yard), [person(f"Player{number}") for number in range(1, 6)]
    game = table.game(alice, *others, ruleset="amigo-1999", boards=boards, checkpoints=[[3, 3], [8, 0]])
    table.play(game, alice, *others)
    table.move(game, others[0])
    lengthen(game, 60)
    assert game.course
    for user in (alice, *others):
        post_line(user=user, game_id=game.pk, text="Good luck!", now=NOW)
    return game


def queries(game: Game, viewer: User | None) -> list[str]:
    """Return the queries of a viewer's second visit to the game's page."""
    client = Client()
    if viewer:
        client.force_login(viewer)
    client.get(game.get_absolute_url())
    with CaptureQueriesContext(connection) as asked:
        answer = client.get(game.get_absolute_url())
    assert answer.status_code == 200
    assert f"Turn {game.turn}" in answer.content.decode()
    return [query["sql"] for query in asked.captured_queries]


def test_a_running_game_is_served_in_a_few_queries(game: Game, dave: User, erin: User) -> None:
    assert not too_many(game)


def test_a_game_on_joined_boards_takes_few_queries(course: Game, dave: User, erin: User) -> None:
    assert not too_many(course)


def too_many(game: Game) -> dict[str | None, list[str]]:
    """Return the queries of each viewer that needs more than `MOST`."""
    viewers = {name: get_user_model().objects.get(robo_name=name) for name in VIEWERS}
    asked = {name: queries(game, viewer) for name, viewer in [*viewers.items(), (None, None)]}
    return {name: found for name, found in asked.items() if len(found) > MOST}
