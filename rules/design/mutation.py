"""Changes a ship a little: a motif slides, turns or runs the other way, cells swap, a checkpoint moves."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from rules.chance import Stream
from rules.design.checks import faults
from rules.design.genome import Brief, Genome
from rules.design.goals import roomy
from rules.design.motifs import STEPS, Mark, Motif
from rules.design.symmetry import Image
from rules.grid import Pos

ATTEMPTS: Final = 30
"""Changes that are tried for one that leaves no fault."""


def mutate(genome: Genome, brief: Brief, stream: Stream) -> Genome | None:
    """Return the ship with one change or two, and without faults; None where none is found."""
    for _ in range(ATTEMPTS):
        changed = genome
        for _ in range(1 + stream.below(2)):
            changed = stream.choice(CHANGES)(changed, stream)
        if changed.starship().cells != genome.starship().cells and not any(faults(changed, brief)):
            return changed
    return None


def slide(genome: Genome, stream: Stream) -> Genome:
    """Slide a motif by a cell; one that is symmetric itself stays."""
    return _with_motif(genome, stream, lambda motif: motif.slid(stream.choice(STEPS)), moving=True)


def turn(genome: Genome, stream: Stream) -> Genome:
    """Turn or mirror a motif where it is."""
    image = Image(1 + stream.below(3), bool(stream.below(2)))
    return _with_motif(genome, stream, lambda motif: motif.turned(image), moving=True)


def reverse(genome: Genome, stream: Stream) -> Genome:
    """Have a motif's beams and twisters run the other way."""
    return _with_motif(genome, stream, Motif.reversed, moving=False)


def swap(genome: Genome, stream: Stream) -> Genome:
    """Swap the floors of two cells that are next to each other, and those of their images."""
    canvas = genome.canvas()
    marked = sorted(pos for pos, mark in canvas.floors.items() if mark.kind not in ("beam", "space"))
    if not marked:
        return genome
    one = stream.choice(marked)
    dx, dy = stream.choice(STEPS)
    other = one[0] + dx, one[1] + dy
    if not canvas.plain(other):
        return genome
    moved = replace(canvas.floors[one], at=other)
    return replace(genome, motifs=(*genome.motifs, Motif("swap", (Mark(one, "hull"), moved))))


def move_checkpoint(genome: Genome, stream: Stream) -> Genome:
    """Move a checkpoint by up to three cells."""
    if not genome.checkpoints:
        return genome
    canvas = genome.canvas()
    index = stream.below(len(genome.checkpoints))
    x, y = genome.checkpoints[index]
    near: list[Pos] = [
        pos
        for pos in sorted(genome.hull)
        if 0 < abs(pos[0] - x) + abs(pos[1] - y) <= 3 and roomy(canvas, pos)
    ]
    if not near:
        return genome
    moved = (*genome.checkpoints[:index], stream.choice(near), *genome.checkpoints[index + 1 :])
    return replace(genome, checkpoints=moved)


def _with_motif(genome: Genome, stream: Stream, change: Callable[[Motif], Motif], moving: bool) -> Genome:
    """Return the ship with one of its motifs changed."""
    fixed = moving and len(genome.symmetry) > 1
    free = [index for index, motif in enumerate(genome.motifs) if motif.marks and not (fixed and motif.whole)]
    if not free:
        return genome
    index = stream.choice(free)
    changed = change(genome.motifs[index])
    return replace(genome, motifs=(*genome.motifs[:index], changed, *genome.motifs[index + 1 :]))


CHANGES: Final[tuple[Callable[[Genome, Stream], Genome], ...]] = (
    slide,
    turn,
    reverse,
    swap,
    move_checkpoint,
    move_checkpoint,
)
