"""What staff did about what people say of starships, and why."""

from typing import Final

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

LONGEST_REASON: Final = 500
"""Characters of a reason that staff give."""


class Moderation(models.Model):
    """Something that staff did about a review: who of them, and the reason, which its author reads.

    The review may have been deleted since.
    """

    class Action(models.TextChoices):
        """What was done."""

        HIDE = "hide", _("Review hidden")
        SHOW = "show", _("Review shown again")
        RELEASE = "release", _("Review released")

    starship = models.ForeignKey("Starship", on_delete=models.CASCADE, related_name="moderations")
    review = models.ForeignKey("Review", on_delete=models.SET_NULL, null=True, related_name="moderations")
    action = models.CharField(max_length=10, choices=Action)
    reason = models.CharField(max_length=LONGEST_REASON)
    by = models.ForeignKey("accounts.User", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["-at", "-pk"]
        constraints = [models.CheckConstraint(name="moderation_has_a_reason", condition=~Q(reason=""))]

    def __str__(self) -> str:
        return f"{self.action} of review {self.review_id}"
