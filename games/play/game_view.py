"""The view of a game for one viewer, on pages and in the API."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, TypedDict, cast

import rules
from accounts.models import Standing
from games.absence.models import percents_of
from games.clocks import clock
from games.clocks.clock import Stop
from games.clocks.paces import write_pace
from games.clocks.selectors import OUTAGE, VACATION
from games.errors import Shape
from games.fleet.models import StarshipRevision
from games.play import selectors, stored
from games.play.heads import HeadView, board_document, head_of
from games.play.history import Invited, LobbyEntryView, invitations_of, lobby_of, rematch_of
from games.play.models import MISSED, Draft, Game, Hand, Program, Seat, Turn
from games.play.policy import POLICIES
from games.play.stored import PlayedHand, kept_of
from games.play.terms import PLAIN, PlainTerms
from games.play.viewers import Viewer, link_of, seat_of

CELL = {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}

Cell = Annotated[list[int], Shape(CELL)]
"""A cell: [x, y], from the top left [0, 0]."""

Heading = Annotated[str | None, Shape({"type": "string", "enum": [*rules.LETTERS, None]})]
Hull = Annotated[
    dict[str, int],
    Shape(
        {
            "type": "object",
            "description": "Repairs left, by the number of the inspection point.",
            "additionalProperties": {"type": "integer"},
        }
    ),
]
Links = Annotated[
    list[list[list[int]]],
    Shape(
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
    ),
]
OrdersDocument = Annotated[dict[str, Any], Shape.named("Orders")]
Events = Annotated[list[dict[str, Any]], Shape({"type": "array", "items": Shape.named("Event").schema})]
Log = Annotated[list[dict[str, Any]], Shape({"type": "array", "items": Shape.named("LoggedEvent").schema})]


class ChipView(TypedDict):
    """A chip of a hand."""

    number: int
    kind: Annotated[str, ("1", "2", "3", "B", "L", "R", "U")]


class BoardRobot(TypedDict):
    """A robot, without secrets."""

    name: str
    seat: Annotated[int, "Scanners come after the players."]
    at: Annotated[Cell | None, "[x, y]; null off the board."]
    heading: Heading
    damage: int
    lives: Annotated[
        int, "Lives left. In Robo Rally 1999 and Group 11 they are spares: a robot with 0 still plays."
    ]
    alive: bool
    virtual: bool
    down: bool
    was_down: Annotated[bool, "It was off in the turn before, and may have been ordered to stay off."]
    next: Annotated[int, "The number of its next inspection point."]
    archive: Annotated[Cell | None, "Where it comes back."]
    locked: Annotated[
        dict[str, str | None],
        "The kind of the chip in each locked register; null if it is empty, or only its player knows it yet.",
    ]
    rank: int | None
    squad: str | None
    model: str | None
    equipment: str | None
    ammo: int | None
    scanner: Annotated[bool, "A robot of the ship's own."]
    returned: Annotated[bool, "It has just come back, or starts, and may choose its heading."]
    place: int | None


class RobotDocument(BoardRobot):
    """A robot in the turn under way."""

    ready: Annotated[bool, "Nothing is waited for from its player."]
    deadline: Annotated[
        datetime | None, "Until when its player has time; null without limit, and once ready."
    ]
    away: Annotated[bool, "It is waited for, and its player has taken vacation in this turn."]
    look: Annotated[int | None, "Which of the eight robots; null for a scanner."]
    aside: Annotated[list[list[ChipView]], "The hands that were put aside in this turn."]


class BoardDocument(TypedDict):
    """The state of the board between two turns, without secrets."""

    turn: int
    robots: list[BoardRobot]
    hull: Hull
    links: Links
    crystal: Cell | None
    winner: str | None


def write_board(ship: rules.Starship, state: rules.State) -> BoardDocument:
    document: Any = rules.view_to_json(ship, rules.view(state))
    return cast("BoardDocument", document)


def _choices(description: str) -> Shape:
    values = {"additionalProperties": {"type": ["integer", "boolean"]}}
    return Shape({"type": "object", "description": description, **values})


OptionValues = Annotated[dict[str, Any], _choices("Values of the ruleset's options.")]
HouseRuleValues = Annotated[dict[str, Any], _choices("Values of the ruleset's house rules.")]


@dataclass(frozen=True, kw_only=True, slots=True)
class PaceView:
    """The pace of a game: by turns, by banks, or unlimited if all values are null."""

    hours: Annotated[int | None, "Hours for each turn."]
    minutes: Annotated[int | None, "Minutes for each turn of a live game."]
    at: Annotated[str | None, 'The time of day, such as "20:00", at which turns end.']
    zone: Annotated[str | None, "The time zone in which it is that time."]
    bank: Annotated[int | None, "Hours in the bank of each player at first."]
    increment: Annotated[int | None, "Hours that each turn adds to it."]


@dataclass(frozen=True, kw_only=True, slots=True)
class AbsenceView:
    """The absence policy of a game: the effect of missed turns."""

    policy: Annotated[str, POLICIES, "What is played in their place."]
    excused: Annotated[int | None, "How many turns one may miss without being replaced; null for any number."]


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatView:
    """A player in a seat."""

    seat: int
    name: str
    place: Annotated[int | None, "Their place in the end."]
    squad: str | None
    model: Annotated[str | None, "Of their robot."]
    look: Annotated[int, "Which of the eight robots."]
    computer: Annotated[str | None, "The strength of a computer, null for a person."]
    steered_by: Annotated[str | None, "Who plays it, where that is not whose name it bears."]
    offered: Annotated[bool, "A computer holds it until a player takes it over."]
    ready: Annotated[bool, "They agree to the game as it is set up."]
    reliability: Annotated[int | None, "How reliable its player is, in percent; null for a computer."]


@dataclass(frozen=True, kw_only=True, slots=True)
class GameFacts(PlainTerms):
    """The facts about a game in all lists and views."""

    id: int
    name: str
    status: Annotated[str, Game.Status]
    ruleset: str
    version: Annotated[int, "The ruleset's."]
    options: OptionValues
    house_rules: HouseRuleValues
    starship_id: Annotated[int | None, "Of joined boards, the first one's; null for a test flight."]
    host: str
    seats: Annotated[list[SeatView], "The seats that are taken."]
    seats_total: Annotated[int, "The seats that there are."]
    prototype: Annotated[int | None, "Which version of a prototype it is played on; null on other boards."]
    counts_as: Annotated[
        str,
        (selectors.PEOPLE, selectors.COMPUTERS, selectors.SOLO, selectors.PROTOTYPE, selectors.TEST),
        "Among which games it counts in statistics.",
    ]
    pace: PaceView
    paused_until: Annotated[
        datetime | None, "Until when all clocks stand still, or stood still last; null where they never did."
    ]
    absence: AbsenceView
    turn: Annotated[int | None, "The turn under way, or the last; null before the start."]
    deadline: Annotated[datetime | None, "Mine, while I am missing; else that of who has time the longest."]
    waiting_for: Annotated[list[str], "Robo Names."]
    winner: str | None
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None


def facts_of(game: Game, seats: Sequence[Seat]) -> dict[str, Any]:
    """Return the `GameFacts` of a game, except ``waiting_for`` and ``deadline``."""
    sitting = (seat.user for seat in seats if seat.user and seat.user_id == game.host_id)
    host = next(sitting, None) or game.host  # the host usually has a seat, which saves a query
    return {
        "id": game.pk,
        "name": game.name,
        "status": game.status,
        "ruleset": game.ruleset,
        "version": game.version,
        "options": game.options,
        "house_rules": game.house_rules,
        "starship_id": game.revision.starship_id if game.revision else None,
        "host": host.robo_name,
        "seats": _seated(seats),
        "seats_total": game.seats,
        "prototype": game.prototype_version,
        "counts_as": selectors.class_of(game, seats),
        **{name: getattr(game, name) for name in PLAIN},
        "pace": PaceView(**write_pace(stored.pace_of(game))),
        "paused_until": game.paused_until if game.status == Game.Status.RUNNING else None,
        "absence": AbsenceView(**stored.absence_of(game)._asdict()),
        "turn": game.turn,
        "winner": game.winner or None,
        "created_at": game.created_at,
        "started_at": game.started_at,
        "ended_at": game.ended_at,
    }


def _seated(seats: Iterable[Seat]) -> list[SeatView]:
    """Return the taken seats."""
    percents = percents_of(seat.user for seat in seats if seat.user)
    return [
        SeatView(
            seat=seat.number,
            name=seat.robo_name,
            place=seat.place,
            squad=seat.squad or None,
            model=seat.model or None,
            look=seat.look,
            computer=seat.computer or None,
            steered_by=seat.steered_by or None,
            offered=seat.is_offered,
            ready=seat.ready,
            reliability=percents.get(seat.user_id or 0),
        )
        for seat in seats
    ]


Document = dict[str, Any]

BARE: Document = {"hull": {}, "links": [], "crystal": None}
"""The board before the start."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DraftView:
    """Saved orders, not submitted yet."""

    orders: Annotated[OrdersDocument, "Registers may be empty."]
    saved_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class MySeat:
    """My seat, with its secrets."""

    seat: int
    hand: Annotated[
        list[ChipView] | None,
        "Null while my robot, which was off, was not switched on: call `wake` to see it.",
    ]
    may_stay_down: Annotated[bool, "My robot was off, and I may order it to stay off or switch it on."]
    submitted: bool
    missed: Annotated[bool, "My time is up: orders were given in my place, though others still have time."]
    given_by: Annotated[
        str | None,
        Program.Author,
        "Who gave the orders that count now: me, or who else; null while they are missing.",
    ]
    orders: Annotated[OrdersDocument | None, "Mine for the turn under way, once submitted."]
    mark: Annotated[
        str, "The mark of my `orders`: send it as `instead_of` to replace only these. Empty without."
    ]
    draft: Annotated[DraftView | None, "What I have laid beside that: it counts for nothing."]
    excused: Annotated[
        int | None, "How many turns I may miss yet without being replaced; null for any number."
    ]
    standing: Annotated[str, Standing, "My standing orders here, which count in games that have them."]
    bank: Annotated[
        int | None, "Seconds in my bank, where the game has banks: before this turn, until I have submitted."
    ]


