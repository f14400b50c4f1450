"""What the API answers about games."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.models import Standing
from games.api.responses.common import (
    CellField,
    HeadingField,
    HouseRuleValuesField,
    OptionValuesField,
    UnreadableSerializer,
    component,
)
from games.api.responses.library import StarshipDocumentSerializer
from games.play.models import Game, Program
from games.play.policy import POLICIES
from games.staff.models import Intervention


class SeatSerializer(serializers.Serializer[Any]):
    """Somebody who plays."""

    seat = serializers.IntegerField()
    name = serializers.CharField()
    place = serializers.IntegerField(allow_null=True, help_text="Their place in the end.")
    squad = serializers.CharField(allow_null=True)
    model = serializers.CharField(allow_null=True, help_text="Of their robot.")
    look = serializers.IntegerField(help_text="Which of the eight robots.")
    computer = serializers.CharField(
        allow_null=True, help_text="The strength of a computer, null for a person."
    )
    steered_by = serializers.CharField(
        allow_null=True, help_text="Who plays it, where that is not whose name it bears."
    )
    offered = serializers.BooleanField(help_text="A computer holds it for whoever takes it over.")
    ready = serializers.BooleanField(help_text="They agree to the game as it is set up.")
    reliability = serializers.IntegerField(
        allow_null=True, help_text="How reliable its player is, in percent; null for a computer."
    )


class LobbyEntrySerializer(serializers.Serializer[Any]):
    """Something that was done in a lobby."""

    at = serializers.DateTimeField()
    by = serializers.CharField(allow_null=True)
    text = serializers.CharField(help_text="A sentence.")


class InterventionSerializer(serializers.Serializer[Any]):
    """Something that staff did about the game."""

    at = serializers.DateTimeField()
    action = serializers.ChoiceField(Intervention.Action.values)
    turn = serializers.IntegerField(allow_null=True, help_text="The turn under way then.")
    text = serializers.CharField(help_text="A sentence: what was done.")
    reason = serializers.CharField(help_text="Why, as staff wrote it.")


class InvitedSerializer(serializers.Serializer[Any]):
    """Somebody who was asked to join."""

    id = serializers.IntegerField()
    name = serializers.CharField(help_text="A Robo Name, or an address that I typed.")
    by = serializers.CharField()
    answer = serializers.CharField(help_text="Pending, accepted or declined; of addresses always pending.")


class HeadSerializer(serializers.Serializer[Any]):
    """What binds the course of a game: no file of another course has it."""

    turn = serializers.IntegerField(
        allow_null=True, help_text="The last turn that it binds; null before the first was played."
    )
    hash = serializers.CharField(help_text="64 hexadecimal figures.")


class PaceSerializer(serializers.Serializer[Any]):
    """How fast a game is played: by turns, by banks, or, all being null, without limit."""

    hours = serializers.IntegerField(allow_null=True, help_text="Hours for each turn.")
    minutes = serializers.IntegerField(allow_null=True, help_text="Minutes for each turn of a live game.")
    at = serializers.CharField(
        allow_null=True, help_text='The time of day, such as "20:00", at which turns end.'
    )
    zone = serializers.CharField(allow_null=True, help_text="The time zone in which it is that time.")
    bank = serializers.IntegerField(allow_null=True, help_text="Hours in the bank of each player at first.")
    increment = serializers.IntegerField(allow_null=True, help_text="Hours that each turn adds to it.")


class AbsenceSerializer(serializers.Serializer[Any]):
    """What becomes of players who miss turns."""

    policy = serializers.ChoiceField(list(POLICIES), help_text="What is played in their place.")
    excused = serializers.IntegerField(
        allow_null=True, help_text="How many turns one may miss without being replaced; null for any number."
    )


class ListedGameSerializer(serializers.Serializer[Any]):
    """A game, as lists show it."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    status = serializers.ChoiceField(Game.Status.choices)
    ruleset = serializers.CharField()
    version = serializers.IntegerField(help_text="The ruleset's.")
    options = OptionValuesField()
    house_rules = HouseRuleValuesField()
    starship_id = serializers.IntegerField(help_text="Of joined boards, the first one's.")
    starship_name = serializers.CharField(help_text="What the board is called.")
    host = serializers.CharField()
    seats = SeatSerializer(many=True, help_text="The seats that are taken.")
    seats_total = serializers.IntegerField(help_text="The seats that there are.")
    counts_as = serializers.ChoiceField(
        ["people", "computers", "solo"], help_text="Among which games it counts in statistics."
    )
    private = serializers.BooleanField()
    least_reliability = serializers.IntegerField(help_text="What it takes to join, in percent.")
    pace = PaceSerializer()
    paused_until = serializers.DateTimeField(
        allow_null=True,
        help_text="Until when all clocks stand still, or stood still last; null where they never did.",
    )
    absence = AbsenceSerializer()
    turn = serializers.IntegerField(
        allow_null=True, help_text="The turn under way, or the last; null before the start."
    )
    deadline = serializers.DateTimeField(
        allow_null=True, help_text="Mine, while I am missing; else that of who has time the longest."
    )
    waiting_for = serializers.ListField(child=serializers.CharField(), help_text="Robo Names.")
    waits_for_me = serializers.BooleanField()
    unread = serializers.IntegerField(help_text="Lines of its chat that I have not read, where I play.")
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
    unreadable = UnreadableSerializer(many=True)


