"""What each channel does. A channel is a folder in `channels/`, and `games/notifications.py` lists it."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, ClassVar, Final, NamedTuple

from django.utils.functional import Promise

from accounts.models import Frequency, User
from games.errors import reason_of
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
    """What became of a test: by which channel, whether it went out, and where to, or why not."""

    channel: str
    state: str
    said: str


class Undeliverable(Exception):
    """What was sent did not arrive, for all we know, for a ``reason`` as `games.work.jobs` has it.

    The text is its sentence, for the person it was for.
    """

    def __init__(self, kind: str, detail: object = None) -> None:
        super().__init__(kind, detail)
        self.reason = encode_reason(kind, detail)

    def __str__(self) -> str:
        return reason_in_words(self.reason)


class Gone(Undeliverable):
    """What was called takes nothing any more, and says so."""


class Channel(ABC):
    """A way by which notifications reach people.

    ``name`` is stored with each notification, and ``label`` names it in lists. ``task`` sends by it: each
    channel has its own, so that none waits for another.
    """

    name: ClassVar[str]
    label: ClassVar[str | Promise]
    task: ClassVar[str]

    waits_for_readers: ClassVar[bool] = True
    """Whether it waits while its reader looks at the game."""

    receivers: ClassVar[str] = ""
    """The statement that returns whom it reaches of people, its one value; where it is empty: all of them."""

    failures: ClassVar[Any] = jobs.CALL_FAILURES
    """Counts what could not be sent."""

    @abstractmethod
    def send(self, notice: Notice, *, now: datetime) -> bool:
        """Send a notification; return whether anything there takes any. Raises what prevents it."""

    @abstractmethod
    def try_out(self, *, user: User | None, address: str, now: datetime) -> Iterator[Attempt]:
        """Send a test to a person, or to an address of a person without an account; say how it went."""

    def send_daily(self, user: User, notices: Sequence[Notice], *, now: datetime) -> None:
        """Send the notifications of a day as one, for people who want that."""
        raise NotImplementedError

    def note_taken(self, *, now: datetime) -> None:  # noqa: B027 - most channels note nothing
        """Note that something took a notification: after it was sent, and without a limit of time."""

    def note_given_up(self, reason: str, *, mails: int = 1, now: datetime) -> None:  # noqa: B027
        """Note that notifications were given up."""

    def reaches(self, user: User) -> bool:
        """Return whether it reaches a person."""
        pipeline = Pipeline()
        answer = pipeline.ask(self.receivers, [user.pk]) if self.receivers else None
        pipeline.send()
        return answer is None or bool(answer.rows)

    def refused(self, notice: Notice, kind: Kind) -> str | None:
        """Return why a notification's person gets none by it (a status of `Notice`), None if they do."""
        user = notice.user
        reached = user is not None and user.is_active and self.reaches(user)
        return None if reached else notice.Status.UNWANTED

    def frequency_of(self, notice: Notice, kind: Kind) -> Frequency:
        """Return how often its person wants notifications like this one."""
        silent = kind.to_players and notice.seat is not None and notice.seat.manner == Frequency.NONE
        return Frequency.NONE if silent else Frequency.AT_ONCE

    def close(self, notice: Notice, error: Exception, *, now: datetime) -> bool:
        """Send nothing more where a notification was refused for good; return whether it was."""
        return False

    def reason_of(self, error: Exception) -> str:
        """Return why a notification was not sent, for staff."""
        return error.reason if isinstance(error, Undeliverable) else reason_of(error)

    def given_up(self, notice: Notice, error: Exception) -> str:
        """Return what became of a notification after the last attempt (a status of `Notice`)."""
        return notice.Status.GIVEN_UP

    def settings_of(self, user: User) -> dict[str, Any]:
        """Return what the page with a person's settings says about it."""
        return {}


CHANNELS: Final[models.Registry[Channel]] = models.CHANNELS
"""All channels, by name."""
