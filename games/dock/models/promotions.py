"""Prototypes that ask to join the fleet, and what the design committee decides."""

from typing import Final

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.dock.models.prototypes import Prototype

MOST_WORDS: Final = 2000
"""Characters that a member may write about a vote."""


class Promotion(models.Model):
    """A request of a builder that a prototype, as it is in a ``revision``, joins the fleet.

    ``run`` is the run in the wind tunnel that was not red for this revision, as long as it is kept. The
    committee was last reminded at ``reminded_at``. Who may vote has the permission ``decide_promotion``.
    """

    class Status(models.TextChoices):
        """What became of it."""

        OPEN = "open", _("Waiting for a decision")
        PROMOTED = "promoted", _("Promoted")
        SENT_BACK = "sent-back", _("Sent back")
        CLOSED = "closed", _("Closed")
        TAKEN_BACK = "taken-back", _("Taken back by its builder")
        TAKEN_DOWN = "taken-down", _("Taken down by staff")

    DECIDED: Final = (Status.PROMOTED, Status.SENT_BACK, Status.CLOSED, Status.TAKEN_DOWN)

    prototype = models.ForeignKey(Prototype, on_delete=models.CASCADE, related_name="promotions")
    revision = models.ForeignKey("StarshipRevision", on_delete=models.PROTECT, related_name="+")
    run = models.ForeignKey("TunnelRun", on_delete=models.SET_NULL, null=True, related_name="+")
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    asked_at = models.DateTimeField()
    reminded_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        permissions = [("decide_promotion", "Can decide about promotions, as the design committee")]
        indexes = [
            models.Index(fields=["asked_at"], name="promotions_open", condition=Q(status="open")),
            models.Index(
                fields=["-ended_at"],
                name="promotions_decided",
                condition=Q(status__in=["promoted", "sent-back", "closed", "taken-down"]),
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["prototype"], name="promotion_open_one_each", condition=Q(status="open")
            ),
            models.CheckConstraint(
                name="promotion_open_or_ended",
                condition=Q(status="open", ended_at=None) | ~Q(status="open") & Q(ended_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"promotion {self.pk} of prototype {self.prototype_id}"


class PromotionVote(models.Model):
    """What a member of the design committee votes for, and why; until it is decided, they may change it."""

    class Choice(models.TextChoices):
        """What is to become of the prototype."""

        PROMOTE = "promote", _("Promote")
        SEND_BACK = "send-back", _("Send back")
        CLOSE = "close", _("Close")

    promotion = models.ForeignKey(Promotion, on_delete=models.CASCADE, related_name="votes")
    user = models.ForeignKey("accounts.User", on_delete=models.PROTECT, related_name="+")
    choice = models.CharField(max_length=10, choices=Choice)
    words = models.TextField(blank=True, max_length=MOST_WORDS)
    cast_at = models.DateTimeField()

    class Meta:
        ordering = ["cast_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["promotion", "user"], name="promotion_vote_one_each"),
            models.CheckConstraint(
                name="promotion_vote_has_reasons", condition=Q(choice="promote") | ~Q(words="")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.choice} of {self.user_id} for promotion {self.promotion_id}"