class GamesSerializer(serializers.Serializer[Any]):
    """A page of games."""

    next = serializers.URLField(allow_null=True, help_text="Where the next page is; null on the last.")
    previous = serializers.URLField(allow_null=True, help_text="Where the page before is.")
    results = ListedGameSerializer(many=True)
    unreadable = UnreadableSerializer(many=True)


class ChipSerializer(serializers.Serializer[Any]):
    """A chip of a hand."""

    number = serializers.IntegerField()
    kind = serializers.ChoiceField(["1", "2", "3", "B", "L", "R", "U"])


class AsideField(serializers.ListField):
    """Hands of turning chips only, which were put aside for all to see."""

    child = ChipSerializer(many=True)


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
    was_down = serializers.BooleanField(
        help_text="It was off in the turn before, and may have been ordered to stay off."
    )
    next = serializers.IntegerField(help_text="The number of its next inspection point.")
    archive = CellField(allow_null=True, help_text="Where it comes back.")
    locked = serializers.DictField(
        child=serializers.CharField(allow_null=True),
        help_text="The kind of the chip in each locked register.",
    )
    rank = serializers.IntegerField(allow_null=True)
    squad = serializers.CharField(allow_null=True)
    model = serializers.CharField(allow_null=True)
    equipment = serializers.CharField(allow_null=True)
    ammo = serializers.IntegerField(allow_null=True)
    scanner = serializers.BooleanField(help_text="A robot of the ship's own.")
    returned = serializers.BooleanField(
        help_text="It has just come back, or starts, and may choose its heading."
    )
    place = serializers.IntegerField(allow_null=True)


class RobotSerializer(BoardRobotSerializer):
    """A robot in the turn under way."""

    ready = serializers.BooleanField(help_text="Nothing is waited for from its player.")
    deadline = serializers.DateTimeField(
        allow_null=True, help_text="Until when its player has time; null without limit, and once ready."
    )
    away = serializers.BooleanField(
        help_text="It is waited for, and its player has taken vacation in this turn."
    )
    look = serializers.IntegerField(
        allow_null=True, help_text="Which of the eight robots; null for a scanner."
    )
    aside = AsideField(help_text="The hands that were put aside in this turn.")


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


@extend_schema_field(component("Orders"))
class OrdersField(serializers.JSONField):
    """Orders as they were submitted."""


class DraftSerializer(serializers.Serializer[Any]):
    """Orders that were laid and not given."""

    orders = OrdersField(help_text="Registers may be empty.")
    saved_at = serializers.DateTimeField()


class MySeatSerializer(serializers.Serializer[Any]):
    """What the viewer alone may see."""

    seat = serializers.IntegerField()
    hand = ChipSerializer(
        many=True,
        allow_null=True,
        help_text="Null while my robot, which was off, was not switched on: call `wake` to see it.",
    )
    may_stay_down = serializers.BooleanField(
        help_text="My robot was off, and I may order it to stay off or switch it on."
    )
    submitted = serializers.BooleanField()
    missed = serializers.BooleanField(
        help_text="My time is up: orders were given in my place, though others still have time."
    )
    given_by = serializers.ChoiceField(
        Program.Author.choices,
        allow_null=True,
        help_text="Who gave the orders that count now: me, or who else; null while they are missing.",
    )
    orders = OrdersField(allow_null=True, help_text="Mine for the turn under way, once submitted.")
    draft = DraftSerializer(
        allow_null=True,
        help_text="What I have laid beside that: it counts for nothing.",
    )
    excused = serializers.IntegerField(
        allow_null=True,
        help_text="How many turns I may miss yet without being replaced; null for any number.",
    )
    standing = serializers.ChoiceField(
        Standing.choices, help_text="My standing orders here, which count in games that have them."
    )
    bank = serializers.IntegerField(
        allow_null=True,
        help_text="Seconds in my bank, where the game has banks: before this turn, until I have submitted.",
    )


