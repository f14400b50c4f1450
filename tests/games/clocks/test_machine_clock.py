"""A machine's clock that jumps deletes nothing, and sends no mail until confirmed."""

import inspect
from datetime import datetime, timedelta
from uuid import UUID

import pytest
import time_machine
from celery import current_app
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from accounts import sessions
from accounts.guests import make_guest
from accounts.models import User
from games import tasks
from games.clocks import machine_clock
from games.clocks.machine_clock import Machine
from games.clocks.models import Boot, Heartbeat, Outage
from games.clocks.selectors import since_when
from games.news.models import Notice
from games.people.services.deletion import forget_sign_ups
from games.play import news
from games.play.models import Game
from games.work import enqueue, sweeper
from games.work.models import failing_jobs
from games.work.sweeper import CLOCKS_JOB, Offers
from tests.games.support import NOW, Table, later, open_turn

JUMPS = [timedelta(days=days) for days in (40, -3)]
BOOT, RESTARTED = UUID(int=1), UUID(int=2)


def machine(*, boot: UUID = BOOT, **since: float) -> Machine:
    """Return the machine with its uptime at a time after `NOW`.

    At `NOW` the machine had run for a week. ``since`` is the time after `NOW`, or after a restart if ``boot``
    differs.
    """
    return Machine(boot, timedelta(days=7, **since) if boot == BOOT else timedelta(**since))


def sweep_by_clocks(*, process: datetime, database: datetime, at: Machine | None = None) -> Offers | None:
    """Sweep with the given times of the process's clock and the database's clock.

    By default the machine has been running as long as the database's clock says.
    """
    elapsed = database - NOW
    return sweeper.sweep_by_clocks(
        process=process, database=database, machine=at or Machine(BOOT, machine().uptime + elapsed)
    )


@pytest.fixture
def house(table: Table, duel: Game, alice: User, bob: User) -> dict[type, int]:
    """Make rows of each kind that expires, just after a sweep. Return their number by model."""
    table.game(alice, seats=2)
    User.objects.create(robo_name="Guest-1", is_guest=True, date_joined=later(days=-29), last_login=NOW)
    User.objects.create(robo_name="Waiting", email="", date_joined=NOW)
    Session.objects.create(session_key="a", session_data="", expire_date=later(days=14))
    sweep_by_clocks(process=NOW, database=NOW)
    return number_of_rows()


def number_of_rows() -> dict[type, int]:
    return {
        User: User.objects.count(),
        Session: Session.objects.count(),
        Game: Game.objects.filter(status=Game.Status.OPEN).count(),
    }


def test_rows_expire_while_the_service_runs(house: dict[type, int]) -> None:
    """This test shows that the rows of `house` do expire, so that the other tests mean something."""
    assert house == {User: 4, Session: 1, Game: 1}
    for day in (1, 15, 30, 40):
        Heartbeat.objects.update(at=later(days=day, minutes=-1))
        sweep_by_clocks(process=later(days=day), database=later(days=day))
    assert number_of_rows() == {User: 2, Session: 0, Game: 0}


@pytest.mark.parametrize("jump", JUMPS, ids=str)
@pytest.mark.parametrize("jumps", ["worker", "database"])
def test_a_jump_of_one_clock_changes_nothing_and_raises_an_alarm(
    house: dict[type, int], jumps: str, jump: timedelta
) -> None:
    minute = later(minutes=1)
    times = {"process": minute, "database": minute}
    times["process" if jumps == "worker" else "database"] += jump
    notices = Notice.objects.count()
    turn = open_turn(Game.objects.get(status=Game.Status.RUNNING))
    assert sweep_by_clocks(**times, at=machine(minutes=1)) is None
    assert number_of_rows() == house
    assert Notice.objects.count() == notices
    assert not Outage.objects.exists()
    assert open_turn(turn.game).deadline == turn.deadline
    assert failing_jobs() == [CLOCKS_JOB]
    assert sweep_by_clocks(process=later(minutes=2), database=later(minutes=2)) is not None
    assert failing_jobs() == []
    assert number_of_rows() == house