@dataclass(frozen=True, kw_only=True, slots=True)
class LaidBoard:
    """A starship as a part of a game's board."""

    starship: int
    name: str
    revision: int
    at: Annotated[Cell, "Its column and row, counted in boards."]
    turned: Annotated[int, "Quarter turns clockwise."]


OutageView = TypedDict("OutageView", {"from": datetime, "until": datetime})
OutageView.__doc__ = "A time in which the service was away."


@dataclass(frozen=True, kw_only=True, slots=True)
class GameView(GameFacts):
    """A game, with everything its viewer may see."""

    starship: Annotated[
        Document,
        Shape.named("StarshipDocument"),
        "The board as it is played on, which stays the same through the game.",
    ]
    robots: Annotated[list[RobotDocument], "In seat order; none before the start."]
    hull: Hull
    links: Links
    crystal: Annotated[Cell | None, "Where the power crystal is, in rulesets that have one."]
    outages: Annotated[
        list[OutageView], "When the service was away in this turn: clocks that run have that time back."
    ]
    me: Annotated[MySeat | None, "Null for one who has no seat."]
    winner: Annotated[
        str | None, "A robot's name, or a squad; null while there is none, and in a game that was lost."
    ]
    ending: Annotated[str | None, Game.Ending, "What ended the game, where its rules did not."]
    seq: Annotated[int, "The `seq` of the last event."]
    link: Annotated[str | None, "Of a private game, for those who play: give it to those who should join."]
    boards: Annotated[list[LaidBoard], "What the board is made of."]
    checkpoints: Annotated[int, "How many are to be inspected, from 1 on."]
    preview: Annotated[bool, "Whether orders can be previewed."]
    redeal: Annotated[bool, "Whether I may redraw my hand now."]
    commitment: Annotated[
        str, "The hash by which the seed was promised when the game was made: 64 hexadecimal figures."
    ]
    head: Annotated[HeadView | None, "What binds all that was played so far: keep it. Null before the start."]
    heads_from: Annotated[
        int | None, "Where the game is older than heads, the first turn in which one was shown; else null."
    ]
    seed: Annotated[str | None, "Null before the game is over."]
    starts_itself: Annotated[bool, "It starts once it is full and all are ready."]
    lobby: Annotated[list[LobbyEntryView], "What was done, newest first; none once started."]
    invitations: Annotated[list[Invited], "For those who have a seat, before the start."]
    interventions: Annotated[list[selectors.Intervened], "What staff did about it, newest first."]
    rematch: Annotated[int | None, "The rematch of this game."]


