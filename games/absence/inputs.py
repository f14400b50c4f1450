"""Inputs for standing orders, and for taking over open seats."""

from django.utils.translation import gettext_lazy as _

from accounts.inputs import SegmentsSelect
from accounts.models import Standing
from games.web.inputs import Day, Input, Pick, Strict, Text, explained

MEANINGS = {
    Standing.LAID: _("your draft is played, and random chips fill the empty registers"),
    Standing.AHEAD: _(
        "your draft is played, and chips that move forward fill the empty registers, short moves first"
    ),
    Standing.DOWN: _(
        "your draft is played, random chips fill the empty registers, and your robot powers down afterwards"
    ),
}
"""The texts that explain each choice of standing orders to players."""

NO_STANDING = _("Choose your standing orders: my draft, straight ahead or power down.")


class StandingOrders(Input):
    """Your standing orders for all games.

    They are played if you miss a turn of a game with the `absence` policy `standing`.
    """

    refusal = "no-standing", NO_STANDING

    standing = Pick(
        Standing.choices,
        label=_("If I miss a turn"),
        help_text=explained(MEANINGS),
        style={"widget": SegmentsSelect, "error_messages": {"invalid_choice": NO_STANDING}},
    )


class GameStandingOrders(Input):
    """Your standing orders for one game. If they are empty, your standing orders for all games apply."""

    refusal = "no-standing", NO_STANDING

    standing = Pick(
        [("", _("Same as for all games")), *Standing.choices],
        label=_("If I miss a turn in this game"),
        help_text=explained(MEANINGS),
        style={"widget": SegmentsSelect, "error_messages": {"invalid_choice": NO_STANDING}},
    )


class SeatLink(Strict):
    """The input for taking over a seat: the token of the private game's link."""

    may_be_missing = True

    link = Text(default="", allow_blank=True, help_text="The token of a private game's link.")


class NewSitter(Input):
    """A friend to ask, and the first and last day, both inclusive, in your time zone."""

    refusal = "no-sitter", _("Choose a friend, and a first and a last day.")
    beside = {"not-friends": "robo_name", "no-player": "robo_name", "self": "robo_name", "overlaps": "first"}

    robo_name = Text(
        label=_("Friend’s Robo Name"), help_text=_("A player whom you follow and who follows you.")
    )
    first = Day(label=_("First day"))
    last = Day(label=_("Last day"))
