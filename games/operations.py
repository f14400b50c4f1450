"""What games tell those who run the site (`roborunner.operations`): for metrics, probes and the log."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from games import enqueue
from games.alarms import failing_jobs
from games.news.channel import CHANNELS
from games.play.selectors.health import workers_are_heard_of
from games.staff.selectors import backlog as waiting

__all__ = ["ARGUMENTS", "backlog", "failing_jobs", "row_of", "workers_are_heard_of"]

HELP: Final = {
    "games_running": "Games that are being played; each has one turn that waits for players or for a worker.",
    "turns_ready": "Turns whose orders are all in, and which wait for a worker.",
    "turns_overdue": "Turns that are past their deadline.",
    "alarms_open": "Alarms that are open: turns not played in time, and jobs and rows that failed.",
    "jobs_failing": "Jobs of the sweeper that failed as a whole when they last ran.",
    "rows_set_aside": "Rows that a job of the sweeper has set aside, since they failed.",
    "notices_pending": "Notices that are to be sent.",
    "notices_failing": "Notices among the pending that were tried in vain.",
    "notices_held": "Notices that wait for a better time: for the mail of a day, or for people who look.",
    "notices_given_up": "Notices that were given up, but for those that somebody's own webhook did not take.",
    "deletions_under_way": "Accounts that are deleted, and that games have not all forgotten yet.",
}

ARGUMENTS: Final = {"game_id": "game"}
"""What an argument of an address numbers."""

ROWS: Final = {
    enqueue.RESOLVE_TURN: "turn",
    enqueue.PLAY_COMPUTERS: "turn",
    enqueue.RECOUNT_PERSON: "person",
}
"""What the number is that a task is given, but for those that send notifications."""


def row_of(task: str) -> str | None:
    """Return what the number is that a task is given."""
    return "notice" if any(task == channel.task for channel in CHANNELS.values()) else ROWS.get(task)


def backlog(*, now: datetime) -> Mapping[str, tuple[str, int]]:
    """Return how much waits for what, with one query; each number with what it counts."""
    return {name: (HELP[name], value) for name, value in waiting.backlog(now=now)._asdict().items()}
