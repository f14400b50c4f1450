"""Helpers for tests of the service: create games, play them, and run workers."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime, timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.db import transaction

import rules
from accounts.models import User
from games.absence.models import Replacement
from games.absence.seats import replace_by_computer
from games.clocks.models import Heartbeat
from games.errors import ServiceError
from games.fleet.models import Starship
from games.fleet.services import save_starship
from games.lobby import services
from games.lobby.seats import join_game
from games.lobby.services import create_game
from games.play import stored
from games.play.game_view import game_view
from games.play.history import sentence_of
from games.play.models import Game, Hand, Turn
from games.play.orders import submit_orders
from games.play.resolution import resolve_turn
from games.play.services import locked_game
from games.play.stored import PlayedProgram, TurnRecord, encode_record, turn_record
from games.play.terms import Terms
from games.play.viewers import Viewer
from games.work import sweeper
from games.work.sweeper import Offers
from tests.support.clock import NOW
from tests.support.worlds import once

__all__ = ["NOW"]


def later(**time: float) -> datetime:
    """Return a time after `NOW`, as in ``later(minutes=5)``."""
    return NOW + timedelta(**time)


def code_of(error: type[ServiceError], act: Callable[..., object], *given: Any, **more: Any) -> str:
    """Return the code of the error that a service raises."""
    with pytest.raises(error) as refused:
        act(*given, **more)
    return refused.value.code


def game_seen(*, viewer: Viewer, game: Game) -> dict[str, Any]:
    """Return a viewer's data of a game, as in a response of the API."""
    return asdict(game_view(viewer=viewer, game=game))


def leave_to_computer(
    game: Game,
    player: User,
    *,
    reason: Replacement.Reason = Replacement.Reason.MISSED,
    now: datetime = NOW,
) -> Game:
    with transaction.atomic():
        held = locked_game(game.pk)
        seat = held.players.select_related("user").get(user=player)
        replace_by_computer(game=held, seat=seat, reason=reason, now=now)
    game.refresh_from_db()
    return game


def history_of(game: Game) -> list[str]:
    """Return a game's history as sentences. The oldest comes first."""
    return [sentence_of(entry) for entry in game.lobby.order_by("pk")]


@dataclass(frozen=True)
class Board:
    """A starship for the library: its name and its rows."""

    name: str
    rows: tuple[str, ...]

    @property
    def document(self) -> dict[str, Any]:
        return {"format": "starship/1", "name": self.name, "builder": "Tests", "rows": list(self.rows)}

    def saved(self, *, section: str = "fleet") -> Starship:
        return once(save_starship, document=self.document, section=section, now=NOW)


def _hall() -> Board:
    """Return a board with rails all around, and checkpoints in its corners.

    No robot falls off, and no game ends within three turns.
    """
    size = 8
    corners = {(7, 0): "+i1", (0, 7): "+i2", (7, 7): "+i3", (0, 0): "+i4"}
    insides = {(3, 3): "b1:E", (4, 3): "b1:WS", (4, 4): "h1", (2, 5): "a"}
    rows = []
    for y in range(size):
        cells = []
        for x in range(size):
            edges = "".join(
                letter
                for letter, outer in zip("NESW", (y == 0, x == size - 1, y == size - 1, x == 0), strict=True)
                if outer
            )
            cell = insides.get((x, y), ".") + corners.get((x, y), "")
            cells.append(cell + (f"+w{edges}" if edges else ""))
        rows.append(" ".join(cells))
    return Board("Hall", tuple(rows))


HALL = _hall()
LANE = Board("Lane", ("a . . . .+i1+wE",))
"""A board with one row and open ends.

A robot that turns is soon destroyed, and a robot that drives straight soon wins.
"""


def walled(inside: str, size: int = 8) -> tuple[str, ...]:
    """Return the rows of a square board with rails all around.

    The cells of ``inside`` start at the top left, and all others are hull.
    """
    rows = []
    tokens = inside.split() + ["."] * (size * size)
    for y in range(size):
        cells = []
        for x in range(size):
            outer = (y == 0, x == size - 1, y == size - 1, x == 0)
            edges = "".join(letter for letter, edge in zip("NESW", outer, strict=True) if edge)
            cells.append(tokens[y * size + x] + (f"+w{edges}" if edges else ""))
        rows.append(" ".join(cells))
    return tuple(rows)


DUCTS = Board("Ducts", walled("a:red . . k . . . a:blue"))
"""A board for Robo Recon: two squads, and a power crystal between them."""

WORKSHOP = Board("Workshop", walled("a1 a2 a3 a4 . . . .+i1 . . . . . . . .+i2"))
"""A board for rulesets with start cells."""

YARD = Board("Yard", (". . . .", ". o .+x1 .", ". . h1 .", "a b1:E . .+i1"))
"""A small square board with a shaft, a crusher and open ends. It can be joined to others."""


