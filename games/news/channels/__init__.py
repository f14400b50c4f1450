"""The base class of channels. `games/notifications.py` lists all channels."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, ClassVar, Final, NamedTuple

from django.utils.functional import Promise

from accounts.models import Frequency, User
from games.errors import describe_error
from games.news import models
from games.news.kinds import Kind
from games.news.models import Notice
from games.work import jobs
from games.work.jobs import encode_reason, reason_in_words
from roborunner.postgres.queries import Pipeline

SENT: Final = "sent"
FAILED: Final = "failed"
NOT_SET_UP: Final = "not set up"


class Attempt(NamedTuple):
    """The result of a test: its channel, its state, and the target or the error."""

    channel: str
    state: str
    detail: str


class Undeliverable(Exception):
    """Raised if a message seems not to have arrived, with an encoded ``reason``.

    `games.work.jobs` decodes it. The text of the error is its sentence, for the recipient.
    """

    def __init__(self, kind: str, detail: object = None) -> None:
        super().__init__(kind, detail)
        self.reason = encode_reason(kind, detail)

    def __str__(self) -> str:
        return reason_in_words(self.reason)


class Gone(Undeliverable):
    """Raised if the receiver refuses all further messages."""


class Channel(ABC):
    """A way to send notifications to people.

    Notifications store its ``name``, and lists show its ``label``. Each channel has its own ``task``, so that
    none waits for another.
    """

    name: ClassVar[str]
    label: ClassVar[str | Promise]
    task: ClassVar[str]

    waits_for_readers: ClassVar[bool] = True
    """Whether it waits while its reader looks at the game."""

    receivers: ClassVar[str] = ""
    """SQL to select the reachable people from an array of ids. Empty: all of them."""

    failures: ClassVar[Any] = jobs.CALL_FAILURES
    """The counter of failures."""

    @abstractmethod
    def send(self, notice: Notice, *, now: datetime) -> bool:
        """Send a notification, or raise an error. Return False if nothing can receive it."""

    @abstractmethod
    def try_out(self, *, user: User | None, address: str, now: datetime) -> Iterator[Attempt]:
        """Send a test to a person, or to an address without an account. Yield results."""

    def send_daily(self, user: User, notices: Sequence[Notice], *, now: datetime) -> None:
        """Send the notifications of a day as one message."""
        raise NotImplementedError

    def note_accepted(self, *, now: datetime) -> None:  # noqa: B027 - most channels note nothing
        """Note a success, after sending and outside of its time limit."""

    def note_given_up(self, reason: str, *, mails: int = 1, now: datetime) -> None:  # noqa: B027
        """Note that notifications were given up."""

    def reaches(self, user: User) -> bool:
        pipeline = Pipeline()
        answer = pipeline.ask(self.receivers, [user.pk]) if self.receivers else None
        pipeline.send()
        return answer is None or bool(answer.rows)

    def refused(self, notice: Notice, kind: Kind) -> str | None:
        """Return the final status (of `Notice`) of an unwanted notification, or None."""
        user = notice.user
        reached = user is not None and user.is_active and self.reaches(user)
        return None if reached else notice.Status.UNWANTED

    def frequency_of(self, notice: Notice, kind: Kind) -> Frequency:
        """Return how often the reader wants notifications of this kind."""
        silent = kind.to_players and notice.seat is not None and notice.seat.manner == Frequency.NONE
        return Frequency.NONE if silent else Frequency.AT_ONCE

    def close(self, notice: Notice, error: Exception, *, now: datetime) -> bool:
        """Close the receiver if it refused a notification for good. Return whether it did."""
        return False

    def reason_of(self, error: Exception) -> str:
        """Return the reason of a failure, for staff."""
        return error.reason if isinstance(error, Undeliverable) else describe_error(error)

    def given_up(self, notice: Notice, error: Exception) -> str:
        """Return the status (of `Notice`) of a notification after the last attempt."""
        return notice.Status.GIVEN_UP

    def settings_of(self, user: User) -> dict[str, Any]:
        """Return the context for the page of a person's settings."""
        return {}


CHANNELS: Final[models.Registry[Channel]] = models.CHANNELS
"""All channels, by name."""
