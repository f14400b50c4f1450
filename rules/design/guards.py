"""Guards: rails that shelter starts and bar lines of fire, and depots where robots mend."""

from dataclasses import replace
from typing import Final

from rules.chance import Stream
from rules.design.canvas import GRAPPLER, edge_of
from rules.design.genome import Brief, Genome
from rules.design.motifs import Mark, Motif, step
from rules.design.symmetry import images_of
from rules.grid import HEADINGS, Pos, quarters_between
from rules.starship import Starship
from rules.tunnel.geometry import lines_of_fire, shelter
from rules.tunnel.limits import LIMITS

SPARE: Final = 0.12
"""How much more shelter there should be than the least."""
MOST_RAILS: Final = 4
"""Rails, with their images, that are tried for one purpose."""


def guarded(genome: Genome, brief: Brief, stream: Stream) -> Genome:
    """Return the genome with shelter around its starts, no line of fire, and depots."""
    genome = _with_screens(_with_shelter(genome, brief))
    return _with_depots(genome, stream)


def _with_screens(genome: Genome) -> Genome:
    """Put a rail into each line of fire between checkpoints, as near to its middle as it can stand."""
    for _ in range(MOST_RAILS):
        ship = genome.starship()
        line = next(iter(lines_of_fire(ship)), None)
        if line is None:
            break
        middle = len(line.cells) / 2 - 1
        edges = sorted(range(len(line.cells) - 1), key=lambda index: abs(index - middle))
        for index in edges:
            at, beyond = line.cells[index : index + 2]
            heading = next(each for each in HEADINGS if step(at, each) == beyond)
            better = _and(genome, Motif("screen", (Mark(at, "rail", heading),)))
            if len(lines_of_fire(better.starship())) < len(lines_of_fire(ship)):
                genome = better
                break
        else:
            break
    return genome


def _with_shelter(genome: Genome, brief: Brief) -> Genome:
    least = LIMITS[brief.ruleset.key].shelter
    if least is None or not genome.starts:
        return genome
    for _ in range(MOST_RAILS):
        ship = genome.starship()
        share = _sheltered(ship, genome)
        if share >= least + SPARE:
            break
        tried = [_and(genome, Motif("shelter", (mark,))) for mark in _beside_starts(genome)]
        best = max(tried, key=lambda each: _sheltered(each.starship(), each), default=None)
        if best is None or _sheltered(best.starship(), best) <= share:
            break
        genome = best
    return genome


def _sheltered(ship: Starship, genome: Genome) -> float:
    return shelter(ship, [ship.cell(*pos) for pos, token in genome.starts if token != GRAPPLER])[0]


def _beside_starts(genome: Genome) -> list[Mark]:
    """Return rails that may stand near the first start: none on edges of the start that meet another's."""
    canvas = genome.canvas()
    found = []
    (x, y), _ = genome.starts[0]
    for at in [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]:
        for heading in HEADINGS:
            taken = [side for side in HEADINGS if edge_of(at, side) in canvas.rails]
            meets = any(quarters_between(side, heading) % 2 for side in taken)
            if canvas.stands(at) and not meets and heading not in taken and canvas.stands(step(at, heading)):
                found.append(Mark(at, "rail", heading))
    return found


def _with_depots(genome: Genome, stream: Stream) -> Genome:
    """Put one depot or two, with their images, where there is most room."""
    for _ in range(1 + (len(genome.symmetry) < 4) * stream.below(2)):
        canvas = genome.canvas()
        taken = [pos for pos in genome.hull if not canvas.plain(pos)]
        taken += [pos for edge in canvas.rails for pos in (edge[0], step(*edge))]
        free = []
        for pos in sorted(genome.hull):
            images = images_of(pos, genome.symmetry, genome.width, genome.height)
            if all(canvas.plain(each) for each in images):
                room = min((_apart(pos, other) for other in taken), default=9)
                own = min((_apart(one, two) for one in images for two in images if one != two), default=9)
                free.append((min(room, own, 4), stream.below(1000), pos))
        if not free or max(free)[0] < 2:
            break
        depot = Mark(max(free)[2], "depot", detail="12"[stream.below(2)])
        genome = _and(genome, Motif("depot", (depot,)))
    return genome


def _apart(one: Pos, other: Pos) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def _and(genome: Genome, motif: Motif) -> Genome:
    return replace(genome, motifs=(*genome.motifs, motif))
