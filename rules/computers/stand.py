"""How a robot stands between two phases."""

from typing import NamedTuple

from rules.grid import OFF
from rules.state import Robot, State


class Stand(NamedTuple):
    """How a robot stands between two phases, and what else of the ship it may have changed.

    ``hull`` are the repairs left at the checkpoints that need any, in their order; ``crystal`` is the
    cell of the power crystal; ``over`` says that the game has ended, ``won`` that it did so for this robot.
    """

    cell: int
    heading: int
    damage: int
    next: int
    archive: int
    lives: int
    alive: bool
    virtual: bool
    down: bool
    hull: tuple[int, ...]
    crystal: int
    over: bool
    won: bool

    @property
    def done(self) -> bool:
        """Whether nothing more is executed in this turn."""
        return self.over or self.won or not self.alive


def placed(stand: Stand, cell: int, heading: int) -> Stand:
    """Return the same stand elsewhere, in a third of the time that `_replace` takes."""
    return tuple.__new__(Stand, (cell, heading, *stand[2:]))


def stand_of(state: State, robot: Robot) -> Stand:
    crystal = state.robots[-1].cell if state.robots[-1].crystal else OFF
    won = robot.place is not None or (
        state.over and state.winner is not None and state.winner in (robot.index, robot.squad)
    )
    return Stand(
        robot.cell,
        robot.heading or 0,
        robot.damage,
        robot.next,
        robot.archive,
        robot.lives,
        robot.alive,
        robot.virtual,
        robot.down,
        tuple(state.hull.values()),
        crystal,
        state.over,
        won,
    )
