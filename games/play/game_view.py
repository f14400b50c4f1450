"""The view of a game for one viewer, without secrets. Pages and the API use it."""

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
from games.clocks.selectors import OUTAGE_REASON, VACATION_REASON
from games.errors import Shape
from games.fleet.models import StarshipRevision
from games.play import selectors, stored
from games.play.heads import HeadView, board_document, head_of
from games.play.history import Invited, LobbyEntryView, invitations_of, lobby_of, rematch_of
from games.play.models import SUBSTITUTE_AUTHORS, Draft, Game, Hand, Program, Seat, Turn
from games.play.policy import POLICIES
from games.play.stored import PlayedHand, turn_record
from games.play.terms import PLAIN_FIELDS, PlainTerms
from games.play.viewers import Viewer, link_of, origin_of, played_seat

CELL = {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}

Cell = Annotated[list[int], Shape(CELL)]
"""A cell as [x, y], counted from [0, 0] at the top left."""

Heading = Annotated[str | None, Shape({"type": "string", "enum": [*rules.LETTERS, None]})]
Hull = Annotated[
    dict[str, int],
    Shape(
        {
            "type": "object",
            "description": "Repairs left, by the number of the checkpoint.",
            "additionalProperties": {"type": "integer"},
        }
    ),
]
Links = Annotated[
    list[list[list[int]]],
    Shape(
        {
            "type": "array",
            "description": "The transporter links that have been used, as [from, to].",
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
    """A chip in a hand."""

    number: int
    kind: Annotated[str, ("1", "2", "3", "B", "L", "R", "U")]


class BoardRobot(TypedDict):
    """A robot on the board, without its player's secret hand and orders."""

    name: str
    seat: Annotated[int, "The number of its seat. Scanners come after the players."]
    at: Annotated[Cell | None, "The cell as [x, y]; null off the board."]
    heading: Heading
    damage: int
    lives: Annotated[
        int, "Lives left. In Robo Rally 1999 and Group 11 they are spares: a robot with 0 still plays."
    ]
    alive: bool
    virtual: bool
    down: bool
    was_down: Annotated[bool, "Whether it was switched off in the previous turn."]
    next: Annotated[int, "The number of its next checkpoint."]
    archive: Annotated[Cell | None, "The cell where it comes back."]
    locked: Annotated[
        dict[str, str | None],
        "The kind of the chip in each locked register; null if it is empty, or only its player knows it yet.",
    ]
    rank: int | None
    squad: str | None
    model: str | None
    equipment: str | None
    ammo: int | None
    scanner: Annotated[bool, "Whether it is a scanner, one of the ship's own robots."]
    returned: Annotated[
        bool, "Whether it starts or has just come back, so its player can choose its heading."
    ]
    place: int | None


class RobotDocument(BoardRobot):
    """A robot in the turn under way, with its player's readiness and deadline."""

    ready: Annotated[bool, "Whether its player owes no orders."]
    deadline: Annotated[
        datetime | None, "The deadline of its player; null without a time limit, and once the orders are in."
    ]
    away: Annotated[bool, "Whether its orders are missing because its player is on vacation."]
    short_clock: Annotated[
        int,
        "The number of turns in a row that its player must submit on time to get the full time again, because"
        " they missed turns; 0 with the full time.",
    ]
    look: Annotated[int | None, "The number of its picture, from 1 to 8; null for a scanner."]
    aside: Annotated[list[list[ChipView]], "The hands put aside in this turn."]


class BoardDocument(TypedDict):
    """The state of the board between two turns, without hands, orders or other secrets."""

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
    """The pace of a game: a time limit for each turn, or a time bank. Without either, all values are null."""

    hours: Annotated[int | None, "The hours for each turn."]
    minutes: Annotated[int | None, "The minutes for each turn of a live game."]
    at: Annotated[str | None, 'The time of day when turns end, such as "20:00".']
    zone: Annotated[str | None, "The time zone of `at`."]
    bank: Annotated[int | None, "The hours in each player's time bank at the start."]
    increment: Annotated[int | None, "The hours that each turn adds to the time bank."]


@dataclass(frozen=True, kw_only=True, slots=True)
class AbsenceView:
    """The absence policy of a game: the effect of missed turns."""

    policy: Annotated[str, POLICIES, "The orders that are played for a player who misses a turn."]
    excused: Annotated[
        int | None, "The number of turns that a player can miss without being replaced; null for any number."
    ]


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatView:
    """A taken seat, with its player and robot."""

    seat: int
    name: str
    place: Annotated[int | None, "The place in the result; null until then."]
    squad: str | None
    model: Annotated[str | None, "The model of the robot."]
    look: Annotated[int, "The number of the robot's picture, from 1 to 8."]
    computer: Annotated[str | None, "The level of a computer; null for a person."]
    companion: Annotated[bool, "Whether it is for a person without an account, at the host's screen."]
    steered_by: Annotated[
        str | None, "The player or computer that plays the robot, if the robot has another name; else null."
    ]
    offered: Annotated[bool, "Whether a player can take over the seat from its computer."]
    ready: Annotated[bool, "Whether the player agrees to the game as it is set up."]
    reliability: Annotated[int | None, "The player's reliability in percent; null for a computer."]


@dataclass(frozen=True, kw_only=True, slots=True)
class GameFacts(PlainTerms):
    """The facts about a game that all lists and views contain."""

    id: int
    name: str
    status: Annotated[str, Game.Status]
    ruleset: str
    version: Annotated[int, "The ruleset version."]
    options: OptionValues
    house_rules: HouseRuleValues
    starship_id: Annotated[
        int | None, "The id of the starship, or of the first one on joined boards; null for a test flight."
    ]
    host: str
    seats: Annotated[list[SeatView], "The taken seats."]
    seats_total: Annotated[int, "The number of seats."]
    prototype: Annotated[int | None, "The version of the prototype; null on other boards."]
    counts_as: Annotated[
        str,
        (
            selectors.PEOPLE,
            selectors.COMPUTERS,
            selectors.SOLO,
            selectors.PROTOTYPE,
            selectors.TEST,
            selectors.PLAYED_ON,
        ),
        "The class of the game in statistics.",
    ]
    pace: PaceView
    paused_until: Annotated[datetime | None, "The end of the current or last pause; null without any."]
    absence: AbsenceView
    turn: Annotated[int | None, "The turn under way, or the last turn; null before the start."]
    deadline: Annotated[
        datetime | None,
        "Your deadline while your orders are missing; else the latest deadline of any player.",
    ]
    waiting_for: Annotated[list[str], "Robo Names."]
    winner: str | None
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None


def facts_of(game: Game, seats: Sequence[Seat]) -> dict[str, Any]:
    """Return the values for `GameFacts` of a game, except ``waiting_for`` and ``deadline``."""
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
        "seats": _seat_views(seats),
        "seats_total": game.seats,
        "prototype": game.prototype_version,
        "counts_as": selectors.class_of(game, seats),
        **{name: getattr(game, name) for name in PLAIN_FIELDS},
        "pace": PaceView(**write_pace(stored.pace_of(game))),
        "paused_until": game.paused_until if game.status == Game.Status.RUNNING else None,
        "absence": AbsenceView(**stored.absence_of(game)._asdict()),
        "turn": game.turn,
        "winner": game.winner or None,
        "created_at": game.created_at,
        "started_at": game.started_at,
        "ended_at": game.ended_at,
    }


def _seat_views(seats: Iterable[Seat]) -> list[SeatView]:
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
            companion=seat.is_companion,
            steered_by=seat.steered_by or None,
            offered=seat.is_offered,
            ready=seat.ready,
            reliability=percents.get(seat.user_id or 0),
        )
        for seat in seats
    ]


