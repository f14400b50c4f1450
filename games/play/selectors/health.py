"""Whether the workers are there."""

from datetime import datetime, timedelta

from games.clocks.models import Heartbeat
from games.play.models import Game, Turn
from games.work.models import Alarm

SILENCE = timedelta(minutes=3)
"""After this long without a sweep the workers count as away."""

AHEAD = timedelta(minutes=1)
"""How far ahead of ours the clock of a machine with a worker may be; later sweeps tell nothing."""

PATIENCE = timedelta(seconds=20)
"""How long a turn may take to be played once its orders are in."""

PATIENCE_WITH_SWEEPER = timedelta(seconds=60) + PATIENCE
"""The same once its time is up, since the sweeper looks only now and then."""


def workers_are_away(*, now: datetime) -> bool:
    """Say whether workers have been there before, and have not been heard of for a while."""
    heartbeat = Heartbeat.objects.first()
    return heartbeat is not None and not now - SILENCE <= heartbeat.at <= now + AHEAD


def workers_are_heard_of(*, now: datetime) -> bool:
    """Say whether a worker has swept within the last minutes."""
    return Heartbeat.objects.filter(at__range=(now - SILENCE, now + AHEAD)).exists()


def open_alarms() -> int:
    """Return how many alarms are open: turns that were not played in time, and jobs and rows that failed."""
    return Alarm.objects.filter(closed_at=None).count()


def resolution_is_delayed(*, game: Game, now: datetime, turn: Turn | None = None) -> bool:
    """Say whether a game waits for its turn to be played longer than it should: the page tells so.

    ``turn`` is the one under way, where it was read already.
    """
    if game.status != Game.Status.RUNNING:
        return False
    if turn is None:
        turn = game.turns.filter(status=Turn.Status.OPEN).first()
    if turn is None or not any(time and time <= now for time in (turn.ready_at, turn.deadline)):
        return False
    if workers_are_away(now=now):
        return True
    if turn.ready_at is not None:
        return now > turn.ready_at + PATIENCE
    return turn.deadline is not None and now > turn.deadline + PATIENCE_WITH_SWEEPER
