"""Inputs for reports of players, starships and reviews, and for appeals."""

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext, gettext_lazy as _

from games.errors import ProblemDocument
from games.moderation.models import LONGEST_APPEAL, LONGEST_REPORT, Reason, Report, Rule
from games.web.inputs import Choice, Id, Input, Pick, Prose, Text
from rules.names import is_visible

About = Report.About

NO_REPORT: Final = "no-report", _("Couldn’t send the report. Fix the marked fields.")


OFFENCES: Final = [
    (Rule.POLITE.value, _("They insulted, threatened or harassed someone")),
    (Rule.FINISH.value, _("They keep others waiting, or walk away from games")),
    (Rule.OWN_SEAT.value, _("They lose on purpose, or play for someone else")),
    (Rule.PROGRAMS.value, _("They let a program play, and don’t say so")),
    (Rule.OWN_WORK.value, _("They published another builder’s ship as their own")),
    (Rule.PRIVACY.value, _("They posted someone’s name, address or messages")),
    (Rule.WEAKNESSES.value, _("They use a security flaw of the site")),
]
"""The rules of conduct in the words of people who report that someone broke them."""


class NewPlayerReport(Input):
    """The form to report a player."""

    refusal = NO_REPORT

    about = Choice(
        About.choices,
        label=_("What is it about?"),
        style={
            "choices": [(each.value, each.label) for each in (About.BEHAVIOUR, About.NAME)],
            "initial": About.BEHAVIOUR,
        },
    )
    rule = Choice(
        Rule.choices,
        label=_("What happened?"),
        style={"choices": OFFENCES, "error_messages": {"required": _("Choose what happened.")}},
    )
    text = Prose(
        label=_("Details"),
        longest=LONGEST_REPORT,
        rows=4,
        default="",
        allow_blank=True,
        style={"often_needed": True},
        help_text=_("Only staff read this. Required for behaviour: say what happened and when."),
    )
    line = Id(
        default=None, allow_null=True, help_text="The `id` of a chat line that the player wrote, for `chat`."
    )
    club = Text(
        default="",
        allow_blank=True,
        help_text="The `slug` of a club that the player leads, for `club`.",
    )
    game = Id(
        default=None, allow_null=True, help_text="The `id` of the game where it happened, for `behaviour`."
    )

    def faults_together(self, values: Mapping[str, Any]) -> list[ProblemDocument]:
        """Return an error if a report of behaviour has no text."""
        if values.get("about") != About.BEHAVIOUR or is_visible(values["text"]):
            return []
        return [{"code": "text", "detail": gettext("Describe what happened, so that staff can find it.")}]


class NewAppeal(Input):
    """The form to appeal a staff decision."""

    refusal = "text", _("Couldn’t send the appeal. Fix the marked fields.")

    text = Prose(
        label=_("Why is this decision wrong?"),
        longest=LONGEST_APPEAL,
        allow_blank=True,
        needed=_("Explain why the decision is wrong."),
    )


REASONS: Final = {"widget": forms.RadioSelect, "error_messages": {"required": _("Choose what is wrong.")}}


class NewReport(Input):
    """The form to report a starship."""

    refusal = NO_REPORT

    reason = Pick(Reason.choices, label=_("What is wrong?"), style=REASONS)
    text = Prose(
        label=_("Details"),
        longest=LONGEST_REPORT,
        rows=4,
        default="",
        allow_blank=True,
        style={"often_needed": True},
        help_text=_(
            "Required for “Something else”. If it was copied, say from which ship. Only staff read this."
        ),
    )

    def faults_together(self, values: Mapping[str, Any]) -> list[ProblemDocument]:
        """Return an error if a report with the reason `OTHER` has no text."""
        if values["reason"] != Reason.OTHER or is_visible(values["text"]):
            return []
        return [{"code": "text", "detail": gettext("Describe what is wrong, so that staff can find it.")}]


class NewReportOfReview(NewReport):
    """The form to report a review."""

    reason = Pick(
        [each for each in Reason.choices if each[0] != Reason.UNPLAYABLE],
        label=_("What is wrong?"),
        style=REASONS,
    )


class NewReportOfShip(NewReport):
    """A report of a starship, or of a review of the starship."""

    review = Id(
        default=None,
        allow_null=True,
        help_text="The `id` of a review of this ship. Null to report the ship itself.",
    )
