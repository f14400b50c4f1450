"""What people send to publish a ship, to review one, and to answer a review."""

from typing import Any, Final

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from accounts.inputs import SegmentsSelect
from games.dock.models import LONGEST_REVIEW, MOST_STARS, MOST_TAGS, Tag
from games.dock.selectors import licence
from games.web.inputs import Input, Prose, Refusable


class PublishForm(Refusable):
    """That the builder agrees to the licence."""

    licence = forms.BooleanField(
        error_messages={"required": _("To publish the ship, agree to its licence.")},
    )

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        told = _("I publish this ship under the licence {licence}, and had the right to draw it.")
        self.fields["licence"].label = told.format(licence=licence())


STARS: Final = [(number, f"{number} ★") for number in range(1, MOST_STARS + 1)]


class TagsSelect(forms.CheckboxSelectMultiple):
    """A dozen choices that wrap."""

    template_name = "forms/tags.html"


class ReviewForm(Refusable):
    """Stars, tags and a text: the service says what is wrong with them."""

    stars = forms.TypedChoiceField(
        label=_("Stars"),
        choices=STARS,
        coerce=int,
        widget=SegmentsSelect,
        error_messages={"required": _("Choose how many stars you give.")},
    )
    tags = forms.MultipleChoiceField(
        label=_("Tags"),
        choices=Tag.choices,
        required=False,
        widget=TagsSelect,
        help_text=format_lazy(_("Choose up to {most}."), most=MOST_TAGS),
    )
    text = forms.CharField(
        label=_("Text"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 6, "maxlength": LONGEST_REVIEW}),
        help_text=_("What was good, and what would you change? Everyone can read it."),
    )


class Answer(Input):
    """The builder's answer to a review."""

    refusal = "answer", _("Your answer cannot be published like this.")

    text = Prose(
        label=_("Your answer"),
        longest=LONGEST_REVIEW,
        rows=3,
        allow_blank=True,
        needed=_("Your answer is empty. Write something first."),
        help_text=_("Everyone can read it. You can answer once, and not change it later."),
    )
