"""Notifications, their receivers, feeds, and registries of kinds and channels."""

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext as _gettext, gettext_lazy as _

from accounts.sessions import browser_in_words
from games.errors import has_format
from roborunner.leases import Leased

if TYPE_CHECKING:
    from accounts.models import User
    from games.fleet.models import Starship
    from games.play.models import Game, Seat


class Named(Protocol):
    """A thing with a stored name and a label for people."""

    @property
    def name(self) -> str: ...

    @property
    def label(self) -> str | Promise: ...


Entry = TypeVar("Entry", bound=Named)


class Registry(dict[str, Entry]):
    """A registry of things by name, filled at startup (`games/notifications.py`)."""

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what = what

    def __missing__(self, name: str) -> Entry:
        """Raise ValueError, for example if an older release does not know the name."""
        raise ValueError(f"There is no {self.what} “{name}”.")

    def register(self, *entries: Entry) -> None:
        """Register things. Raises ValueError if two have the same name."""
        for entry in entries:
            if self.setdefault(entry.name, entry) is not entry:
                raise ValueError(f"There are two: {self.what} “{entry.name}”.")

    def choices(self) -> list[tuple[str, str]]:
        """Return the name and label of each."""
        return [(entry.name, str(entry.label)) for entry in self.values()]


KINDS: Final = Registry[Any]("kind of notification")
CHANNELS: Final = Registry[Any]("channel")
"""All kinds and channels by name, here since their own modules import this one."""


def kind_choices() -> list[tuple[str, str]]:
    return KINDS.choices()


def channel_choices() -> list[tuple[str, str]]:
    return CHANNELS.choices()


class Notice(Leased):
    """A notification for one person by one channel.

    The row is queue entry, statistics and history. It is about a turn of a ``game``, a ``starship``, or else
    the person, a tournament, a club or a ladder. A person without an account has an ``email`` address
    instead. Turn 0 means no game, or one that has not started.

    ``about`` identifies the event of a starship or a person, which is announced once. Its kind decides
    whether it is the number of a row (such as a review) or a moment in seconds. It is None for games.

    A held notification is judged again at ``due_at``. ``waits_for`` names a busy receiver. The
    notification is tried again when a call there ends, at the latest at ``lease_until``.
    """

    class Status(models.TextChoices):
        PENDING = "pending", _("Waiting")
        HELD = "held", _("Held back")
        SENT = "sent", _("Sent")
        SEEN = "seen", _("Seen before it was sent")
        UNWANTED = "unwanted", _("Not wanted")
        OUTDATED = "outdated", _("Outdated")
        CLOSED = "closed", _("Mail to this address bounces")
        UNANSWERED = "unanswered", _("Not accepted by webhook")
        GIVEN_UP = "given up", _("Given up")

    OPEN = Q(status__in=[Status.PENDING, Status.HELD])

    kind = models.CharField(max_length=10, choices=kind_choices)
    channel = models.CharField(max_length=10, choices=channel_choices, default="mail", db_default="mail")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, null=True, related_name="notices")
    email = models.EmailField(blank=True)
    game = models.ForeignKey("Game", on_delete=models.CASCADE, null=True, related_name="notices")
    # The constraint's index serves, without rows about games. Another would grow with each turn.
    starship = models.ForeignKey(
        "Starship", on_delete=models.CASCADE, null=True, db_index=False, related_name="notices"
    )
    about = models.BigIntegerField(null=True)
    turn = models.PositiveIntegerField(_("turn number"))
    status = models.CharField(max_length=10, choices=Status, default=Status.PENDING)
    created_at = models.DateTimeField()
    offered_at = models.DateTimeField(null=True)
    due_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)
    last_error = models.TextField(blank=True)
    waits_for = models.CharField(max_length=300, blank=True, default="", db_default="")

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [
            models.Index(fields=["lease_until"], name="notices_pending", condition=Q(status="pending")),
            models.Index(fields=["created_at"], name="notices_given_up", condition=Q(status="given up")),
            models.Index(fields=["due_at"], name="notices_held", condition=Q(status="held")),
            models.Index(
                fields=["user"], name="notices_of_a_person", condition=Q(status__in=["held", "pending"])
            ),
            models.Index(fields=["user", "-created_at"], name="notices_newest"),
            models.Index(fields=["waits_for"], name="notices_waiting", condition=~Q(waits_for="")),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["game", "turn", "user", "kind", "channel"], name="notice_once_a_channel"
            ),
            models.UniqueConstraint(
                fields=["game", "email", "kind"], name="notice_once_to_an_address", condition=~Q(email="")
            ),
            models.UniqueConstraint(
                fields=["starship", "about", "user", "kind", "channel"],
                name="notice_of_a_starship_once",
                condition=Q(starship__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["user", "about", "kind", "channel"],
                name="notice_of_a_person_once",
                condition=Q(game=None, starship=None),
            ),
            models.CheckConstraint(
                name="notice_of_a_game_or_not",
                condition=Q(game__isnull=False, starship=None, about=None)
                | Q(game=None, about__isnull=False, user__isnull=False, turn=0),
            ),
            models.CheckConstraint(
                name="notice_to_a_person_or_an_address",
                condition=Q(user__isnull=False, email="") | Q(user=None) & ~Q(email=""),
            ),
            models.CheckConstraint(
                name="notice_sent_at_some_time",
                condition=Q(status="sent", sent_at__isnull=False) | (~Q(status="sent") & Q(sent_at=None)),
            ),
        ]

    def __str__(self) -> str:
        of = f"starship {self.starship_id}" if self.starship_id else self.game_id or "the person"
        return f"{self.kind} {self.about or self.turn} of {of} to {self.user_id or self.email}"

    @property
    def topic(self) -> "Game | Starship | User":
        """Its subject: a game, a starship, or the person."""
        topic = self.game or self.starship or self.user
        assert topic
        return topic

    @property
    def heading(self) -> str:
        """The name of its topic."""
        topic = self.game or self.starship
        return topic.name if topic else self._page[0]

    @property
    def path(self) -> str:
        """The path of its topic's page."""
        topic = self.game or self.starship
        return topic.get_absolute_url() if topic else self._page[1]

    @property
    def _page(self) -> tuple[str, str]:
        """The heading and path of its page, if it is about neither a game nor a starship."""
        kind = KINDS.get(self.kind)
        if kind and kind.page:
            heading, path = kind.page(self)
            return heading, path
        return gettext("Your account"), reverse("conduct:mine")

    @cached_property
    def seat(self) -> "Seat | None":
        if self.user is None or self.game is None:
            return None
        seat = next((each for each in self.game.players.all() if each.user_id == self.user_id), None)
        if seat:
            seat.user = self.user
        return seat

    @property
    def came(self) -> bool:
        """Whether the person has looked at the game since the notification was made."""
        seat = self.seat
        return seat is not None and seat.visited_at is not None and seat.visited_at > self.created_at


