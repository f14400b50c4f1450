"""What those who run the site want to know of the service behind it: the settings name who tells."""

from collections.abc import Mapping
from datetime import datetime
from importlib import import_module
from typing import Protocol, cast

from django.conf import settings


class Service(Protocol):
    """A module of the service. ``ARGUMENTS`` says what is numbered by an argument of an address.

    ``MAIL_JOB`` names the regular job that fails while the mail server takes no mail.
    """

    ARGUMENTS: Mapping[str, str]
    MAIL_JOB: str

    def row_of(self, task: str) -> str | None: ...

    def backlog(self, *, now: datetime) -> Mapping[str, tuple[str, int]]:
        """Return how much waits, by name, each with what it counts."""
        ...

    def workers_are_heard_of(self, *, now: datetime) -> bool:
        """Say whether a worker was active within the last minutes."""
        ...

    def failing_jobs(self) -> list[str]:
        """Return the names of regular jobs that fail."""
        ...


def service() -> Service:
    """Return the module that the settings name."""
    return cast("Service", import_module(settings.OPERATIONS))
