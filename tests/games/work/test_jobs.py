"""The sweeper's jobs: a failure stops no other job and no other row."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import Permission
from django.core import mail
from django.db import connection

from accounts.guests import make_guest
from accounts.models import User
from games.clocks.models import Outage
from games.errors import Conflict, Forbidden
from games.news.models import Notice
from games.people.services.deletion import delete_account
from games.play.models import Game, Hand, Seat, Turn
from games.play.resolution import resolve_turn
from games.staff.services import cancel_as_staff, extend_turn
from games.votes.models import Vote
from games.work import jobs, sweeper
from games.work.jobs import BACK_OFF, LONGEST_BACK_OFF, Job, try_again
from games.work.models import Alarm
from roborunner.operations import probes
from tests.games.support import NOW, Table, hand_of, later, open_turn, sweep

Messages = list[tuple[str, int]]

BROKEN = {"format": "calendar/1", "zone": "Europe/Berlin", "days_off": []}
"""A player's calendar that lacks the key ``night``."""


def fails(*, now: datetime) -> int:
    raise RuntimeError("It is broken.")


def run(name: str, now: datetime) -> None:
    jobs.run([job for job in sweeper.JOBS if job.name == name], now=now)


@pytest.fixture
def notified_duel(duel: Game) -> Game:
    """The duel, after all notifications have been sent."""
    Notice.objects.update(status=Notice.Status.SENT, sent_at=NOW)
    return duel


def test_a_failing_job_stops_no_other(db: None) -> None:
    ran: list[str] = []

    def runs(name: str) -> Callable[..., int]:
        return lambda now: ran.append(name) or 1

    names = [job.name for job in sweeper.JOBS]
    good = names[1::2]
    done = jobs.run([Job(name, runs(name) if name in good else fails) for name in names], now=NOW)
    assert ran == good
    assert done == {name: int(name in good) for name in names}


def test_jobs_that_move_games_on_come_first() -> None:
    names = [job.name for job in sweeper.JOBS]
    assert names[:3] == ["heartbeat", "maintenance", "outages"]  # before any player's deadline is handled
    first = ["turns", "overdue players", "computers", "notices"]
    later_on = ["reminders", "votes", "deletions", "lobbies", "guests"]
    assert max(map(names.index, first)) < min(map(names.index, later_on))


def test_a_failing_job_raises_an_alarm_with_its_cause_until_it_succeeds(db: None) -> None:
    for minute in range(2):
        jobs.run([Job("reminders", fails)], now=later(minutes=minute))
    alarm = Alarm.objects.get()
    assert (alarm.job, alarm.row, alarm.attempts) == ("reminders", 0, 2)
    assert (alarm.error, alarm.raised_at) == ("RuntimeError: It is broken.", NOW)
    jobs.run([Job("reminders", lambda now: 0)], now=later(minutes=2))
    alarm.refresh_from_db()
    assert alarm.closed_at == later(minutes=2)
    jobs.run([Job("reminders", fails)], now=later(minutes=3))
    alarm.refresh_from_db()
    assert (alarm.closed_at, alarm.attempts, alarm.raised_at) == (None, 1, later(minutes=3))


def test_the_probe_reports_a_failing_job(db: None) -> None:
    sweeper.sweep(now=NOW)
    assert probes.missing_parts(now=NOW) == {}
    jobs.run([Job("guests", fails), Job("lobbies", fails)], now=NOW)
    assert probes.missing_parts(now=NOW) == {
        "sweeper": "Jobs of the sweeper fail: guests, lobbies. See the alarms."
    }
    sweeper.sweep(now=NOW)
    assert probes.missing_parts(now=NOW) == {}


def test_a_job_with_a_missing_table_stops_no_other(notified_duel: Game, messages: Messages) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE games_vote RENAME TO games_gone")
    jobs.run([job for job in sweeper.JOBS if job.name != "votes"], now=later(hours=24))
    assert ("resolve_turn", open_turn(notified_duel).pk) in messages


