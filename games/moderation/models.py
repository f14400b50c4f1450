"""Reports, cases, sanctions, appeals, takedowns, and the log of staff decisions."""

from typing import Final

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

# --- Sanctions ----------------------------------------------------------------------------------------------


LONGEST_FACTS: Final = 1_000
"""The maximum length of `Sanction.facts`, in characters."""

LONGEST_NAME: Final = 40


class Rule(models.TextChoices):
    """A rule of conduct. Each rule has its own section on the rules page."""

    POLITE = "polite", _("Be polite")
    OWN_WORK = "own-work", _("Publish your own work")
    FINISH = "finish", _("Finish what you start")
    OWN_SEAT = "own-seat", _("Play your own seat")
    PROGRAMS = "programs", _("Identify bots as bots")
    PRIVACY = "privacy", _("Respect privacy")
    WEAKNESSES = "weaknesses", _("Report security flaws")


class Sanction(models.Model):
    """A staff decision about a ``user``.

    ``days`` is the length that staff chose, or None if the decision has no length. The sanction ends at
    ``ends_at``, or earlier at ``lifted_at``. A suspension of more than `MOST_UNCONFIRMED_DAYS` days ends
    after that limit, unless a second member of staff has confirmed it (``confirmed_by``). ``line`` is the
    hidden chat line, and ``club`` the renamed club. ``before`` (the old name of the player or club) and
    ``text_before`` (the club's old text) serve to undo the decision.
    """

    class Kind(models.TextChoices):
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


# --- Cases and reports --------------------------------------------------------------------------------------


LONGEST_REPORT: Final = 1_000
"""The maximum length of the text of a report, in characters."""


class Case(models.Model):
    """A case for staff to decide, about a person, a ship, a shared draft or a review.

    A person, ship, draft or review has at most one open case. New reports join that case. When a member of
    staff has taken the case of a person, no other member can decide the case until ``taken_until``. Staff
    can also open a case about a person without a report. The decision about a ship or review is a
    `Moderation`.
    """

    class Status(models.TextChoices):
        OPEN = "open", _("Open")
        TAKEN = "taken", _("Taken")
        DECIDED = "decided", _("Decided")
        APPEALED = "appealed", _("Appealed")
        UPHELD = "upheld", _("Upheld")
        OVERTURNED = "overturned", _("Overturned")

    person = models.ForeignKey("accounts.User", on_delete=models.CASCADE, null=True, related_name="cases")
    starship = models.ForeignKey("Starship", on_delete=models.CASCADE, null=True, related_name="+")
    draft = models.ForeignKey("StarshipDraft", on_delete=models.CASCADE, null=True, related_name="+")
    review = models.ForeignKey("Review", on_delete=models.CASCADE, null=True, related_name="+")
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    opened_at = models.DateTimeField()
    taken_by = models.ForeignKey("accounts.User", on_delete=models.SET_NULL, null=True, related_name="+")
    taken_until = models.DateTimeField(null=True)
    decided_at = models.DateTimeField(null=True)
    dismissed = models.BooleanField(default=False)
    """Whether staff closed the case because no rule was broken."""

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
            models.UniqueConstraint(
                fields=["person", "starship", "draft", "review"],
                name="case_open_once",
                condition=Q(decided_at=None),
                nulls_distinct=False,
            ),
            models.CheckConstraint(
                name="case_about_one_thing",
                condition=Q(person__isnull=False, starship=None, draft=None, review=None)
                | Q(person=None, starship__isnull=False, draft=None, review=None)
                | Q(person=None, starship=None, draft__isnull=False, review=None)
                | Q(person=None, starship=None, draft=None, review__isnull=False),
            ),
            models.CheckConstraint(
                name="case_open_or_decided",
                condition=Q(status__in=["open", "taken"], decided_at=None)
                | Q(status__in=["decided", "appealed", "upheld", "overturned"], decided_at__isnull=False),
            ),
            models.CheckConstraint(
                name="case_taken_for_a_while", condition=~Q(status="taken") | Q(taken_until__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"case {self.pk}: {self.person}" if self.person else f"case {self.pk}"

    @property
    def about(self) -> models.Model:
        """Return the person, ship, draft or review that the case is about."""
        thing = self.person or self.starship or self.draft or self.review
        assert thing
        return thing


class ShipCase(Case):
    """A case about a ship, draft or review. It needs other permissions than a case about a player."""

    class Meta:
        proxy = True
        verbose_name = _("ship case")


class Reason(models.TextChoices):
    """A reason to report a ship or a review."""

    COPIED = "copied", _("Copied from another builder")
    OFFENSIVE = "offensive", _("Offensive")
    UNPLAYABLE = "unplayable", _("Unplayable on purpose")
    OTHER = "other", _("Something else")


class Report(models.Model):
    """A player's report to staff. Only staff see who sent it.

    For a reported player, ``about`` says what the report concerns: a chat ``line``, the player's name, a
    ``club`` that the player leads, or the player's behaviour. ``game`` is the game of the incident, if any,
    and ``reason`` is the broken `Rule`. For a reported ship or review, ``reason`` is a `Reason`, and
    ``about``, ``line``, ``club`` and ``game`` are empty.
    """

    class About(models.TextChoices):
        CHAT = "chat", _("Chat line")
        NAME = "name", _("Robo Name")
        CLUB = "club", _("Club")
        BEHAVIOUR = "behaviour", _("Behaviour")

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="reports")
    reporter = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="reports")
    about = models.CharField(max_length=10, choices=About, blank=True)
    reason = models.CharField(max_length=10, choices=[*Rule.choices, *Reason.choices])
    text = models.TextField(max_length=LONGEST_REPORT, blank=True)
    line = models.ForeignKey("ChatLine", on_delete=models.SET_NULL, null=True, related_name="+")
    club = models.ForeignKey("Club", on_delete=models.SET_NULL, null=True, related_name="+")
    game = models.ForeignKey("Game", on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["reporter", "-at"], name="reports_of_a_person")]
        constraints = [
            # The service checks the other kinds: deleting a line, club or game sets its column to null.
            models.UniqueConstraint(
                fields=["reporter", "case", "about"], name="report_once", condition=Q(about__in=["", "name"])
            )
        ]

    def __str__(self) -> str:
        return f"report {self.pk}: {self.get_reason_display()}"


