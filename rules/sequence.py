"""The order in which robots act (G-1.7, G-4.5)."""

from rules.resolution import Resolution
from rules.state import Robot


def by_rank(turn: Resolution) -> list[Robot]:
    """Return all robots by rank, 1 first; the crystal comes after all (RC-3)."""
    return sorted(turn.robots, key=lambda robot: (robot.crystal, robot.rank, robot.index))


def by_chip_number(turn: Resolution) -> list[Robot]:
    """Return the robots that execute a chip by its number, highest first, then the others in seat order."""
    robots, chips = turn.robots, turn.chips
    if not chips:
        return robots
    order: list[Robot] = []
    numbers: list[int] = []
    others: list[Robot] = []
    for robot in robots:
        chip = chips[robot.index]
        if chip is None:
            others.append(robot)
            continue
        # So few are inserted faster than sorted; and by its place, compiled code finds the number faster.
        number, place = chip[0], len(order)
        while place and numbers[place - 1] < number:
            place -= 1
        numbers.insert(place, number)
        order.insert(place, robot)
    return order + others if others else order
