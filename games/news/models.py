"""Notifications, their receivers, feeds, and registries of kinds and channels."""

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
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
    """A kind of notification or a channel: it has a stored name, and a label for people."""

    @property
    def name(self) -> str: ...

    @property
    def label(self) -> str | Promise: ...


Entry = TypeVar("Entry", bound=Named)


class Registry(dict[str, Entry]):
    """A registry of entries by name. `games/notifications.py` fills it at startup."""

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what = what

    def __missing__(self, name: str) -> Entry:
        """Raise ValueError for an unknown name, such as one stored by a newer release."""
        raise ValueError(f"There is no {self.what} “{name}”.")

    def register(self, *entries: Entry) -> None:
        """Register entries. Raises ValueError if two entries have the same name."""
        for entry in entries:
            if self.setdefault(entry.name, entry) is not entry:
                raise ValueError(f"There are two: {self.what} “{entry.name}”.")

    def choices(self) -> list[tuple[str, str]]:
        """Return the name and label of each entry, as choices for a form field."""
        return [(entry.name, str(entry.label)) for entry in self.values()]


KINDS: Final = Registry[Any]("kind of notification")
CHANNELS: Final = Registry[Any]("channel")
"""The registries of all kinds and channels.

The registries are in this module because the modules of kinds and channels import it.
"""


def kind_choices() -> list[tuple[str, str]]:
    return KINDS.choices()


def channel_choices() -> list[tuple[str, str]]:
    return CHANNELS.choices()


class Queued(Leased):
    """A row that a worker sends to a receiver on another machine (`news.delivery`).

    ``waits_for`` is the name of a busy `Receiver`. The row is tried again when a call to that receiver ends,
    or at the latest at ``lease_until``. ``offered_at`` is the time when the row was last offered to workers.
    """

    offered_at = models.DateTimeField(null=True)
    waits_for = models.CharField(max_length=300, blank=True, default="", db_default="")

    class Meta:
        abstract = True

    @property
    def channel_name(self) -> str:
        """The first part of the names of the row's receivers."""
        raise NotImplementedError

    @property
    def task(self) -> str:
        """The name of the task that sends the row."""
        raise NotImplementedError


class Notice(Queued):
    """A notification for one person by one channel.

    The row is an entry of the queue, and remains for statistics and history. The topic of a notification is a
    ``game`` or one of its turns; a ``starship``; or, if both are null, the person, a tournament, a club or a
    ladder. A recipient without an account has an ``email`` address instead of a ``user``: someone who is
    invited to a game or a club. ``turn`` is 0 if the notification is not about a turn.

    ``about`` identifies the event of a starship or a person, so that the event is announced once. Depending
    on the kind, ``about`` is the ID of a row (such as a review) or a time in seconds. It is null for games.

    At ``due_at``, a worker decides again whether to send a held notification.
    """

    class Status(models.TextChoices):
        PENDING = "pending", _("Waiting")
        HELD = "held", _("Held back")
        SENT = "sent", _("Sent")
        SEEN = "seen", _("Seen before it was sent")
        UNWANTED = "unwanted", _("Not wanted")
        OUTDATED = "outdated", _("Outdated")
        CLOSED = "closed", _("Mail to this address bounces")
        UNANSWERED = "unanswered", _("Not accepted by the webhook")
        GIVEN_UP = "given up", _("Given up")

    OPEN = Q(status__in=[Status.PENDING, Status.HELD])

    kind = models.CharField(max_length=10, choices=kind_choices)
    channel = models.CharField(max_length=10, choices=channel_choices, default="mail", db_default="mail")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, null=True, related_name="notices")
    email = models.EmailField(blank=True)
    game = models.ForeignKey("Game", on_delete=models.CASCADE, null=True, related_name="notices")
    # The index of a constraint is enough. It has no rows about games, so it does not grow with each turn.
    starship = models.ForeignKey(
        "Starship", on_delete=models.CASCADE, null=True, db_index=False, related_name="notices"
    )
    about = models.BigIntegerField(null=True)
    turn = models.PositiveIntegerField(_("turn number"))
    status = models.CharField(max_length=10, choices=Status, default=Status.PENDING)
    created_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)
    last_error = models.TextField(blank=True)

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
                fields=["email", "about", "kind"],
                name="notice_once_to_an_address_about_a_club",
                condition=Q(game=None) & ~Q(email=""),
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
                | Q(game=None, about__isnull=False, user__isnull=False, turn=0)
                | Q(game=None, about__isnull=False, starship=None, turn=0),
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
    def channel_name(self) -> str:
        return self.channel

    @property
    def task(self) -> str:
        task: str = CHANNELS[self.channel].task
        return task

    @property
    def topic(self) -> "Game | Starship | User":
        """The topic of a notification to a person, or about a game: a game, a starship, or the person."""
        topic = self.game or self.starship or self.user
        assert topic
        return topic

    @property
    def heading(self) -> str:
        """The name of the game or starship, or a heading for any other topic."""
        topic = self.game or self.starship
        return topic.name if topic else self._page[0]

    @property
    def path(self) -> str:
        """The path of the page about the notification's topic."""
        topic = self.game or self.starship
        return topic.get_absolute_url() if topic else self._page[1]

    @cached_property
    def _page(self) -> tuple[str, str]:
        """The heading and path of the page about a topic without a game or starship."""
        kind = KINDS.get(self.kind)
        if kind and kind.topic_page:
            heading, path = kind.topic_page(self)
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
        """Whether the notified player has looked at the game since the notification was created."""
        seat = self.seat
        return seat is not None and seat.visited_at is not None and seat.visited_at > self.created_at


