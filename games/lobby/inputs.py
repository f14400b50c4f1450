"""Inputs for creating, changing and joining games."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.utils.translation import gettext, gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail

import rules
from accounts.inputs import SegmentsSelect
from accounts.models import LOOKS
from accounts.robo_names import MAX_LENGTH
from games.clocks.clock import MAX_LIVE_MINUTES, MAX_TURN_HOURS, MIN_DAILY_HOURS
from games.fleet.boards import LARGEST_COORDINATE, MOST_BOARDS
from games.lobby.positions import COMPUTERS as COMPUTERS_PLAY, FRIENDS, ONE_SCREEN
from games.lobby.practice import MAX_COMPUTERS
from games.play.models import Game, Seat
from games.play.policy import MAX_EXCUSED, POLICIES
from games.web.inputs import (
    Amount,
    Choice,
    Flag,
    Input,
    InWords,
    Items,
    Name,
    Pick,
    Strict,
    Text,
    WholeNumber,
)
from rules.document import MAX_NAMED_FAULTS

COMPUTERS: Final = max(ruleset.seats[1] for ruleset in rules.RULESETS.values())
"""The maximum number of computers in one request: the largest number of seats in any ruleset."""


class Computer(Strict):
    """A computer player. Omitted values are chosen automatically."""

    strength = Text(help_text=f"The computer's level: one of {', '.join(Seat.Level.values)}.")
    look = WholeNumber(default=None, allow_null=True, help_text=f"The robot's picture, from 1 to {LOOKS}.")
    model = Text(default="", allow_blank=True, help_text="The robot's model, in rulesets with models.")
    squad = Text(default="", allow_blank=True, help_text="The robot's squad, in rulesets with squads.")


@extend_schema_field(
    {
        "type": "array",
        "description": "Computers for the next free seats. Each is a level, or an object with more details.",
        "maxItems": COMPUTERS,
        "items": {
            "oneOf": [
                {"type": "string", "enum": list(Seat.Level.values)},
                {
                    "type": "object",
                    "properties": {
                        "strength": {"type": "string", "enum": list(Seat.Level.values)},
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
    """A list of computers, each a level or an object with a `strength`."""

    child = serializers.JSONField()

    def __init__(self, **more: Any) -> None:
        super().__init__(max_length=COMPUTERS, **more)

    def to_internal_value(self, data: Any) -> list[dict[str, Any]]:
        """Return each computer as an object, even if only its level was sent. Raises ValidationError."""
        computers: list[dict[str, Any]] = []
        for entry in super().to_internal_value(data):
            if not isinstance(entry, str | Mapping):
                fault = ErrorDetail(gettext("Enter a level, or an object with a “strength”."), "invalid")
                raise serializers.ValidationError({str(len(computers)): [fault]})
            computer = Computer(data={"strength": entry} if isinstance(entry, str) else entry)
            if not computer.is_valid():
                raise serializers.ValidationError({str(len(computers)): computer.errors})
            computers.append(dict(computer.validated_data))
        return computers


def _option_schema(option: rules.Option) -> dict[str, Any]:
    schema: dict[str, Any] = {"description": option.text}
    if option.yes_or_no:
        return {"type": "boolean", **schema}
    return {"type": "integer", "minimum": option.least, "maximum": option.most, **schema}


def _choices_schema(description: str, choices: Iterable[tuple[rules.Option, ...]]) -> dict[str, Any]:
    """Return a JSON schema for the options of all rulesets.

    If options of several rulesets have the same key, the schema describes only the first of these options.
    """
    properties: dict[str, Any] = {}
    for options in choices:
        for option in options:
            properties.setdefault(option.key, _option_schema(option))
    return {
        "type": "object",
        "description": f"{description}. Missing keys have their defaults. `GET rulesets` lists them all.",
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
    default_error_messages = {"invalid": _("An object is expected, such as {{“lives”: 3}}.")}

    def to_internal_value(self, data: Any) -> Mapping[str, Any]:
        """Accept any object. `NewGame` checks its keys and values, since they depend on the ruleset."""
        if not isinstance(data, Mapping):
            self.fail("invalid")
        return data


@extend_schema_field(HOUSE_RULES_SCHEMA)
class HouseRulesField(OptionsField):
    """House rules: changes to the rules in the ruleset's book."""

    default_error_messages = {"invalid": _("An object is expected, such as {{“robot_lasers”: false}}.")}