def game_view(*, viewer: Viewer, game: Game, turn: Turn | None = None) -> GameView:
    """Return a game for a viewer, on pages and in the API.

    ``turn`` is the turn under way, or the last one, if it was read already. Only the viewer's own hand and
    orders are included, and the state goes through `rules.view`.
    """
    seats = selectors.gather_seats(game=game)
    turn = turn or _current_turn(game)
    hands = _hands_in(turn) if turn else ()
    running = game.status == Game.Status.RUNNING
    missing = selectors.missing_hands(turn) if turn and running and turn.status == Turn.Status.OPEN else []
    stops = {hand.robot: stored.stops_of(hand) for hand in missing}
    setup = stored.setup_of(game)
    deadline = turn.deadline if turn and running else None
    seat = seat_of(viewer=viewer, game=game)
    link = link_of(viewer=viewer, game=game)
    mine = next((hand for hand in hands if seat and hand.robot == seat.number), None)
    awaited = next((hand for hand in missing if hand is mine), None)
    if turn and awaited and deadline:
        deadline = selectors.deadline_of(turn=turn, hand=awaited)
    state = stored.state_of(turn, setup.starship) if turn else None
    own = mine.robot - 1 if mine and not mine.face_down else None
    board = rules.view_to_json(setup.starship, rules.view(state, own)) if state else BARE
    robots = _robots(board["robots"], setup, turn, seats, hands, missing, stops) if turn else []
    facts = facts_of(game, seats)
    redeal = False
    if state and awaited and not awaited.face_down:
        redeal = stored.may_redeal(setup, state, awaited)
    return GameView(
        **facts,
        starship=board_document(game),
        commitment=game.commitment,
        head=head_of(turn, opening=bool(setup.ruleset.opening)),
        heads_from=game.heads_from,
        deadline=deadline,
        waiting_for=[robot["name"] for robot in robots if not robot["ready"]],
        robots=robots,
        hull=board["hull"],
        links=board["links"],
        crystal=board["crystal"],
        outages=_outages(stops.values()),
        me=_me(
            seat,
            mine,
            decides=running and turn is not None and turn.status == Turn.Status.OPEN,
            has_limit=facts["absence"].excused is not None,
            standing=getattr(viewer, "standing", ""),
        )
        if seat
        else None,
        ending=game.ending or None,
        seq=game.last_seq,
        link=link,
        boards=list(boards_of(game)),
        checkpoints=stored.checkpoints_of(setup),
        preview=can_preview(game),
        redeal=redeal,
        seed=game.seed if game.was_played else None,
        starts_itself=game.starts_itself,
        lobby=lobby_of(game) if game.status == Game.Status.OPEN else [],
        invitations=invitations_of(viewer=viewer, game=game) if game.status == Game.Status.OPEN else [],
        interventions=selectors.interventions_of(game) if game.intervened else [],
        rematch=rematch_of(viewer=viewer, game=game) if game.status == Game.Status.OVER else None,
    )


