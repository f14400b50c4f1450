"""Players who submit orders at a steady pace, even if the site becomes slow."""

import asyncio
import json
import time
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Final, NamedTuple

from django.db import connection

import rules
from bench.load.client import Connections
from bench.load.villages import token_of
from games import live as presence
from games.play import stored
from games.play.models import Game, Hand, Turn

PREPARED_ORDERS: Final = 60
"""The number of orders prepared in advance, so that only the site's time is measured."""

POLL_SECONDS: Final = 0.1
"""The seconds between two checks for played turns. Measured times may be too long by this much."""

SIGN: Final = 30.0
"""The seconds between two signals of an open page that its player is present."""

FINAL_WAIT: Final = 30.0
"""The maximum seconds to wait at the end: for the last answers, and for the last turns."""


class Move(NamedTuple):
    """A player's missing orders: the turn's ``number``, and the IDs of hand, turn, game and player."""

    hand: int
    turn: int
    number: int
    game: int
    person: int


class Orders(NamedTuple):
    """Prepared orders: the move, and the body of the request."""

    move: Move
    body: bytes


@dataclass
class Notes:
    """The measurements, in seconds.

    ``answers`` has the time from the moment when orders are due to be sent until the answer. ``turns`` has
    the time from the last orders of a turn until the turn is stored.
    """

    answers: list[float] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    turns: list[float] = field(default_factory=list)
    late: int = 0
    """The number of orders that were due but not sent.

        Either no hand was missing orders, or no orders were prepared in time.
        """


