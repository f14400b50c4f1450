"""Inputs for standing orders and open seats."""

from django.utils.translation import gettext_lazy as _

from accounts.inputs import SegmentsSelect
from accounts.models import Standing
from games.web.inputs import Input, Pick, Strict, Text, explained

MEANINGS = {
    Standing.LAID: _("your draft is played, and chance fills the empty registers"),
    Standing.AHEAD: _(
        "your draft is played, and chips that move forward fill the empty registers, short moves first"
    ),
    Standing.DOWN: _(
        "your draft is played, chance fills the empty registers, and your robot powers down afterwards"
    ),
}
"""The meaning of each choice."""

NO_STANDING = _("Choose your standing orders: my draft, straight ahead or power down.")


class StandingOrders(Input):
    """Standing orders for all games. They are played if you miss a turn."""

    refusal = "no-standing", NO_STANDING

    standing = Pick(
        Standing.choices,
        label=_("If I miss a turn"),
        help_text=explained(MEANINGS),
        style={"widget": SegmentsSelect, "error_messages": {"invalid_choice": NO_STANDING}},
    )


class GameStandingOrders(Input):
    """Standing orders for one game. Empty means the same as for all games."""

    refusal = "no-standing", NO_STANDING

    standing = Pick(
        [("", _("Same as for all games")), *Standing.choices],
        label=_("If I miss a turn of this game"),
        help_text=explained(MEANINGS),
        style={"widget": SegmentsSelect, "error_messages": {"invalid_choice": NO_STANDING}},
    )


class SeatLink(Strict):
    """The link of a private game."""

    may_be_missing = True

    link = Text(default="", allow_blank=True, help_text="The token of a private game's link.")
