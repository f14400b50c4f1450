"""Overdue turns raise one alarm each. It closes automatically."""

import pytest

from accounts.models import User
from games.play.models import Game, Hand, Turn
from games.play.resolution import resolve_turn
from games.staff.services import cancel_as_staff, extend_turn, watch_turns
from games.work.models import Alarm
from games.work.sweeper import sweep
from tests.games.support import NOW, Table, hand_of, later, open_turn

LATE = later(hours=24, minutes=5)


def test_a_turn_on_time_raises_no_alarm(duel: Game) -> None:
    sweep(now=later(hours=24, minutes=4))
    assert not Alarm.objects.exists()


def test_a_turn_past_its_deadline_raises_an_alarm(duel: Game) -> None:
    for minutes in (0, 1, 10):
        watch_turns(now=LATE + (later(minutes=minutes) - NOW))
    alarm = Alarm.objects.get()
    assert alarm.turn == open_turn(duel)
    assert (alarm.due_at, alarm.raised_at, alarm.closed_at) == (later(hours=24), LATE, None)


def test_a_complete_turn_that_is_not_resolved_raises_an_alarm(
    table: Table, duel: Game, alice: User, bob: User
) -> None:
    table.move(duel, alice, bob)
    watch_turns(now=later(minutes=4))
    assert not Alarm.objects.exists()
    watch_turns(now=later(minutes=5))
    assert Alarm.objects.get().due_at == NOW


def test_a_turn_that_failed_too_often_raises_an_alarm(
    table: Table, duel: Game, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.move(duel, alice, bob)
    Turn.objects.filter(game=duel).update(attempts=5, error="It never works.")
    watch_turns(now=later(minutes=5))
    assert Alarm.objects.get().closed_at is None


def test_an_alarm_closes_when_the_turn_is_resolved(duel: Game) -> None:
    watch_turns(now=LATE)
    assert resolve_turn(turn_id=open_turn(duel).pk, now=LATE)
    watch_turns(now=later(hours=24, minutes=6))
    assert Alarm.objects.get().closed_at == later(hours=24, minutes=6)


def test_an_alarm_closes_when_the_game_is_cancelled(duel: Game, erin: User) -> None:
    watch_turns(now=LATE)
    cancel_as_staff(user=erin, game_id=duel.pk, reason="So.", now=LATE)
    watch_turns(now=later(hours=25))
    assert Alarm.objects.get().closed_at == later(hours=25)


def test_an_alarm_closes_when_the_deadline_moves_and_opens_after_the_new_one(duel: Game) -> None:
    watch_turns(now=LATE)
    Turn.objects.filter(game=duel).update(deadline=later(hours=48))
    watch_turns(now=later(hours=25))
    assert Alarm.objects.get().closed_at == later(hours=25)
    watch_turns(now=later(hours=49))
    alarm = Alarm.objects.get()
    assert (alarm.due_at, alarm.raised_at, alarm.closed_at) == (later(hours=48), later(hours=49), None)


def test_alarms_of_several_games_are_separate(
    table: Table, duel: Game, alice: User, bob: User, carol: User
) -> None:
    other = table.game(alice, carol)
    watch_turns(now=LATE)
    assert resolve_turn(turn_id=open_turn(other).pk, now=LATE)
    watch_turns(now=later(hours=24, minutes=6))
    assert Alarm.objects.get(closed_at=None).turn.game == duel


def test_an_alarm_about_a_turn_without_an_error_gives_the_reason(duel: Game) -> None:
    watch_turns(now=LATE)
    assert Alarm.objects.get().error == "no-worker"
    Alarm.objects.all().delete()
    duel.turns.update(attempts=32767)
    watch_turns(now=LATE)
    assert Alarm.objects.get().error == "tried: 32767"


@pytest.mark.parametrize("of", ["turn", "player"])
def test_a_deadline_years_away_raises_an_alarm_until_staff_change_it(
    duel: Game, bob: User, erin: User, of: str
) -> None:
    never = later(days=4000)
    if of == "turn":
        duel.turns.update(deadline=never)
    else:
        Hand.objects.filter(pk=hand_of(duel, bob).pk).update(deadline=never)
    watch_turns(now=NOW)
    alarm = Alarm.objects.get()
    assert (alarm.due_at, alarm.closed_at) == (NOW, None)
    assert alarm.error == "far-away"
    extend_turn(user=erin, game_id=duel.pk, hours=12, reason="It was wrong.", now=NOW)
    watch_turns(now=later(minutes=1))
    assert Alarm.objects.get().closed_at == later(minutes=1)
    assert resolve_turn(turn_id=open_turn(duel).pk, now=later(hours=36))
