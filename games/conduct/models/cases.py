"""What players report of each other, and what staff have to decide about one of them."""

from typing import Final

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.sanctions.models import Rule

LONGEST_REPORT: Final = 1_000
"""Characters that a player may write about what they report."""


class Case(models.Model):
    """What staff have to decide about a ``person``: all reports of them join the one case that is open.

    A member of staff who looks at it takes it until ``taken_until``; meanwhile no other decides. Staff also
    open cases themselves, so a case may have no report.
    """

    class Status(models.TextChoices):
        """How far it is."""

        OPEN = "open", _("Open")
        TAKEN = "taken", _("Taken")
        DECIDED = "decided", _("Decided")
        APPEALED = "appealed", _("Appealed")
        UPHELD = "upheld", _("Upheld")
        OVERTURNED = "overturned", _("Overturned")

    person = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="cases")
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    opened_at = models.DateTimeField()
    taken_by = models.ForeignKey("accounts.User", on_delete=models.SET_NULL, null=True, related_name="+")
    taken_until = models.DateTimeField(null=True)
    decided_at = models.DateTimeField(null=True)
    dismissed = models.BooleanField(default=False)
    """Whether staff found that no rule was broken."""

    class Meta:
        ordering = ["-opened_at", "-pk"]
        permissions = [
            ("hide_and_warn", "Can hide chat lines and warn players"),
            ("bar_players", "Can bar players from tournaments, ladders and seasons"),
            ("moderate_players", "Can mute, rename and suspend players, and rename clubs"),
        ]
        indexes = [
            models.Index(
                fields=["opened_at"], name="cases_to_decide", condition=Q(status__in=["open", "taken"])
            ),
            models.Index(fields=["decided_at"], name="cases_decided", condition=Q(decided_at__isnull=False)),
        ]
        constraints = [
            models.UniqueConstraint(fields=["person"], name="case_open_once", condition=Q(decided_at=None)),
            models.CheckConstraint(
                name="case_open_or_decided",
                condition=Q(status__in=["open", "taken"], decided_at=None)
                | Q(status__in=["decided", "appealed", "upheld", "overturned"], decided_at__isnull=False),
            ),
            models.CheckConstraint(
                name="case_taken_for_a_while",
                condition=~Q(status="taken") | Q(taken_until__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"case {self.pk}: {self.person}"


class PlayerReport(models.Model):
    """What a player reports of another: a ``line`` of chat, their name, a ``club`` of theirs, or behaviour.

    Staff alone see who did. ``game`` is where it happened, if it was in one.
    """

    class About(models.TextChoices):
        """What it is about."""

        CHAT = "chat", _("Chat line")
        NAME = "name", _("Robo Name")
        CLUB = "club", _("Club")
        BEHAVIOUR = "behaviour", _("Behaviour")

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="reports")
    reporter = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="player_reports")
    about = models.CharField(max_length=10, choices=About)
    rule = models.CharField(max_length=10, choices=Rule)
    text = models.TextField(max_length=LONGEST_REPORT, blank=True)
    line = models.ForeignKey("ChatLine", on_delete=models.SET_NULL, null=True, related_name="+")
    club = models.ForeignKey("Club", on_delete=models.SET_NULL, null=True, related_name="+")
    game = models.ForeignKey("Game", on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["reporter", "-at"], name="player_reports_of_a_person")]
        constraints = [
            models.UniqueConstraint(
                fields=["reporter", "case", "about", "line", "club", "game"],
                name="player_report_once",
                nulls_distinct=False,
            )
        ]

    def __str__(self) -> str:
        return f"report {self.pk}: {self.get_about_display()}"