class MailServer(models.Model):
    """The state of the mail server, as shown by the latest emails.

    The table has one row. ``taken_at`` is the time of the last success, recorded once a minute at most.
    ``failing_since`` is the time of the first failure after the last success. Since then, ``failures``
    attempts have failed, the last with ``error``. ``is_down`` is true if one of these failures did not depend
    on the recipient. ``refused`` has the hashes of up to three refused recipients. ``given_up_at`` is the
    time when an email was last given up.
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
    """A slot for calls to another machine, taken by a call, or by the pause after a slow failure.

    ``name`` is the channel, with the host and port of the machine. Parallel calls to a machine have different
    values of ``slot``. The slot is taken until ``busy_until``: the end of the call's lease or of the pause.
    Each slow failure in a row adds to ``failures`` and makes the pause longer. A successful call or a fast
    failure deletes the row.
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

    The subject stays when the event's own row is deleted. ``parameters`` has the names in the notifications,
    such as the name of a club or a ladder. Each notification has the subject's ID in ``about``.
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
    """The secret in the addresses of a person's feeds.

    The addresses are secret because news readers and calendars cannot log in. An address contains a signature
    of the ``nonce`` with the site's key, so the database alone gives no access. A new nonce invalidates all
    earlier addresses.
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
    """A browser that a person has set up to show notifications.

    Messages go to ``endpoint``, the address at the push service of the browser's maker. ``p256dh`` and
    ``auth`` are the browser's keys to encrypt messages. ``name`` says which browser and system it is, as in
    `accounts.sessions`. ``browser`` is the hash of the browser's cookie (`accounts.sessions.browser_of`).
    When the person logs out in the browser, the row is deleted.
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
    ``failure`` is the reason for the last failure, encoded by `games.work.jobs`.
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


class SiteNotice(models.Model):
    """A line of text from the operator to all readers, shown on pages and in mail from start to end.

    ``translations`` has the text in other languages, by their codes.
    """

    text = models.CharField(max_length=300)
    translations = models.JSONField(default=dict, blank=True)
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()

    class Meta:
        ordering = ["-starts_at", "pk"]
        indexes = [models.Index(fields=["ends_at"], name="site_notices_by_end")]
        constraints = [
            models.CheckConstraint(name="site_notice_lasts", condition=Q(ends_at__gt=F("starts_at")))
        ]

    def __str__(self) -> str:
        return self.text
