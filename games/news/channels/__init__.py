"""The base class of channels. `games/notifications.py` lists all channels."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, ClassVar, Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext

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
    """The result of a test of a channel.

    ``state`` is `SENT`, `FAILED` or `NOT_SET_UP`. ``detail`` is a sentence with the recipient or the error.
    """

    channel: str
    state: str
    detail: str


class Undeliverable(Exception):
    """Raised if a message seems not to have arrived.

    ``reason`` is encoded by `games.work.jobs`. The text of the error is the reason in a sentence, for the
    recipient.
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

    Notifications store the channel's ``name``, and lists show its ``label``. Each channel has its own Celery
    ``task``, so that no channel waits for another.
    """

    name: ClassVar[str]
    label: ClassVar[str | Promise]
    task: ClassVar[str]

    waits_for_readers: ClassVar[bool] = True
    """Whether a notification waits while its reader is looking at the game."""

    receivers: ClassVar[str] = ""
    """The SQL query to select the people that the channel reaches, from an array of user IDs.

    It is empty if the channel reaches everyone.
    """

    failures: ClassVar[Any] = jobs.CALL_FAILURES
    """The metric that counts the channel's failures."""

    @abstractmethod
    def send(self, notice: Notice, *, now: datetime) -> bool:
        """Send a notification, or raise an error.

        Returns False if the person has nothing to receive the notification, such as a browser or a webhook.
        """

    @abstractmethod
    def try_out(self, *, user: User | None, address: str, now: datetime) -> Iterator[Attempt]:
        """Send test messages to a person, or to an email address without an account. Yield each result."""

    def send_daily(self, user: User, notices: Sequence[Notice], *, now: datetime) -> None:
        """Send the notifications of a day as one message."""
        raise NotImplementedError

    def note_accepted(self, *, now: datetime) -> None:  # noqa: B027 - most channels note nothing
        """Record that a notification was sent. Call this afterwards, outside the time limit for sending."""

    def note_given_up(self, reason: str, *, mails: int = 1, now: datetime) -> None:  # noqa: B027
        """Record that notifications were given up, because the last attempt to send them failed."""

    def reaches(self, user: User) -> bool:
        pipeline = Pipeline()
        answer = pipeline.ask(self.receivers, [user.pk]) if self.receivers else None
        pipeline.send()
        return answer is None or bool(answer.rows)

    def refused(self, notice: Notice, kind: Kind) -> str | None:
        """Return the final `Notice.Status` of a notification that must not be sent, or None to send it."""
        user = notice.user
        reached = user is not None and user.is_active and self.reaches(user)
        return None if reached else notice.Status.UNWANTED

    def why_unwanted(self, notice: Notice, user: User) -> str:
        """Return why a person does not get a notification by this channel, as a sentence for staff."""
        return gettext("The channel does not send this kind, or the person has switched it off.")

    def frequency_of(self, notice: Notice, kind: Kind) -> Frequency:
        """Return how often the reader of a notification wants notifications of its kind."""
        silent = kind.to_players and notice.seat is not None and notice.seat.manner == Frequency.NONE
        return Frequency.NONE if silent else Frequency.AT_ONCE

    def close(self, notice: Notice, error: Exception, *, now: datetime) -> bool:
        """Stop sending to a receiver if it has refused a notification permanently.

        Returns whether sending was stopped.
        """
        return False

    def reason_of(self, error: Exception) -> str:
        """Return the reason for a failure, encoded for staff."""
        return error.reason if isinstance(error, Undeliverable) else describe_error(error)

    def given_up(self, notice: Notice, error: Exception) -> str:
        """Return the `Notice.Status` for a notification whose last attempt failed."""
        return notice.Status.GIVEN_UP

    def settings_of(self, user: User) -> dict[str, Any]:
        """Return the channel's values for the page of a person's notification settings."""
        return {}


CHANNELS: Final[models.Registry[Channel]] = models.CHANNELS
"""All channels, by name."""