class LaidBoardSerializer(serializers.Serializer[Any]):
    """A starship as it lies in the board of a game."""

    starship = serializers.IntegerField()
    name = serializers.CharField()
    revision = serializers.IntegerField()
    at = CellField(help_text="Its column and row, counted in boards.")
    turned = serializers.IntegerField(help_text="Quarter turns clockwise.")


class OutageSerializer(serializers.Serializer[Any]):
    """A time in which the service was away."""

    until = serializers.DateTimeField()

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Have it begin with “from”, which is no name in Python."""
        return {"from": serializers.DateTimeField(), **super().get_fields()}


class GameSerializer(serializers.Serializer[Any]):
    """A game, as its viewer may see it."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    status = serializers.ChoiceField(Game.Status.choices)
    ruleset = serializers.CharField()
    version = serializers.IntegerField(help_text="The ruleset's.")
    options = OptionValuesField()
    house_rules = HouseRuleValuesField()
    starship = StarshipDocumentSerializer(
        help_text="The board as it is played on, which stays the same through the game."
    )
    turn = serializers.IntegerField(
        allow_null=True, help_text="The turn under way, or the last; null before the start."
    )
    deadline = serializers.DateTimeField(
        allow_null=True, help_text="Mine, while I am missing; else that of who has time the longest."
    )
    waiting_for = serializers.ListField(child=serializers.CharField(), help_text="Robo Names.")
    robots = RobotSerializer(many=True, help_text="In seat order; none before the start.")
    hull = HullField()
    links = LinksField()
    crystal = CellField(allow_null=True, help_text="Where the power crystal is, in rulesets that have one.")
    outages = OutageSerializer(
        many=True, help_text="When the service was away in this turn: clocks that run have that time back."
    )
    me = MySeatSerializer(allow_null=True, help_text="Null for one who has no seat.")
    winner = serializers.CharField(
        allow_null=True,
        help_text="A robot's name, or a squad; null while there is none, and in a game that was lost.",
    )
    ending = serializers.ChoiceField(
        Game.Ending.choices, allow_null=True, help_text="What ended the game, where its rules did not."
    )
    seq = serializers.IntegerField(help_text="The `seq` of the last event.")
    host = serializers.CharField()
    seats = SeatSerializer(many=True, help_text="The seats that are taken.")
    seats_total = serializers.IntegerField(help_text="The seats that there are.")
    private = serializers.BooleanField()
    least_reliability = serializers.IntegerField(help_text="What it takes to join, in percent.")
    link = serializers.CharField(
        allow_null=True,
        help_text="Of a private game, for those who play: give it to whoever shall join.",
    )
    pace = PaceSerializer()
    paused_until = serializers.DateTimeField(
        allow_null=True,
        help_text="Until when all clocks stand still, or stood still last; null where they never did.",
    )
    absence = AbsenceSerializer()
    starship_id = serializers.IntegerField(help_text="Of joined boards, the first one's.")
    boards = LaidBoardSerializer(many=True, help_text="What the board is made of.")
    checkpoints = serializers.IntegerField(help_text="How many are to be inspected, from 1 on.")
    preview = serializers.BooleanField(help_text="Whether orders can be previewed.")
    redeal = serializers.BooleanField(help_text="Whether I may redraw my hand now.")
    commitment = serializers.CharField(
        help_text="The hash by which the seed was promised when the game was made: 64 hexadecimal figures."
    )
    head = HeadSerializer(
        allow_null=True, help_text="What binds all that was played so far: keep it. Null before the start."
    )
    heads_from = serializers.IntegerField(
        allow_null=True,
        help_text="Where the game is older than heads, the first turn in which one was shown; else null.",
    )
    seed = serializers.CharField(allow_null=True, help_text="Null before the game is over.")
    counts_as = serializers.ChoiceField(
        ["people", "computers", "solo"], help_text="Among which games it counts in statistics."
    )
    starts_itself = serializers.BooleanField(help_text="It starts once it is full and all are ready.")
    lobby = LobbyEntrySerializer(many=True, help_text="What was done, newest first; none once started.")
    invitations = InvitedSerializer(many=True, help_text="For those who have a seat, before the start.")
    interventions = InterventionSerializer(many=True, help_text="What staff did about it, newest first.")
    rematch = serializers.IntegerField(allow_null=True, help_text="The game that was made of this anew.")
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