class CoordinatesField(Items):
    """A column and a row, as two whole numbers."""

    child = WholeNumber(min_value=-LARGEST_COORDINATE, max_value=LARGEST_COORDINATE)

    def __init__(self, **more: Any) -> None:
        super().__init__(min_length=2, max_length=2, **more)


class Board(Strict):
    """A board to join with other boards."""

    starship = WholeNumber(help_text="The `id` of a starship in the library.")
    at = CoordinatesField(
        default=[0, 0], help_text="The board's column and row. Each column and row is one board."
    )
    turned = WholeNumber(default=0, min_value=0, max_value=3, help_text="Quarter turns clockwise.")


def _hours(text: str) -> WholeNumber:
    return WholeNumber(required=False, allow_null=True, min_value=1, max_value=MAX_TURN_HOURS, help_text=text)


class PaceSettings(Strict):
    """The pace of a game: `hours` or `minutes` for each turn, or a time bank.

    `bank` is the number of hours in each player's time bank at the start, and each turn adds `increment`
    hours. Without `hours`, `minutes` or `bank`, turns have no time limit.
    """

    hours = _hours("Hours per turn.")
    minutes = WholeNumber(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=MAX_LIVE_MINUTES,
        help_text="Minutes per turn, for a live game.",
    )
    at = Text(
        required=False,
        allow_null=True,
        help_text=f"The time of day when turns end, such as `20:00`, for turns of {MIN_DAILY_HOURS} hours"
        " or more.",
    )
    zone = Text(required=False, allow_null=True, help_text="The time zone of `at`, such as `Europe/Berlin`.")
    bank = _hours("Hours in each player's time bank at the start.")
    increment = _hours("Hours that each turn adds to the time bank.")


class AbsenceSettings(Strict):
    """The rules for missed turns."""

    policy = Choice(POLICIES, required=False, help_text="The orders for a missed turn.")
    excused = WholeNumber(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=MAX_EXCUSED,
        help_text="The number of turns that a player may miss before a computer replaces them. Null: any"
        " number. 0: the first missed turn.",
    )