class Crowd:
    """All players. In ``live`` games, they keep the page open. In other games, they only submit orders."""

    def __init__(self, port: int, *, live: int, seed: int) -> None:
        self.notes = Notes()
        self._connections = Connections(port)
        self._chance = Random(seed)
        self._setups: dict[int, rules.Setup] = {}
        running = list(Game.objects.filter(status=Game.Status.RUNNING).values_list("pk", flat=True))
        self._live = set(self._chance.sample(running, min(live, len(running))))
        self._looking: set[tuple[int, int]] = set(
            Hand.objects.filter(turn__game__in=self._live, turn__status=Turn.Status.OPEN)
            .exclude(seat__user=None)
            .values_list("turn__game", "seat__user")
        )
        self._waiting: dict[bool, list[Move]] = {True: [], False: []}
        self._missing: Counter[int] = Counter()
        self._complete: set[int] = set()
        self._thought_of: deque[Orders] = deque()
        self._take_up(missing())

    def look(self) -> None:
        """Mark all players of live games as present, as their open pages do."""
        presence.record_viewers(self._looking)

    async def play(self, *, rate: float, minutes: float, rare: float) -> None:
        """Submit ``rate`` orders a minute. The share ``rare`` of them is for games without open pages."""
        helpers = [
            asyncio.create_task(work) for work in (self._think(rare), self._watch(), self._give_signs())
        ]
        while len(self._thought_of) < PREPARED_ORDERS // 2 and any(self._waiting.values()):
            await asyncio.sleep(0.05)
        begun, sent = time.perf_counter(), []
        for number in range(int(rate * minutes)):
            due = begun + number * 60 / rate
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            if self._thought_of:
                sent.append(asyncio.create_task(self._send(self._thought_of.popleft(), due)))
            else:
                self.notes.late += 1
        await asyncio.wait_for(asyncio.gather(*sent), FINAL_WAIT)
        end = time.monotonic() + FINAL_WAIT
        while self._complete and time.monotonic() < end:
            await asyncio.sleep(POLL_SECONDS)
        for helper in helpers:
            helper.cancel()
        await asyncio.gather(*helpers, return_exceptions=True)
        self._connections.close()

    @property
    def unplayed(self) -> int:
        """The number of turns that have all orders but are not played yet."""
        return len(self._complete)

    async def _send(self, orders: Orders, due: float) -> None:
        move = orders.move
        path = f"/api/v1/games/{move.game}/turns/{move.number}/orders"
        try:
            answer = await self._connections.post(path, token_of(move.person), orders.body)
        except (OSError, EOFError) as error:
            self.notes.statuses[type(error).__name__] += 1
            return
        self.notes.answers.append(time.perf_counter() - due)
        self.notes.statuses[str(answer.status)] += 1
        if answer.status == 200:
            self._missing[move.turn] -= 1
            if not self._missing[move.turn]:
                self._complete.add(move.turn)

    async def _think(self, rare: float) -> None:
        """Prepare orders in advance, as long as the task runs."""
        while True:
            wanted = PREPARED_ORDERS - len(self._thought_of)
            if wanted < PREPARED_ORDERS // 6:
                await asyncio.sleep(0.02)
                continue
            moves = [move for move in (self._next(rare) for _ in range(wanted)) if move]
            if moves:
                self._thought_of += await asyncio.to_thread(self._orders, moves)
            else:
                await asyncio.sleep(POLL_SECONDS)

    def _next(self, rare: float) -> Move | None:
        """Return a random hand with missing orders, or None if there is none.

        With probability ``rare``, prefers a game without open pages, and otherwise a live game.
        """
        live = self._chance.random() >= rare
        moves = self._waiting[live] or self._waiting[not live]
        if not moves:
            return None
        place = self._chance.randrange(len(moves))
        moves[place], moves[-1] = moves[-1], moves[place]
        return moves.pop()

    def _orders(self, moves: list[Move]) -> list[Orders]:
        """Return random legal orders for each of the moves."""
        hands = Hand.objects.in_bulk([move.hand for move in moves])
        turns = Turn.objects.in_bulk([move.turn for move in moves])
        found = []
        for move in moves:
            hand, setup = hands[move.hand], self._setup(move.game)
            state = stored.start_of(turns[move.turn], setup.starship)
            orders = rules.complete(setup, state, hand.robot - 1, stored.chips_of(hand), None, move.hand)
            found.append(Orders(move, json.dumps(rules.write_orders(orders)).encode()))
        return found

    def _setup(self, game_id: int) -> rules.Setup:
        if game_id not in self._setups:
            game = Game.objects.select_related("revision__starship", "course").get(pk=game_id)
            self._setups[game_id] = stored.setup_of(game)
        return self._setups[game_id]

    async def _watch(self) -> None:
        """Record when turns that have all orders are played, and collect the next hands of their games."""
        while True:
            await asyncio.sleep(POLL_SECONDS)
            if self._complete:
                played, moves = await asyncio.to_thread(_played, list(self._complete))
                now = time.time()
                for turn, ready in played.items():
                    self._complete.discard(turn)
                    self.notes.turns.append(now - ready)
                self._take_up(moves)

    async def _give_signs(self) -> None:
        while True:
            await asyncio.to_thread(self.look)
            await asyncio.sleep(SIGN)

    def _take_up(self, moves: Iterable[Move]) -> None:
        for move in moves:
            self._waiting[move.game in self._live].append(move)
            self._missing[move.turn] += 1


def missing(games: Iterable[int] | None = None) -> list[Move]:
    """Return all hands with missing orders, or only those in the given games."""
    hands = Hand.objects.filter(
        turn__status=Turn.Status.OPEN,
        turn__game__status=Game.Status.RUNNING,
        seat__user__isnull=False,
        program=None,
    )
    if games is not None:
        hands = hands.filter(turn__game__in=games)
    return [Move(*row) for row in hands.values_list("pk", "turn", "turn__number", "turn__game", "seat__user")]


def _played(turns: list[int]) -> tuple[dict[int, float], list[Move]]:
    """Return the played turns among the given turns, and the next hands of their games.

    Each played turn comes with the arrival time of its last orders, in seconds since 1970.
    """
    rows = Turn.objects.filter(pk__in=turns, status=Turn.Status.RESOLVED)
    played = list(rows.values_list("pk", "game", "ready_at"))
    connection.close()
    moves = missing([game for _, game, _ in played]) if played else []
    connection.close()
    return {turn: ready.timestamp() for turn, _, ready in played}, moves
