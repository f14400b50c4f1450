"""Inputs for publishing a ship, voting on it, reviewing it, and answering a review."""

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.utils.functional import lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy as _

from accounts.inputs import SegmentsSelect
from games.dock.models import LONGEST_REASONS, LONGEST_REVIEW, MOST_STARS, MOST_TAGS, PromotionVote, Tag
from games.dock.selectors import licence
from games.errors import ProblemDocument
from games.web.inputs import Choice, Flag, Id, Input, Items, Pick, Prose, Text, WholeNumber
from games.web.queries import LARGEST_CURSOR
from rules.names import is_visible


class NewPrototype(Input):
    """The draft to publish as a prototype."""

    refusal = "unpublished", _("Couldn’t publish the ship. Fix the marked fields.")

    draft = Id(help_text="The draft to publish. Its last saved version counts.")
    agrees = Flag(
        default=False,
        label=format_lazy(
            _("I publish this ship under the licence {licence}, and I have the right to publish it."),
            licence=lazy(licence, str)(),
        ),
    )

    def faults_together(self, values: Mapping[str, Any]) -> list[ProblemDocument]:
        """Return a problem if the builder does not agree to the licence."""
        if values["agrees"]:
            return []
        detail = gettext("To publish this ship, agree to its licence: {licence}.").format(licence=licence())
        return [{"code": "licence", "detail": detail}]


class CommitteeVote(Input):
    """The vote of a member of the design committee, with reasons."""

    refusal = "no-vote", _("Couldn’t save your vote. Fix the marked fields.")

    vote = Choice(
        PromotionVote.Choice.choices,
        label=_("Your vote"),
        style={"error_messages": {"required": _("Choose one: promote, send back or close.")}},
    )
    words = Prose(
        label=_("Reason"),
        longest=LONGEST_REASONS,
        default="",
        allow_blank=True,
        help_text=_(
            "Required if you vote to send the ship back or close it. Everyone can read it after the decision."
        ),
    )

    def faults_together(self, values: Mapping[str, Any]) -> list[ProblemDocument]:
        if values["vote"] == PromotionVote.Choice.PROMOTE or is_visible(values["words"]):
            return []
        detail = gettext("Give a reason. The builder and everyone else can read it after the decision.")
        return [{"code": "words", "detail": detail}]


STARS: Final = [(number, f"{number} ★") for number in range(1, MOST_STARS + 1)]


class TagsSelect(forms.CheckboxSelectMultiple):
    template_name = "forms/tags.html"


class Tags(Items):
    """The tags of a review, without repeats, in the order of `Tag`."""

    def to_internal_value(self, data: Any) -> list[str]:
        asked: list[str] = super().to_internal_value(data)
        known = [tag for tag in Tag.values if tag in asked]
        return known + [tag for tag in asked if tag not in known]

    def faults(self, value: list[str]) -> list[str]:
        if unknown := next((tag for tag in value if tag not in Tag.values), None):
            return [gettext("There is no tag “{name}”.").format(name=unknown[:40])]
        if len(value) > MOST_TAGS:
            return [gettext("Choose at most {most} tags.").format(most=MOST_TAGS)]
        return []


class NewReview(Input):
    """Your review of a starship."""

    refusal = "review", _("Couldn’t save your review. Fix the marked fields.")

    stars = Pick(
        STARS,
        label=_("Stars"),
        style={
            "widget": SegmentsSelect,
            "error_messages": {"required": _("Choose a number of stars.")},
        },
    )
    tags = Tags(
        child=Text(),
        default=list,
        label=_("Tags"),
        style={"choices": Tag.choices, "widget": TagsSelect},
        help_text=format_lazy(_("Choose up to {most}."), most=MOST_TAGS),
    )
    text = Prose(
        label=_("Text"),
        longest=LONGEST_REVIEW,
        rows=6,
        default="",
        allow_blank=True,
        help_text=_("What was good, and what would you change? Everyone can read it."),
    )
    version = WholeNumber(
        default=None,
        allow_null=True,
        min_value=1,
        max_value=LARGEST_CURSOR,
        help_text="The version to review. The default is the newest one on which you finished a game.",
    )


class Answer(Input):
    """The builder's answer to a review."""

    refusal = "answer", _("Couldn’t publish your answer. Fix the marked fields.")

    text = Prose(
        label=_("Your answer"),
        longest=LONGEST_REVIEW,
        rows=3,
        allow_blank=True,
        needed=_("Your answer is empty. Write something first."),
        help_text=_("Everyone can read your answer. You can’t change it later."),
    )
