"""Play turns of games with four people, and measure the cost of each kind of work."""

import asyncio
import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils import timezone

import rules
from accounts.models import User
from bench.costs.meter import Meter
from bench.costs.pages import Browser, OpenPage
from bench.load.client import Connections
from bench.load.villages import submit_random_orders, token_of
from games import live
from games.play import stored
from games.play.models import Game, Hand, Turn
from games.work import enqueue

ORDER: Final = "an order by the API"
TURN: Final = "a turn"
PAGE: Final = "the game page, cold"
SUBMITTED: Final = "an order by an open page, and telling four"
FETCHED: Final = "what four open pages then fetch"
COMPLETE: Final = "what they fetch when the last orders are in"
PLAYED: Final = "a turn was played: telling four, and what they fetch"
KINDS: Final = (TURN, ORDER, PAGE, SUBMITTED, FETCHED, COMPLETE, PLAYED)

POLL_SECONDS: Final = 0.02
"""The seconds between two checks of whether all turns are played."""


@dataclass
class Notes:
    """The costs of each kind of work.

    ``taken`` has the processor milliseconds of each part of the site. ``times`` has the number of times that
    the work was done. ``statements`` has the statements to Postgres.
    """

    taken: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    times: Counter[str] = field(default_factory=Counter)
    statements: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))


class Rounds:
    """Measures games of four people: a turn that already has all orders, and then the next turn."""

    def __init__(self, port: int, meter: Meter, *, statements: bool = False) -> None:
        self.notes = Notes()
        self._port = port
        self._meter = meter
        self._statements = statements

    def play(self, games: Sequence[int]) -> None:
        """Measure all kinds of work in the games with these IDs."""
        self._play_turns(games)
        self._order(games)
        self._look(games)
        for game in games:
            self._sit(game)

    def _play_turns(self, games: Sequence[int]) -> None:
        """Measure the worker while it plays all waiting turns at full speed.

        All players count as viewers of their games, so none gets mail.
        """
        hands = _hands(turn__game__in=games)
        live.record_viewers((hand.turn.game_id, _player(hand).pk) for hand in hands)
        turns = Turn.objects.filter(game__in=games, status=Turn.Status.OPEN, ready_at__isnull=False)
        assert turns.count() == len(games)
        with self._measured(TURN, times=len(games)):
            for turn in list(turns.values_list("pk", flat=True)):
                enqueue.resolve_turn(turn)
            while turns.exists():
                time.sleep(POLL_SECONDS)

    def _order(self, games: Sequence[int]) -> None:
        """Submit orders through the API for two of the four players of each game."""
        hands = [hand for game in games for hand in _hands(turn__game=game)[:2]]
        sent = [
            (_path(hand), token_of(_player(hand).pk), json.dumps(_orders(hand)).encode()) for hand in hands
        ]
        with self._measured(ORDER, times=len(sent)):
            asyncio.run(self._send(sent))

    async def _send(self, sent: Sequence[tuple[str, str, bytes]]) -> None:
        connections = Connections(self._port)
        for path, token, body in sent:
            answer = await connections.post(path, token, body)
            assert answer.status == 200, answer
        connections.close()

    def _look(self, games: Sequence[int]) -> None:
        """Measure the third player's first request for each game's page, after two players have submitted."""
        lookers = [(game, Browser(self._port, _player(_hands(turn__game=game)[2]))) for game in games]
        with self._measured(PAGE, times=len(lookers)):
            for game, browser in lookers:
                browser.get(f"/games/{game}/", "text/html")
                browser.close()

    def _sit(self, game: int) -> None:
        """Measure open pages: all four players open the game, submit orders, and see the turn played."""
        hands = _hands(turn__game=game)
        assert len(hands) == 4
        turn = hands[0].turn
        pages = [OpenPage(Browser(self._port, _player(hand)), game) for hand in hands]
        mine = pages[2]
        orders = _orders(hands[2])
        with self._measured(SUBMITTED):
            mine.submit(turn.number, orders)
            for page in pages:
                page.news.wait("ready")
        with self._measured(FETCHED):
            mine.after_own_orders()
            for page in pages:
                if page is not mine:
                    page.after_others_orders()
        before = self._meter.read()
        submit_random_orders(Game.objects.get(pk=game), 4, timezone.now())
        for page in pages:
            page.news.wait("turn")
        # Postgres' work in this time belongs to the turn, which is measured elsewhere.
        self.notes.taken[PLAYED]["web"] += self._meter.since(before)["web"]
        with self._measured(COMPLETE):
            for page in pages:
                page.after_last_orders()
        with self._measured(PLAYED):
            for page in pages:
                page.after_turn(turn.number)
        for page in pages:
            page.close()

    @contextmanager
    def _measured(self, kind: str, times: int = 1) -> Iterator[None]:
        before, log_size = self._meter.read(), self._meter.log_size()
        yield
        self.notes.taken[kind].update(self._meter.since(before))
        self.notes.times[kind] += times
        if self._statements:
            self.notes.statements[kind] += self._meter.statements_since(log_size)


def _hands(**of: Any) -> list[Hand]:
    """Return the hands of people in open turns, in order of game and robot."""
    hands = Hand.objects.filter(turn__status=Turn.Status.OPEN, seat__user__isnull=False, **of)
    return list(hands.select_related("turn__game", "seat__user").order_by("turn__game", "robot"))


def _player(hand: Hand) -> User:
    assert hand.seat and hand.seat.user
    return hand.seat.user


def _path(hand: Hand) -> str:
    return f"/api/v1/games/{hand.turn.game_id}/turns/{hand.turn.number}/orders"


def _orders(hand: Hand) -> dict[str, Any]:
    """Return random legal orders for a hand."""
    setup = stored.setup_of(hand.turn.game)
    state = stored.start_of(hand.turn, setup.starship)
    orders = rules.complete(setup, state, hand.robot - 1, stored.chips_of(hand), None, hand.pk)
    return rules.write_orders(orders)
