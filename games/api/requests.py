"""What may be asked: the bodies and the queries that the API takes."""

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail
from rest_framework.fields import empty

import rules
from accounts.models import LOOKS
from games.api.computers import ComputersField
from games.api.fields import Flag, InWords, Items, Strict, Text, WholeNumber
from games.api.pace_requests import AbsenceSettingsSerializer, PaceSettingsSerializer
from games.api.tokens.models import LIFETIME
from games.api.tokens.services import LONGEST
from games.chat.models import LONGEST_LINE
from games.fleet.selectors.layouts import FARTHEST
from games.play.terms import BOARD, HINTS, PLAIN, SETTINGS, Terms

Fields = dict[str, serializers.Field[Any, Any, Any, Any]]

LARGEST_ID = 2**63 - 1
"""The largest number that anything can have."""


class LoginSerializer(Strict):
    """Who wants a token."""

    login = Text(help_text="Robo Name or email address, in any case.")
    password = Text(trim_whitespace=False)
    code = Text(
        required=False,
        help_text="Of an authenticator app, or a recovery code: where the account has a second factor.",
    )
    name = Text(default="", allow_blank=True, help_text="What I call the token.")
    days = WholeNumber(
        default=LIFETIME, min_value=1, max_value=LONGEST, help_text="For how many days the token is good."
    )


class NewsSerializer(Strict):
    """How mail tells someone of their games."""

    manner = Text(required=False, help_text="at once, daily, one (until I visit), none.")
    daily_hour = WholeNumber(
        required=False, min_value=0, max_value=23, help_text="The hour of the daily mail, in my time zone."
    )
    lobby_mail = Flag(required=False, help_text="Whether mail tells of games that have not started.")


class GameNewsSerializer(Strict):
    """How mail tells someone of one game."""

    manner = Text(allow_blank=True, help_text="As in PATCH me; empty: as of all games.")


def _option_schema(option: rules.Option) -> dict[str, Any]:
    schema: dict[str, Any] = {"description": option.text}
    if option.yes_or_no:
        return {"type": "boolean", **schema}
    return {"type": "integer", "minimum": option.least, "maximum": option.most, **schema}


def _choices_schema(description: str, choices: Iterable[tuple[rules.Option, ...]]) -> dict[str, Any]:
    """Describe an object with the options of all rulesets; where two share a key, it is the first's."""
    properties: dict[str, Any] = {}
    for options in choices:
        for option in options:
            properties.setdefault(option.key, _option_schema(option))
    return {
        "type": "object",
        "description": f"{description}; those not named have their defaults. `GET rulesets` has them all.",
        "properties": properties,
        "additionalProperties": False,
    }


OPTIONS_SCHEMA = _choices_schema(
    "The ruleset's options", (ruleset.options for ruleset in rules.RULESETS.values())
)
HOUSE_RULES_SCHEMA = _choices_schema(
    "The ruleset's house rules", (ruleset.house_rules for ruleset in rules.RULESETS.values())
)


@extend_schema_field(OPTIONS_SCHEMA)
class OptionsField(InWords, serializers.Field[Mapping[str, Any], Any, Any, Any]):
    """Options of a ruleset: an object with plain values."""

    default_error_messages = {"invalid": "An object is expected, such as {{“lives”: 3}}."}

    def to_internal_value(self, data: Any) -> Mapping[str, Any]:
        """Return the options; which there are depends on the ruleset."""
        if not isinstance(data, Mapping):
            self.fail("invalid")
        return data


@extend_schema_field(HOUSE_RULES_SCHEMA)
class HouseRulesField(OptionsField):
    """House rules: what is played otherwise than in the ruleset's book."""

    default_error_messages = {"invalid": "An object is expected, such as {{“robot_lasers”: false}}."}


class CoordinatesField(Items):
    """Two whole numbers, column and row."""

    child = WholeNumber(min_value=-FARTHEST, max_value=FARTHEST)

    def __init__(self, **more: Any) -> None:
        super().__init__(min_length=2, max_length=2, **more)


class BoardSerializer(Strict):
    """A board to be joined with others."""

    starship = WholeNumber(help_text="The `id` of a starship of the library.")
    at = CoordinatesField(default=[0, 0], help_text="Its column and row, counted in boards.")
    turned = WholeNumber(default=0, min_value=0, max_value=3, help_text="Quarter turns clockwise.")


class LinkSerializer(Strict):
    """By which link a private game is known."""

    link = Text(default="", allow_blank=True, help_text="The token of a private game's link.")