LONGEST_APPEAL: Final = 2_000
LONGEST_ANSWER: Final = 1_000
"""The maximum lengths of an appeal and of the answer to it, in characters."""


class Appeal(models.Model):
    """A player's appeal against a ``sanction``. Staff not involved in the sanction answer it."""

    class Outcome(models.TextChoices):
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
        indexes = [models.Index(fields=["at"], name="appeals_to_answer", condition=Q(answered_at=None))]
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


class ConductEntry(models.Model):
    """A log entry about an action in the case of a ``person``.

    ``by`` is the member of staff, or None if a player acted. The database refuses to change or delete an
    entry. ``case`` and ``sanction`` are the IDs of rows, and stay when these rows are deleted. Entries
    contain no text.
    """

    class Deed(models.TextChoices):
        OPENED = "opened", _("Case opened")
        TAKEN = "taken", _("Case taken")
        RELEASED = "released", _("Case released")
        DISMISSED = "dismissed", _("Reports dismissed")
        SANCTIONED = "sanctioned", _("Sanction")
        CONFIRMED = "confirmed", _("Suspension confirmed")
        SHORTENED = "shortened", _("Sanction shortened")
        LIFTED = "lifted", _("Sanction lifted")
        APPEALED = "appealed", _("Appeal received")
        UPHELD = "upheld", _("Appeal refused")
        OVERTURNED = "overturned", _("Sanction overturned")

    at = models.DateTimeField()
    deed = models.CharField(max_length=10, choices=Deed)
    person = models.ForeignKey("accounts.User", on_delete=models.PROTECT, related_name="+")
    by = models.ForeignKey("accounts.User", on_delete=models.PROTECT, null=True, related_name="+")
    case = models.PositiveBigIntegerField()
    sanction = models.PositiveBigIntegerField(null=True)
    kind = models.CharField(max_length=10, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["person", "-id"], name="conduct_of_a_person")]
        verbose_name = _("conduct log entry")
        verbose_name_plural = _("conduct log")

    def __str__(self) -> str:
        return f"{self.get_deed_display()}: {self.person}"


class Renaming(models.Model):
    """The renaming of a person. The row exists until the sweeper has rewritten all the person's games."""

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="+")
    before = models.CharField(max_length=40)
    at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.before} is {self.user}"


# --- Decisions about starships ------------------------------------------------------------------------------


LONGEST_REASON: Final = 500
"""The maximum length of the reason for a decision about a ship or review, in characters."""


class Moderation(models.Model):
    """A staff action about a ship or review, with the member of staff and the reason.

    The builder or the review's author reads the reason. Only staff read why reports were dismissed. The
    action is about a ``review``, a shared ``draft``, or the ``starship`` itself. The review or the draft may
    be deleted later.
    """

    class Action(models.TextChoices):
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