class TestUnreadableCalendar:
    """A hand with a calendar that lacks the key ``night``.

    Such a hand once stopped the deadlines of all players.
    """

    def test_it_delays_no_reminders_of_others(
        self, table: Table, notified_duel: Game, alice: User, bob: User, carol: User
    ) -> None:
        other = table.game(alice, carol)
        Notice.objects.all().delete()
        bad = hand_of(notified_duel, bob)
        Hand.objects.filter(pk=bad.pk).update(calendar=BROKEN, remind_at=later(hours=1))
        sweep(later(hours=23))
        reminders = Notice.objects.filter(kind="reminder")
        assert reminders.filter(game=other).count() == 2
        assert reminders.filter(game=notified_duel, user=alice).exists()
        assert not reminders.filter(game=notified_duel, user=bob).exists()
        alarm = Alarm.objects.get()
        assert (alarm.job, alarm.kind, alarm.row, alarm.game) == ("reminders", "hand", bad.pk, notified_duel)
        assert alarm.error == "KeyError: 'night'"

    def test_it_is_retried_once_it_is_repaired(self, notified_duel: Game, bob: User, erin: User) -> None:
        bad = hand_of(notified_duel, bob)
        Hand.objects.filter(pk=bad.pk).update(calendar=BROKEN, remind_at=later(hours=1))
        run("reminders", later(hours=22))
        Hand.objects.filter(pk=bad.pk).update(calendar=None)
        try_again(user=erin, alarm_id=Alarm.objects.get().pk, now=later(hours=22))
        run("reminders", later(hours=22, seconds=1))
        assert Notice.objects.filter(kind="reminder", user=bob).exists()
        assert Alarm.objects.get().closed_at == later(hours=22, seconds=1)

    def test_staff_repair_it_by_extending_the_deadline(
        self, notified_duel: Game, bob: User, erin: User
    ) -> None:
        Hand.objects.filter(pk=hand_of(notified_duel, bob).pk).update(calendar=BROKEN)
        extend_turn(user=erin, game_id=notified_duel.pk, hours=1, reason="Mended.", now=later(hours=24))
        assert hand_of(notified_duel, bob).calendar is None
        assert resolve_turn(turn_id=open_turn(notified_duel).pk, now=later(hours=25))

    def test_it_is_retried_after_longer_and_longer_waits(self, notified_duel: Game, bob: User) -> None:
        bad = hand_of(notified_duel, bob)
        Hand.objects.filter(pk=bad.pk).update(calendar=BROKEN, remind_at=NOW)
        waits = []
        now = later(minutes=1)
        for _ in range(6):
            run("reminders", now)
            run("reminders", now + BACK_OFF / 2)  # too early, so not retried
            alarm = Alarm.objects.get()
            assert alarm.retry_at
            waits.append((alarm.attempts, alarm.retry_at - now))
            now = alarm.retry_at
        minutes = [wait.total_seconds() / 60 for _, wait in waits]
        assert [attempts for attempts, _ in waits] == [1, 2, 3, 4, 5, 6]
        assert minutes == [1, 2, 4, 8, 15, LONGEST_BACK_OFF.total_seconds() / 60]

    def test_its_alarm_closes_when_nothing_is_left_to_do(self, notified_duel: Game, bob: User) -> None:
        bad = hand_of(notified_duel, bob)
        Hand.objects.filter(pk=bad.pk).update(calendar=BROKEN, remind_at=later(hours=1))
        run("reminders", later(hours=22))
        Hand.objects.filter(pk=bad.pk).update(remind_at=None)
        run("reminders", later(hours=22, seconds=1))
        assert Alarm.objects.get().closed_at is not None


def test_an_invalid_time_zone_counts_as_utc(notified_duel: Game, bob: User) -> None:
    """`America` is a directory of time zones. It once stopped the reminders of all players."""
    User.objects.filter(pk=bob.pk).update(time_zone="America")
    run("reminders", later(hours=22))
    assert Notice.objects.filter(kind="reminder").count() == 2
    assert not Alarm.objects.exists()


def test_a_guest_seated_in_another_host_s_game_delays_no_other_guest(duel: Game) -> None:
    seated, lonely = make_guest(), make_guest()
    User.objects.filter(is_guest=True).update(date_joined=later(days=-400), last_login=None)
    Seat.objects.filter(game=duel, number=2).update(user=seated)
    run("guests", NOW)
    assert list(User.objects.filter(is_guest=True)) == [seated]
    alarm = Alarm.objects.get()
    assert (alarm.job, alarm.kind, alarm.row) == ("guests", "user", seated.pk)
    assert "ProtectedError" in alarm.error
    assert lonely not in User.objects.all()