def _hands_in(turn: Turn) -> Sequence[Hand | PlayedHand]:
    """Return the hands of the turn under way, or of the last one."""
    return selectors.gather_hands(turn=turn) if turn.status == Turn.Status.OPEN else kept_of(turn).hands


def _outages(stops: Iterable[Iterable[Stop]]) -> list[OutageView]:
    """Return the outages in the stops of clocks. Running clocks get that time back."""
    spans = {stop.pause for each in stops for stop in each if stop.reason == OUTAGE}
    return [{"from": span.start, "until": span.end} for span in clock.merged(spans)]


def can_preview(game: Game) -> bool:
    """Return whether players may preview their orders (GR-1.1)."""
    return bool(game.options.get("programming_aid", True))


def boards_of(game: Game) -> Iterator[LaidBoard]:
    """Yield the starships in the board of a game. A draft ship has none."""
    if game.course is None:
        assert game.revision
        yield _board(game.revision, (0, 0), 0)
        return
    for piece in game.course.pieces.select_related("revision__starship").defer("revision__document"):
        yield _board(piece.revision, (piece.column, piece.row), piece.turned)


def _board(revision: StarshipRevision, at: tuple[int, int], turned: int) -> LaidBoard:
    return LaidBoard(
        starship=revision.starship_id,
        name=revision.starship.name,
        revision=revision.number,
        at=list(at),
        turned=turned,
    )


