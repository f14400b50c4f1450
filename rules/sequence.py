"""The order in which robots act (G-1.7, G-4.5)."""

from rules.resolution import Resolution
from rules.state import Robot


def by_rank(turn: Resolution) -> list[Robot]:
    """Return all robots by rank, 1 first."""
    return sorted(turn.robots, key=lambda robot: (robot.rank, robot.index))
