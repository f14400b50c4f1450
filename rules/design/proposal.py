"""Propose ships without faults for an order, and make small changes to ships.

Each ship is checked before its first flight. A change moves, turns or reverses a motif, moves an element to a
neighbouring cell, or moves a checkpoint.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from rules.chance import Stream
from rules.design.canvas import STEPS, Image, Mark, Motif, choose_symmetry
from rules.design.genome import Brief, Genome, LayoutRequest
from rules.design.goals import distances, guarded, legs_of, roomy, two_ways, with_goals
from rules.design.themes import THEMES
from rules.document import RulesError, SetupError
from rules.elements import Beam, Space
from rules.grid import Pos
from rules.setup import COMMON_ELEMENTS, Ruleset
from rules.starship import Starship
from rules.suitability import CELLS_PER_ROBOT, make_setup
from rules.survey import survey
from rules.tunnel.findings import LIMITS
from rules.tunnel.geometry import can_stand, elements_share
from rules.tunnel.outlook import board_findings, outlook_of
from rules.tunnel.run import Run

MIN_SIDE: Final = 8
MAX_SIDE: Final = 30
"""The maximum length of a designed ship's side, in cells. `MIN_SIDE` is the minimum length."""
USUAL_PLAYERS: Final = 4


def crews_for(played: Ruleset, cells: int) -> tuple[int, ...]:
    """Return the possible numbers of players on a ship with this many cells, in ascending order.

    >>> from rules.rulesets import ruleset
    >>> crews_for(ruleset("robo-runner"), 144), crews_for(ruleset("robo-recon"), 144)
    ((2, 3, 4, 5, 6, 7), (2, 4, 6))
    """
    least, most = max(2, played.seats[0]), min(played.seats[1], cells // CELLS_PER_ROBOT)
    squads = len(played.squads) or 1
    return tuple(number for number in range(least, most + 1) if number % squads == 0)


def brief_of(
    played: Ruleset, size: tuple[int, int], players: int | None, theme: str | None, symmetry: str | None
) -> Brief:
    """Return a `Brief` for an order.

    If ``players`` is None, the ship is for 4 players, or, if 4 is not possible, for the largest possible
    number below 4. Raises RulesError if the ruleset or the size of the ship does not allow the number of
    players.
    """
    width, height = size
    crews = crews_for(played, width * height)
    if players is None:
        players = max((crew for crew in crews if crew <= USUAL_PLAYERS), default=0)
    if players not in crews:
        numbers = ", ".join(map(str, crews)) or "no"
        raise RulesError(f"{played.name} on {width * height} cells is for {numbers} players, not {players}")
    return Brief(played, players, width, height, theme, symmetry)


MAX_KINDS: Final = 5
"""The maximum number of kinds of elements on a ship. With more, its theme would not be clear."""
UNCOUNTED: Final = frozenset(
    {"hull", "space", "airlock", "coloured airlock", "start cell", "checkpoint", "grappler"}
)
"""The kinds of elements that do not count towards `MAX_KINDS`, because any ship may have them."""
MIN_ELEMENTS: Final = 0.14
"""The minimum share of cells with an element. The ships of the fleet have at least this share."""
MAX_ELEMENTS: Final = 0.6
"""The maximum share of cells with an element. Players with bad hands need free hull."""
MIN_HULL: Final = 0.45
"""The minimum share of cells that are not space."""


def kinds_of(ship: Starship) -> set[str]:
    """Return the kinds of elements on a ship, without `UNCOUNTED`. Beams of all speeds are one kind."""
    names = {"beam" if isinstance(cell.floor, Beam) else "" for cell in ship.cells}
    names |= {name for cell in ship.cells for name in cell.elements if not name.startswith("beam")}
    return names - UNCOUNTED - {""}


def faults(genome: Genome, brief: Brief) -> Iterator[str]:
    """Yield the faults of a design, each as an English text or as the kind of a wind tunnel finding."""
    ship = genome.starship()
    try:
        setup = make_setup(brief.ruleset, {}, ship, brief.players)
    except SetupError as error:
        yield str(error)
        return
    yield from (str(problem) for problem in survey(ship))
    starts = Run(setup, brief.players).start_cells
    if len(kinds_of(ship)) > MAX_KINDS:
        yield "too many kinds of elements"
    if not MIN_ELEMENTS <= elements_share(ship) <= MAX_ELEMENTS:
        yield "too few elements or too many"
    if sum(not isinstance(cell.floor, Space) for cell in ship.cells) < MIN_HULL * len(ship.cells):
        yield "too little hull"
    yield from _ways(ship, brief, starts)
    outlook = outlook_of(ship, brief.ruleset, brief.players)
    yield from (finding.kind for finding in board_findings(ship, outlook, LIMITS[brief.ruleset.key]))


def _ways(ship: Starship, brief: Brief, starts: list[int]) -> Iterator[str]:
    if not starts:
        return
    reached = distances(ship, starts[0])
    if any(can_stand(ship, cell) and cell not in reached for cell, _ in ship.numbered()):
        yield "cells that no safe way leads to"
    for one, other in legs_of(ship, brief.ruleset, starts):
        if not two_ways(ship, one, other):
            yield "a leg with one way alone"


PROPOSAL_ATTEMPTS: Final = 200
"""The maximum number of ships to draw in order to find one without faults."""


class NoDesign(ValueError):
    """Raised if the generator finds no ship without faults for an order."""


def propose(brief: Brief, stream: Stream) -> Genome:
    """Return the genome of a random ship for an order. The ship has no faults, but has not been flown.

    Raises NoDesign if all `PROPOSAL_ATTEMPTS` ships have faults, for example if the size is too small for the
    theme.
    """
    for _ in range(PROPOSAL_ATTEMPTS):
        genome = _draw(brief, stream)
        if genome and not any(faults(genome, brief)):
            return genome
    raise NoDesign("no ship was good enough: try another size, theme or symmetry")


def _draw(brief: Brief, stream: Stream) -> Genome | None:
    theme = THEMES[brief.theme or stream.choice(list(THEMES))]
    square = brief.width == brief.height
    symmetry = choose_symmetry(brief.symmetry, theme.symmetries, square, stream)
    known = COMMON_ELEMENTS | brief.ruleset.elements
    layout = theme.lay_out(LayoutRequest(brief.width, brief.height, symmetry, known, stream))
    genome = Genome(theme.key, brief.width, brief.height, symmetry, layout.hull, layout.motifs)
    placed = with_goals(genome, layout, brief, stream)
    return guarded(placed, brief, stream) if placed else None


MUTATION_ATTEMPTS: Final = 30
"""The maximum number of changed ships to try in order to find one without faults."""


def mutate(genome: Genome, brief: Brief, stream: Stream) -> Genome | None:
    """Return the ship with one or two random changes and no faults, or None if all attempts fail."""
    for _ in range(MUTATION_ATTEMPTS):
        changed = genome
        for _ in range(1 + stream.below(2)):
            changed = stream.choice(CHANGES)(changed, stream)
        if changed.starship().cells != genome.starship().cells and not any(faults(changed, brief)):
            return changed
    return None


def slide(genome: Genome, stream: Stream) -> Genome:
    """Move a random motif by one cell. On a symmetric ship, a ``whole`` motif stays in place."""
    return _with_motif(genome, stream, lambda motif: motif.slid(stream.choice(STEPS)), moving=True)


def turn(genome: Genome, stream: Stream) -> Genome:
    """Turn or mirror a random motif in place. On a symmetric ship, a ``whole`` motif stays as it is."""
    image = Image(1 + stream.below(3), bool(stream.below(2)))
    return _with_motif(genome, stream, lambda motif: motif.turned(image), moving=True)


def reverse(genome: Genome, stream: Stream) -> Genome:
    """Reverse the beams and twisters of a random motif."""
    return _with_motif(genome, stream, Motif.reversed, moving=False)


def move_element(genome: Genome, stream: Stream) -> Genome:
    """Move a random floor element to a plain neighbouring cell. Move its images in the same way."""
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
    """Move a random checkpoint by up to three steps."""
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
    """Return the ship with one random motif changed by ``change``.

    If ``moving`` is true and the ship is symmetric, only motifs that are not ``whole`` can be chosen.
    """
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
    move_element,
    move_checkpoint,
    move_checkpoint,
)
