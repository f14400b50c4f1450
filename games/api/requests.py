"""What may be asked: the bodies and the queries that the API takes."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail

import rules
from games.api.fields import Flag, Strict, Switch, Text, WholeNumber
from games.models import Game, Starship
from games.services.creating import LONGEST_TURN

MOST_GAMES = 100
"""Games on one page, at most."""

LARGEST = 2**31 - 1
"""The largest number that a cursor of the log can have."""


class LoginSerializer(Strict):
    """Who wants a token."""

    login = Text(help_text="Robo Name or email address, in any case.")
    password = Text(trim_whitespace=False)


def _option_schema(option: rules.Option) -> dict[str, Any]:
    schema: dict[str, Any] = {"default": option.default, "description": option.text}
    if option.yes_or_no:
        return {"type": "boolean", **schema}
    return {"type": "integer", "minimum": option.least, "maximum": option.most, **schema}


OPTIONS_SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "The ruleset's options; those not named have their defaults.",
    "properties": {
        option.key: _option_schema(option)
        for ruleset in rules.RULESETS.values()
        for option in ruleset.options
    },
    "additionalProperties": False,
}


@extend_schema_field(OPTIONS_SCHEMA)
class OptionsField(serializers.Field[Mapping[str, Any], Any, Any, Any]):
    """Options of a ruleset: an object with plain values."""

    default_error_messages = {"invalid": "An object is expected, such as {{“lives”: 3}}."}

    def to_internal_value(self, data: Any) -> Mapping[str, Any]:
        """Return the options; which there are depends on the ruleset."""
        if not isinstance(data, Mapping):
            self.fail("invalid")
        return data


@extend_schema_field(
    {
        "type": "object",
        "description": f"Hours that players have for each turn, 1 to {LONGEST_TURN}; null for no limit.",
        "properties": {"hours": {"type": ["integer", "null"], "minimum": 1, "maximum": LONGEST_TURN}},
        "additionalProperties": False,
    }
)
class PaceField(serializers.JSONField):
    """How fast a game is played; the service reads it."""


class NewGameSerializer(Strict):
    """A game to be created; its creator sits on seat 1."""

    name = Text(allow_blank=True, help_text="What the game is called, 1 to 80 characters.")
    starship = WholeNumber(help_text="The `id` of a starship of the library.")
    ruleset = Text(default="robo-runner", help_text="The `key` of a ruleset.")
    options = OptionsField(default=dict)
    seats = WholeNumber(default=2, help_text="How many play; with one the game starts at once.")
    computers = serializers.ListField(
        child=Text(), default=list, help_text="Must be empty: there are no computer players yet."
    )
    private = Flag(default=False, help_text="Listed nowhere, and joined by its link alone.")
    pace = PaceField(default=None, allow_null=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Look for options that the ruleset does not have, and for values of the wrong type."""
        ruleset = rules.RULESETS.get(attrs["ruleset"])
        if ruleset is None:
            return attrs
        known = {option.key: option for option in ruleset.options}
        faults: dict[str, ErrorDetail] = {}
        for key, value in attrs["options"].items():
            if key not in known:
                text = f"{ruleset.name} has no option “{key}”; there are: {', '.join(known)}."
                faults[key] = ErrorDetail(text, "unknown-key")
            elif known[key].yes_or_no != isinstance(value, bool) or not isinstance(value, int):
                expected = "True or false" if known[key].yes_or_no else "A whole number"
                faults[key] = ErrorDetail(f"{expected} is expected.", "invalid")
        if faults:
            raise serializers.ValidationError({"options": faults})
        return attrs


class LinkSerializer(Strict):
    """The link of a private game, where one is needed."""

    link = Text(default="", allow_blank=True, help_text="The `link` of a private game.")


@extend_schema_field(
    {
        "oneOf": [
            {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": rules.REGISTERS}},
            {"type": "boolean"},
        ],
        "description": "Phases in which to use equipment; true for equipment used the whole turn.",
    }
)
class EquipmentField(serializers.JSONField):
    """When to use equipment."""


class OrdersSerializer(serializers.Serializer[Any]):
    """Orders for one turn. Turn 0 takes `heading` alone.

    This describes them; `rules.read_orders` reads them.
    """

    registers = serializers.ListField(
        child=serializers.IntegerField(allow_null=True),
        required=False,
        min_length=rules.REGISTERS,
        max_length=rules.REGISTERS,
        help_text="The number of a chip of the hand for each register, null for a locked one.",
    )
    power_down = serializers.BooleanField(required=False, help_text="Reboot after this program.")
    equipment = EquipmentField(required=False)
    heading = serializers.ChoiceField(
        list(rules.LETTERS), required=False, help_text="In turn 0, and for a robot that has come back."
    )
    place = serializers.ListField(
        child=serializers.IntegerField(),
        required=False,
        min_length=2,
        max_length=2,
        help_text="Where a robot enters, in rulesets that ask for it.",
    )
    unlock = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=rules.REGISTERS),
        required=False,
        help_text="Registers to be freed first, in rulesets that let players choose.",
    )
    stay_down = serializers.BooleanField(required=False, help_text="In rulesets that have it.")


class GamesQuery(Strict):
    """Which games to list."""

    status = serializers.ChoiceField(Game.Status.choices, required=False, help_text="Only these.")
    mine = Switch(default=False, help_text="1: only games that I have a seat in.")
    cursor = Text(required=False, help_text="From `next` or `previous` of another page.")
    limit = serializers.IntegerField(
        required=False, min_value=1, max_value=MOST_GAMES, help_text="Games on a page."
    )


class StarshipsQuery(Strict):
    """Which starships to list."""

    section = serializers.ChoiceField(Starship.Section.choices, required=False, help_text="Only these.")
    ruleset = serializers.ChoiceField(
        [(key, ruleset.name) for key, ruleset in rules.RULESETS.items()],
        required=False,
        help_text="Only those that suit this ruleset.",
    )


class LinkQuery(Strict):
    """The link of a private game, for those who have no seat in it."""

    link = Text(default="", allow_blank=True, help_text="Opens a private game to whoever has it.")


class LogQuery(LinkQuery):
    """From where on to read the log."""

    after = serializers.IntegerField(
        default=0, min_value=0, max_value=LARGEST, help_text="Only events with a larger `seq`."
    )
