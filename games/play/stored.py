"""Convert the rows of a game to values of the rules engine, and played turns to stored documents."""

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Final, NamedTuple

from django.db.models import QuerySet

import rules
from games.clocks import paces
from games.clocks.clock import ALWAYS, Calendar, Clock, Pace, Stop
from games.content_cache import LRUCache
from games.errors import describe_error
from games.fleet.boards import size_of, starship_of
from games.play import policy as absence_policy
from games.play.models import (
    ABSENCE_FORMAT,
    ASIDE_FORMAT,
    CALENDAR_FORMAT,
    HAND_FORMAT,
    ORDERS_FORMAT,
    PACE_FORMAT,
    Draft,
    Game,
    Hand,
    Program,
    Turn,
)
from rules.setup import as_played

Document = dict[str, Any]

TURN_FORMAT: Final = "turn/1"

TURNS_IN_MEMORY: Final = 20
"""The maximum number of turns that `each_played` loads at once."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayedProgram:
    """A robot's orders in a played turn. It replaces the turn's `Program` row.

    ``orders`` has no ``format`` key.
    """

    orders: Document
    by: str
    remark: str
    submitted_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayedHand:
    """A hand in a played turn. It replaces the turn's `Hand` row.

    ``program`` is None for a robot that needed no orders, such as a scanner.
    """

    robot: int
    chips: Document
    aside: Document | None
    redealt: int | None
    face_down: bool
    program: PlayedProgram | None


@dataclass(frozen=True, kw_only=True, slots=True)
class TurnRecord:
    """The record of a played turn.

    ``start`` is the state at the start of the turn, as a state/1 document. ``hands`` are in robot order, and
    ``events`` in the order of the log. ``first_seq`` is the number of the first event in the game's log.
    """

    first_seq: int
    start: Document
    hands: tuple[PlayedHand, ...]
    events: tuple[Document, ...]

    @property
    def last_seq(self) -> int:
        """The turn number's last event, or one less than ``first_seq`` if it has no events."""
        return self.first_seq + len(self.events) - 1

    @property
    def names(self) -> list[str]:
        """The names of the robots, in the order of their indexes."""
        return [robot["name"] for robot in self.start["robots"]]


def encode_record(played: TurnRecord) -> bytes:
    """Encode the record of a turn as compressed JSON, without ``first_seq``, which has its own column."""
    document = {
        "format": TURN_FORMAT,
        "start": played.start,
        "hands": [_write_hand(hand) for hand in played.hands],
        "events": played.events,
    }
    return zlib.compress(json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode(), 9)


def decode_record(record: bytes, first_seq: int) -> TurnRecord:
    """Decode the record of a turn. Raises ValueError if it cannot be read."""
    try:
        document = json.loads(zlib.decompress(record))
        if document["format"] != TURN_FORMAT:
            raise ValueError(f"it is no {TURN_FORMAT} document")
        return TurnRecord(
            first_seq=first_seq,
            start=document["start"],
            hands=tuple(_read_hand(hand) for hand in document["hands"]),
            events=tuple(document["events"]),
        )
    except (zlib.error, ValueError, TypeError, LookupError) as error:
        raise ValueError(f"The record of a turn cannot be read: {describe_error(error)}") from error


def _write_hand(hand: PlayedHand) -> Document:
    document: Document = {"robot": hand.robot, "chips": hand.chips["chips"]}
    if hand.aside:
        document["aside"] = hand.aside
    if hand.redealt is not None:
        document["redealt"] = hand.redealt
    if hand.face_down:
        document["face_down"] = True
    if (program := hand.program) is not None:
        document |= {"orders": program.orders, "by": program.by, "at": program.submitted_at.isoformat()}
        if program.remark:
            document["remark"] = program.remark
    return document


def _read_hand(document: Document) -> PlayedHand:
    program = None
    if "orders" in document:
        program = PlayedProgram(
            orders=document["orders"],
            by=document["by"],
            remark=document.get("remark", ""),
            submitted_at=datetime.fromisoformat(document["at"]),
        )
    return PlayedHand(
        robot=document["robot"],
        chips={"format": HAND_FORMAT, "chips": document["chips"]},
        aside=document.get("aside"),
        redealt=document.get("redealt"),
        face_down=document.get("face_down", False),
        program=program,
    )


def played_hands(hands: Iterable[Hand]) -> tuple[PlayedHand, ...]:
    """Return a turn's hands, with their programs, for the record of the turn."""
    return tuple(_dealt(hand) for hand in sorted(hands, key=lambda hand: hand.robot))


def _dealt(hand: Hand) -> PlayedHand:
    program: Program | None = getattr(hand, "program", None)
    return PlayedHand(
        robot=hand.robot,
        chips=hand.chips,
        aside=hand.aside,
        redealt=hand.redealt,
        face_down=hand.face_down,
        program=None
        if program is None
        else PlayedProgram(
            orders=plain_orders(program),
            by=str(program.by),
            remark=program.remark,
            submitted_at=program.submitted_at,
        ),
    )


