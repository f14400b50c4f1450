"""Absent entrants: their rank after a round, and confirming the next round."""

from datetime import timedelta

import pytest

from accounts.models import User
from games.clocks.services import plan_vacation
from games.competitions.models import Round, Tournament
from games.competitions.services.scoring import rescore_tables
from games.competitions.services.tournaments import confirm_entry
from games.news.models import Notice
from games.play.models import Game
from games.staff.services import cancel_as_staff, replace_as_staff
from tests.games.competitions.hosting import START, games_of, last_round, opened, step
from tests.games.support import Table

pytestmark = pytest.mark.django_db

HOURS = timedelta(hours=1)


def begun(table: Table, erin: User, *entrants: User) -> tuple[Tournament, Round, Game]:
    """Return a cup in round 1, the round, and the game of its only table."""
    cup = opened(table, erin, *entrants, size=len(entrants), rounds=3)
    step(START)
    (game,) = games_of(last_round(cup))
    return cup, last_round(cup), game


def ranks(made: Round) -> dict[str, int | None]:
    places = made.tables.get().places.select_related("entrant__user")
    return {place.entrant.user.robo_name: place.rank for place in places}


def test_a_player_on_vacation_ranks_below_one_with_orders(
    table: Table, erin: User, alice: User, bob: User
) -> None:
    _, first, game = begun(table, erin, alice, bob)
    plan_vacation(
        user=bob, first=START.date() + timedelta(days=1), last=START.date() + timedelta(days=20), now=START
    )
    table.move(game, alice, now=START)
    step(first.ends_at)
    assert ranks(first) == {"Alice": 1, "Bob": 2}
    assert sorted(each.points for each in first.tables.get().places.all()) == [0, 840]


def test_orders_of_an_earlier_turn_count(table: Table, erin: User, alice: User, bob: User) -> None:
    _, first, game = begun(table, erin, alice, bob)
    table.play(game, alice, bob, now=START)
    table.move(game, alice, now=START)
    step(first.ends_at)
    assert ranks(first) == {"Alice": 1, "Bob": 1}


def test_a_replaced_player_ranks_below_one_without_orders(
    table: Table, erin: User, alice: User, bob: User, carol: User
) -> None:
    _, first, game = begun(table, erin, alice, bob, carol)
    table.move(game, alice, now=START)
    table.move(game, carol, now=START)
    replace_as_staff(user=erin, seat_id=game.players.get(user=carol).pk, reason="Away.", now=START)
    step(first.ends_at)
    assert ranks(first) == {"Alice": 1, "Bob": 2, "Carol": 3}


def test_orders_after_the_end_of_the_round_change_nothing(
    table: Table, erin: User, alice: User, bob: User
) -> None:
    _, first, game = begun(table, erin, alice, bob)
    table.move(game, alice, now=START)
    step(first.ends_at)
    table.play(game, bob, now=START)
    assert rescore_tables() == 0
    assert ranks(first) == {"Alice": 1, "Bob": 2}


def test_a_player_absent_for_a_whole_round_is_asked_before_the_next(
    table: Table, erin: User, alice: User, bob: User
) -> None:
    cup, first, game = begun(table, erin, alice, bob)
    table.move(game, alice, now=START)
    step(first.ends_at)
    assert [each.user for each in Notice.objects.filter(kind="confirm")] == [bob]
    assert last_round(cup).number == 1, "Bob has 24 hours"
    confirm_entry(user=bob, tournament_id=cup.pk, now=first.ends_at + HOURS)
    step(first.ends_at + HOURS)
    assert last_round(cup).number == 2


def test_a_player_of_a_cancelled_game_is_not_asked(table: Table, erin: User, alice: User, bob: User) -> None:
    cup, _, game = begun(table, erin, alice, bob)
    cancel_as_staff(user=erin, game_id=game.pk, reason="It is broken.", now=START)
    step(START + HOURS)
    assert last_round(cup).number == 2
