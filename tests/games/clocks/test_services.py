"""Players' days off and quiet hours stop their clocks, from the next turn on."""

from datetime import time

import pytest

from accounts.models import User
from games.clocks import selectors
from games.clocks.clock import HOUR, Calendar
from games.clocks.inputs import RestChanges
from games.clocks.services import change_rest
from games.play.models import Game, Hand, Seat
from games.play.stored import calendar_of
from games.work.sweeper import sweep
from tests.games.support import Table, hand_of, later, open_turn

WEEKEND = (5, 6)
NIGHT = (time(22), time(6))


@pytest.fixture
def restful(bob: User) -> User:
    """Return Bob, with quiet hours from ten to six in Berlin and weekends off.

    `NOW` is noon on a Saturday.
    """
    bob.time_zone = "Europe/Berlin"
    bob.save()
    change_rest(user=bob, days_off=WEEKEND, night=NIGHT)
    return bob


def test_a_hand_is_dealt_with_its_player_s_calendar(table: Table, alice: User, restful: User) -> None:
    game = table.game(alice, restful)
    # From Monday, six in Berlin, sixteen hours a day: eight are left on Tuesday morning.
    assert hand_of(game, restful).deadline == later(days=3, hours=1)
    assert hand_of(game, alice).deadline == later(hours=24)
    assert open_turn(game).deadline == later(days=3, hours=1)
    assert calendar_of(hand_of(game, restful)) == selectors.calendar_of(user=restful)
    assert hand_of(game, alice).calendar is None


def test_a_change_takes_effect_with_the_next_hand(table: Table, alice: User, restful: User) -> None:
    game = table.game(alice, restful)
    change_rest(user=restful, days_off=(), night=None)
    assert hand_of(game, restful).deadline == later(days=3, hours=1)
    table.play(game, alice, restful, now=later(hours=1))
    assert hand_of(game, restful).deadline == hand_of(game, alice).deadline == later(hours=25)


def test_a_bank_pays_nothing_while_its_player_rests(table: Table, alice: User, restful: User) -> None:
    game = table.game(alice, restful, pace={"bank": 10, "increment": 2})
    change_rest(user=restful, days_off=(), night=None)
    table.move(game, restful, now=later(days=1, hours=22))  # Monday, eleven in Berlin
    bank = Seat.objects.get(user=restful).bank
    assert bank == 7 * HOUR, "five hours since six o’clock, of twelve"
    assert hand_of(game, restful).calendar is None, "no clock runs any more"


def test_chance_plays_for_a_resting_player_no_sooner(table: Table, alice: User, restful: User) -> None:
    game = table.game(alice, restful)
    sweep(now=later(hours=24))
    assert list(Hand.objects.filter(program__isnull=False)) == [hand_of(game, alice)]
    table.move(game, restful, now=later(days=3))
    assert open_turn(game).ready_at == later(days=3)


def test_computers_do_not_rest_and_a_clock_without_limit_is_not_stopped(
    table: Table, alice: User, restful: User
) -> None:
    table.game(restful, seats=2, computers=["rookie"])
    computer = Hand.objects.get(seat__user=None)
    assert (computer.deadline, computer.calendar) == (later(hours=24), None)
    endless = hand_of(table.game(alice, restful, pace=None), restful)
    assert (endless.deadline, endless.calendar) == (None, None)


def test_a_rest_adds_no_queries(
    table: Table, alice: User, restful: User, django_assert_max_num_queries: object
) -> None:
    game = Game.objects.get(pk=table.game(alice, restful).pk)
    people = [seat.user for seat in game.players.select_related("user__rest")]
    with django_assert_max_num_queries(0):  # type: ignore[operator]
        assert [selectors.calendar_of(user=user) for user in people] == [
            Calendar(),
            selectors.calendar_of(user=restful),
        ]


@pytest.mark.parametrize(
    ("days_off", "night", "reason"),
    [
        ((0, 1, 2, 3), None, "up to 3 days off"),
        ((7,), None, "days off a week"),
        ((), (time(20), time(9)), "up to 12 hours"),
        ((), (time(8), time(8)), "up to 12 hours"),
    ],
)
def test_a_rest_must_leave_time_to_play(
    days_off: tuple[int, ...], night: tuple[time, time] | None, reason: str
) -> None:
    [problem] = RestChanges().faults_together({"days_off": days_off, "night": night})
    assert reason in problem["detail"]
