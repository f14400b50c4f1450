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


class NewPlayerReport(Input):
    """A report of a player."""

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
        label=_("Which rule was broken?"),
        style={"error_messages": {"required": _("Choose which rule was broken.")}},
    )
    text = Prose(
        label=_("What happened"),
        longest=LONGEST_REPORT,
        rows=4,
        default="",
        allow_blank=True,
        help_text=_("Only staff read this. For behaviour, say what happened and when."),
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
        """Require a text for a report of behaviour."""
        if values.get("about") != About.BEHAVIOUR or is_visible(values["text"]):
            return []
        return [{"code": "text", "detail": gettext("Describe what happened, so that staff can find it.")}]


class NewAppeal(Input):
    """A player's appeal against a decision."""

    refusal = "text", _("Couldn’t send the appeal. Fix the marked fields.")

    text = Prose(
        label=_("Why is this decision wrong?"),
        longest=LONGEST_APPEAL,
        allow_blank=True,
        needed=_("Explain why the decision is wrong."),
    )


REASONS: Final = {"widget": forms.RadioSelect, "error_messages": {"required": _("Choose what is wrong.")}}


class NewReport(Input):
    """A report of a ship."""

    refusal = NO_REPORT

    reason = Pick(Reason.choices, label=_("What is wrong?"), style=REASONS)
    text = Prose(
        label=_("Details"),
        longest=LONGEST_REPORT,
        rows=4,
        default="",
        allow_blank=True,
        help_text=_("If it was copied, say from which ship. Only staff read this."),
    )

    def faults_together(self, values: Mapping[str, Any]) -> list[ProblemDocument]:
        """Require a text for the reason `OTHER`."""
        if values["reason"] != Reason.OTHER or is_visible(values["text"]):
            return []
        return [{"code": "text", "detail": gettext("Describe what is wrong, so that staff can find it.")}]


class NewReportOfReview(NewReport):
    """A report of a review."""

    reason = Pick(
        [each for each in Reason.choices if each[0] != Reason.UNPLAYABLE],
        label=_("What is wrong?"),
        style=REASONS,
    )


class NewReportOfShip(NewReport):
    """A report of a starship, or of a review of it."""

    review = Id(
        default=None,
        allow_null=True,
        help_text="The `id` of a review of this ship. Null to report the ship itself.",
    )
