"""Computers, as they are asked for."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail

import rules
from accounts.models import LOOKS
from games.play.models import Seat
from games.web.inputs import Items, Strict, Text, WholeNumber

MOST: Final = max(ruleset.seats[1] for ruleset in rules.RULESETS.values())
"""Computers in one request: the most that play by any ruleset."""

LOOK = f"Which of the {LOOKS} robots, from 1."


class ComputerSerializer(Strict):
    """A computer to play with; what is not named is chosen."""

    strength = Text(help_text=f"One of: {', '.join(Seat.Strength.values)}.")
    look = WholeNumber(default=None, allow_null=True, help_text=LOOK)
    model = Text(default="", allow_blank=True, help_text="Of its robot, in rulesets that have models.")
    squad = Text(default="", allow_blank=True, help_text="In rulesets with squads.")


@extend_schema_field(
    {
        "type": "array",
        "description": "Computers on the next seats: strengths, or objects that say more.",
        "maxItems": MOST,
        "items": {
            "oneOf": [
                {"type": "string", "enum": list(Seat.Strength.values)},
                {
                    "type": "object",
                    "properties": {
                        "strength": {"type": "string", "enum": list(Seat.Strength.values)},
                        "look": {"type": ["integer", "null"]},
                        "model": {"type": "string"},
                        "squad": {"type": "string"},
                    },
                    "required": ["strength"],
                    "additionalProperties": False,
                },
            ]
        },
    }
)
class ComputersField(Items):
    """Computers, each a strength or an object."""

    child = serializers.JSONField()

    def __init__(self, **more: Any) -> None:
        super().__init__(max_length=MOST, **more)

    def to_internal_value(self, data: Any) -> list[dict[str, Any]]:
        """Return each as an object; raises ValidationError."""
        computers: list[dict[str, Any]] = []
        for entry in super().to_internal_value(data):
            if not isinstance(entry, str | Mapping):
                fault = ErrorDetail(_("A strength is expected, or an object with one."), "invalid")
                raise serializers.ValidationError({str(len(computers)): [fault]})
            computer = ComputerSerializer(data={"strength": entry} if isinstance(entry, str) else entry)
            if not computer.is_valid():
                raise serializers.ValidationError({str(len(computers)): computer.errors})
            computers.append(dict(computer.validated_data))
        return computers