class MailServer(models.Model):
    """The state of the mail server, by the latest emails. There is one row.

    ``failing_since`` is the first failure after the last success. Since then ``failures`` attempts have
    failed, the last with ``error``. If ``is_down``, one of them did not depend on the recipient. ``refused``
    has hashes of up to three refused recipients. ``taken_at``, the last success, may be a minute old.
    """

    taken_at = models.DateTimeField(null=True)
    failing_since = models.DateTimeField(null=True)
    failures = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True, default="")
    is_down = models.BooleanField(default=False)
    refused = ArrayField(models.CharField(max_length=64), default=list, blank=True)
    given_up_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.CheckConstraint(name="mail_server_alone", condition=Q(pk=1))]

    def __str__(self) -> str:
        return f"mail server, taken at {self.taken_at}, failing since {self.failing_since}"


class Receiver(models.Model):
    """A call to another machine, or the rest after a slow failure.

    ``name`` is the channel with host and port. Parallel calls have different values of ``slot``. The slot is
    taken until ``busy_until``: the end of the call's lease or of the rest. Each failure in a row adds to
    ``failures`` and makes the rest longer. A successful call or a fast failure deletes the row.
    """

    name = models.CharField(max_length=300)
    slot = models.PositiveSmallIntegerField()
    busy_until = models.DateTimeField()
    failures = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["name", "slot"], name="receiver_slot_once")]

    def __str__(self) -> str:
        return f"{self.name}, call {self.slot + 1}"


SUBJECT_FORMAT: Final = "subject/1"


class NoticeSubject(models.Model):
    """The shared subject of notifications about one event.

    It outlives the event's own row. ``parameters`` has the names in the notifications, such as a club or a
    ladder. Each notification has the subject's number in ``about``.
    """

    parameters = models.JSONField()
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                name="notice_subject_has_its_format", condition=has_format("parameters", SUBJECT_FORMAT)
            )
        ]

    def __str__(self) -> str:
        return f"subject {self.pk}"


class Feed(models.Model):
    """The secret of a person's feeds. News readers and calendars cannot log in.

    The addresses contain a signature of the ``nonce`` with the site's key, so the database alone gives no
    access. A new nonce invalidates all earlier addresses.
    """

    user = models.OneToOneField("accounts.User", on_delete=models.CASCADE, related_name="feed")
    nonce = models.CharField(max_length=32)
    made_at = models.DateTimeField()
    shown = models.JSONField(
        null=True, help_text=_("The deadlines last shown in the calendar: a shown-deadlines/1 document.")
    )

    def __str__(self) -> str:
        return _gettext("feeds of {player}").format(player=self.user_id)


class Device(models.Model):
    """A browser for a person's notifications, through its maker's push service.

    ``name`` is its browser and system, as in `accounts.sessions`. ``p256dh`` and ``auth`` are its keys for
    messages. ``browser`` is the hash of the browser's number (`accounts.traces`): logging out there ends its
    notifications.
    """

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="devices")
    endpoint = models.URLField(max_length=1000, unique=True)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=30)
    name = models.CharField(max_length=60)
    browser = models.CharField(max_length=64, blank=True, default="", db_default="")
    made_at = models.DateTimeField()
    told_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.name} of {self.user_id}"

    @property
    def label(self) -> str:
        return browser_in_words(self.name)


class Webhook(models.Model):
    """The address of a person's program for signed notifications.

    All posts since ``failing_since`` have failed. After some days of failures, the webhook is switched off.
    ``failure`` is the encoded reason (`games.work.jobs`).
    """

    user = models.OneToOneField("accounts.User", on_delete=models.CASCADE, related_name="webhook")
    url = models.URLField(max_length=1000)
    secret = models.CharField(max_length=64)
    made_at = models.DateTimeField()
    answered_at = models.DateTimeField(_("last success"), null=True)
    tested_at = models.DateTimeField(null=True)
    failing_since = models.DateTimeField(null=True)
    failure = models.CharField(max_length=300, blank=True)
    switched_off_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="webhook_off_for_a_reason",
                condition=Q(switched_off_at=None) | Q(failing_since__isnull=False) & ~Q(failure=""),
            )
        ]

    def __str__(self) -> str:
        return gettext("webhook of {player}").format(player=self.user_id)