Document = dict[str, Any]

BARE: Document = {"hull": {}, "links": [], "crystal": None}
"""The state of the board before a game starts: no hull damage, no used links and no power crystal."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DraftView:
    """Orders that you have saved but not submitted."""

    orders: Annotated[OrdersDocument, "The saved orders. Registers can be empty."]
    saved_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class MySeat:
    """Your seat in the game, with your hand, orders, draft and time."""

    seat: int
    hand: Annotated[
        list[ChipView] | None,
        "Your hand; null if your robot was off and you have not switched it on: call `wake` to see it.",
    ]
    may_stay_down: Annotated[
        bool, "Whether your robot was off, so you can order it to stay off or switch it on."
    ]
    submitted: bool
    missed: Annotated[bool, "Whether your time has run out and other orders were played for you."]
    given_by: Annotated[
        str | None,
        Program.Author,
        "The author of the orders that count now; null while they are missing.",
    ]
    orders: Annotated[OrdersDocument | None, "Your orders for the turn under way; null until they are in."]
    mark: Annotated[
        str, "The mark of your `orders`; empty without orders. Send it as `instead_of` to replace only these."
    ]
    draft: Annotated[DraftView | None, "Your draft, which is not submitted; null without one."]
    excused: Annotated[
        int | None, "The number of turns that you can still miss without being replaced; null for any number."
    ]
    standing: Annotated[
        str,
        Standing,
        "Your standing orders in this game. They are played only in games with standing orders.",
    ]
    bank: Annotated[
        int | None,
        "The seconds in your time bank; null without one. The current turn is deducted when"
        " you submit orders.",
    ]
    sits: Annotated[bool, "Whether it is another player’s seat, and you are their sitter."]


@dataclass(frozen=True, kw_only=True, slots=True)
class LaidBoard:
    """A starship as a part of a game's board."""

    starship: int
    name: str
    revision: int
    at: Annotated[Cell, "Its column and row, in boards."]
    turned: Annotated[int, "The number of quarter turns clockwise."]


