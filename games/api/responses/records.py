"""What the API answers about what games leave behind."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

import rules
from games.api.responses.common import UnreadableSerializer
from rules.statistics import COUNTERS

COUNTS = {
    "type": "object",
    "description": "How often its robot did each.",
    "properties": {counter: {"type": "integer"} for counter in COUNTERS},
    "required": list(COUNTERS),
}
SUMS = {
    "type": "object",
    "description": "Of each counter the sum, and the best single game.",
    "properties": {
        counter: {
            "type": "object",
            "properties": {"sum": {"type": "integer"}, "best": {"type": "integer"}},
        }
        for counter in COUNTERS
    },
}


@extend_schema_field(COUNTS)
class CountersField(serializers.JSONField):
    """Counters of one robot."""


@extend_schema_field(SUMS)
class SumsField(serializers.JSONField):
    """Counters of all games."""


@extend_schema_field({"type": "object", "additionalProperties": {"type": "integer"}})
class PlacesField(serializers.JSONField):
    """How often each place was taken."""


class RobotStatisticsSerializer(serializers.Serializer[Any]):
    """What one robot did in a game."""

    seat = serializers.IntegerField()
    name = serializers.CharField()
    look = serializers.IntegerField()
    computer = serializers.CharField(allow_null=True)
    place = serializers.IntegerField(allow_null=True)
    counters = CountersField()


class GameStatisticsSerializer(serializers.Serializer[Any]):
    """What the robots did, in seat order; nothing before the start."""

    results = RobotStatisticsSerializer(many=True)


class NamedGameSerializer(serializers.Serializer[Any]):
    """A game by its name."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class DefinitionSerializer(serializers.Serializer[Any]):
    """Something that can be earned."""

    key = serializers.CharField()
    german = serializers.CharField(help_text="Its title in the source, which is German.")
    english = serializers.CharField()
    condition = serializers.CharField(help_text="A sentence.")
    motif = serializers.CharField(help_text="What its medal shows.")
    step = serializers.IntegerField(help_text="1 to 3, or 0 for what is earned in one game.")
    in_one_game = serializers.BooleanField()
    goal = serializers.IntegerField()


class AchievementSerializer(DefinitionSerializer):
    """How far a person has come with an achievement."""

    value = serializers.IntegerField()
    earned_at = serializers.DateTimeField(allow_null=True)
    turn = serializers.IntegerField(allow_null=True)
    game = NamedGameSerializer(allow_null=True, help_text="Null, too, where I may not know of it.")


class EarnedSerializer(DefinitionSerializer):
    """Something that was earned."""

    earned_at = serializers.DateTimeField()
    turn = serializers.IntegerField(allow_null=True)
    game = NamedGameSerializer(allow_null=True)


class DefinitionsSerializer(serializers.Serializer[Any]):
    """All that can be earned, in the order in which it is shown."""

    results = DefinitionSerializer(many=True)


class SeenAnswerSerializer(serializers.Serializer[Any]):
    """How many were marked as seen."""

    seen = serializers.IntegerField()


class PlayedSeatSerializer(serializers.Serializer[Any]):
    """Who played a game."""

    seat = serializers.IntegerField()
    name = serializers.CharField()
    computer = serializers.CharField(allow_null=True)
    look = serializers.IntegerField()
    place = serializers.IntegerField(allow_null=True)


class PlayedGameSerializer(serializers.Serializer[Any]):
    """A game on a person's page."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    ruleset = serializers.CharField()
    board = serializers.CharField()
    status = serializers.CharField()
    private = serializers.BooleanField()
    counts_as = serializers.CharField(help_text="people, computers or solo.")
    turn = serializers.IntegerField(allow_null=True)
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    seats = PlayedSeatSerializer(many=True)
    seat = serializers.IntegerField(help_text="The person's.")
    place = serializers.IntegerField(allow_null=True)
    won = serializers.BooleanField()
    winner = serializers.CharField(allow_null=True)


class RulesetResultsSerializer(serializers.Serializer[Any]):
    """Wins and places in one ruleset."""

    ruleset = serializers.ChoiceField(list(rules.RULESETS))
    games = serializers.IntegerField()
    won = serializers.IntegerField()
    places = PlacesField()


class SumsSerializer(serializers.Serializer[Any]):
    """What a person's robots did in all games of a kind."""

    games = serializers.IntegerField()
    over = serializers.IntegerField()
    won = serializers.IntegerField()
    counters = SumsField()
    rulesets = RulesetResultsSerializer(many=True)


