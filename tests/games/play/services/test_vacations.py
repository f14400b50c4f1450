"""Vacation days are used only if a deadline would be missed. They stop all clocks."""

from datetime import date, datetime, timedelta
from typing import Any

import pytest
from django.core import mail

from accounts.models import User
from games.clocks.clock import DAY, HOUR
from games.clocks.inputs import NewVacation
from games.clocks.models import Vacation, VacationDay
from games.clocks.selectors import DAYS_A_YEAR, UNPLANNED_DAYS_PER_WEEK, days_left
from games.clocks.services import cancel_vacation, change_rest, plan_vacation
from games.errors import Conflict, Invalid, NotFound
from games.news.delivery import send_notification
from games.news.models import Notice
from games.play.models import Game, Program, Seat
from games.play.orders import submit_orders
from games.play.resolution import resolve_turn
from tests.games.support import (
    NOW,
    Table,
    game_seen,
    hand_of,
    history_of,
    later,
    open_turn,
    orders_for,
    sweep,
)

TODAY = NOW.date()


def plan(user: User, first: date, last: date) -> Vacation:
    return plan_vacation(user=user, first=first, last=last, now=NOW)


def days(count: int) -> timedelta:
    return timedelta(days=count)


@pytest.fixture
def away(bob: User) -> User:
    """Return Bob, with a planned vacation of three days from tomorrow."""
    plan(bob, TODAY + days(1), TODAY + days(3))
    return bob


@pytest.fixture
def easy(bob: User) -> User:
    """Return Bob, after he has allowed vacation days without a plan."""
    change_rest(user=bob, days_off=(), night=None, takes_vacation=True)
    return bob


def robot_of(player: User, game: Game) -> dict[str, Any]:
    seen = game_seen(viewer=player, game=Game.objects.get(pk=game.pk))
    return next(robot for robot in seen["robots"] if robot["name"] == player.robo_name)


def test_a_day_is_used_when_a_deadline_would_be_missed(
    duel: Game, table: Table, alice: User, away: User
) -> None:
    Notice.objects.update(status=Notice.Status.SENT, sent_at=NOW)
    table.move(duel, alice)
    sweep(later(hours=23))
    assert not VacationDay.objects.exists(), "not a moment sooner"
    late = later(hours=24, minutes=4)
    sweep(late)
    assert not resolve_turn(turn_id=open_turn(duel).pk, now=late)
    day = VacationDay.objects.get()
    assert (day.user, day.began_at, day.planned) == (away, later(hours=24), True)
    assert hand_of(duel, away).deadline == open_turn(duel).deadline == later(hours=48)
    assert robot_of(away, duel)["away"] is True
    assert open_turn(duel).number == 0
    assert not Program.objects.filter(hand__seat__user=away).exists()
    assert not Notice.objects.filter(kind="day-taken").exists(), "they planned it"
    table.move(duel, away, now=later(hours=30))
    assert open_turn(duel).ready_at == later(hours=30)
    assert VacationDay.objects.count() == 1, "who is back spends no more"
    notice = Notice.objects.get(kind="away")
    assert not send_notification(notice_id=notice.pk, now=later(hours=30))
    notice.refresh_from_db()
    assert notice.status == Notice.Status.OUTDATED


def test_vacation_ends_with_its_last_day_and_with_the_days_of_the_year(
    duel: Game, alice: User, away: User
) -> None:
    for hours in (24, 48, 72):
        sweep(later(hours=hours))
        assert not resolve_turn(turn_id=open_turn(duel).pk, now=later(hours=hours))
    assert VacationDay.objects.count() == 3
    assert open_turn(duel).deadline == later(hours=96)
    assert resolve_turn(turn_id=open_turn(duel).pk, now=later(hours=96))
    assert days_left(user=away, now=later(hours=96)) == DAYS_A_YEAR - 3


