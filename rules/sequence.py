"""The order in which robots act (G-1.7, G-4.5)."""

from rules.resolution import Resolution
from rules.state import Robot


def by_rank(turn: Resolution) -> list[Robot]:
    """Return all robots by rank, 1 first."""
    return sorted(turn.robots, key=lambda robot: (robot.rank, robot.index))


def by_chip_number(turn: Resolution) -> list[Robot]:
    """Return those that execute a chip in this phase, highest number first, then the rest by seat."""

    def key(robot: Robot) -> tuple[int, int]:
        chip = turn.chip(robot) if turn.phase in range(1, 6) else None
        return (-chip.number if chip else 1), robot.index

    return sorted(turn.robots, key=key)
