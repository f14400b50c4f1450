"""Appeals of players against what staff decided about them."""

from typing import Final

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

LONGEST_APPEAL: Final = 2_000
LONGEST_ANSWER: Final = 1_000
"""Characters of an appeal, and of the answer of staff."""


class Appeal(models.Model):
    """A player asks for another look at a ``sanction``; someone else than who decided answers, once."""

    class Outcome(models.TextChoices):
        """What came of it."""

        UPHELD = "upheld", _("Upheld")
        OVERTURNED = "overturned", _("Overturned")

    sanction = models.OneToOneField("Sanction", on_delete=models.CASCADE, related_name="appeal")
    text = models.TextField(max_length=LONGEST_APPEAL)
    at = models.DateTimeField()
    answered_by = models.ForeignKey("accounts.User", on_delete=models.PROTECT, null=True, related_name="+")
    answered_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True)
    answer = models.TextField(max_length=LONGEST_ANSWER, blank=True)

    class Meta:
        ordering = ["at", "pk"]
        indexes = [
            models.Index(fields=["at"], name="appeals_to_answer", condition=Q(answered_at=None)),
        ]
        constraints = [
            models.CheckConstraint(name="appeal_says_something", condition=~Q(text="")),
            models.CheckConstraint(
                name="appeal_open_or_answered",
                condition=Q(answered_at=None, outcome="", answer="")
                | Q(answered_at__isnull=False, outcome__in=["upheld", "overturned"]) & ~Q(answer=""),
            ),
        ]

    def __str__(self) -> str:
        return f"appeal {self.pk}: {self.sanction}"