class Table:
    """Creates and plays games on one starship."""

    def __init__(self, starship: Starship) -> None:
        self.starship = starship

    def game(
        self, host: User, *others: User, seats: int | None = None, seed: str = "a seed", **more: Any
    ) -> Game:
        """Create a game with a fixed seed, and let the other players join.

        A full game starts.
        """
        return once(self._game, self.starship, host, *others, seats=seats, seed=seed, **more)

    def _game(
        self, _: Starship, host: User, *others: User, seats: int | None, seed: str, **more: Any
    ) -> Game:
        given = {"name": "First flight", "pace": {"hours": 24}, "now": NOW, **more}
        given["seats"] = 1 + len(others) if seats is None else seats
        if "boards" not in given:
            given["starship"] = self.starship.pk
        asked = {term.name: given.pop(term.name) for term in fields(Terms) if term.name in given}
        with patch.object(services.secrets, "token_hex", return_value=seed):
            game = create_game(host=host, terms=Terms().with_changes(asked), **given)
        for other in others:
            join_game(user=other, game_id=game.pk, link=game.link_token, now=NOW)
        game.refresh_from_db()
        return game

    def move(self, game: Game, *players: User, now: datetime = NOW) -> None:
        """Submit allowed orders for the given players in the open turn."""
        for player in players:
            turn = open_turn(game)
            document = orders_for(game, player)
            submit_orders(user=player, game_id=game.pk, turn_number=turn.number, document=document, now=now)

    def play(self, game: Game, *players: User, now: datetime = NOW) -> Turn:
        """Submit orders for the given players, and resolve the turn. Return the turn."""
        turn = once(self._play, game, *players, now=now)
        game.refresh_from_db()
        return turn

    def _play(self, game: Game, *players: User, now: datetime) -> Turn:
        turn = open_turn(game)
        self.move(game, *players, now=now)
        assert resolve_turn(turn_id=turn.pk, now=now)
        turn.refresh_from_db()
        return turn


def sweep(now: datetime) -> Offers:
    """Run the sweeper as if it had swept a moment ago, so that it sees no outage."""
    Heartbeat.objects.update_or_create(pk=1, defaults={"at": now})
    return sweeper.sweep(now=now)


def open_turn(game: Game) -> Turn:
    return game.turns.get(status=Turn.Status.OPEN)


def record_of(game: Game, number: int = 1) -> TurnRecord:
    return turn_record(game.turns.get(number=number))


def program_of(game: Game, player: User, number: int = 1) -> PlayedProgram:
    """Return the program that a player's robot played in a resolved turn."""
    return programs_of(game, number)[game.players.get(user=player).number]


def programs_of(game: Game, number: int = 1) -> dict[int, PlayedProgram]:
    """Return the programs of a resolved turn, by the robots' numbers."""
    return {hand.robot: hand.program for hand in record_of(game, number).hands if hand.program}


def authors_in(game: Game) -> set[str]:
    turns = game.turns.filter(status=Turn.Status.RESOLVED)
    return {each.by for turn in turns for each in programs_of(game, turn.number).values()}


def resolved_again(game: Game, number: int = 1) -> rules.Outcome:
    """Resolve a stored turn again from its start, hands and orders. Return the outcome."""
    played = record_of(game, number)
    setup = stored.setup_of(game)
    start = stored.start_in(played, setup.starship)
    hands = {hand.robot - 1: stored.chips_of(hand) for hand in played.hands}
    orders = {hand.robot - 1: stored.orders_of(hand.program) for hand in played.hands if hand.program}
    return rules.resolve_turn(setup, start, hands, orders, game.seed)


def all_kept(game: Game) -> str:
    """Return all stored data of a game's turns as one text."""
    return str([turn_record(turn) if turn.resolved_at else turn.snapshot for turn in game.turns.all()])


def rekeep(game: Game, number: int = 1, **changes: Any) -> None:
    """Change fields in the stored record of a resolved turn (`TurnRecord`)."""
    record = encode_record(replace(record_of(game, number), **changes))
    game.turns.filter(number=number).update(record=record)


def hand_of(game: Game, player: User) -> Hand:
    return Hand.objects.get(turn=open_turn(game), seat__user=player)


def chips(game: Game, player: User) -> list[int]:
    numbers: list[int] = hand_of(game, player).chips["chips"]
    return numbers


def orders_for(game: Game, player: User, seed: int = 1) -> dict[str, Any]:
    """Return random allowed orders for a player in the open turn."""
    turn, hand = open_turn(game), hand_of(game, player)
    if hand.face_down:
        return {"stay_down": True}
    setup = stored.setup_of(game)
    state = stored.start_of(turn, setup.starship)
    orders = rules.complete(setup, state, hand.robot - 1, stored.chips_of(hand), None, seed)
    return rules.write_orders(orders)


def change_robot(game: Game, player: User, **changes: Any) -> None:
    """Change the player's robot at the start of the open turn."""
    turn = open_turn(game)
    turn.snapshot["robots"][game.players.get(user=player).number - 1].update(changes)
    turn.save()


def program(*numbers: object) -> dict[str, Any]:
    """Return the form of a program, with a chip number for each register.

    None leaves out the field of a register.
    """
    fields = {f"register_{place}": number for place, number in enumerate(numbers, 1) if number is not None}
    return {"program": "1", **fields}
