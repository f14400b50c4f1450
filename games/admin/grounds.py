"""Why staff do something about ships and reviews: they are asked, and it says who reads the answer."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.dock.models.moderation import LONGEST_REASON
from games.staff.pages import Grounds


def _reason(read_by: Any) -> forms.CharField:
    return forms.CharField(
        label=_("Why?"),
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3, "cols": 60}),
        help_text=read_by,
    )


class GroundsForAuthor(Grounds):
    """The reason, which the author of a review reads."""

    reason = _reason(_("The author of the review reads this. They do not see who wrote it."))


class GroundsForBuilder(Grounds):
    """The reason, which the builder of a ship reads, or the author of a review."""

    reason = _reason(
        _("The builder or author reads this. They see neither who wrote it nor who reported it.")
    )


class GroundsForStaff(Grounds):
    """The reason, which other staff read."""

    reason = _reason(_("Only staff read this."))
