"""What a theme knows of the ship that it lays out, and what it returns."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from rules.chance import Stream
from rules.design.motifs import Motif
from rules.design.symmetry import Symmetry
from rules.grid import Pos

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Order:
    """What is ordered of a theme: size and symmetry, which elements the ruleset knows, and the chance."""

    width: int
    height: int
    symmetry: Symmetry
    known: frozenset[str]
    stream: Stream

    @property
    def middle(self) -> Pos:
        """The middle cell, the north-western one of several."""
        return (self.width - 1) // 2, (self.height - 1) // 2

    @property
    def side(self) -> int:
        """The shorter side."""
        return min(self.width, self.height)

    def chance(self, of: int) -> bool:
        """Return true once in so many times."""
        return not self.stream.below(of)

    def one_of(self, items: Sequence[T]) -> T:
        """Return one of these by chance."""
        return self.stream.choice(items)


@dataclass(frozen=True, slots=True)
class Layout:
    """A theme's answer: the hull, the motifs, and where checkpoints and starts would look well."""

    hull: frozenset[Pos]
    motifs: tuple[Motif, ...]
    goals: tuple[Pos, ...] = ()
    docks: tuple[Pos, ...] = ()
