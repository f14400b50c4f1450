"""The table of a tournament: points, and what decides between those who have equally many.

Points are counted in parts of a game (`PARTS`), so that they are whole numbers: a share of up to seven
opponents, and halves of it for ties.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, groupby
from random import Random
from typing import Final

from games.ratings.shares import share_beaten
from games.tournaments.pairing import pair_of

PARTS: Final = 840
"""Into how many parts a point is divided."""


@dataclass(frozen=True, slots=True)
class Played:
    """What a player did in one round: the rank at a table ``of`` so many; alone they had a bye."""

    key: int
    rank: int
    points: int
    of: int


ScoredTable = Sequence[Played]
"""The players of a table that is scored; computers may sit there as well."""


@dataclass(slots=True)
class Line:
    """A player in the table of a tournament.

    ``reached`` is how far they came in a knock-out, 0 elsewhere. ``direct`` is what they have won against
    those with equally many points, where all of these have met. ``strength`` is the mean of their opponents'
    points without the lowest, ``firsts`` the tables that they won, and ``draw`` their lot. An ``away`` player
    has not confirmed the next round.
    """

    key: int
    place: int = 0
    points: int = 0
    reached: int = 0
    left: bool = False
    away: bool = False
    direct: Fraction = Fraction(0)
    strength: Fraction = Fraction(0)
    firsts: int = 0
    played: int = 0
    byes: int = 0
    draw: int = 0
    opponents: list[int] = field(default_factory=list)


def parts_of(rank: int, ranks: Iterable[int]) -> int:
    """Return the points for a rank at a table: the share of opponents beaten, a tie for half.

    >>> [parts_of(rank, [1, 2, 2, 4]) for rank in (1, 2, 4)]
    [840, 420, 0]
    """
    return int(PARTS * share_beaten(rank, ranks))


def table_of(
    keys: Iterable[int],
    tables: Sequence[ScoredTable],
    *,
    seed: str,
    reached: Mapping[int, int] | None = None,
    more: Mapping[int, int] | None = None,
    left: Collection[int] = (),
    away: Collection[int] = (),
) -> list[Line]:
    """Return the players of a tournament in order, each with a place of their own.

    A bye gives what a player's other tables gave them on average. ``more`` are points from elsewhere.
    Players who ``left`` come after all others. Of those who would draw lots, ``away`` players come last.
    """
    order = sorted(keys)
    Random(seed).shuffle(order)
    lines = {key: Line(key, draw=draw) for draw, key in enumerate(order)}
    known = [[each for each in table if each.key in lines] for table in tables]
    for table in known:
        _count(table, lines)
    for line in lines.values():
        mean = line.points // line.played if line.played else PARTS // 2
        line.points += mean * line.byes + (more or {}).get(line.key, 0)
        line.reached = (reached or {}).get(line.key, 0)
        line.left, line.away = line.key in left, line.key in away
    for line in lines.values():
        line.strength = _strength([lines[other].points for other in line.opponents])
    ranked = sorted(lines.values(), key=_before_ties)
    for _, equals in groupby(ranked, key=_before_ties):
        _decide_directly(list(equals), known)
    ranked.sort(
        key=lambda line: (
            _before_ties(line),
            -line.direct,
            -line.strength,
            -line.firsts,
            line.away,
            line.draw,
        )
    )
    for place, line in enumerate(ranked, 1):
        line.place = place
    return ranked


def _before_ties(line: Line) -> tuple[bool, int, int]:
    return line.left, -line.reached, -line.points


def _count(table: ScoredTable, lines: Mapping[int, Line]) -> None:
    for each in table:
        line = lines[each.key]
        if each.of == 1:
            line.byes += 1
            continue
        line.points += each.points
        line.played += 1
        line.firsts += each.rank == 1
        line.opponents += [other.key for other in table if other.key != each.key]


def _strength(points: Sequence[int]) -> Fraction:
    """Return the mean of opponents' points, without the lowest."""
    counted = sorted(points)[1:] if len(points) > 1 else list(points)
    return Fraction(sum(counted), len(counted)) if counted else Fraction(0)


def _decide_directly(equals: Sequence[Line], tables: Sequence[ScoredTable]) -> None:
    """Note what players with as many points have won against each other, if all of them have met."""
    keys = {line.key for line in equals}
    if not 1 < len(keys) <= 8:
        return
    won = dict.fromkeys(keys, Fraction(0))
    met = set()
    for table in tables:
        for one, other in combinations([each for each in table if each.key in keys], 2):
            met.add(pair_of(one.key, other.key))
            if one.rank == other.rank:
                won[one.key] += Fraction(1, 2)
                won[other.key] += Fraction(1, 2)
            else:
                won[min(one, other, key=lambda each: each.rank).key] += 1
    if len(met) == len(keys) * (len(keys) - 1) // 2:
        for line in equals:
            line.direct = won[line.key]