@pytest.mark.parametrize("jump", JUMPS, ids=str)
def test_after_a_restart_with_agreeing_clocks_the_gap_is_an_outage_and_nothing_is_deleted(
    house: dict[type, int], jump: timedelta
) -> None:
    then = NOW + jump
    for minutes in (0, 1, 2):
        at = then + timedelta(minutes=minutes)
        since_boot = machine(boot=RESTARTED, minutes=minutes)
        assert sweep_by_clocks(process=at, database=at, at=since_boot) is not None
    assert number_of_rows() == house
    forward = jump > timedelta()
    assert Outage.objects.exists() == forward
    assert Notice.objects.filter(kind=news.OUTAGE.name).exists() == forward
    assert failing_jobs() == []


@pytest.mark.parametrize("jump", JUMPS, ids=str)
def test_a_jump_of_both_clocks_on_one_machine_changes_nothing(
    house: dict[type, int], jump: timedelta
) -> None:
    """The machine's uptime shows that the clocks are wrong.

    When the clocks are right again, all jobs continue.
    """
    at, notices = later(minutes=1) + jump, Notice.objects.count()
    for _pass in range(2):
        assert sweep_by_clocks(process=at, database=at, at=machine(minutes=1)) is None
    assert failing_jobs() == [CLOCKS_JOB]
    assert number_of_rows() == house
    assert Notice.objects.count() == notices
    assert sweep_by_clocks(process=later(minutes=2), database=later(minutes=2)) is not None
    assert failing_jobs() == []
    assert not Outage.objects.exists()


def test_time_confirms_a_jump(house: dict[type, int]) -> None:
    """If the clocks still agree an hour later, the time counts as correct."""
    for minutes, swept in ((0, True), (1, False), (59, False), (60, True), (61, True)):
        at = later(minutes=minutes, hours=1 if minutes else 0)
        done = sweep_by_clocks(process=at, database=at, at=machine(minutes=minutes))
        assert (done is not None) == swept, minutes


def test_a_stopped_service_counts_as_an_outage_not_a_jump(house: dict[type, int]) -> None:
    assert sweep_by_clocks(process=later(days=3), database=later(days=3)) is not None
    assert Outage.objects.exists()


