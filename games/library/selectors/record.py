"""How a starship plays among people."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.fleet.models import Starship
from games.fleet.selectors.facts import facts_of
from games.library.lengths import PLAYED
from games.library.models import StarshipFigures


@dataclass(frozen=True, slots=True)
class StartLine:
    """How robots fared that began in a cell: its column and row, from 1, how many there were, and won."""

    column: int
    row: int
    robots: int
    wins: int

    @property
    def percent(self) -> int:
        return round(100 * self.wins / self.robots)


@dataclass(frozen=True, slots=True)
class GameLength:
    """How long games on a starship are, in turns; ``played`` where people have played enough to tell."""

    turns: int
    played: bool


@dataclass(frozen=True, slots=True)
class Record:
    """The figures of a starship. ``shortest`` and ``longest`` are turns. ``starts`` has no shared start."""

    figures: StarshipFigures
    shortest: int
    longest: int
    starts: list[StartLine]


def record_of(starship_id: int) -> Record | None:
    """Return how a starship plays; None while no game on it is over."""
    figures = StarshipFigures.objects.filter(pk=starship_id).first()
    if figures is None or not (figures.played or figures.prototype_played):
        return None
    turns = [int(number) for number in figures.lengths] or [0]
    starts = _starts(figures.starts) if len(figures.starts) > 1 else []
    return Record(figures, min(turns), max(turns), starts)


def length_of(starship: Starship, record: Record | None) -> GameLength | None:
    """Return how long games on a starship are, as `lengths.turns`; None where nothing is known."""
    figures = record.figures if record else None
    if figures and figures.median is not None and figures.among_people >= PLAYED:
        return GameLength(figures.median, played=True)
    expected = facts_of(starship=starship).turns
    if expected is None and figures and figures.median is not None:
        return GameLength(figures.median, played=True)
    return None if expected is None else GameLength(expected, played=False)


def _starts(counted: Mapping[str, Any]) -> list[StartLine]:
    lines = [
        StartLine(int(x) + 1, int(y) + 1, robots, wins)
        for (x, y), (robots, wins) in ((key.split(","), value) for key, value in counted.items())
    ]
    return sorted(lines, key=lambda line: (line.row, line.column))