OutageView = TypedDict("OutageView", {"from": datetime, "until": datetime})
OutageView.__doc__ = "A time when the service was down."


@dataclass(frozen=True, kw_only=True, slots=True)
class OriginView:
    """The position at which a game began, if it was not the start of its ruleset."""

    game: Annotated[int | None, "The game of the position; null for a file, or if you may not see it."]
    turn: Annotated[int | None, "The turn there; null for a position that a player set up."]


def _origin(viewer: Viewer, game: Game) -> OriginView | None:
    if not game.is_played_on:
        return None
    origin = origin_of(viewer=viewer, game=game)
    return OriginView(game=origin.pk if origin else None, turn=game.origin_turn)


@dataclass(frozen=True, kw_only=True, slots=True)
class GameView(GameFacts):
    """A game, with everything that you may see."""

    starship: Annotated[
        Document,
        Shape.named("StarshipDocument"),
        "The board of the game. It never changes.",
    ]
    robots: Annotated[list[RobotDocument], "The robots in seat order; empty before the start."]
    hull: Hull
    links: Links
    crystal: Annotated[Cell | None, "The cell of the power crystal, in rulesets that have one."]
    outages: Annotated[
        list[OutageView],
        "The times when the service was down in this turn. Running clocks got that time back.",
    ]
    me: Annotated[MySeat | None, "Your seat; null without one."]
    at_screen: Annotated[
        int | None,
        "The seat of the player at your screen, in a game on one screen; 0 while no hand is shown; null in"
        " other games.",
    ]
    winner: Annotated[str | None, "The name of a robot, or a squad; null without a winner."]
    ending: Annotated[str | None, Game.Ending, "The reason why the game ended, if its rules did not end it."]
    seq: Annotated[int, "The `seq` of the last event."]
    link: Annotated[
        str | None,
        "The token of a private game's link, for its players; else null. Anyone who has it can join.",
    ]
    boards: Annotated[list[LaidBoard], "The starships that form the board."]
    checkpoints: Annotated[int, "The number of checkpoints."]
    preview: Annotated[bool, "Whether you can preview orders."]
    redeal: Annotated[bool, "Whether you can redraw your hand now."]
    origin: Annotated[OriginView | None, "The position at which the game began; null for a usual start."]
    commitment: Annotated[
        str, "The hash of the seed, published when the game was created: 64 hexadecimal digits."
    ]
    head: Annotated[
        HeadView | None,
        "The hash of everything played so far; null before the start. Keep it to verify the game later.",
    ]
    heads_from: Annotated[int | None, "The first turn with a head, in games from before heads; else null."]
    seed: Annotated[str | None, "The seed; null before the game is over."]
    starts_itself: Annotated[
        bool, "Whether it starts automatically once all seats are taken and all players are ready."
    ]
    lobby: Annotated[
        list[LobbyEntryView], "The changes in the lobby, newest first; empty once the game has started."
    ]
    invitations: Annotated[list[Invited], "The invitations, for players with a seat, before the start."]
    interventions: Annotated[list[selectors.Intervened], "The actions of staff on the game, newest first."]
    rematch: Annotated[int | None, "The id of the rematch; null without one."]