class GameTerms(Input):
    """The terms of a game, set by its host."""

    refusal = "no-game", _("This game is not possible with these settings. Fix the marked fields.")

    name = Name(
        label=_("Game name"),
        longest=Game._meta.get_field("name").max_length,
        needed=_("Give the game a name."),
        allow_blank=True,
        help_text=_("Other players see this name."),
    )
    starship = WholeNumber(
        default=None,
        allow_null=True,
        help_text="The `id` of a starship in the library. Send this or `boards`, not both.",
    )
    boards = Items(
        child=Board(),
        default=None,
        allow_null=True,
        allow_empty=False,
        max_length=MOST_BOARDS,
        help_text="Boards to join, instead of one `starship`. Only for rulesets that join boards.",
    )
    checkpoints = Items(
        child=CoordinatesField(),
        default=None,
        allow_null=True,
        help_text="The cells [x, y] of the checkpoints, in order. They replace the board's own. Only for"
        " rulesets where the host sets checkpoints.",
    )
    start = CoordinatesField(
        default=None,
        allow_null=True,
        help_text="The start cell [x, y] of all robots, on plain hull. Only if the ruleset `sets_start`.",
    )
    ruleset = Text(default="robo-runner", help_text="The ruleset's `key`.")
    options = OptionsField(default=dict)
    house_rules = HouseRulesField(default=dict)
    seats = WholeNumber(default=2, help_text="The number of seats. A game with one seat starts at once.")
    pace = PaceSettings(default=None, allow_null=True)
    absence = AbsenceSettings(default=None, allow_null=True)
    private = Flag(
        label=_("Private"),
        default=False,
        help_text=_("Not listed in the Game Room. Players need an invitation or the game’s link."),
    )
    least_reliability = Amount(
        label=_("Minimum reliability"),
        least=0,
        most=100,
        default=0,
        help_text=_(
            "In percent. 90 keeps out players who often miss turns. Newcomers have 100. Players you invite"
            " can always join."
        ),
    )
    rated = Choice(
        Game.Rated.choices,
        label=_("Rated"),
        default=Game.Rated.USUAL.value,
        style={"required": False},
        help_text=_(
            "A rated game changes its players’ ratings. It counts as soon as every player has submitted"
            " orders for 3 turns, or one player has left or missed a turn. Rookies are not rated."
        ),
    )
    sitters = Flag(
        label=_("Sitters"),
        default=True,
        help_text=_(
            "Players who will be away can let a friend submit their orders on some days. The game’s history"
            " shows it. A friend who plays in this game can’t."
        ),
    )
    shorter_clock = Flag(
        label=_("Shorter clock after missed turns"),
        default=False,
        help_text=_(
            "A player who misses 2 turns in a row gets half the time, until they submit orders on time for 2"
            " turns in a row. With a time bank, each turn adds half as much. Turns with a vacation, pause,"
            " outage or sitter don’t count."
        ),
    )
    starts_itself = Flag(
        default=True,
        help_text="Whether the game starts as soon as all seats are taken and all players are ready.",
    )


