"""Ordering a ship: what may be ordered, and what is ordered where something is left open."""

from typing import Final

from rules.design.genome import Brief
from rules.errors import RulesError
from rules.setup import Ruleset
from rules.tunnel.crews import ROOM

SMALLEST: Final = 8
LARGEST: Final = 30
"""Cells along a side of a ship that is designed."""
USUAL_PLAYERS: Final = 4


def crews_for(played: Ruleset, cells: int) -> tuple[int, ...]:
    """Return the numbers of players that a ship of so many cells can be designed for, least first.

    >>> from rules.rulesets import ruleset
    >>> crews_for(ruleset("robo-runner"), 144), crews_for(ruleset("robo-recon"), 144)
    ((2, 3, 4, 5, 6, 7), (2, 4, 6))
    """
    least, most = max(2, played.seats[0]), min(played.seats[1], cells // ROOM)
    squads = len(played.squads) or 1
    return tuple(number for number in range(least, most + 1) if number % squads == 0)


def brief_of(
    played: Ruleset, size: tuple[int, int], players: int | None, theme: str | None, symmetry: str | None
) -> Brief:
    """Return what is ordered; without ``players`` it is for 4, or as many as there is room for.

    Raises RulesError where a ruleset or a board is not for that many players.
    """
    width, height = size
    crews = crews_for(played, width * height)
    if players is None:
        players = max((crew for crew in crews if crew <= USUAL_PLAYERS), default=0)
    if players not in crews:
        numbers = ", ".join(map(str, crews)) or "no"
        raise RulesError(f"{played.name} on {width * height} cells is for {numbers} players, not {players}")
    return Brief(played, players, width, height, theme, symmetry)
