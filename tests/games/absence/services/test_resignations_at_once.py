"""Resigning twice, during a resolution, or at the same time as the opponent."""

from functools import partial

import pytest

from accounts.models import User
from games.absence.models import Replacement
from games.absence.seats import resign_game
from games.errors import Conflict, ServiceError
from games.play.models import Game, Turn
from games.play.resolution import resolve_turn
from tests.games.support import NOW, Table, open_turn, programs_of
from tests.games.together import together

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_turn_resolved_meanwhile_is_played_once_with_the_submitted_orders(
    table: Table, trio: Game, alice: User, bob: User, carol: User
) -> None:
    turn = open_turn(trio)
    table.move(trio, alice, bob, carol)
    resign = partial(resign_game, user=bob, game_id=trio.pk, now=NOW)
    played, resigned = together(partial(resolve_turn, turn_id=turn.pk, now=NOW), resign)
    assert played is True
    assert not isinstance(resigned, Exception)
    turn.refresh_from_db()
    assert turn.status == Turn.Status.RESOLVED
    assert [given.by for given in programs_of(trio, 1).values()] == ["player"] * 3
    assert trio.players.get(number=2).computer == "rookie"
    assert open_turn(trio).asks_computers, "the Rookie is asked for the next turn"


def test_a_double_click_resigns_once(trio: Game, bob: User) -> None:
    resign = partial(resign_game, user=bob, game_id=trio.pk, now=NOW)
    outcomes = together(resign, resign, resign)
    assert sum(isinstance(outcome, Game) for outcome in outcomes) == 1
    assert all(isinstance(outcome, Game | Conflict) for outcome in outcomes)
    assert Replacement.objects.count() == 1


def test_of_two_simultaneous_resignations_the_second_finds_the_game_over(
    table: Table, duel: Game, alice: User, bob: User
) -> None:
    table.play(duel, alice, bob)
    first, second = together(
        *(partial(resign_game, user=user, game_id=duel.pk, now=NOW) for user in (alice, bob))
    )
    assert sum(isinstance(outcome, ServiceError) for outcome in (first, second)) == 1
    duel.refresh_from_db()
    assert duel.winner == ("Bob" if isinstance(first, Game) else "Alice")