def test_chance_plays_for_others_during_a_vacation(duel: Game, alice: User, away: User) -> None:
    resolve_turn(turn_id=open_turn(duel).pk, now=later(hours=24))
    sweep(later(hours=25))
    assert [program.hand.seat.user for program in Program.objects.all() if program.hand.seat] == [alice]
    assert open_turn(duel).deadline == later(hours=48)


def test_a_day_stops_the_clocks_of_all_games(table: Table, duel: Game, alice: User, away: User) -> None:
    same, longer = table.game(alice, away), table.game(alice, away, pace={"hours": 36})
    sweep(later(hours=24))
    for game in (duel, same):
        resolve_turn(turn_id=open_turn(game).pk, now=later(hours=24))
        assert hand_of(game, away).deadline == later(hours=48)
    sweep(later(hours=36))
    assert not resolve_turn(turn_id=open_turn(longer).pk, now=later(hours=36))
    assert hand_of(longer, away).deadline == later(hours=60)
    assert VacationDay.objects.count() == 1, "for all of them"


def test_without_a_plan_only_players_who_allow_it_go_on_vacation(duel: Game, alice: User, bob: User) -> None:
    assert resolve_turn(turn_id=open_turn(duel).pk, now=later(hours=24))
    assert not VacationDay.objects.exists()


def test_players_who_allow_it_go_without_a_plan_but_not_for_long(
    duel: Game, table: Table, alice: User, easy: User
) -> None:
    table.move(duel, alice)
    for hours in (24, 48, 72):
        sweep(later(hours=hours))
        assert not resolve_turn(turn_id=open_turn(duel).pk, now=later(hours=hours))
    assert VacationDay.objects.filter(planned=False).count() == UNPLANNED_DAYS_PER_WEEK
    assert resolve_turn(turn_id=open_turn(duel).pk, now=later(hours=96))


def test_the_first_check_uses_several_days_at_once(duel: Game, table: Table, easy: User) -> None:
    submit_orders(
        user=easy, game_id=duel.pk, turn_number=0, document=orders_for(duel, easy), now=later(hours=60)
    )
    assert list(VacationDay.objects.values_list("began_at", flat=True)) == [later(hours=24), later(hours=48)]


def test_a_player_without_days_left_uses_none(duel: Game, easy: User) -> None:
    for number in range(DAYS_A_YEAR):
        VacationDay.objects.create(user=easy, began_at=NOW - days(40 + number), planned=True)
    assert resolve_turn(turn_id=open_turn(duel).pk, now=later(hours=24))
    assert days_left(user=easy, now=NOW) == 0
    assert days_left(user=easy, now=datetime(2027, 1, 1, tzinfo=NOW.tzinfo)) == DAYS_A_YEAR


def test_only_slow_games_have_vacations(table: Table, alice: User, easy: User) -> None:
    for pace, spent in (
        ({"hours": 12}, 0),
        ({"bank": 12, "increment": 1}, 0),
        ({"bank": 24, "increment": 1}, 1),
        ({"hours": 24, "at": "20:00", "zone": "UTC"}, 1),
    ):
        game = table.game(alice, easy, pace=pace)
        deadline = open_turn(game).deadline
        assert deadline
        resolve_turn(turn_id=open_turn(game).pk, now=deadline)
        assert VacationDay.objects.all().delete()[0] == spent


def test_a_bank_pays_nothing_on_vacation(table: Table, alice: User, easy: User) -> None:
    game = table.game(alice, easy, pace={"bank": 30, "increment": 2})
    VacationDay.objects.create(user=easy, began_at=later(hours=10), planned=False)
    table.move(game, easy, now=later(hours=36))
    assert Seat.objects.get(user=easy).bank == 20 * HOUR, "twelve hours of 32"


