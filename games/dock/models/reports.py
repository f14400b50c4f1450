"""What people report to staff: starships of others, and what is said about starships."""

from typing import Final

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

LONGEST_REPORT: Final = 1_000
"""Characters that a person may write about what they report."""


class Report(models.Model):
    """That a person reports a ``starship``, a ``draft`` that is shared, or a ``review``: one of the three.

    Staff alone see who did. A decision about the thing closes all its reports at ``closed_at``. A person has
    one open report about a thing.
    """

    class Reason(models.TextChoices):
        """What is wrong with it."""

        COPIED = "copied", _("Copied from another builder")
        OFFENSIVE = "offensive", _("Offensive")
        UNPLAYABLE = "unplayable", _("Unplayable on purpose")
        OTHER = "other", _("Something else")

    class Outcome(models.TextChoices):
        """What staff decided."""

        TAKEN_DOWN = "taken-down", _("Taken down")
        DISMISSED = "dismissed", _("Dismissed")

    starship = models.ForeignKey("Starship", on_delete=models.CASCADE, null=True, related_name="reports")
    draft = models.ForeignKey("StarshipDraft", on_delete=models.CASCADE, null=True, related_name="reports")
    review = models.ForeignKey("Review", on_delete=models.CASCADE, null=True, related_name="reports")
    reporter = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="reports")
    reason = models.CharField(max_length=10, choices=Reason)
    text = models.TextField(max_length=LONGEST_REPORT, blank=True)
    created_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [
            models.Index(fields=["reporter", "-created_at"], name="reports_of_a_person"),
            models.Index(fields=["created_at"], name="reports_open", condition=Q(closed_at=None)),
            models.Index(fields=["closed_at"], name="reports_closed", condition=Q(closed_at__isnull=False)),
        ]
        constraints = [
            *(
                models.UniqueConstraint(
                    fields=["reporter", thing],
                    name=f"report_of_a_{thing}_open_once",
                    condition=Q(closed_at=None, **{f"{thing}__isnull": False}),
                )
                for thing in ("starship", "draft", "review")
            ),
            models.CheckConstraint(
                name="report_about_one_thing",
                condition=Q(starship__isnull=False, draft=None, review=None)
                | Q(starship=None, draft__isnull=False, review=None)
                | Q(starship=None, draft=None, review__isnull=False),
            ),
            models.CheckConstraint(
                name="report_open_or_decided",
                condition=Q(closed_at=None, outcome="") | Q(closed_at__isnull=False) & ~Q(outcome=""),
            ),
        ]

    def __str__(self) -> str:
        return f"report {self.pk}: {self.get_reason_display()}"

    @property
    def about(self) -> models.Model:
        """What it is about."""
        thing = self.starship or self.draft or self.review
        assert thing
        return thing
