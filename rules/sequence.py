"""The order in which robots act (G-1.7, G-4.5)."""

from typing import Final

from rules.resolution import Resolution
from rules.state import Robot

ROBOTS: Final = 16
"""More than any game has."""


def by_rank(turn: Resolution) -> list[Robot]:
    """Return all robots by rank, 1 first; the crystal comes after all (RC-3)."""
    return sorted(turn.robots, key=lambda robot: (robot.crystal, robot.rank, robot.index))


def by_chip_number(turn: Resolution) -> list[Robot]:
    """Return the robots that execute a chip by its number, highest first, then the others in seat order."""
    robots, chips = turn.robots, turn.chips
    if not chips:
        return robots
    keys: list[int] = []
    others: list[Robot] = []
    # Whole numbers are sorted fastest: here a chip's number, and its robot behind it. By its place, compiled
    # code finds the number of a chip faster.
    for robot in robots:
        chip = chips[robot.index]
        if chip is None:
            others.append(robot)
        else:
            keys.append(robot.index - ROBOTS * chip[0])
    keys.sort()
    order: list[Robot] = []
    for key in keys:
        order.append(robots[key % ROBOTS])
    return order + others if others else order
