"""Computer players: what they order, knowing no more than a player does."""

from collections.abc import Mapping
from types import ModuleType
from typing import Final

from rules.chance import Seed
from rules.computers import ace, beginning, pilot, rookie
from rules.computers.errors import ComputerError
from rules.computers.imagination import imagine
from rules.computers.task import Task
from rules.dealing import Hand, can_redeal, is_set_aside
from rules.orders import Orders
from rules.programming import needs_orders, problems
from rules.setup import Setup
from rules.view import View

STRENGTHS: Final[Mapping[str, str]] = {
    "rookie": "Tries a handful of programs, heeds nobody else, and does not always take the best.",
    "pilot": "Finds the best program of its hand for the ship as it stands.",
    "ace": "Weighs what the others may do, and uses equipment, lasers and power-down with intent.",
}
"""Every strength of computer players, in a sentence."""

_PLAYERS: Final[Mapping[str, ModuleType]] = {"rookie": rookie, "pilot": pilot, "ace": ace}


def choose(setup: Setup, seen: View, index: int, hand: Hand, strength: str, seed: Seed) -> Orders:
    """Return what a computer of that strength orders for the robot of that index; the rules allow it.

    ``seen`` is what all may see, and ``hand`` its own chips: it knows no more. The same input gives the same
    orders. Raises ComputerError where the strength is unknown or the robot takes no orders.
    """
    task, player = _task(setup, seen, index, hand, strength, seed)
    state = task.state
    if not needs_orders(setup, state, index):
        raise ComputerError(f"{state.robots[index].name} takes no orders in turn {state.turn}")
    if state.turn == 0:
        orders = Orders(heading=player.first_heading(task))
    elif state.robots[index].down:
        orders = task.while_off()
    else:
        orders = player.choose(task)
    if faults := problems(setup, state, index, hand, orders):
        raise ComputerError(*(fault.detail for fault in faults))
    return orders


def begin_program(setup: Setup, seen: View, index: int, hand: Hand, count: int) -> Orders:
    """Return orders with the first ``count`` registers filled, for a learner who fills the others.

    If the hand allows it, no choice of chips for the others destroys the robot.
    """
    return beginning.begin(Task(setup, imagine(setup, seen), index, hand, 0), count)


def stays_off(setup: Setup, seen: View, index: int) -> bool:
    """Return whether a computer keeps its robot off one more turn (AM-5.2): its hand has no part in that."""
    return seen.robots[index].was_down and Task(setup, imagine(setup, seen), index, (), 0).stays_off()


def wants_redeal(
    setup: Setup, seen: View, index: int, hand: Hand, strength: str, seed: Seed = 0, times: int = 0
) -> bool:
    """Return whether a computer would redraw its hand, where its robot may: it did so ``times`` in this turn.

    It always puts a hand of turning chips only aside (AM-1.4). Raises ComputerError where the strength is
    unknown.
    """
    task, player = _task(setup, seen, index, hand, strength, seed)
    if seen.turn == 0 or not can_redeal(setup, task.state, index, hand, times):
        return False
    return is_set_aside(setup, hand) or bool(player.wants_redeal(task))


def _task(
    setup: Setup, seen: View, index: int, hand: Hand, strength: str, seed: Seed
) -> tuple[Task, ModuleType]:
    if strength not in _PLAYERS:
        raise ComputerError(f"there is no computer “{strength}”; there are: {', '.join(_PLAYERS)}")
    return Task(setup, imagine(setup, seen), index, hand, seed), _PLAYERS[strength]
