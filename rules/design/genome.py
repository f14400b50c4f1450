"""The genome of a ship: all that it is made of, in parts that can be moved."""

from dataclasses import dataclass
from typing import Any

from rules.design.canvas import Canvas, put_goals
from rules.design.motifs import Mark, Motif
from rules.design.symmetry import Image, Symmetry
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


def genome_to_json(genome: Genome) -> dict[str, Any]:
    """Write a genome as a JSON object; cells are [x, y]."""
    return {
        "theme": genome.theme,
        "size": [genome.width, genome.height],
        "symmetry": [[image.quarters, image.mirrored] for image in genome.symmetry],
        "hull": [list(pos) for pos in sorted(genome.hull)],
        "motifs": [
            {
                "name": motif.name,
                "whole": motif.whole,
                "marks": [[*mark.at, mark.kind, mark.heading, mark.detail] for mark in motif.marks],
            }
            for motif in genome.motifs
        ],
        "starts": [[*pos, token] for pos, token in genome.starts],
        "checkpoints": [list(pos) for pos in genome.checkpoints],
        "calm": genome.calm,
    }


def genome_from_json(written: dict[str, Any]) -> Genome:
    """Return the genome that `genome_to_json` wrote."""
    width, height = written["size"]
    return Genome(
        theme=written["theme"],
        width=width,
        height=height,
        symmetry=tuple(Image(quarters, mirrored) for quarters, mirrored in written["symmetry"]),
        hull=frozenset((x, y) for x, y in written["hull"]),
        motifs=tuple(
            Motif(
                motif["name"],
                tuple(Mark((x, y), kind, heading, detail) for x, y, kind, heading, detail in motif["marks"]),
                motif["whole"],
            )
            for motif in written["motifs"]
        ),
        starts=tuple(((x, y), token) for x, y, token in written["starts"]),
        checkpoints=tuple((x, y) for x, y in written["checkpoints"]),
        calm=written["calm"],
    )
