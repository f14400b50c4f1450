"""Pauses that players voted for: clocks stop, deadlines move, and games resume."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import transaction

from accounts.models import User
from games.clocks.clock import DAY, HOUR
from games.clocks.services import change_rest
from games.errors import Conflict, Invalid, ServiceError
from games.news.models import Notice
from games.play.deadlines import pause_game, resume_game
from games.play.models import Game, Hand, Seat
from games.play.resolution import resolve_turn
from games.play.services import locked_game
from games.staff.services import cancel_as_staff
from games.work import sweeper
from tests.games.support import NOW, Table, code_of, game_seen, hand_of, later, open_turn, sweep


def pause(game: Game, until: datetime, now: datetime = NOW) -> None:
    with transaction.atomic():
        pause_game(game=locked_game(game.pk), until=until, now=now)


def resume(game: Game, now: datetime) -> None:
    with transaction.atomic():
        resume_game(game=locked_game(game.pk), now=now)


def seen_by(player: User, game: Game) -> dict[str, Any]:
    return game_seen(viewer=player, game=Game.objects.get(pk=game.pk))


def test_a_pause_delays_all_deadlines_by_its_length(duel: Game, table: Table, alice: User, bob: User) -> None:
    pause(duel, later(days=7, hours=1), now=later(hours=1))
    for player in (alice, bob):
        assert hand_of(duel, player).deadline == later(days=8)
    assert open_turn(duel).deadline == later(days=8)
    assert seen_by(alice, duel)["paused_until"] == later(days=7, hours=1)
    resume(duel, later(hours=1))
    assert (hand_of(duel, alice).deadline, hand_of(duel, alice).calendar) == (later(hours=24), None)
    duel.refresh_from_db()
    assert (duel.paused_at, duel.paused_until) == (None, None)
    table.move(duel, alice, now=later(hours=1))
    pause(duel, later(days=7, hours=1), now=later(hours=1))
    assert hand_of(duel, alice).deadline is None, "no clock of hers is left to stop"
    assert hand_of(duel, bob).deadline == open_turn(duel).deadline == later(days=8)


def test_a_paused_game_resumes_automatically(duel: Game, alice: User) -> None:
    pause(duel, later(days=7))
    assert sweep(later(days=7, hours=23)).turns == 0
    assert sweep(later(days=8)).turns == 1
    assert resolve_turn(turn_id=open_turn(duel).pk, now=later(days=8))
    assert hand_of(duel, alice).deadline == later(days=9)
    assert hand_of(duel, alice).calendar is None, "a pause that is over stops no clock"


def test_a_resumed_game_has_the_remaining_time(duel: Game, alice: User) -> None:
    pause(duel, later(days=7), now=later(hours=1))
    resume(duel, later(days=2))
    assert hand_of(duel, alice).deadline == open_turn(duel).deadline == later(days=2, hours=23)
    with pytest.raises(Conflict, match="not paused"):
        resume(duel, later(days=2))


def test_a_pause_can_be_extended(duel: Game, alice: User) -> None:
    pause(duel, later(days=2), now=later(hours=1))
    pause(duel, later(days=5), now=later(days=1))
    assert hand_of(duel, alice).deadline == later(days=5, hours=23)
    pause(duel, later(days=3), now=later(days=1))
    assert hand_of(duel, alice).deadline == later(days=3, hours=23)


def test_a_second_pause_adds_to_the_first(duel: Game, alice: User) -> None:
    pause(duel, later(hours=10))
    pause(duel, later(hours=30), now=later(hours=20))
    assert hand_of(duel, alice).deadline == later(hours=44)
    resume(duel, later(hours=25))
    assert hand_of(duel, alice).deadline == later(hours=39)


def test_players_may_submit_during_a_pause(duel: Game, table: Table, alice: User, bob: User) -> None:
    pause(duel, later(days=7))
    table.play(duel, alice, bob, now=later(days=1))
    assert hand_of(duel, alice).deadline == later(days=8), "a turn that begins in a pause begins after it"
    resume(duel, later(days=2))
    assert hand_of(duel, alice).deadline == open_turn(duel).deadline == later(days=3)


def test_a_time_of_day_stays_the_same_after_a_pause(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, bob, pace={"hours": 24, "at": "20:00", "zone": "UTC"})
    pause(game, later(days=3))
    table.play(game, alice, bob, now=later(days=1))
    assert open_turn(game).deadline == later(days=4, hours=8)


def test_a_bank_pays_nothing_during_a_pause(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, bob, pace={"bank": 10, "increment": 2})
    pause(game, later(days=7), now=later(hours=1))
    resume(game, later(days=2))
    table.move(game, bob, now=later(days=2, hours=4))
    assert Seat.objects.get(user=bob).bank == 7 * HOUR


def test_reminders_move_with_their_deadlines(duel: Game, alice: User, bob: User) -> None:
    Hand.objects.filter(seat__user=bob).update(remind_at=None)
    pause(duel, later(days=7))
    assert hand_of(duel, alice).remind_at == later(days=8) - DAY
    assert hand_of(duel, bob).remind_at is None, "he has been reminded"
    sweeper.sweep(now=later(days=6))
    assert not Notice.objects.filter(kind="reminder").exists()


def test_a_pause_must_have_an_end(duel: Game) -> None:
    for until in (NOW, NOW - HOUR, later(days=28, seconds=1)):
        with pytest.raises(Invalid, match="up to 28 days"):
            pause(duel, until)
    pause(duel, later(days=28))


def test_only_a_running_game_with_clocks_can_be_paused(
    table: Table, alice: User, bob: User, erin: User
) -> None:
    lobby, unlimited = table.game(alice, seats=2), table.game(alice, bob, pace=None)
    cancelled = table.game(alice, bob)
    cancel_as_staff(user=erin, game_id=cancelled.pk, reason="So.", now=NOW)
    for game, code in ((lobby, "not-running"), (cancelled, "not-running"), (unlimited, "no-clocks")):
        assert code_of(ServiceError, pause, game, later(days=1)) == code
        with pytest.raises(Conflict):
            resume(game, NOW)


def test_a_night_within_a_pause_adds_no_time(table: Table, alice: User, bob: User) -> None:
    change_rest(user=bob, days_off=[6], night=None)  # from midnight on Sunday, the next day
    game = table.game(alice, bob)
    assert hand_of(game, bob).deadline == later(days=2)
    pause(game, later(days=1))
    assert hand_of(game, bob).deadline == later(days=2) + timedelta(hours=12)
