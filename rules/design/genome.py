"""The genome of a ship: all that it is made of, in parts that can be moved."""

from dataclasses import dataclass

from rules.design.canvas import Canvas, put_goals
from rules.design.motifs import Motif
from rules.design.symmetry import Symmetry
from rules.grid import Pos
from rules.setup import Ruleset
from rules.starship import Starship


@dataclass(frozen=True, slots=True)
class Brief:
    """What is ordered: the ruleset and how many play, the size, and the theme and symmetry, if not any."""

    ruleset: Ruleset
    players: int
    width: int
    height: int
    theme: str | None = None
    symmetry: str | None = None


@dataclass(frozen=True, slots=True)
class Genome:
    """A ship as it is designed.

    ``motifs`` are put down in their order, each with its images by the ``symmetry``. Each of the ``starts``
    has a token, as `canvas.start_floor` reads it. Nothing deadly stays within ``calm`` steps of them.
    """

    theme: str
    width: int
    height: int
    symmetry: Symmetry
    hull: frozenset[Pos]
    motifs: tuple[Motif, ...]
    starts: tuple[tuple[Pos, str], ...] = ()
    checkpoints: tuple[Pos, ...] = ()
    calm: int = 2

    def canvas(self) -> Canvas:
        """Return the ship with all that is on it."""
        canvas = Canvas(self.width, self.height, self.hull)
        for motif in self.motifs:
            canvas.stamp(motif, self.symmetry)
        put_goals(canvas, self.starts, self.checkpoints, self.calm)
        return canvas

    def starship(self, name: str = "", builder: str = "", description: str = "") -> Starship:
        """Return the starship that this is the genome of."""
        return self.canvas().starship(name, builder, description)
