"""Data for operators: metrics, probes and the log (`roborunner.operations`)."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final, get_type_hints

from games.clocks.maintenance import maintenance_at
from games.news.channels import CHANNELS
from games.news.delivery import MAIL_JOB
from games.play.selectors import workers_are_active
from games.staff import selectors as staff
from games.staff.errors import record_errors
from games.work import enqueue
from games.work.models import failing_jobs

__all__ = [
    "ARGUMENTS",
    "MAIL_JOB",
    "ages",
    "backlog",
    "failing_jobs",
    "maintenance_until",
    "record_errors",
    "row_of",
    "workers_are_active",
]

ARGUMENTS: Final = {"game_id": "game"}
"""The log's names for the IDs of objects, by the URL argument with the ID."""

ROWS: Final = {
    enqueue.RESOLVE_TURN: "turn",
    enqueue.PLAY_COMPUTERS: "turn",
    enqueue.RECOUNT_PERSON: "person",
    enqueue.SEND_ACCOUNT_MAIL: "mail",
}
"""The log's names for the IDs of database rows, by the name of the task that gets the ID.

Tasks that send notifications are not listed. For these, the name is "notice".
"""


def row_of(task: str) -> str | None:
    """Return the log's name for the ID that a task gets, or None if the log omits the ID."""
    return "notice" if any(task == channel.task for channel in CHANNELS.values()) else ROWS.get(task)


def ages(*, now: datetime) -> Mapping[str, tuple[str, int]]:
    """Return the description and the value of each age, by its name."""
    helps = get_type_hints(staff.Ages, include_extras=True)
    found = staff.ages(now=now)._asdict()
    return {name: (helps[name].__metadata__[0], value) for name, value in found.items()}


def maintenance_until(*, now: datetime) -> datetime | None:
    """Return the end of the maintenance under way, or None if there is none."""
    current = maintenance_at(now)
    return current.end if current else None


def backlog(*, now: datetime) -> Mapping[str, tuple[str, int]]:
    """Return the description and the number of entries of each backlog, by its name. Make one query."""
    helps = get_type_hints(staff.Backlog, include_extras=True)
    found = staff.backlog(now=now)._asdict()
    return {name: (helps[name].__metadata__[0], value) for name, value in found.items()}
