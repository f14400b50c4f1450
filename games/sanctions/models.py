"""The tables of this room."""

from typing import Final

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

LONGEST_FACTS: Final = 1_000
"""Characters of what staff say has happened."""

LONGEST_NAME: Final = 40


class Rule(models.TextChoices):
    """A rule of conduct; each has its place on the page of the rules."""

    POLITE = "polite", _("Be polite")
    OWN_WORK = "own-work", _("Publish your own work")
    FINISH = "finish", _("Finish what you start")
    OWN_SEAT = "own-seat", _("Play your own seat")
    PROGRAMS = "programs", _("Say that a program plays")
    PRIVACY = "privacy", _("Respect privacy")
    WEAKNESSES = "weaknesses", _("Report weaknesses")


class Sanction(models.Model):
    """What staff decided about a ``user``: which rule was broken, what happened, and who decided.

    ``days`` is how long it lasts, None for what is done at once. It ends at ``ends_at``, or earlier where it
    was lifted at ``lifted_at``. A suspension of more days than one person may decide ends after those until
    another has ``confirmed_by``. ``line`` is a line of chat that was hidden, ``club`` a club that was
    renamed; a name or text that was changed is kept in ``before`` and ``text_before``, so that it can come
    back.
    """

    class Kind(models.TextChoices):
        """What was done."""

        HIDE = "hide", _("Chat line hidden")
        WARNING = "warning", _("Warning")
        MUTE = "mute", _("Muted")
        BAR = "bar", _("Barred from tournaments")
        SUSPENSION = "suspension", _("Suspended")
        RENAME = "rename", _("Renamed")
        CLUB = "club", _("Club renamed")

    case = models.ForeignKey("Case", on_delete=models.CASCADE, related_name="sanctions")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="sanctions")
    kind = models.CharField(max_length=10, choices=Kind)
    rule = models.CharField(max_length=10, choices=Rule)
    facts = models.TextField(max_length=LONGEST_FACTS)
    by = models.ForeignKey("accounts.User", on_delete=models.PROTECT, related_name="+")
    confirmed_by = models.ForeignKey(
        "accounts.User", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    at = models.DateTimeField()
    days = models.PositiveSmallIntegerField(null=True)
    ends_at = models.DateTimeField(null=True)
    lifted_at = models.DateTimeField(null=True)
    line = models.ForeignKey("ChatLine", on_delete=models.SET_NULL, null=True, related_name="+")
    club = models.ForeignKey("Club", on_delete=models.SET_NULL, null=True, related_name="+")
    before = models.CharField(max_length=LONGEST_NAME, blank=True)
    text_before = models.TextField(blank=True)

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [
            models.Index(
                fields=["user", "ends_at"],
                name="sanctions_that_end",
                condition=Q(ends_at__isnull=False, lifted_at=None),
            )
        ]
        constraints = [
            models.CheckConstraint(name="sanction_has_its_facts", condition=~Q(facts="")),
            models.CheckConstraint(
                name="sanction_lasts_if_of_such_a_kind",
                condition=Q(kind__in=["mute", "bar", "suspension"], days__isnull=False, ends_at__isnull=False)
                | Q(kind__in=["hide", "warning", "rename", "club"], days=None, ends_at=None),
            ),
            models.CheckConstraint(
                name="sanction_confirmed_by_another",
                condition=Q(confirmed_by=None) | ~Q(confirmed_by=F("by")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.user}"