@pytest.mark.parametrize("over", [False, True])
def test_staff_resolve_it_by_deleting_the_guest(duel: Game, erin: User, over: bool) -> None:
    seated = make_guest()
    User.objects.filter(pk=seated.pk).update(date_joined=later(days=-400), last_login=None)
    Seat.objects.filter(game=duel, number=2).update(user=seated)
    if over:
        cancel_as_staff(user=erin, game_id=duel.pk, reason="It was a mistake.", now=NOW)
    sweep(NOW)
    with pytest.raises(Forbidden):
        delete_account(user=seated, now=NOW)
    erin.user_permissions.add(Permission.objects.get(codename="delete_user"))
    seated.refresh_from_db()
    delete_account(user=seated, by=User.objects.get(pk=erin.pk), now=NOW)
    sweep(later(minutes=2))
    assert not User.objects.filter(is_guest=True).exists()
    assert Alarm.objects.get().closed_at == later(minutes=2)
    assert len(mail.outbox) == 0, "a guest has no address for a farewell"


def test_a_game_with_uncountable_votes_delays_no_other(
    table: Table, duel: Game, alice: User, carol: User
) -> None:
    other = table.game(alice, carol)
    for game in (duel, other):
        Vote.objects.create(
            game=game, kind="call-off", asked_by=alice, turn=0, opened_at=NOW, closes_at=later(hours=1)
        )
    Game.objects.filter(pk=duel.pk).update(ruleset="gone")
    run("votes", later(hours=2))
    assert not other.votes.filter(status=Vote.Status.OPEN).exists()


def test_an_outage_is_settled_once_the_last_game_has_its_time_back(notified_duel: Game, bob: User) -> None:
    bad = hand_of(notified_duel, bob)
    Hand.objects.filter(pk=bad.pk).update(calendar=BROKEN)
    outage = Outage.objects.create(began_at=later(hours=1), ended_at=later(hours=3))
    run("outages", later(hours=4))
    outage.refresh_from_db()
    assert outage.settled_at is None
    alarm = Alarm.objects.get(job="outages")
    assert (alarm.kind, alarm.row) == ("game", notified_duel.pk)
    Hand.objects.filter(pk=bad.pk).update(calendar=None)
    run("outages", later(hours=4, minutes=1))
    run("outages", later(hours=4, minutes=2))
    outage.refresh_from_db()
    assert outage.settled_at == later(hours=4, minutes=2)
    deadline = open_turn(notified_duel).deadline
    assert deadline == later(hours=26)


def test_a_row_that_takes_too_long_is_set_aside(notified_duel: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "ROW_SECONDS", 0.05)

    def loops(row: int) -> int:
        while row == notified_duel.pk:
            pass
        return 1

    assert jobs.for_each_row("games", Game.objects.all(), loops, most=5, now=NOW, game="pk") == 0
    assert Alarm.objects.get().error == "TimeoutError: it took longer than 0.05 s"


def test_only_staff_retry_a_row(notified_duel: Game, alice: User, erin: User) -> None:
    jobs.set_aside("votes", kind="vote", row=7, error=ValueError("Bad."), now=NOW)
    alarm = Alarm.objects.get()
    with pytest.raises(Forbidden):
        try_again(user=alice, alarm_id=alarm.pk, now=NOW)
    assert try_again(user=erin, alarm_id=alarm.pk, now=NOW)
    Alarm.objects.update(closed_at=NOW)
    with pytest.raises(Conflict):
        try_again(user=erin, alarm_id=alarm.pk, now=NOW)


def test_turns_have_separate_alarms(notified_duel: Game) -> None:
    jobs.set_aside("votes", kind="vote", row=7, error=ValueError("Bad."), now=NOW)
    jobs.run([Job("guests", fails)], now=NOW)
    sweep(later(hours=24, minutes=6))
    assert Alarm.objects.filter(turn__isnull=False, closed_at=None).count() == 1
    assert Turn.objects.get(alarm__isnull=False).game == notified_duel