def test_the_others_are_notified_once_a_turn(
    duel: Game, table: Table, alice: User, bob: User, away: User
) -> None:
    Notice.objects.update(status=Notice.Status.SENT, sent_at=NOW)
    table.move(duel, alice)
    for hours in (24, 48):
        sweep(later(hours=hours))
        resolve_turn(turn_id=open_turn(duel).pk, now=later(hours=hours))
    notice = Notice.objects.get(kind="away")
    assert notice.user == alice
    assert send_notification(notice_id=notice.pk, now=later(hours=48))
    assert mail.outbox[-1].subject == "First flight: Bob on vacation"
    assert "On vacation: Bob." in str(mail.outbox[-1].body)
    assert history_of(duel).count("Bob is on vacation and gets 1 more day.") == 2


def test_a_player_is_notified_of_each_day_used_without_a_plan(
    duel: Game, table: Table, alice: User, easy: User
) -> None:
    Notice.objects.update(status=Notice.Status.SENT, sent_at=NOW)
    table.move(duel, alice)
    for hours, left in ((24, 27), (48, 26)):
        sweep(later(hours=hours))
        resolve_turn(turn_id=open_turn(duel).pk, now=later(hours=hours))
        notice = Notice.objects.get(kind="day-taken", channel="mail")
        assert notice.user == easy
        assert send_notification(notice_id=notice.pk, now=later(hours=hours))
        assert mail.outbox[-1].subject == "First flight: a vacation day was used"
        assert f"You have {left} days left this year." in str(mail.outbox[-1].body)
    table.move(duel, easy, now=later(hours=50))
    assert Notice.objects.filter(kind="day-taken").count() == 1


def test_a_cancelled_vacation_has_no_effect(duel: Game, away: User, alice: User) -> None:
    vacation = Vacation.objects.get()
    with pytest.raises(NotFound):
        cancel_vacation(user=alice, vacation_id=vacation.pk)
    cancel_vacation(user=away, vacation_id=vacation.pk)
    assert resolve_turn(turn_id=open_turn(duel).pk, now=later(hours=24))


def test_days_follow_the_player_s_time_zone(duel: Game, bob: User) -> None:
    bob.time_zone = "Pacific/Auckland"  # there the deadline is on Monday, at one in the morning
    bob.save()
    plan(bob, date(2026, 11, 23), date(2026, 11, 23))
    assert not resolve_turn(turn_id=open_turn(duel).pk, now=later(hours=24))
    assert VacationDay.objects.get().planned


def test_a_vacation_is_a_few_future_days(bob: User) -> None:
    for first, last in ((-1, 1), (367, 367), (0, DAYS_A_YEAR)):
        with pytest.raises(Invalid, match="up to 28 days"):
            plan(bob, TODAY + days(first), TODAY + days(last))
    plan(bob, TODAY, TODAY + days(DAYS_A_YEAR - 1))


def test_a_vacation_cannot_end_before_it_starts() -> None:
    with pytest.raises(Invalid, match="before the first day"):
        NewVacation(data={"first": "2027-07-02", "last": "2027-07-01"}).allowed()


def test_vacations_do_not_overlap(away: User, alice: User) -> None:
    for first, last in ((1, 1), (0, 1), (3, 9), (0, 9), (2, 2)):
        with pytest.raises(Conflict, match="already"):
            plan(away, TODAY + days(first), TODAY + days(last))
    plan(away, TODAY + days(4), TODAY + days(4))
    plan(alice, TODAY + days(1), TODAY + days(3))


def test_planned_vacations_are_limited(bob: User) -> None:
    for number in range(10):
        plan(bob, TODAY + days(2 * number), TODAY + days(2 * number))
    with pytest.raises(Conflict, match="10 planned vacations"):
        plan(bob, TODAY + days(40), TODAY + days(40))


def test_a_day_that_starts_when_a_pause_ends_counts_fully(duel: Game, easy: User) -> None:
    change_rest(user=easy, days_off=[6], night=None, takes_vacation=True)
    VacationDay.objects.create(user=easy, began_at=later(hours=24), planned=False)
    resolve_turn(turn_id=open_turn(duel).pk, now=later(hours=24))
    assert hand_of(duel, easy).deadline == later(hours=24) + DAY
