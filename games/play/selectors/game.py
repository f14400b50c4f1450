"""A game as its viewer may see it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import rules
from accounts.models import User
from games.clocks import clock
from games.clocks.paces import write_pace
from games.clocks.selectors.outages import OUTAGE
from games.clocks.selectors.vacations import VACATION
from games.fleet.models import StarshipRevision
from games.lobby.selectors.lobby import invitations_of, lobby_of, rematch_of, seated
from games.people.selectors.classes import class_of
from games.play import stored
from games.play.models import Draft, Game, Hand, Program, Seat, Turn
from games.play.models.turns import MISSED
from games.play.policy import write_absence
from games.play.selectors.deadlines import deadline_of
from games.play.selectors.gathering import gather_seats, hands_of, program_of, seats_of
from games.play.selectors.heads import commitment_of, head_of
from games.play.selectors.viewers import Viewer, link_of, seat_of
from games.staff.selectors.interventions import interventions_of

Document = dict[str, Any]


def game_view(*, viewer: Viewer, game: Game, turn: Turn | None = None) -> Document:
    """Return a game as the viewer may see it: the document that the API answers with.

    ``turn`` is the one under way, or the last one, where it was read already.

    Of hands and orders there are the viewer's own alone; the state goes through `rules.view`.
    """
    gather_seats(game=game)
    turn = turn or _current_turn(game)
    hands = hands_of(turn) if turn else []
    waited_for = _waited_for(game, turn, hands)
    seats = seats_of(game)
    setup = stored.setup_of(game)
    document: Document = {
        "id": game.pk,
        "name": game.name,
        "status": game.status,
        "ruleset": game.ruleset,
        "version": game.version,
        "options": game.options,
        "house_rules": game.house_rules,
        "starship": (game.course or game.revision).document,
        "turn": game.turn,
        "deadline": turn.deadline if turn and game.status == Game.Status.RUNNING else None,
        "waiting_for": [],
        "robots": [],
        "hull": {},
        "links": [],
        "crystal": None,
        "outages": [],
        "me": None,
        "winner": game.winner or None,
        "ending": game.ending or None,
        "seq": game.last_seq,
        "host": _host_of(game, seats).robo_name,
        "seats": [seated(seat) for seat in seats],
        "counts_as": class_of(game, seats),
        "starts_itself": game.starts_itself,
        "lobby": lobby_of(game),
        "invitations": invitations_of(viewer=viewer, game=game),
        "interventions": interventions_of(game),
        "rematch": rematch_of(viewer=viewer, game=game),
        "seats_total": game.seats,
        "private": game.private,
        "least_reliability": game.least_reliability,
        "link": link_of(viewer=viewer, game=game),
        "pace": write_pace(stored.pace_of(game)),
        "paused_until": game.paused_until if game.status == Game.Status.RUNNING else None,
        "absence": write_absence(stored.absence_of(game)),
        "starship_id": game.revision.starship_id,
        "boards": list(boards_of(game)),
        "checkpoints": stored.checkpoints_of(setup),
        "preview": can_preview(game),
        "redeal": False,
        "commitment": commitment_of(game),
        "head": head_of(turn, opening=bool(setup.ruleset.opening)),
        "heads_from": game.heads_from,
        "seed": game.seed if game.was_played else None,
        "created_at": game.created_at,
        "started_at": game.started_at,
        "ended_at": game.ended_at,
    }
    if turn is not None:
        document |= _state_of(game, turn, waited_for, {seat.number: seat.look for seat in seats})
        ruleset = stored.setup_of(game).ruleset
        aside = {hand.robot: put_aside(hand, ruleset) for hand in hands}
        missing = [hand for hand in hands if hand.robot in waited_for]
        deadlines = {hand.robot: deadline_of(turn=turn, hand=hand) for hand in missing}
        away = {hand.robot for hand in missing if _has(hand, VACATION)}
        document["outages"] = _outages(missing)
        for robot in document["robots"]:
            robot["deadline"] = deadlines.get(robot["seat"])
            robot["away"] = robot["seat"] in away
            robot["aside"] = aside.get(robot["seat"], [])
    if seat := seat_of(viewer=viewer, game=game):
        mine = next((hand for hand in hands if hand.seat_id == seat.pk), None)
        document["me"] = _me(
            seat,
            mine,
            decides=document["status"] == Game.Status.RUNNING and turn is not None and turn.outcome is None,
            has_limit=document["absence"]["excused"] is not None,
            standing=getattr(viewer, "standing", ""),
        )
        if turn is not None and mine is not None and program_of(mine) is None and document["deadline"]:
            document["deadline"] = deadline_of(turn=turn, hand=mine)
        document["redeal"] = turn is not None and mine is not None and _may_redeal(game, turn, mine)
    return document


def _host_of(game: Game, seats: Iterable[Seat]) -> User:
    """Return who hosts a game: somebody of those who sit there, mostly, so that it need not be read."""
    sitting = (seat.user for seat in seats if seat.user and seat.user_id == game.host_id)
    return next(sitting, None) or game.host


def _has(hand: Hand, reason: str) -> bool:
    """Return whether the clock of a hand has stood still for a reason."""
    return any(stop.reason == reason for stop in stored.stops_of(hand))


def _outages(hands: Iterable[Hand]) -> list[Document]:
    """Return when the service was away while the clocks of hands ran, which have the time back."""
    spans = {stop.pause for hand in hands for stop in stored.stops_of(hand) if stop.reason == OUTAGE}
    return [{"from": span.start, "until": span.end} for span in clock.merged(spans)]


def can_preview(game: Game) -> bool:
    """Return whether players may see what their orders would do (GR-1.1)."""
    return bool(game.options.get("programming_aid", True))


def boards_of(game: Game) -> Iterator[Document]:
    """Yield what the board is made of: a starship as it stands, or the pieces of a course."""
    if game.course is None:
        yield _board(game.revision, (0, 0), 0)
        return
    for piece in game.course.pieces.select_related("revision__starship").defer("revision__document"):
        yield _board(piece.revision, (piece.column, piece.row), piece.turned)


def _board(revision: StarshipRevision, at: tuple[int, int], turned: int) -> Document:
    return {
        "starship": revision.starship_id,
        "name": revision.starship.name,
        "revision": revision.number,
        "at": list(at),
        "turned": turned,
    }


def _current_turn(game: Game) -> Turn | None:
    """Return the turn under way, or the last one."""
    return None if game.turn is None else game.turns.get(number=game.turn)


def _waited_for(game: Game, turn: Turn | None, hands: list[Hand]) -> set[int]:
    if turn is None or turn.status != Turn.Status.OPEN or game.status != Game.Status.RUNNING:
        return set()
    return {hand.robot for hand in hands if hand.seat_id is not None and program_of(hand) is None}


def _state_of(game: Game, turn: Turn, waited_for: set[int], looks: Mapping[int, int]) -> Document:
    ship = stored.ship_of(game)
    state = stored.start_of(turn, ship) if turn.outcome is None else stored.end_of(turn, ship)
    seen = rules.view_to_json(ship, rules.view(state))
    robots = [
        {**robot, "ready": robot["seat"] not in waited_for, "look": looks.get(robot["seat"])}
        for robot in seen["robots"]
    ]
    return {
        "robots": robots,
        "hull": seen["hull"],
        "links": seen["links"],
        "crystal": seen["crystal"],
        "waiting_for": [robot["name"] for robot in robots if not robot["ready"]],
    }


def _me(seat: Seat, hand: Hand | None, *, decides: bool, has_limit: bool, standing: str) -> Document:
    program = program_of(hand) if hand else None
    face_down = hand is not None and hand.face_down
    chips = stored.chips_of(hand) if hand else ()
    missed = program is not None and program.by in MISSED
    mine = program is not None and program.by == Program.Author.PLAYER
    return {
        "seat": seat.number,
        "hand": None if face_down else _chips(chips),
        "may_stay_down": face_down and decides,
        "submitted": mine,
        "missed": missed,
        "given_by": program.by if program else None,
        "orders": stored.plain_orders(program) if program and mine else None,
        "draft": _draft_of(hand) if hand else None,
        "excused": seat.excused if has_limit else None,
        "standing": seat.standing or standing,
        "bank": None if seat.bank is None else round(seat.bank.total_seconds()),
    }


def _chips(chips: rules.Hand) -> list[Document]:
    return [{"number": chip.number, "kind": chip.kind} for chip in chips]


def put_aside(hand: Hand, ruleset: rules.Ruleset) -> list[list[Document]]:
    """Return the hands that were put aside for all to see: by a player, or while dealing (AM-1.4)."""
    return [_chips(aside.chips) for aside in stored.aside_of(hand)] if ruleset.sets_aside else []


def _draft_of(hand: Hand) -> Document | None:
    draft: Draft | None = getattr(hand, "draft", None)
    return {"orders": stored.plain_orders(draft), "saved_at": draft.saved_at} if draft else None


def _may_redeal(game: Game, turn: Turn, hand: Hand) -> bool:
    """Return whether a hand of the turn under way may be redrawn, before any orders (GR-1.2, AM-1.4)."""
    if game.status != Game.Status.RUNNING or hand.face_down or program_of(hand) is not None:
        return False
    setup = stored.setup_of(game)
    return stored.may_redeal(setup, stored.start_of(turn, setup.starship), hand)
