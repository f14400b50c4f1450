"""Scheduled messages resolve the turns of live games at their deadlines."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from games.clocks import clock
from games.play.models import Turn
from roborunner.celery import app
from tests.games.support import Table, open_turn
from tests.games.together import wait_until
from tests.support.loaded import ForkedWorker

pytestmark = pytest.mark.django_db(transaction=True)

MESSAGE = "Task games.tasks.keep_deadline["


@pytest.fixture
def open_live_turn(table: Table, alice: User, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Turn]:
    """A function that starts a live game.

    It returns the open turn, which lasts three seconds.
    """

    def start() -> Turn:
        monkeypatch.setattr(clock, "MINUTE", timedelta(seconds=3))
        return open_turn(table.game(alice, pace={"minutes": 1}, now=timezone.now()))

    return start


def lateness_of(turn: Turn) -> timedelta:
    """Wait until a turn is resolved. Return its delay after the deadline."""

    def is_played() -> bool:
        turn.refresh_from_db(fields=["status", "resolved_at"])
        return turn.status == Turn.Status.RESOLVED

    wait_until(is_played)
    assert turn.resolved_at and turn.deadline
    return turn.resolved_at - turn.deadline


def test_a_turn_is_resolved_within_five_seconds_of_its_deadline_without_a_sweeper(
    open_live_turn: Callable[[], Turn], fork_worker: Callable[..., ForkedWorker]
) -> None:
    worker = fork_worker()
    turn = open_live_turn()
    assert timedelta(0) <= lateness_of(turn) <= timedelta(seconds=5)
    assert open_turn(turn.game).number == 1
    assert MESSAGE in worker.log


def test_the_sweeper_resolves_a_turn_after_a_lost_message(
    open_live_turn: Callable[[], Turn], fork_worker: Callable[..., ForkedWorker]
) -> None:
    turn = open_live_turn()
    app.control.purge()
    worker = fork_worker(beat=True)
    assert timedelta(0) <= lateness_of(turn)
    assert f"{MESSAGE}" not in worker.log.partition("Task games.tasks.resolve_turn[")[0]