class NewGame(GameTerms):
    squad = Text(
        default="",
        allow_blank=True,
        help_text="The host's squad, in rulesets with squads. Default: the first.",
    )
    model = Text(
        default="", allow_blank=True, help_text="The model of the host's robot, in rulesets with models."
    )
    look = WholeNumber(
        default=None,
        allow_null=True,
        help_text=f"The picture of the host's robot, from 1 to {LOOKS}. Default: your favourite.",
    )
    computers = ComputersField(default=list)
    ready = Flag(default=True, help_text="Whether you are ready to start. You can change this later.")
    club = Text(
        default="", allow_blank=True, help_text="The `slug` of one of your clubs. Only its members can join."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check that there is a board, and that options and house rules exist and have the right type."""
        faults: dict[str, Any] = {}
        if attrs["starship"] is None and attrs["boards"] is None:
            faults["starship"] = [ErrorDetail("", "required")]
        if ruleset := rules.RULESETS.get(attrs["ruleset"]):
            for key, unknown, there in (
                (
                    "options",
                    _("{ruleset} has no option “{key}”. Choose one of these: {known}."),
                    ruleset.options,
                ),
                (
                    "house_rules",
                    _("{ruleset} has no house rule “{key}”. Choose one of these: {known}."),
                    ruleset.house_rules,
                ),
            ):
                if found := _choice_faults(attrs[key], ruleset, str(unknown), there):
                    faults[key] = found
        if faults:
            raise serializers.ValidationError(faults)
        return attrs


class GameChanges(GameTerms):
    """Changes to the settings of a lobby. Omitted settings stay as they are."""

    optional = True

    ruleset = Text(help_text="The ruleset's `key`. Another ruleset resets options and house rules.")


def _choice_faults(
    given: Mapping[str, Any], ruleset: rules.Ruleset, unknown: str, there: Iterable[rules.Option]
) -> dict[str, ErrorDetail]:
    known = {option.key: option for option in there}
    faults: dict[str, ErrorDetail] = {}
    for key, value in given.items():
        if len(faults) == MAX_NAMED_FAULTS:
            break
        if key not in known:
            text = unknown.format(ruleset=ruleset.name, key=key, known=", ".join(known))
            faults[key] = ErrorDetail(text, "unknown-key")
        elif known[key].yes_or_no != isinstance(value, bool) or not isinstance(value, int):
            flag = known[key].yes_or_no
            text = gettext("True or false is expected.") if flag else gettext("A whole number is expected.")
            faults[key] = ErrorDetail(text, "invalid")
    return faults


class ComputerChanges(Strict):
    """Changes to a computer. Omitted values stay as they are."""

    strength = Text(
        default=None,
        allow_null=True,
        help_text=f"The computer's level: one of {', '.join(Seat.Level.values)}.",
    )
    look = WholeNumber(default=None, allow_null=True, help_text=f"The robot's picture, from 1 to {LOOKS}.")
    model = Text(default="", allow_blank=True)
    squad = Text(default="", allow_blank=True)


class Ready(Strict):
    """Your readiness. If you are ready, you agree to the present terms of the game."""

    may_be_missing = True

    ready = Flag(default=True)


class Invitation(Strict):
    """The player to invite. Give either a Robo Name or an email address."""

    robo_name = Text(default="", allow_blank=True)
    email = Text(default="", allow_blank=True)


LEVELS = _(
    "A Rookie plans one turn, ignores the other robots, and makes mistakes."
    " A Pilot finds the best program for the board as it is."
    " An Ace also considers the other robots’ possible moves, and uses its equipment."
)


class QuickGame(Input):
    """A game against computers."""

    refusal = "no-game", _("This game is not possible with these settings. Fix the marked fields.")
    may_be_missing = True

    strength = Pick(
        Seat.Level.choices,
        default=Seat.Level.ROOKIE.value,
        label=_("Level"),
        help_text=LEVELS,
        style={"widget": SegmentsSelect},
    )
    computers = WholeNumber(default=1, min_value=1, max_value=MAX_COMPUTERS)


class CompanionNames(Items):
    """The names of the other players at a screen, in the order of seats. Empty names are allowed."""

    def faults(self, value: Any) -> list[str]:
        """Return a sentence for each error in the names."""
        return [fault for name in value for fault in self.name.faults(name) if name]

    @property
    def name(self) -> Name:
        """The field for one name."""
        assert isinstance(self.child, Name)
        return self.child


class PlayOn(Input):
    """A new game that begins at a position."""

    refusal = "no-game", _("No game can begin with these choices. Fix the marked fields.")
    may_be_missing = True

    seat = WholeNumber(
        default=None,
        allow_null=True,
        help_text="Your seat. By default, it is the first one whose robot is in the game.",
    )
    opponents = Pick(
        [
            (COMPUTERS_PLAY, _("Computers")),
            (FRIENDS, _("Friends, by link")),
            (ONE_SCREEN, _("People at this screen")),
        ],
        default=COMPUTERS_PLAY,
        label=_("The other robots"),
        help_text=_(
            "Against computers, the game starts at once. Friends join by the game’s link. People at this"
            " screen pass it on: it shows only the hand of the player who is ready."
        ),
        style={"widget": SegmentsSelect},
    )
    strength = Pick(
        Seat.Level.choices,
        default=Seat.Level.PILOT.value,
        label=_("Level of the computers"),
        help_text=LEVELS,
        style={"widget": SegmentsSelect},
    )

    names = CompanionNames(
        child=Name(longest=MAX_LENGTH, allow_blank=True),
        default=list,
        max_length=COMPUTERS,
        help_text="Only with `screen`: the names of the other players, in the order of their seats. An empty"
        " name leaves the robot to a computer.",
    )


@extend_schema_field({"type": "object", "additionalProperties": True})
class PositionField(InWords, serializers.JSONField):
    """A document with a position, as any JSON. The service checks it and reports its faults."""


class LoadGame(PlayOn):
    """A new game that begins at a position of a file, or at a position that a player has set up."""

    may_be_missing = False

    document = PositionField(help_text="A `game/1` document, or a `position/1` document with its setup.")
    turn = WholeNumber(
        default=None, allow_null=True, help_text="A turn of the `game/1` document. By default, the last one."
    )
