"""Work that a full disk or lost connection blocks is tried again without limit."""

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest
from django.core.mail import EmailMessage
from django.db import OperationalError, connection

import rules
from accounts.models import User
from games.lobby.seats import add_computer
from games.news.delivery import ATTEMPTS as MAIL_ATTEMPTS, LEASE, send_notification
from games.news.models import Notice
from games.people.models import Tally
from games.people.services import scrubbing
from games.people.services.deletion import delete_account, erase
from games.play import computers
from games.play.computers import play_computers
from games.play.models import Game, Hand, Program, Turn
from games.play.resolution import MAX_ATTEMPTS, SUSPECT_AFTER, resolve_turn
from games.work import enqueue
from games.work.models import Alarm
from tests.games.support import NOW, Table, later, open_turn, record_of, sweep
from tests.games.together import hold, hold_up_resolution, wait_for_waiter, wait_until
from tests.support.loaded import ForkedWorker
from tests.support.worker import PROJECT, Worker

MANY = 6
"""A number of failed attempts that is above the limit for other errors."""

NOBODY = 65534


def fill_the_disk(*given: object, **more: object) -> None:
    """Raise the error of a Postgres whose disk is full."""
    with connection.cursor() as cursor:
        full = "could not extend file: No space left on device"
        cursor.execute(f"DO $$ BEGIN RAISE '{full}' USING ERRCODE = '53100'; END $$")


@pytest.mark.django_db(transaction=True)
def test_a_turn_survives_a_full_disk_and_staff_see_the_reason(
    table: Table, duel: Game, alice: User, bob: User
) -> None:
    table.move(duel, alice, bob)
    turn = open_turn(duel)
    for attempt in range(MANY):
        with patch.object(rules, "resolve_turn", fill_the_disk), pytest.raises(OperationalError):
            resolve_turn(turn_id=turn.pk, now=later(minutes=attempt))
        turn.refresh_from_db()
        assert (turn.attempts, turn.interruptions) == (0, 0)
    assert "No space left on device" in turn.error
    assert turn.error.startswith("passing: ")
    assert sweep(later(minutes=MANY)).turns == 1, "it is offered again"
    assert Alarm.objects.get(closed_at=None).turn == turn
    assert resolve_turn(turn_id=turn.pk, now=later(minutes=MANY))
    turn.refresh_from_db()
    assert turn.error == ""


@pytest.mark.django_db(transaction=True)
def test_a_notification_survives_a_full_disk(duel: Game, alice: User) -> None:
    notice = Notice.objects.get(game=duel, user=alice)
    many = MAIL_ATTEMPTS + 1
    for attempt in range(many):
        with patch.object(EmailMessage, "send", fill_the_disk), pytest.raises(OperationalError):
            send_notification(notice_id=notice.pk, now=NOW + attempt * LEASE)
        notice.refresh_from_db()
        assert (notice.status, notice.attempts) == (Notice.Status.PENDING, 0)
    assert send_notification(notice_id=notice.pk, now=NOW + many * LEASE)


@pytest.mark.django_db(transaction=True)
def test_a_computer_s_thinking_survives_a_full_disk(table: Table, alice: User) -> None:
    game = table.game(alice, seats=2)
    add_computer(user=alice, game_id=game.pk, strength="rookie", now=NOW)
    turn = open_turn(game)
    for _ in range(MANY):
        with patch.object(computers, "give_orders", fill_the_disk), pytest.raises(OperationalError):
            play_computers(turn_id=turn.pk, now=NOW)
    hand = Hand.objects.get(turn=turn, seat__user=None)
    assert hand.thoughts == 0
    assert play_computers(turn_id=turn.pk, now=NOW) == 1
    assert Program.objects.get(hand=hand).by == Program.Author.COMPUTER


@pytest.mark.django_db(transaction=True)
def test_a_deletion_survives_a_full_disk(duel: Game, alice: User) -> None:
    deletion = delete_account(user=alice, now=NOW)
    for _ in range(MANY):
        with patch.object(scrubbing, "scrub_game", fill_the_disk):
            erase(deletion_id=deletion.pk, now=NOW)
    left = deletion.games.get()
    assert (left.attempts, left.done_at) == (0, None)
    erase(deletion_id=deletion.pk, now=NOW)
    assert deletion.games.get().done_at == NOW


