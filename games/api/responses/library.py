"""What the API answers about rulesets and starships."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.api.responses.common import OptionValuesField
from games.fleet.models import Starship
from rules.notation import STARSHIP_FORMAT
from rules.rulebook import PARTS


class RangeSerializer(serializers.Serializer[Any]):
    """A number of players, at least and at most."""

    least = serializers.IntegerField()
    most = serializers.IntegerField()


@extend_schema_field({"type": ["integer", "boolean"]})
class OptionValueField(serializers.JSONField):
    """The value of an option."""


class OptionSerializer(serializers.Serializer[Any]):
    """What the creator of a game may choose."""

    key = serializers.CharField()
    type = serializers.ChoiceField(["integer", "boolean"])
    default = OptionValueField()
    least = serializers.IntegerField(allow_null=True)
    most = serializers.IntegerField(allow_null=True)
    text = serializers.CharField()


class StepSerializer(serializers.Serializer[Any]):
    """One paragraph of the rulebook."""

    part = serializers.ChoiceField(
        [part for part, _ in PARTS], help_text="The part of the turn that it belongs to."
    )
    name = serializers.CharField()
    clauses = serializers.ListField(child=serializers.CharField())
    text = serializers.CharField()


class ModelSerializer(serializers.Serializer[Any]):
    """A robot's model."""

    key = serializers.CharField()
    text = serializers.CharField(help_text="What is special about it.")


class CheckpointsSerializer(serializers.Serializer[Any]):
    """How many checkpoints a board has to have."""

    least = serializers.IntegerField()
    most = serializers.IntegerField()
    set = serializers.BooleanField(help_text="Whether the creator of a game may set them.")


class RulesetSerializer(serializers.Serializer[Any]):
    """What a game is played by: its options, and the steps of a turn in order."""

    key = serializers.CharField()
    name = serializers.CharField()
    version = serializers.IntegerField()
    summary = serializers.CharField()
    seats = RangeSerializer()
    options = OptionSerializer(many=True)
    defaults = OptionValuesField(help_text="All options with their defaults, as `POST games` takes them.")
    house_rules = OptionSerializer(many=True, help_text="What may be played otherwise than in the book.")
    squads = serializers.ListField(child=serializers.CharField(), help_text="None in most rulesets.")
    models = ModelSerializer(many=True, help_text="None in most rulesets.")
    boards = serializers.IntegerField(help_text="How many boards may be joined, at most.")
    cells = serializers.IntegerField(help_text="How many cells the board may have, at most.")
    sets_start = serializers.BooleanField(help_text="Whether the creator may choose the start.")
    checkpoints = CheckpointsSerializer()
    orders = serializers.ListField(child=serializers.CharField(), help_text="Orders beside the registers.")
    steps = StepSerializer(many=True)


class RulesetsSerializer(serializers.Serializer[Any]):
    """All rulesets."""

    results = RulesetSerializer(many=True)


@extend_schema_field({"type": "string", "enum": [STARSHIP_FORMAT]})
class FormatField(serializers.CharField):
    """The name of a format."""


class StarshipDocumentSerializer(serializers.Serializer[Any]):
    """A board in the format `starship/1`."""

    format = FormatField()
    name = serializers.CharField(allow_blank=True)
    builder = serializers.CharField(allow_blank=True)
    description = serializers.CharField(allow_blank=True)
    rows = serializers.ListField(
        child=serializers.CharField(), help_text="North first; cells separated by spaces."
    )


class ListedStarshipSerializer(serializers.Serializer[Any]):
    """A starship of the library."""

    id = serializers.IntegerField()
    slug = serializers.CharField()
    name = serializers.CharField()
    builder = serializers.CharField(allow_blank=True)
    description = serializers.CharField(allow_blank=True)
    section = serializers.ChoiceField(Starship.Section.choices)
    rulesets = serializers.ListField(child=serializers.CharField(), help_text="Those that it suits.")
    seats = RangeSerializer(help_text="The number of players that it was made for.")
    width = serializers.IntegerField()
    height = serializers.IntegerField()
    revision = serializers.IntegerField(help_text="Counts the changes of its board, from 1.")
    retired = serializers.BooleanField(help_text="Offered for new games no more.")


class StarshipSerializer(ListedStarshipSerializer):
    """A starship with its board."""

    unsuitable = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="By ruleset, why it cannot be played; only those that it does not suit.",
    )
    document = StarshipDocumentSerializer()


class StarshipsSerializer(serializers.Serializer[Any]):
    """Starships offered for new games."""

    results = ListedStarshipSerializer(many=True)