class NewGameSerializer(Strict):
    """A game to be created; its creator sits on seat 1."""

    name = Text(allow_blank=True, help_text="What the game is called, 1 to 80 characters.")
    starship = WholeNumber(
        default=None, allow_null=True, help_text="The `id` of a starship of the library; not with `boards`."
    )
    boards = Items(
        child=BoardSerializer(),
        default=None,
        allow_null=True,
        allow_empty=False,
        help_text="Boards to be joined in place of one `starship`, in rulesets that have it so.",
    )
    checkpoints = Items(
        child=CoordinatesField(),
        default=None,
        allow_null=True,
        help_text="Cells [x, y] of the checkpoints, in order, in place of the board's own, in rulesets"
        " that have it so.",
    )
    start = CoordinatesField(
        default=None,
        allow_null=True,
        help_text="The cell [x, y] on which all robots start, in rulesets that have it so; it must be hull.",
    )
    ruleset = Text(default="robo-runner", help_text="The `key` of a ruleset.")
    options = OptionsField(default=dict)
    house_rules = HouseRulesField(default=dict)
    squad = Text(
        default="",
        allow_blank=True,
        help_text="The creator's, in rulesets with squads; the first unless named.",
    )
    model = Text(
        default="", allow_blank=True, help_text="Of the creator's robot, in rulesets that have models."
    )
    seats = WholeNumber(default=2, help_text="How many play; with one the game starts at once.")
    look = WholeNumber(
        default=None, allow_null=True, help_text=f"Which of {LOOKS} robots, from 1: else my favourite."
    )
    computers = ComputersField(default=list)
    ready = Flag(default=True, help_text="Whether I agree to the game as it is; I may say so later.")
    pace = PaceSettingsSerializer(default=None, allow_null=True)
    absence = AbsenceSettingsSerializer(default=None, allow_null=True)

    def get_fields(self) -> Fields:
        """Return the fields, with those of terms that are plain values."""
        return {**super().get_fields(), **_plain_fields()}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Look for a board, for options that the ruleset does not have, and for values of the wrong type."""
        faults: dict[str, Any] = {}
        if attrs["starship"] is None and attrs["boards"] is None:
            faults["starship"] = [ErrorDetail("", "required")]
        if ruleset := rules.RULESETS.get(attrs["ruleset"]):
            for key, what, there in (
                ("options", "option", ruleset.options),
                ("house_rules", "house rule", ruleset.house_rules),
            ):
                if found := _choice_faults(attrs[key], ruleset, what, there):
                    faults[key] = found
        if faults:
            raise serializers.ValidationError(faults)
        return attrs


def _plain_fields() -> Fields:
    """Return fields for the terms of a game that are plain values, as they are declared."""
    kinds: dict[type, Any] = {bool: Flag, int: WholeNumber, str: Text}
    fields: Fields = {}
    for name in (*PLAIN, "starts_itself"):
        kind, description, _ = get_args(HINTS[name])
        fields[name] = kinds[kind](default=getattr(Terms(), name), help_text=description)
    return fields


class SettingsSerializer(Strict):
    """Settings of a lobby that should change; what is not named stays as it is."""

    ruleset = Text(required=False, help_text="With another, options and house rules start again.")

    def get_fields(self) -> Fields:
        """Return the fields of a new game, none of which has to be there."""
        there = NewGameSerializer().get_fields()
        asked = {name: there[name] for name in there if name in (*SETTINGS, *BOARD)}
        for field in asked.values():
            field.required, field.default = False, empty
        return {**asked, **super().get_fields()}


def _choice_faults(
    given: Mapping[str, Any], ruleset: rules.Ruleset, what: str, there: Iterable[rules.Option]
) -> dict[str, ErrorDetail]:
    known = {option.key: option for option in there}
    faults: dict[str, ErrorDetail] = {}
    for key, value in given.items():
        if key not in known:
            text = f"{ruleset.name} has no {what} “{key}”; there are: {', '.join(known)}."
            faults[key] = ErrorDetail(text, "unknown-key")
        elif known[key].yes_or_no != isinstance(value, bool) or not isinstance(value, int):
            expected = "True or false" if known[key].yes_or_no else "A whole number"
            faults[key] = ErrorDetail(f"{expected} is expected.", "invalid")
    return faults


class CrewSerializer(Strict):
    """Which squad, model or look I want; what is not named stays as it is."""

    squad = Text(default="", allow_blank=True, help_text="One of the ruleset's `squads`.")
    model = Text(default="", allow_blank=True, help_text="One of the ruleset's `models`.")
    look = WholeNumber(default=None, allow_null=True, help_text=f"Which of {LOOKS} robots, from 1.")


class JoinSerializer(CrewSerializer):
    """How I want to play; what is not named is the smaller squad, and the first model that no one has."""

    link = Text(default="", allow_blank=True, help_text="The `link` of a private game, where it is one.")
    ready = Flag(default=True, help_text="Whether I agree to the game as it is; I may say so later.")


@extend_schema_field({"oneOf": [{"type": "integer"}, {"type": "string", "enum": ["P"]}, {"type": "null"}]})
class RegisterField(serializers.JSONField):
    """What is to stand in a register: a chip's number, "P" for a pause, null where it is locked."""


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
        child=RegisterField(),
        required=False,
        min_length=rules.REGISTERS,
        max_length=rules.REGISTERS,
        help_text="The number of a chip of the hand for each register, null for a locked one; LazyBot may"
        ' have "P", a pause, in one of them.',
    )
    power_down = serializers.BooleanField(
        required=False, help_text="Switch off, or reboot, after this program."
    )
    equipment = EquipmentField(required=False)
    heading = serializers.ChoiceField(
        list(rules.LETTERS),
        required=False,
        help_text="In turn 0 or the first turn, and for a robot that has come back.",
    )
    place = serializers.ListField(
        child=serializers.IntegerField(),
        required=False,
        min_length=2,
        max_length=2,
        help_text="Where to come back if the archive is taken, in rulesets that ask for it.",
    )
    unlock = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=rules.REGISTERS),
        required=False,
        help_text="Registers to be freed first, in rulesets that let players choose.",
    )
    stay_down = serializers.BooleanField(
        required=False,
        help_text="Of a robot that was switched off in the turn before: stay off. That is the whole order.",
    )


class SaySerializer(Strict):
    """Something to be said."""

    text = Text(
        allow_blank=True,
        trim_whitespace=False,
        help_text=f"Plain text of 1 to {LONGEST_LINE} characters; lines may be broken in it.",
    )


class ReadSerializer(Strict):
    """How far I have read a chat."""

    line = WholeNumber(
        min_value=0, max_value=LARGEST_ID, help_text="The `id` of the last line that I have read."
    )
