"""Measure how long computers think: among eight robots on a large ship, and in whole games.

`python -m bench.computers --thinking` prints the results. Times are processor times. Each result has a digest
of all orders: two runs with the same orders print the same digests.
"""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from statistics import median

import rules

STARSHIPS = Path(__file__).parents[1] / "fixtures" / "starships"
CROWD = 8
TURNS = 16
"""The number of measured turns among eight robots. In each, an Ace thinks for one robot."""
BOARD = "09-clover"
"""The ship for whole games. It has 13 × 13 cells."""
CREW = 4
GAMES = {"pilot": 6, "ace": 2}
"""The number of whole games that computers of each level play."""
MAX_TURNS = 60
"""The maximum number of turns in a game."""


@dataclass
class Clock:
    """The processor ``seconds`` of each decision, and a ``digest`` of all orders."""

    seconds: list[float] = field(default_factory=list)
    turns: int = 0

    def __post_init__(self) -> None:
        self._orders = sha256()

    @property
    def digest(self) -> str:
        return self._orders.hexdigest()[:12]

    def think(self, game: "Game", index: int, level: str) -> rules.Orders:
        """Return a computer's orders, and record the processor time."""
        started = time.process_time()
        orders = game.think(index, level)
        self.seconds.append(time.process_time() - started)
        self._orders.update(json.dumps(rules.write_orders(orders)).encode())
        return orders


class Game:
    def __init__(self, ship: rules.Starship, seats: int, seed: int) -> None:
        self.seats, self.seed = seats, seed
        self.setup = rules.make_setup(rules.ruleset("robo-runner"), {}, ship, seats)
        dealt = rules.begin(self.setup, [f"player{seat}" for seat in range(seats)], seed)
        self.state, self.hands = dealt.state, dealt.hands

    def think(self, index: int, level: str) -> rules.Orders:
        seen, hand = rules.view(self.state), self.hands.get(index, ())
        return rules.computers.choose(self.setup, seen, index, hand, level, f"mood {self.seed}")

    def owed(self) -> list[int]:
        """Return the indexes of the robots that need orders in this turn."""
        return [index for index in range(self.seats) if rules.needs_orders(self.setup, self.state, index)]

    def go_on(self, orders: dict[int, rules.Orders]) -> bool:
        """Play the turn, and deal the next hands. Return whether the game continues."""
        self.state = rules.resolve_turn(self.setup, self.state, self.hands, orders, self.seed).state
        if self.state.over or self.state.turn >= MAX_TURNS:
            return False
        dealt = rules.deal(self.setup, self.state, self.seed)
        self.state, self.hands = dealt.state, dealt.hands
        return True


def starships() -> dict[str, rules.Starship]:
    """Return the starships of the fleet, by name."""
    files = sorted(STARSHIPS.glob("*.json"))
    return {file.stem: rules.read_starship(json.loads(file.read_text())) for file in files}


def crowd(ship: rules.Starship, turns: int = TURNS) -> Clock:
    """Play turns between eight Pilots. In each turn, measure an Ace that thinks for one of the robots.

    The first turn of each game is not measured.
    """
    clock, game = Clock(), Game(ship, CROWD, seed=1)
    while len(clock.seconds) < turns:
        orders = {index: game.think(index, "pilot") for index in game.owed()}
        if game.state.turn:
            clock.think(game, [*orders][game.state.turn % len(orders)], "ace")
        if not game.go_on(orders):
            game = Game(ship, CROWD, game.seed + 1)
    return clock


def whole_game(ship: rules.Starship, level: str, seed: int) -> Clock:
    """Play a game between four computers of one level to its end, and measure all decisions."""
    clock, game = Clock(), Game(ship, CREW, seed)
    while game.go_on({index: clock.think(game, index, level) for index in game.owed()}):
        pass
    clock.turns = game.state.turn
    return clock


def report() -> Iterator[str]:
    """Yield the lines of a table of the measurements, in Markdown."""
    ships = starships()
    largest = max(ships.values(), key=lambda ship: ship.width * ship.height)
    yield "| | processor | turns | orders |"
    yield "|---|---|---|---|"
    clock = crowd(largest)
    times = f"{median(clock.seconds):.3f} s, at worst {max(clock.seconds):.3f} s"
    yield f"| a turn of an ace among {CROWD} on {largest.name} | {times} | {TURNS} | `{clock.digest}` |"
    for level, games in GAMES.items():
        spent = turns = 0.0
        digests = []
        for seed in range(games):
            clock = whole_game(ships[BOARD], level, seed)
            spent, turns = spent + sum(clock.seconds), turns + clock.turns
            digests.append(clock.digest[:6])
        what = f"a game of {CREW} computers, {level}, on {BOARD}"
        yield f"| {what} | {spent / games:.3f} s | {turns / games:.1f} | `{' '.join(digests)}` |"
