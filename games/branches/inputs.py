"""Inputs of branches."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

import rules
from games.branches.models import LONGEST_NAME
from games.fleet.inputs import MOST_PLAYERS
from games.web.inputs import Amount, Choice, Input, InWords, Name, WholeNumber
from rules.review.branches import MAX_MORE


class ChangesByRobot(InWords, serializers.DictField):
    """A JSON object with a value for each changed robot, by seat."""

    default_error_messages = {"not_a_dict": _("An object is expected.")}

    def to_internal_value(self, data: Any) -> Any:
        """Return the values by seat. Raises ValidationError if any is invalid, or if there are too many."""
        if isinstance(data, dict) and len(data) > MOST_PLAYERS:
            self.fail("max_length", max_length=MOST_PLAYERS)
        return super().to_internal_value(data)


class OrdersOfBranch(serializers.JSONField):
    """The whole orders of a robot, as for a turn."""


class NewBranch(Input):
    refusal = "branch", _("Couldn’t save the branch. Fix the marked fields.")

    name = Name(label=_("Name"), longest=LONGEST_NAME, default="", allow_blank=True)
    computers = Amount(
        label=_("Turns that computers play afterwards"),
        least=0,
        most=MAX_MORE,
        default=0,
        help_text=_("Computers then choose the orders of all robots."),
    )
    orders = ChangesByRobot(
        child=OrdersOfBranch(),
        default=dict,
        help_text="The changed orders, by seat: whole orders of the robot.",
    )
    headings = ChangesByRobot(
        child=Choice(list(rules.LETTERS)),
        default=dict,
        help_text="The changed headings at the start of the turn, by seat.",
    )


class NewBranchOfTurn(NewBranch):
    turn = WholeNumber(min_value=0, max_value=2**31 - 1, help_text="The number of a played turn.")
