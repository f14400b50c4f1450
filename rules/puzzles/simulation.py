"""Games between computers, to find puzzles in. A seed and a number decide everything about a game."""

from collections.abc import Iterator, Sequence
from typing import Final

from rules.chance import Chance, Stream
from rules.computers import choose
from rules.dealing import deal
from rules.document import SetupError
from rules.engine import begin, resolve_turn
from rules.orders import Orders
from rules.programming import needs_orders
from rules.puzzles.mining import Puzzle, puzzles_in
from rules.review.credit import Played
from rules.rulesets import ROBO_RUNNER
from rules.setup import Setup
from rules.starship import Starship
from rules.suitability import make_setup
from rules.view import view

SEATS: Final = (3, 4, 4, 5)
LEVELS: Final = ("pilot", "pilot", "rookie")
MAX_TURNS: Final = 30
"""The number of turns after which a game is not played on."""


def suits(ship: Starship) -> bool:
    """Return whether games on a ship can have puzzles, with any of the numbers of `SEATS`."""
    try:
        make_setup(ROBO_RUNNER, {}, ship, max(SEATS))
    except SetupError:
        return False
    return True


def puzzles_of_game(ships: Sequence[Starship], seed: str, number: int) -> Iterator[tuple[int, Puzzle]]:
    """Play the game with a number, and yield its puzzles, each with its ship's place in ``ships``.

    The same ships, seed and number always give the same puzzles.
    """
    stream = Chance(f"{seed}/{number}", 0).stream("simulated game")
    place = stream.below(len(ships))
    setup = make_setup(ROBO_RUNNER, {}, ships[place], seats := stream.choice(SEATS))
    for played in _turns(setup, seats, f"{seed}/{number}", stream):
        for puzzle in puzzles_in(setup, played):
            yield place, puzzle


def _turns(setup: Setup, seats: int, seed: str, stream: Stream) -> Iterator[Played]:
    # Positions with transporters are no puzzles (`puzzles_in`).
    levels = [stream.choice(LEVELS) for _ in range(seats)]
    dealt = begin(setup, [f"robot {seat}" for seat in range(1, seats + 1)], seed)
    while not dealt.state.links:
        state, orders = dealt.state, dict[int, Orders]()
        for index, level in enumerate(levels):
            if needs_orders(setup, state, index):
                hand = dealt.hands.get(index, ())
                orders[index] = choose(setup, view(state, index), index, hand, level, f"{seed}/{index}")
        outcome = resolve_turn(setup, state, dealt.hands, orders, seed)
        yield Played(state, dealt.hands, orders, outcome.events)
        if outcome.state.over or state.turn >= MAX_TURNS:
            return
        dealt = deal(setup, outcome.state, seed)