def turn_record(turn: Turn) -> TurnRecord:
    """Return the record of a played turn. Raises ValueError if it cannot be read."""
    assert turn.record is not None
    assert turn.first_seq is not None
    return decode_record(bytes(turn.record), turn.first_seq)


def state_at_start(turn: Turn) -> Document:
    """Return the state/1 document of a turn's start. Raises ValueError if the record cannot be read."""
    return turn_record(turn).start if turn.snapshot is None else turn.snapshot


def each_played(turns: QuerySet[Turn]) -> Iterator[tuple[Turn, TurnRecord]]:
    """Yield each of these played turns with its record. Raises ValueError if a record cannot be read."""
    for turn in turns.iterator(TURNS_IN_MEMORY):
        yield turn, turn_record(turn)


def ship_of(game: Game) -> rules.Starship:
    """Return the board of a game: a starship, a joined board or a draft ship."""
    return starship_of(game.board)


BOARDS_IN_PLAY: Final = LRUCache[rules.Starship](50_000_000, size_of)
"""The cache of boards for games that play only the first checkpoints of their board."""

SETUPS: Final = LRUCache[rules.Setup](100_000_000, lambda setup: size_of(setup.starship))
"""The cache of games' setups (board, ruleset and options). It measures a setup by the size of its board.

Most of these boards are in `fleet.boards.COMPILED` too. Both caches then refer to the same board in memory.
"""


def _with_first_checkpoints(ship: rules.Starship, count: int) -> rules.Starship:
    name = f"{ship.name} {ship.fingerprint} {count}"
    return BOARDS_IN_PLAY.get_or_make(name, lambda: rules.with_first_checkpoints(ship, count))


def drawn_board(setup: rules.Setup) -> rules.Starship:
    """Return the board for pictures of a game, with only the checkpoints in play (GR-1.1)."""
    ship, played = setup.starship, int(setup.options.get("checkpoints", 0))
    return _with_first_checkpoints(ship, played) if 0 < played < len(ship.checkpoints) else ship


def edition_of(game: Game) -> rules.Ruleset:
    """Return the ruleset version that a game is played with. Raises UnknownRuleset, a LookupError."""
    return rules.ruleset(game.ruleset, game.version)


def house_rules_of(game: Game) -> Document:
    """Return the house rules of a game that differ from the rulebook."""
    book = {rule.key: rule.default for rule in edition_of(game).house_rules}
    return {key: value for key, value in game.house_rules.items() if value != book.get(key)}


def first_turn(game: Game) -> int:
    """Return the number of a game's first turn.

    It is 0 if the game starts with the choice of headings, and 1 otherwise.
    """
    return 0 if edition_of(game).opening and not game.is_played_on else 1


def setup_of(game: Game) -> rules.Setup:
    """Return the setup of a game from a cache. Raises LookupError if its ruleset is unknown."""
    ship = ship_of(game)
    chosen = json.dumps((game.ruleset, game.version, game.options, game.house_rules))
    # The setup holds its board, so the id stays unique while it is cached.
    return SETUPS.get_or_make(f"{id(ship)} {chosen}", lambda: _setup(ship, *json.loads(chosen)))


def _setup(
    ship: rules.Starship, key: str, version: int, chosen: Document, departures: Document
) -> rules.Setup:
    ruleset = rules.ruleset(key, version)
    options = rules.read_options(ruleset, chosen)
    house_rules = rules.read_house_rules(ruleset, departures)
    return rules.Setup(as_played(ruleset, options, house_rules), options, ship, house_rules)


def looks_of(game: Game) -> dict[int, int]:
    """Return the number of the picture (1 to 8) of each player's robot, by robot index."""
    return {seat.number - 1: seat.look for seat in game.players.all()}


def checkpoints_of(setup: rules.Setup) -> int:
    """Return the number of checkpoints in play, or 0 if the ruleset has no checkpoints."""
    if setup.ruleset.checkpoints[0] == 0:
        return 0
    return int(setup.options.get("checkpoints", 0)) or len(setup.starship.checkpoints)


def played_turns(game: Game) -> range:
    """Return the numbers of the turns that a game has played, from 0 if players choose headings first."""
    first, last = first_turn(game), game.last_played
    return range(first, first if last is None else max(first, last + 1))


def start_of(turn: Turn, ship: rules.Starship) -> rules.State:
    """Return the state at the start of an open or played turn."""
    return rules.state_from_json(ship, state_at_start(turn))


def start_in(played: TurnRecord, ship: rules.Starship) -> rules.State:
    """Return the state at the start of a played turn."""
    return rules.state_from_json(ship, played.start)


def end_in(played: TurnRecord, ship: rules.Starship) -> rules.State:
    """Return the state at the end of a played turn."""
    start = start_in(played, ship)
    return rules.fold(start, events_in(played, ship, start))


def events_in(played: TurnRecord, ship: rules.Starship, start: rules.State) -> list[rules.Event]:
    """Return the events of a played turn. ``start`` is the state at the start of the turn."""
    return rules.events_from_json(vocabulary_of(ship, start), played.events)


