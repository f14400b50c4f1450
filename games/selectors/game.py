"""A game as its viewer may see it."""

from typing import Any

import rules
from games import stored
from games.models import Game, Hand, Program, Turn
from games.selectors.viewers import Viewer, link_of, seat_of

Document = dict[str, Any]


def game_view(*, viewer: Viewer, game: Game) -> Document:
    """Return a game as the viewer may see it: the document that the API answers with.

    Of hands and orders there are the viewer's own alone; the state goes through `rules.view`.
    """
    turn = _current_turn(game)
    hands = list(turn.hands.select_related("program")) if turn else []
    waited_for = _waited_for(game, turn, hands)
    document: Document = {
        "id": game.pk,
        "name": game.name,
        "status": game.status,
        "ruleset": game.ruleset,
        "version": game.version,
        "options": game.options,
        "starship": game.revision.document,
        "turn": game.turn,
        "deadline": turn.deadline if turn and game.status == Game.Status.RUNNING else None,
        "waiting_for": [],
        "robots": [],
        "hull": {},
        "links": [],
        "me": None,
        "winner": game.winner or None,
        "seq": game.last_seq,
        "host": game.host.robo_name,
        "seats": [
            {"seat": seat.number, "name": seat.user.robo_name, "place": seat.place}
            for seat in game.players.select_related("user")
        ],
        "seats_total": game.seats,
        "private": game.private,
        "link": link_of(viewer=viewer, game=game),
        "pace": {"hours": game.hours_per_turn},
        "starship_id": game.revision.starship_id,
        "seed": game.seed if game.status == Game.Status.OVER else None,
        "created_at": game.created_at,
        "started_at": game.started_at,
        "ended_at": game.ended_at,
    }
    if turn is not None:
        document |= _state_of(game, turn, waited_for)
    document["me"] = _me(viewer, game, hands)
    return document


def _current_turn(game: Game) -> Turn | None:
    """Return the turn under way, or the last one."""
    return None if game.turn is None else game.turns.get(number=game.turn)


def _waited_for(game: Game, turn: Turn | None, hands: list[Hand]) -> set[int]:
    if turn is None or turn.status != Turn.Status.OPEN or game.status != Game.Status.RUNNING:
        return set()
    return {hand.robot for hand in hands if hand.seat_id is not None and program_of(hand) is None}


def _state_of(game: Game, turn: Turn, waited_for: set[int]) -> Document:
    ship = stored.starship_of(game.revision)
    state = stored.start_of(turn, ship) if turn.outcome is None else stored.end_of(turn, ship)
    seen = rules.view_to_json(ship, rules.view(state))
    robots = [{**robot, "ready": robot["seat"] not in waited_for} for robot in seen["robots"]]
    return {
        "robots": robots,
        "hull": seen["hull"],
        "links": seen["links"],
        "waiting_for": [robot["name"] for robot in robots if not robot["ready"]],
    }


def _me(viewer: Viewer, game: Game, hands: list[Hand]) -> Document | None:
    seat = seat_of(viewer=viewer, game=game)
    if seat is None:
        return None
    hand = next((hand for hand in hands if hand.seat_id == seat.pk), None)
    program = program_of(hand) if hand else None
    chips = stored.chips_of(hand) if hand else ()
    return {
        "seat": seat.number,
        "hand": [{"number": chip.number, "kind": chip.kind} for chip in chips],
        "submitted": program is not None,
        "orders": stored.plain_orders(program) if program else None,
    }


def program_of(hand: Hand) -> Program | None:
    """Return the orders given for a hand, if there are any yet."""
    program: Program | None = getattr(hand, "program", None)
    return program