@pytest.fixture
def small_disk(tmp_path: Path, transactional_db: None) -> Iterator[Path]:
    """Put a table that each turn writes on a disk of two megabytes."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(disk)], capture_output=True, text=True
    )
    if mounted.returncode or not os.environ.get("ROBO_RUNNER_TEST_POSTGRES"):
        pytest.skip("this takes root, to mount a disk, and a Postgres of the tests' own")
    (disk / "space").mkdir()
    os.chown(disk / "space", NOBODY, -1)  # the user of Postgres if the tests run as root
    (disk / "space").chmod(0o700)
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLESPACE small LOCATION '{disk / 'space'}'")
        cursor.execute("TRUNCATE games_tally CASCADE")  # no free space remains in it from earlier tests
        cursor.execute("ALTER TABLE games_tally SET TABLESPACE small")
    yield disk
    (disk / "ballast").unlink(missing_ok=True)
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE games_tally SET TABLESPACE pg_default")
        cursor.execute("DROP TABLESPACE small")
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


def test_a_game_continues_automatically_once_a_full_disk_has_room(
    small_disk: Path, table: Table, duel: Game, alice: User, bob: User
) -> None:
    ballast = small_disk / "ballast"
    with suppress(OSError):
        ballast.write_bytes(bytes(4 * 1024 * 1024))
    table.move(duel, alice, bob)
    turn = open_turn(duel)
    for attempt in range(MAX_ATTEMPTS + 2):
        with pytest.raises(OperationalError, match="No space left on device"):
            resolve_turn(turn_id=turn.pk, now=later(minutes=attempt))
    turn.refresh_from_db()
    assert (turn.status, turn.attempts) == (Turn.Status.OPEN, 0)
    ballast.unlink()
    assert resolve_turn(turn_id=turn.pk, now=later(hours=1))
    assert record_of(duel, 0).events
    assert Tally.objects.count() == 2


DEADLY = """
import os, signal, rules
def die(*given): os.kill(os.getpid(), signal.SIGKILL)
rules.resolve_turn = die
"""


@pytest.mark.django_db(transaction=True)
def test_a_turn_that_kills_its_worker_every_time_stops_with_a_reason(
    table: Table, duel: Game, alice: User, bob: User, start_worker: Callable[..., Worker], tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text(DEADLY)
    turn = open_turn(duel)
    Turn.objects.filter(pk=turn.pk).update(attempts=MAX_ATTEMPTS - 2, interruptions=SUSPECT_AFTER - 1)
    start_worker(PYTHONPATH=f"{tmp_path}{os.pathsep}{PROJECT}")
    table.move(duel, alice, bob)

    def tried(times: int) -> bool:
        return Turn.objects.filter(pk=turn.pk, attempts=times).exists()

    wait_until(partial(tried, MAX_ATTEMPTS - 1), seconds=60)
    enqueue.resolve_turn(turn.pk)
    wait_until(partial(tried, MAX_ATTEMPTS), seconds=60)
    turn.refresh_from_db()
    assert turn.error == "ended-by: SIGKILL"
    assert not resolve_turn(turn_id=turn.pk, now=NOW)


@pytest.mark.django_db(transaction=True)
def test_a_turn_whose_workers_were_killed_from_outside_continues(
    table: Table, duel: Game, alice: User, bob: User, fork_worker: Callable[..., ForkedWorker]
) -> None:
    turn = open_turn(duel)
    Turn.objects.filter(pk=turn.pk).update(interruptions=20 * MAX_ATTEMPTS)
    first = fork_worker()
    with hold() as holding:
        hold_up_resolution(holding, duel)
        table.move(duel, alice, bob)
        wait_for_waiter(holding.backend, seconds=60)
        first.kill()  # halfway, together with or without its child process
    assert Turn.objects.get(pk=turn.pk).attempts == 0
    fork_worker()
    enqueue.resolve_turn(turn.pk)
    wait_until(lambda: Turn.objects.get(pk=turn.pk).status == Turn.Status.RESOLVED, seconds=60)