def game_view(*, viewer: Viewer, game: Game, turn: Turn | None = None) -> GameView:
    """Return a game as one viewer may see it, for pages and the API.

    ``turn`` is the turn under way, or the last one. It is read from the database if it is not given. The view
    contains only the viewer's own hand and orders. `rules.view` removes other secrets from the state.
    """
    seats = selectors.prefetch_seats(game=game)
    turn = turn or _current_turn(game)
    hands = _hands_in(turn) if turn else ()
    running = game.status == Game.Status.RUNNING
    missing = selectors.missing_hands(turn) if turn and running and turn.status == Turn.Status.OPEN else []
    stops = {hand.robot: stored.stops_of(hand) for hand in missing}
    setup = stored.setup_of(game)
    deadline = turn.deadline if turn and running else None
    seat = played_seat(viewer=viewer, game=game)
    sits = seat is not None and seat.user_id not in (None, viewer.pk)
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
        origin=_origin(viewer, game),
        commitment=game.commitment,
        head=head_of(turn, first=stored.first_turn(game)),
        heads_from=game.heads_from,
        deadline=deadline,
        waiting_for=[robot["name"] for robot in robots if not robot["ready"]],
        robots=robots,
        hull=board["hull"],
        links=board["links"],
        crystal=board["crystal"],
        outages=_outages(stops.values()),
        me=_my_seat(
            seat,
            mine,
            decides=running and turn is not None and turn.status == Turn.Status.OPEN,
            has_limit=facts["absence"].excused is not None,
            standing=getattr(seat.user if sits else viewer, "standing", ""),
            sits=sits,
        )
        if seat
        else None,
        at_screen=game.at_screen,
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
    """Return the hands of a turn under way, or the hands in the record of a played turn."""
    return selectors.prefetch_hands(turn=turn) if turn.status == Turn.Status.OPEN else turn_record(turn).hands


def _outages(stops: Iterable[Iterable[Stop]]) -> list[OutageView]:
    """Return the outages that stopped players' clocks. Their length was added to the deadlines."""
    spans = {stop.pause for each in stops for stop in each if stop.reason == OUTAGE_REASON}
    return [{"from": span.start, "until": span.end} for span in clock.merged(spans)]


def can_preview(game: Game) -> bool:
    """Return whether the players of a game may preview their orders (GR-1.1)."""
    return bool(game.options.get("programming_aid", True))


def boards_of(game: Game) -> Iterator[LaidBoard]:
    """Yield the starships that form the board of a game. For a test flight, yield nothing."""
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
    """Return the turn under way or the last turn, or None before the start."""
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
    """Return the robots of a turn, with readiness, deadlines, pictures and the hands put aside face up."""
    by_number = {seat.number: seat for seat in seats}
    sets_aside = setup.ruleset.sets_aside
    aside = {hand.robot: put_aside(hand, setup.ruleset) for hand in hands} if sets_aside else {}
    deadlines = {hand.robot: selectors.deadline_of(turn=turn, hand=hand) for hand in missing}
    views: list[Any] = []
    for robot in robots:
        number = robot["seat"]
        seat = by_number.get(number)
        views.append(
            {
                **robot,
                "ready": number not in deadlines,
                "deadline": deadlines.get(number),
                "away": any(stop.reason == VACATION_REASON for stop in stops.get(number, ())),
                "short_clock": seat.short_clock if seat else 0,
                "look": seat.look if seat else None,
                "aside": aside.get(number, []),
            }
        )
    return views


def _my_seat(
    seat: Seat, hand: Hand | PlayedHand | None, *, decides: bool, has_limit: bool, standing: str, sits: bool
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
        missed=program is not None and program.by in SUBSTITUTE_AUTHORS,
        given_by=program.by if program else None,
        orders=orders,
        mark=stored.mark_of(orders),
        draft=_draft_of(hand) if hand else None,
        excused=seat.excused if has_limit else None,
        standing=seat.standing or standing,
        bank=None if seat.bank is None else round(seat.bank.total_seconds()),
        sits=sits,
    )


def _chips(chips: rules.Hand) -> list[ChipView]:
    return [{"number": chip.number, "kind": chip.kind} for chip in chips]


def put_aside(hand: Hand | PlayedHand, ruleset: rules.Ruleset) -> list[list[ChipView]]:
    """Return a robot's earlier hands in a turn: the ones put aside for all players to see (AM-1.4).

    A hand is put aside by its player, or by the service when it deals the hand. ``hand`` is the robot's last
    hand in the turn.
    """
    hands = stored.aside_of(hand) if ruleset.sets_aside else ()
    return [_chips(aside.chips) for aside in hands if aside.chips]


def _draft_of(hand: Hand | PlayedHand) -> DraftView | None:
    draft: Draft | None = getattr(hand, "draft", None)
    return DraftView(orders=stored.plain_orders(draft), saved_at=draft.saved_at) if draft else None
