"""What is answered, for the OpenAPI document; the tests hold all answers to it.

The answers themselves are made by selectors and by `games.api.documents`.
"""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

import rules
from games.models import Game, Program, Starship
from rules.notation import STARSHIP_FORMAT


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


@extend_schema_field({"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2})
class CellField(serializers.JSONField):
    """A cell: [x, y], from the top-left [0, 0]."""


@extend_schema_field({"type": ["string", "null"], "enum": [*rules.LETTERS, None]})
class HeadingField(serializers.JSONField):
    """A heading, or null before the first is chosen."""


@extend_schema_field({"type": "array", "items": _ref("Event")})
class EventsField(serializers.JSONField):
    """Events in order."""


@extend_schema_field({"type": "array", "items": _ref("LoggedEvent")})
class LogField(serializers.JSONField):
    """Events of a game's log in order."""


@extend_schema_field(
    {
        "type": "object",
        "description": "Values of the ruleset's options.",
        "additionalProperties": {"type": ["integer", "boolean"]},
    }
)
class OptionValuesField(serializers.JSONField):
    """A value for each option."""


class ProblemSerializer(serializers.Serializer[Any]):
    """One fault. `register` counts from 1, as do `row` and `column` of a starship's document."""

    code = serializers.CharField()
    detail = serializers.CharField(help_text="A sentence for people.")
    register = serializers.IntegerField(required=False, min_value=1)
    row = serializers.IntegerField(required=False, min_value=1)
    column = serializers.IntegerField(required=False, min_value=1)
    key = serializers.CharField(required=False, help_text="The key that it is about.")


class ErrorSerializer(serializers.Serializer[Any]):
    """Why something was not done; nothing was changed."""

    error = serializers.CharField(help_text="A code for programs.")
    detail = serializers.CharField(help_text="A sentence for people.")
    problems = ProblemSerializer(many=True, help_text="Every single fault, where there can be several.")


class TokenSerializer(serializers.Serializer[Any]):
    """A new token. It is shown this once; keep it as you would a password."""

    token = serializers.CharField()


class PreferencesSerializer(serializers.Serializer[Any]):
    """What a person has chosen."""

    time_zone = serializers.CharField()
    mail_my_turn = serializers.BooleanField(help_text="Whether a mail says that a turn waits.")


class GameNumbersSerializer(serializers.Serializer[Any]):
    """How many games a person has."""

    open = serializers.IntegerField()
    running = serializers.IntegerField()
    over = serializers.IntegerField()
    won = serializers.IntegerField()
    waiting = serializers.IntegerField(help_text="Running ones that wait for this person's orders.")


class MeSerializer(serializers.Serializer[Any]):
    """Whoever asks."""

    robo_name = serializers.CharField()
    preferences = PreferencesSerializer()
    games = GameNumbersSerializer()


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
        ["opening", "before", "phase", "end", "verdict"], help_text="The part of the turn that it belongs to."
    )
    name = serializers.CharField()
    clauses = serializers.ListField(child=serializers.CharField())
    text = serializers.CharField()


class RulesetSerializer(serializers.Serializer[Any]):
    """What a game is played by: its options, and the steps of a turn in order."""

    key = serializers.CharField()
    name = serializers.CharField()
    version = serializers.IntegerField()
    summary = serializers.CharField()
    seats = RangeSerializer()
    options = OptionSerializer(many=True)
    defaults = OptionValuesField(help_text="All options with their defaults, as `POST games` takes them.")
    orders = serializers.ListField(child=serializers.CharField(), help_text="Orders beside the registers.")
    steps = StepSerializer(many=True)


class RulesetsSerializer(serializers.Serializer[Any]):
    """All rulesets."""

    results = RulesetSerializer(many=True)


@extend_schema_field({"const": STARSHIP_FORMAT})
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

    document = StarshipDocumentSerializer()


class StarshipsSerializer(serializers.Serializer[Any]):
    """Starships offered for new games."""

    results = ListedStarshipSerializer(many=True)


class SeatSerializer(serializers.Serializer[Any]):
    """Somebody who plays."""

    seat = serializers.IntegerField()
    name = serializers.CharField()
    place = serializers.IntegerField(allow_null=True, help_text="Their place in the end.")


class PaceSerializer(serializers.Serializer[Any]):
    """How fast a game is played."""

    hours = serializers.IntegerField(allow_null=True, help_text="Hours for each turn, null for no limit.")


class ListedGameSerializer(serializers.Serializer[Any]):
    """A game, as lists show it."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    status = serializers.ChoiceField(Game.Status.choices)
    ruleset = serializers.CharField()
    version = serializers.IntegerField(help_text="The ruleset's.")
    options = OptionValuesField()
    starship_id = serializers.IntegerField()
    starship_name = serializers.CharField()
    host = serializers.CharField()
    seats = SeatSerializer(many=True, help_text="The seats that are taken.")
    seats_total = serializers.IntegerField(help_text="The seats that there are.")
    private = serializers.BooleanField()
    pace = PaceSerializer()
    turn = serializers.IntegerField(
        allow_null=True, help_text="The turn under way, or the last; null before the start."
    )
    deadline = serializers.DateTimeField(allow_null=True)
    waiting_for = serializers.ListField(child=serializers.CharField(), help_text="Robo Names.")
    waits_for_me = serializers.BooleanField()
    winner = serializers.CharField(allow_null=True)
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    moved_at = serializers.DateTimeField(
        help_text="When somebody last joined or moved, or a turn was resolved."
    )


class WaitingSerializer(serializers.Serializer[Any]):
    """Games that wait for my orders, most urgent first."""

    results = ListedGameSerializer(many=True)


class GamesSerializer(serializers.Serializer[Any]):
    """A page of games, the newest first."""

    next = serializers.URLField(allow_null=True, help_text="Where the next page is; null on the last.")
    previous = serializers.URLField(allow_null=True, help_text="Where the page before is.")
    results = ListedGameSerializer(many=True)


class BoardRobotSerializer(serializers.Serializer[Any]):
    """A robot, as all may see it."""

    name = serializers.CharField()
    seat = serializers.IntegerField(help_text="Scanners come after the players.")
    at = CellField(allow_null=True, help_text="[x, y]; null off the board.")
    heading = HeadingField()
    damage = serializers.IntegerField()
    lives = serializers.IntegerField()
    alive = serializers.BooleanField()
    virtual = serializers.BooleanField()
    down = serializers.BooleanField()
    next = serializers.IntegerField(help_text="The number of its next inspection point.")
    archive = CellField(allow_null=True, help_text="Where it comes back.")
    locked = serializers.DictField(
        child=serializers.CharField(allow_null=True),
        help_text="The kind of the chip in each locked register.",
    )
    rank = serializers.IntegerField(allow_null=True)
    equipment = serializers.CharField(allow_null=True)
    ammo = serializers.IntegerField(allow_null=True)
    scanner = serializers.BooleanField(help_text="A robot of the ship's own.")
    returned = serializers.BooleanField(help_text="It has just come back, and may choose its heading.")
    place = serializers.IntegerField(allow_null=True)


class RobotSerializer(BoardRobotSerializer):
    """A robot in the turn under way."""

    ready = serializers.BooleanField(help_text="Nothing is waited for from its player.")


@extend_schema_field(
    {
        "type": "object",
        "description": "Repairs left, by the number of the inspection point.",
        "additionalProperties": {"type": "integer"},
    }
)
class HullField(serializers.JSONField):
    """Hull damage."""


@extend_schema_field(
    {
        "type": "array",
        "description": "Transporter links that have been used: [from, to].",
        "items": {
            "type": "array",
            "items": {"type": "array", "items": {"type": "integer"}},
            "minItems": 2,
            "maxItems": 2,
        },
    }
)
class LinksField(serializers.JSONField):
    """Transporter links that everybody knows."""


class ChipSerializer(serializers.Serializer[Any]):
    """A chip of a hand."""

    number = serializers.IntegerField()
    kind = serializers.ChoiceField(["1", "2", "3", "B", "L", "R", "U"])


@extend_schema_field(_ref("Orders"))
class OrdersField(serializers.JSONField):
    """Orders as they were submitted."""


class MySeatSerializer(serializers.Serializer[Any]):
    """What the viewer alone may see."""

    seat = serializers.IntegerField()
    hand = ChipSerializer(many=True)
    submitted = serializers.BooleanField()
    orders = OrdersField(allow_null=True, help_text="Mine for the turn under way, once submitted.")


class GameSerializer(serializers.Serializer[Any]):
    """A game, as its viewer may see it."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    status = serializers.ChoiceField(Game.Status.choices)
    ruleset = serializers.CharField()
    version = serializers.IntegerField(help_text="The ruleset's.")
    options = OptionValuesField()
    starship = StarshipDocumentSerializer(help_text="The board, which stays the same through the game.")
    turn = serializers.IntegerField(
        allow_null=True, help_text="The turn under way, or the last; null before the start."
    )
    deadline = serializers.DateTimeField(allow_null=True)
    waiting_for = serializers.ListField(child=serializers.CharField(), help_text="Robo Names.")
    robots = RobotSerializer(many=True, help_text="In seat order; none before the start.")
    hull = HullField()
    links = LinksField()
    me = MySeatSerializer(allow_null=True, help_text="Null for one who has no seat.")
    winner = serializers.CharField(
        allow_null=True, help_text="A robot's name; null while there is none, and in a game that was lost."
    )
    seq = serializers.IntegerField(help_text="The `seq` of the last event.")
    host = serializers.CharField()
    seats = SeatSerializer(many=True, help_text="The seats that are taken.")
    seats_total = serializers.IntegerField(help_text="The seats that there are.")
    private = serializers.BooleanField()
    link = serializers.CharField(
        allow_null=True,
        help_text="Of a private game, for those who play: give it to whoever shall join.",
    )
    pace = PaceSerializer()
    starship_id = serializers.IntegerField()
    seed = serializers.CharField(allow_null=True, help_text="Null before the game is over.")
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)