def state_of(turn: Turn, ship: rules.Starship) -> rules.State:
    """Return the present state of a game. ``turn`` is its open turn, or its last one."""
    return start_of(turn, ship) if turn.status == Turn.Status.OPEN else end_in(turn_record(turn), ship)


def vocabulary_of(ship: rules.Starship, state: rules.State) -> rules.Vocabulary:
    """Return an object that converts robot numbers to names and cells to coordinates, and back."""
    return rules.Vocabulary(ship, [robot.name for robot in state.robots])


def write_hand(hand: rules.Hand) -> Document:
    return {"format": HAND_FORMAT, "chips": [chip.number for chip in hand]}


def chips_of(hand: Hand | PlayedHand) -> rules.Hand:
    return tuple(rules.CHIPS[number] for number in hand.chips["chips"])


class Aside(NamedTuple):
    """A hand that was replaced: its number among the turn's redrawn hands, and its chips.

    ``number`` is None for a hand put aside while dealing (AM-1.4). ``chips`` is empty if the robot was
    switched on in this turn, because it had no hand before (AM-5.2).
    """

    number: int | None
    chips: rules.Hand


def write_aside(hands: Iterable[Aside]) -> Document:
    """Write replaced hands as an aside/1 document."""
    written = [{"number": hand.number, "chips": [chip.number for chip in hand.chips]} for hand in hands]
    return {"format": ASIDE_FORMAT, "hands": written}


def aside_of(hand: Hand | PlayedHand) -> list[Aside]:
    """Return the hands that were put aside before a robot got this hand in the same turn, oldest first."""
    written = (hand.aside or {}).get("hands", ())
    return [Aside(item["number"], tuple(rules.CHIPS[number] for number in item["chips"])) for item in written]


def may_redeal(setup: rules.Setup, state: rules.State, hand: Hand) -> bool:
    """Return whether the rules allow a player to redraw this hand."""
    numbered = [aside for aside in aside_of(hand) if aside.number is not None and aside.chips]
    times = len(numbered) or int(hand.redealt is not None and not hand.aside)
    return rules.can_redeal(setup, state, hand.robot - 1, chips_of(hand), times)


def write_orders(orders: rules.Orders) -> Document:
    return {"format": ORDERS_FORMAT, **rules.write_orders(orders)}


def plain_orders(program: Program | Draft | PlayedProgram) -> Document:
    """Return submitted or saved orders without their ``format`` key."""
    return {key: value for key, value in program.orders.items() if key != "format"}


def mark_of(orders: Mapping[str, Any] | None) -> str:
    """Return a short hash of orders, or an empty string if ``orders`` is None."""
    return sha256(json.dumps(orders, sort_keys=True).encode()).hexdigest()[:12] if orders is not None else ""


def orders_of(program: Program | PlayedProgram) -> rules.Orders:
    return rules.read_orders(plain_orders(program))


def write_pace(pace: Pace) -> Document:
    """Write the pace of a game as a pace/2 document.

    Only the document of a live game has the key ``minutes``, because the previous release cannot read that
    key.
    """
    document = paces.write_pace(pace)
    if document["minutes"] is None:
        del document["minutes"]
    return {"format": PACE_FORMAT, **document}


def read_pace(document: Document) -> Pace:
    """Read the pace of a game, from either version of the document's format."""
    return paces.read_pace({key: value for key, value in document.items() if key != "format"})


def pace_of(game: Game) -> Pace:
    return read_pace(game.pace)


def write_clock(clock: Clock) -> Document | None:
    """Write the calendar and pauses of a clock as a calendar/1 document, or None if it has neither."""
    if not (clock.calendar.days_off or clock.calendar.night or clock.stops):
        return None
    document = {"format": CALENDAR_FORMAT, **paces.write_calendar(clock.calendar)}
    return document | ({"stops": paces.write_stops(clock.stops)} if clock.stops else {})


def calendar_of(hand: Hand) -> Calendar:
    """Return the calendar of a hand's clock: days off and quiet hours."""
    return ALWAYS if hand.calendar is None else paces.read_calendar(hand.calendar)


def stops_of(hand: Hand) -> tuple[Stop, ...]:
    """Return the pauses of a hand's clock."""
    return paces.read_stops(hand.calendar.get("stops", ())) if hand.calendar else ()


def clock_of(hand: Hand, *, start: datetime, until: datetime) -> Clock:
    """Return the clock of a hand. ``start`` is the time when it starts, and ``until`` its deadline."""
    return Clock(start, until, calendar_of(hand), stops_of(hand))


def write_absence(policy: absence_policy.Absence) -> Document:
    return {"format": ABSENCE_FORMAT, **absence_policy.write_absence(policy)}


def read_absence(document: Document) -> absence_policy.Absence:
    return absence_policy.read_absence({key: value for key, value in document.items() if key != "format"})


def absence_of(game: Game) -> absence_policy.Absence:
    return read_absence(game.absence)