def test_staff_confirm_a_clock_with_a_command(
    db: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(machine_clock, "this_machine", machine)
    machine_clock.confirm(process=later(days=-3), machine=machine())
    assert not machine_clock.is_confirmed(process=NOW, machine=machine())
    with pytest.raises(CommandError, match="disagree"):  # the database has the real time
        call_command("confirm_clock")
    monkeypatch.setattr(machine_clock, "database_time", timezone.now)
    call_command("confirm_clock")
    assert "trust its clock: 2026-11-21 12:00:00" in capsys.readouterr().out
    assert machine_clock.is_confirmed(process=NOW, machine=machine())


def test_the_latest_boot_times_of_machines_are_kept(db: None) -> None:
    for number in range(machine_clock.BOOTS_STORED + 3):
        machine_clock.confirm(
            process=later(days=number), machine=Machine(UUID(int=number), timedelta(hours=1))
        )
    assert set(Boot.objects.values_list("pk", flat=True)) == {
        UUID(int=number) for number in range(3, machine_clock.BOOTS_STORED + 3)
    }


def test_the_kernel_reports_the_boot_time() -> None:
    first, second = machine_clock.this_machine(), machine_clock.this_machine()
    assert first and second
    assert first.boot == second.boot
    assert timedelta() < first.uptime <= second.uptime


GO_ON = {
    enqueue.PLAY_COMPUTERS,  # submits orders
    enqueue.SEND_ACCOUNT_MAIL,  # started by a person
    enqueue.RECOUNT_PERSON,  # depends on no time
    enqueue.FLY_RUN,  # flies
    enqueue.SUGGEST_SHIP,  # searches
    enqueue.REVIEW_GAME,  # reviews
    enqueue.MAKE_CLIP,  # draws
    enqueue.MINE_GAME,  # searches a game for puzzles
    enqueue.MAKE_DAILY_RUN,  # generates the run of a given date
}
"""Tasks that continue after a jump. They neither delete rows nor send mail when a time comes."""


def test_after_a_jump_all_other_tasks_are_left_to_the_sweeper(
    db: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The tasks that wait include every periodic task."""
    monkeypatch.setattr(machine_clock, "this_machine", machine)
    monkeypatch.setattr(machine_clock, "database_time", timezone.now)
    machine_clock.confirm(process=later(days=-3), machine=machine())
    left = {name for name in current_app.tasks if name.startswith("games.")} - GO_ON - {enqueue.RESOLVE_TURN}
    assert {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()} <= left
    assert enqueue.FETCH_BOUNCES in left
    for name in sorted(left - {enqueue.SWEEP}):
        task = current_app.tasks[name]
        caplog.clear()
        task(*[0] * len(inspect.signature(task.run).parameters))
        assert "left to the sweeper" in caplog.text, name
    caplog.clear()
    tasks.sweep()
    assert failing_jobs() == [CLOCKS_JOB]
    assert not Heartbeat.objects.exists()


def test_after_a_jump_only_complete_turns_are_resolved(
    table: Table, duel: Game, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine_clock, "this_machine", machine)
    machine_clock.confirm(process=later(days=-3), machine=machine())
    turn = open_turn(duel)
    duel.turns.filter(pk=turn.pk).update(deadline=later(hours=-1))
    tasks.resolve_turn(turn.pk)
    tasks.keep_deadline(turn.pk)
    assert open_turn(duel) == turn
    duel.turns.filter(pk=turn.pk).update(deadline=later(hours=1))
    table.move(duel, alice, bob)
    tasks.resolve_turn(turn.pk)
    assert open_turn(duel).number == turn.number + 1


def test_the_task_reads_the_database_clock(duel: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """In tests, the process's clock is frozen and the database's clock runs."""
    tasks.sweep()
    assert failing_jobs() == [CLOCKS_JOB]
    assert not Heartbeat.objects.exists()
    monkeypatch.setattr(machine_clock, "database_time", timezone.now)
    tasks.sweep()
    assert failing_jobs() == []
    assert Heartbeat.objects.exists()


def test_after_an_outage_a_sign_up_keeps_the_rest_of_its_day(db: None) -> None:
    User.objects.create(robo_name="Waiting", email="", date_joined=NOW)
    Outage.objects.create(began_at=later(hours=20), ended_at=later(hours=92))
    assert forget_sign_ups(now=later(hours=95, minutes=59)) == 0
    assert forget_sign_ups(now=later(hours=96)) == 1


def test_time_in_outages_counts_once(db: None) -> None:
    day = timedelta(days=1)
    assert since_when(period=day, now=NOW) == NOW - day
    Outage.objects.create(began_at=NOW - 3 * day, ended_at=NOW - day / 2)
    Outage.objects.create(began_at=NOW - 2 * day, ended_at=NOW - day)
    Outage.objects.create(began_at=NOW - 30 * day, ended_at=NOW - 20 * day)
    assert since_when(period=day, now=NOW) == NOW - 3.5 * day
    assert since_when(period=day / 4, now=NOW) == NOW - day / 4


@pytest.mark.parametrize("days", [20, 100])
def test_a_web_process_with_a_wrong_clock_logs_no_one_out(
    alice: User, monkeypatch: pytest.MonkeyPatch, days: int
) -> None:
    """Sessions of accounts and guests expire only after both clocks agree."""
    clocks = {"database": NOW}
    monkeypatch.setattr(machine_clock, "database_time", lambda: clocks["database"])
    browsers = [Client(), Client()]
    for browser, person in zip(browsers, (alice, make_guest()), strict=True):
        browser.force_login(person)
    keys = [browser.session.session_key or "" for browser in browsers]

    def logged_in() -> list[bool]:
        return [browser.get("/").wsgi_request.user.is_authenticated for browser in browsers]

    with time_machine.travel(later(days=days), tick=False):
        assert sessions.sessions_alive(keys, now=timezone.now()) == set(keys)
        assert logged_in() == [True, True]
        clocks["database"] = later(days=days)
        monkeypatch.setattr(machine_clock, "this_machine", lambda: machine(minutes=1))
        machine_clock.confirm(process=NOW, machine=machine())
        Session.objects.update(expire_date=later(days=14))
        assert logged_in() == [True, True], "both clocks are those of one machine, and jumped"
        Session.objects.update(expire_date=later(days=14))
        monkeypatch.setattr(machine_clock, "this_machine", lambda: machine(hours=24 * days))
        assert sessions.sessions_alive(keys, now=timezone.now()) == set()
        assert logged_in() == [False, False]