class PreviewSerializer(serializers.Serializer[Any]):
    """What orders would do if no other robot were there."""

    events = EventsField()
    robot = BoardRobotSerializer()


class LogSerializer(serializers.Serializer[Any]):
    """A part of a game's log."""

    events = LogField()
    next = serializers.IntegerField(help_text="What to give as `after` to read on.")


class BoardViewSerializer(serializers.Serializer[Any]):
    """The board's state between two turns, as all may see it."""

    turn = serializers.IntegerField()
    robots = BoardRobotSerializer(many=True)
    hull = HullField()
    links = LinksField()
    crystal = CellField(allow_null=True)
    winner = serializers.CharField(allow_null=True)


class ProgramSerializer(serializers.Serializer[Any]):
    """Orders of a turn that was played."""

    robot = serializers.CharField()
    seat = serializers.IntegerField()
    by = serializers.ChoiceField(
        Program.Author.choices, help_text="Who gave them: the player, or chance when time was up."
    )
    orders = OrdersField()


class PastTurnSerializer(serializers.Serializer[Any]):
    """A turn that was played."""

    turn = serializers.IntegerField()
    resolved_at = serializers.DateTimeField()
    programs = ProgramSerializer(many=True)
    view = BoardViewSerializer(help_text="At its start.")
    after = BoardViewSerializer(help_text="After it.")
    events = LogField()
