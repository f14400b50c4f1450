"""Who is ahead in a game, and by how much: in phases where robots race."""

from typing import Final

from rules.computers.imagination import imagine
from rules.computers.stand import stand_of
from rules.computers.worth import Worth
from rules.grid import OFF
from rules.setup import Ruleset, Setup
from rules.state import Robot, State
from rules.view import view

OUT: Final = 1_000_000.0
"""How much a robot lacks that is out of the game; each checkpoint that it has reached counts 1000."""
LIFE: Final = 100.0
"""How much a life counts in Robo Arena, where a point of damage counts 1."""


def races(ruleset: Ruleset) -> bool:
    """Return whether robots race to checkpoints, as everywhere but in Robo Arena and Robo Recon."""
    return ruleset.has("inspection") or not ruleset.ranks


def standings(setup: Setup, state: State) -> list[float]:
    """Return how much each player's robot lacks, by seat: the one with least is ahead.

    In a race these are the phases that it still needs (`Worth.left`), and less than nothing if it has
    finished. In Robo Recon it is how far the squad is from bringing the crystal home; all robots of a squad
    stand alike. In Robo Arena lives count, then damage.
    """
    known = imagine(setup, view(state))  # computers also know only the transporters that were used
    players = list(known.players)
    lacks = [_lack(setup, known, robot) for robot in players]
    if not setup.ruleset.squads:
        return lacks
    return [
        min(lack for lack, mate in zip(lacks, players, strict=True) if mate.squad == robot.squad)
        for robot in players
    ]


def _lack(setup: Setup, state: State, robot: Robot) -> float:
    if state.over and state.winner is not None and state.winner in (robot.index, robot.squad):
        return -OUT
    if robot.place is not None:
        return robot.place - OUT
    if robot.out:
        return OUT - 1000.0 * robot.next
    if not (races(setup.ruleset) or setup.ruleset.crystal):
        return robot.damage - LIFE * robot.lives
    stand = stand_of(state, robot)
    anyhow = robot.returned or robot.heading is None
    if robot.cell == OFF:
        stand, anyhow = stand._replace(cell=robot.archive), True
    return Worth(setup, state, robot.index).left(stand, anyhow=anyhow)
