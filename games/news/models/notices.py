"""What people are told, and the sign of life of those who tell it."""

from functools import cached_property
from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.news.registry import KINDS, channel_choices, kind_choices

if TYPE_CHECKING:
    from accounts.models import User
    from games.fleet.models import Starship
    from games.play.models import Game, Seat


class Notice(models.Model):
    """One thing to tell one person by one channel, once: queue, statistics and history in one row.

    It is about a turn of a ``game``, about a ``starship``, or, if it names neither, about the person, a
    tournament, a club or a ladder. Someone without an account is told at an
    ``email`` address. What is about no game, or about one that has not started, is of turn 0.

    ``about`` says what happened to a starship or the person, so that each thing is told once: the number of a
    row (a review, for example), or a moment in seconds, as its kind has it. It is None for games.

    Its sender claims it first: until ``lease_until`` no one else tries, and after it anybody
    may try again. What is held back is looked at again at ``due_at``, and no sooner. ``waits_for`` names the
    receiver that had no room for it: it is offered again when another call there ends, at the latest at
    ``lease_until``.
    """

    class Status(models.TextChoices):
        """What became of it."""

        PENDING = "pending", _("Waiting")
        HELD = "held", _("Held back")
        SENT = "sent", _("Sent")
        SEEN = "seen", _("Seen before it was sent")
        UNWANTED = "unwanted", _("Not wanted")
        OUTDATED = "outdated", _("Outdated")
        CLOSED = "closed", _("Address takes no mail")
        UNANSWERED = "unanswered", _("Webhook did not accept it")
        GIVEN_UP = "given up", _("Given up")

    kind = models.CharField(max_length=10, choices=kind_choices)
    channel = models.CharField(max_length=10, choices=channel_choices, default="mail", db_default="mail")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, null=True, related_name="notices")
    email = models.EmailField(blank=True)
    game = models.ForeignKey("Game", on_delete=models.CASCADE, null=True, related_name="notices")
    # The constraint's index begins with it, and holds no row about a game: each turn would write another.
    starship = models.ForeignKey(
        "Starship", on_delete=models.CASCADE, null=True, db_index=False, related_name="notices"
    )
    about = models.BigIntegerField(null=True)
    turn = models.PositiveIntegerField(_("turn number"))
    status = models.CharField(max_length=10, choices=Status, default=Status.PENDING)
    created_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
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
        """What it is about: a game, a starship, or the person."""
        topic = self.game or self.starship or self.user
        assert topic
        return topic

    @property
    def heading(self) -> str:
        """What its topic is called."""
        topic = self.game or self.starship
        return topic.name if topic else self._page[0]

    @property
    def path(self) -> str:
        """The path of the page of its topic."""
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
        """Whether its person has looked at the game since there was something to tell."""
        seat = self.seat
        return seat is not None and seat.visited_at is not None and seat.visited_at > self.created_at
