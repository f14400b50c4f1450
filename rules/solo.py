"""A turn of one robot, as if no other were there: for previews, and for scanners."""

from dataclasses import dataclass

from rules.chance import Chance
from rules.chips import Chip
from rules.events import Event, read_log
from rules.grid import OFF
from rules.orders import Orders
from rules.play import play
from rules.programming import program
from rules.resolution import Resolution
from rules.setup import Setup
from rules.state import State


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a turn: the state after it, and its log."""

    state: State
    events: tuple[Event, ...]


def play_alone(setup: Setup, state: State, index: int, orders: Orders) -> Outcome:
    """Play a robot's turn alone. Transporters lead nowhere that is not public yet (RR-1.4)."""
    state = state.copy()
    state.links = {origin: to for origin, to in state.links.items() if origin in state.known}
    for robot in state.robots:
        if robot.index != index and not robot.crystal:
            robot.cell = OFF
            robot.alive = False
            robot.lives = 0
    given = {index: orders}
    chance = Chance("alone", state.turn)
    turn = Resolution(setup, state, given, programs_of(state, given), chance, alone=True)
    play(turn)
    return Outcome(state, read_log(turn.log))


def programs_of(state: State, orders: dict[int, Orders]) -> dict[int, list[Chip | None]]:
    """Return the chips in all robots' registers."""
    return {robot.index: program(robot, orders.get(robot.index)) for robot in state.robots}
