"""What the API answers with a whole game: a ``game/1`` document."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

import rules
from games.api.derived import serializer_of
from games.api.responses.common import EventsField, HouseRuleValuesField, OptionValuesField, OrdersField
from games.api.responses.library import StarshipDocumentSerializer
from games.play.selectors.game import LaidBoard
from rules.codec import STATE_FORMAT
from rules.game_file import AUTHORS, ENDINGS


class AboutSerializer(serializers.Serializer[Any]):
    """What is told of a game beside what can be proved."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    boards = serializer_of(LaidBoard)(many=True, help_text="What the board is made of.")
    builder = serializers.CharField(allow_blank=True, help_text="Who built the starship.")
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField()
    heads_from = serializers.IntegerField(
        allow_null=True,
        help_text="Where the game is older than heads, the first turn in which one was shown; else null.",
    )


class PlayerOfFileSerializer(serializers.Serializer[Any]):
    """Someone who played."""

    seat = serializers.IntegerField()
    name = serializers.CharField(help_text="That of the robot in the log.")
    squad = serializers.CharField(allow_null=True)
    model = serializers.CharField(allow_null=True)
    computer = serializers.CharField(
        allow_null=True, help_text="The level of a computer that played from the start."
    )


class PutAsideSerializer(serializers.Serializer[Any]):
    """A hand that was redrawn."""

    number = serializers.IntegerField(
        allow_null=True,
        help_text="The how many-th of its turn it was that was redrawn; null if put aside while dealing.",
    )
    chips = serializers.ListField(child=serializers.IntegerField(), help_text="Numbers of chips.")


class HandOfFileSerializer(serializers.Serializer[Any]):
    """What a robot was dealt in a turn."""

    robot = serializers.CharField()
    chips = serializers.ListField(child=serializers.IntegerField(), help_text="Numbers of chips.")
    redealt = serializers.IntegerField(
        allow_null=True, help_text="Of a hand that was redrawn: the how many-th of its turn it was."
    )
    aside = PutAsideSerializer(many=True, required=False, help_text="The hands that were redrawn before.")


class OrdersOfFileSerializer(serializers.Serializer[Any]):
    """What was ordered for a robot in a turn."""

    robot = serializers.CharField()
    by = serializers.ChoiceField(list(AUTHORS))
    orders = OrdersField()


class TurnOfFileSerializer(serializers.Serializer[Any]):
    """A turn from its hands to what happened."""

    turn = serializers.IntegerField()
    hands = HandOfFileSerializer(many=True)
    orders = OrdersOfFileSerializer(many=True)
    events = EventsField()
    salt = serializers.CharField(
        required=False, help_text="What was hashed with the turn: 32 hexadecimal figures."
    )
    head = serializers.CharField(required=False, help_text="The head after the turn.")


CELL = {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}

STATE_SCHEMA = {
    "type": "object",
    "description": "Everything about the robots and the board, with what was secret during the game.",
    "properties": {
        "format": {"type": "string", "enum": [STATE_FORMAT]},
        "turn": {"type": "integer"},
        "robots": {"type": "array", "items": {"type": "object", "additionalProperties": True}},
        "hull": {"type": "object", "additionalProperties": {"type": "integer"}},
        "links": {"type": "array", "items": {"type": "array", "items": CELL}},
        "known": {"type": "array", "items": CELL},
        "return_damage": {"type": "integer"},
        "scanner_damage": {"type": "integer"},
        "over": {"type": "boolean"},
        "winner": {"type": ["string", "null"]},
    },
    "required": ["format", "turn", "robots", "hull", "links", "known", "return_damage", "over", "winner"],
}


@extend_schema_field(STATE_SCHEMA)
class StateField(serializers.JSONField):
    """A state of a game."""


class GameFileSerializer(serializers.Serializer[Any]):
    """A game that has ended as a file, which `python -m rules verify` proves."""

    format = serializers.ChoiceField([rules.GAME_FORMAT])
    about = AboutSerializer()
    ruleset = serializers.CharField()
    version = serializers.IntegerField(help_text="The ruleset's.")
    options = OptionValuesField()
    house_rules = HouseRuleValuesField()
    starship = StarshipDocumentSerializer(help_text="The board as it was played on.")
    seats = PlayerOfFileSerializer(many=True)
    seed = serializers.CharField()
    commitment = serializers.CharField(help_text="The hash by which the seed was promised.")
    first_head = serializers.CharField(
        required=False, help_text="The head before the first turn; without it there are no heads."
    )
    turns = TurnOfFileSerializer(many=True)
    end = StateField(help_text="The state after the last turn.")
    winner = serializers.CharField(allow_null=True)
    ending = serializers.ChoiceField(
        list(ENDINGS), required=False, help_text="What ended the game, where its rules did not."
    )
    digest = serializers.CharField(help_text="SHA-256 of all the rest.")
