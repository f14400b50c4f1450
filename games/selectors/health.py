"""Whether the workers are there."""

from datetime import datetime, timedelta

from games.models import Game, Heartbeat, Turn

SILENCE = timedelta(minutes=3)
"""After this long without a sweep the workers count as away."""

PATIENCE = timedelta(seconds=20)
"""How long a turn may take to be played once its orders are in."""


def workers_are_away(*, now: datetime) -> bool:
    """Say whether workers have been there before, and have not been heard of for a while."""
    heartbeat = Heartbeat.objects.first()
    return heartbeat is not None and heartbeat.at < now - SILENCE


def resolution_is_delayed(*, game: Game, now: datetime) -> bool:
    """Say whether a game waits for its turn to be played longer than it should: the page tells so."""
    if game.status != Game.Status.RUNNING:
        return False
    turn = game.turns.filter(status=Turn.Status.OPEN).only("ready_at", "deadline").first()
    if turn is None:
        return False
    due = [time for time in (turn.ready_at, turn.deadline) if time is not None and time <= now]
    if not due:
        return False
    return min(due) < now - PATIENCE or workers_are_away(now=now)
