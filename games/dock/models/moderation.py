"""What staff did about starships of people and about what people say of them, and why."""

from typing import Final

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

LONGEST_REASON: Final = 500
"""Characters of a reason that staff give."""


class Moderation(models.Model):
    """Something that staff did: who of them, and the reason, which the author or builder reads.

    It is about a ``review``, about a ``draft`` that was shared, or else about the ``starship`` itself. Review
    and draft may have been deleted since. Only staff read why they dismissed reports.
    """

    class Action(models.TextChoices):
        """What was done."""

        HIDE = "hide", _("Review hidden")
        SHOW = "show", _("Review shown again")
        RELEASE = "release", _("Review released")
        TAKE_DOWN = "take-down", _("Ship taken down")
        RESTORE = "restore", _("Ship restored")
        DISMISS = "dismiss", _("Reports dismissed")

    starship = models.ForeignKey("Starship", on_delete=models.CASCADE, null=True, related_name="moderations")
    review = models.ForeignKey("Review", on_delete=models.SET_NULL, null=True, related_name="moderations")
    draft = models.ForeignKey(
        "StarshipDraft", on_delete=models.SET_NULL, null=True, related_name="moderations"
    )
    action = models.CharField(max_length=10, choices=Action)
    reason = models.CharField(max_length=LONGEST_REASON)
    by = models.ForeignKey("accounts.User", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["-at", "-pk"]
        constraints = [models.CheckConstraint(name="moderation_has_a_reason", condition=~Q(reason=""))]

    def __str__(self) -> str:
        about = self.review or self.draft or self.starship
        return f"{self.get_action_display()}: {about}" if about else self.get_action_display()