def _current_turn(game: Game) -> Turn | None:
    """Return the turn under way, or the last one."""
    return None if game.turn is None else game.turns.get(number=game.turn)


def _robots(
    robots: Iterable[Document],
    setup: rules.Setup,
    turn: Turn,
    seats: Iterable[Seat],
    hands: Iterable[Hand | PlayedHand],
    missing: Iterable[Hand],
    stops: Mapping[int, Iterable[Stop]],
) -> list[RobotDocument]:
    """Return the robots of a turn, with their players and public hands."""
    looks = {seat.number: seat.look for seat in seats}
    sets_aside = setup.ruleset.sets_aside
    aside = {hand.robot: put_aside(hand, setup.ruleset) for hand in hands} if sets_aside else {}
    deadlines = {hand.robot: selectors.deadline_of(turn=turn, hand=hand) for hand in missing}
    told: list[Any] = []
    for robot in robots:
        number = robot["seat"]
        told.append(
            {
                **robot,
                "ready": number not in deadlines,
                "deadline": deadlines.get(number),
                "away": any(stop.reason == VACATION for stop in stops.get(number, ())),
                "look": looks.get(number),
                "aside": aside.get(number, []),
            }
        )
    return told


def _me(
    seat: Seat, hand: Hand | PlayedHand | None, *, decides: bool, has_limit: bool, standing: str
) -> MySeat:
    program = hand.program if isinstance(hand, PlayedHand) else selectors.program_of(hand) if hand else None
    face_down = hand is not None and hand.face_down
    mine = program is not None and program.by == Program.Author.PLAYER
    orders = stored.plain_orders(program) if program and mine else None
    return MySeat(
        seat=seat.number,
        hand=None if face_down else _chips(stored.chips_of(hand) if hand else ()),
        may_stay_down=face_down and decides,
        submitted=mine,
        missed=program is not None and program.by in MISSED,
        given_by=program.by if program else None,
        orders=orders,
        mark=stored.mark_of(orders),
        draft=_draft_of(hand) if hand else None,
        excused=seat.excused if has_limit else None,
        standing=seat.standing or standing,
        bank=None if seat.bank is None else round(seat.bank.total_seconds()),
    )


def _chips(chips: rules.Hand) -> list[ChipView]:
    return [{"number": chip.number, "kind": chip.kind} for chip in chips]


def put_aside(hand: Hand | PlayedHand, ruleset: rules.Ruleset) -> list[list[ChipView]]:
    """Return the hands put aside openly, by a player or while dealing (AM-1.4)."""
    hands = stored.aside_of(hand) if ruleset.sets_aside else ()
    return [_chips(aside.chips) for aside in hands if aside.chips]


def _draft_of(hand: Hand | PlayedHand) -> DraftView | None:
    draft: Draft | None = getattr(hand, "draft", None)
    return DraftView(orders=stored.plain_orders(draft), saved_at=draft.saved_at) if draft else None
