"""The inputs of staff actions: the reason for an intervention, and hours to extend a deadline."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.clocks.clock import MAX_TURN_HOURS
from games.staff.models import MAX_REASON_LENGTH
from games.web.inputs import Input, Prose, WholeNumber


class Reason(Prose):
    """A text field for a reason. Line breaks in the text become spaces."""

    def __init__(self, **more: Any) -> None:
        box = forms.Textarea(attrs={"rows": 3, "cols": 60})
        super().__init__(label=_("Why?"), allow_blank=True, style={"widget": box}, **more)

    def to_internal_value(self, data: Any) -> str:
        return " ".join(super().to_internal_value(data).split())


class Grounds(Input):
    """The form for the reason of an intervention."""

    refusal = "reason", _("Give a reason. Players will read it.")

    reason = Reason(
        longest=MAX_REASON_LENGTH,
        needed=_("Give a reason. Players will read it."),
        help_text=_("Players read this on the game’s page, but don’t see who wrote it."),
    )


class MoreTime(Grounds):
    """The form to extend a deadline: the number of hours, and the reason."""

    hours = WholeNumber(
        label=_("Hours"),
        min_value=1,
        max_value=MAX_TURN_HOURS,
        style={"initial": 24},
        help_text=_(
            "Counted from the deadline, or from now if it has passed. Applies to all players without orders."
        ),
    )