class PersonStatisticsSerializer(serializers.Serializer[Any]):
    """Games among people, and those with computers, apart."""

    people = SumsSerializer()
    computers = SumsSerializer()


class ReliabilitySerializer(serializers.Serializer[Any]):
    """How reliable a player is."""

    percent = serializers.IntegerField(help_text="The last turns weigh more; 100 where none was missed.")
    turns = serializers.IntegerField(help_text="Turns that others waited for.")
    missed = serializers.IntegerField(help_text="Those of them that they missed.")


class ShownNumbersSerializer(serializers.Serializer[Any]):
    """How many games a player's page shows; solo flights and games that were called off do not count."""

    running = serializers.IntegerField(allow_null=True, help_text="Null where they keep them to themselves.")
    over = serializers.IntegerField()
    won = serializers.IntegerField()


class PersonSerializer(serializers.Serializer[Any]):
    """A player; what they keep to themselves is null."""

    robo_name = serializers.CharField()
    look = serializers.IntegerField(allow_null=True, help_text="Their favourite of the eight robots.")
    since = serializers.DateTimeField()
    mine = serializers.BooleanField(help_text="It is me.")
    reliability = ReliabilitySerializer()
    games = PlayedGameSerializer(many=True, allow_null=True, help_text="Under way.")
    history = PlayedGameSerializer(many=True, allow_null=True, help_text="Over, the latest first.")
    history_next = serializers.IntegerField(allow_null=True, help_text="Where the next page starts.")
    numbers = ShownNumbersSerializer(allow_null=True)
    statistics = PersonStatisticsSerializer(allow_null=True)
    achievements = AchievementSerializer(many=True, allow_null=True)


class RobotCardSerializer(serializers.Serializer[Any]):
    """A robot in short; before the start there is no damage, no lives and so on."""

    seat = serializers.IntegerField()
    name = serializers.CharField()
    user = serializers.CharField(allow_null=True, help_text="Who plays it.")
    computer = serializers.CharField(allow_null=True)
    scanner = serializers.BooleanField()
    look = serializers.IntegerField(allow_null=True)
    model = serializers.CharField(allow_null=True)
    squad = serializers.CharField(allow_null=True)
    place = serializers.IntegerField(allow_null=True)
    out = serializers.BooleanField()
    checkpoints = serializers.IntegerField()
    limit = serializers.IntegerField(help_text="The damage that destroys it.")
    damage = serializers.IntegerField(allow_null=True)
    lives = serializers.IntegerField(allow_null=True)
    equipment = serializers.CharField(allow_null=True)
    ammo = serializers.IntegerField(allow_null=True)
    next = serializers.IntegerField(allow_null=True, help_text="Null once it has all.")
    down = serializers.BooleanField(allow_null=True)
    achievements = EarnedSerializer(many=True, allow_null=True, help_text="Earned by its player.")


class InvitationOfMineSerializer(serializers.Serializer[Any]):
    """What I am asked to join."""

    game = serializers.IntegerField()
    name = serializers.CharField()
    ruleset = serializers.CharField()
    starship_name = serializers.CharField()
    host = serializers.CharField()
    by = serializers.CharField()
    at = serializers.DateTimeField()


class InvitationsSerializer(serializers.Serializer[Any]):
    """What waits for my answer."""

    results = InvitationOfMineSerializer(many=True)
    unreadable = UnreadableSerializer(many=True)
