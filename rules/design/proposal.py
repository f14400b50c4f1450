"""Proposes a ship by theme: its hull, its motifs, then starts, checkpoints and what guards them."""

from typing import Final

from rules.chance import Stream
from rules.design.checks import faults
from rules.design.genome import Brief, Genome
from rules.design.goals import with_goals
from rules.design.guards import guarded
from rules.design.layout import Order
from rules.design.symmetry import choose_symmetry
from rules.design.themes import THEMES
from rules.setup import KNOWN_TO_ALL

ATTEMPTS: Final = 200
"""Ships that are drawn for one that has no fault."""


class NoDesign(ValueError):
    """Nothing that is ordered so can be drawn without a fault."""


def propose(brief: Brief, stream: Stream) -> Genome:
    """Return a ship without faults, which no computer has flown yet.

    Raises NoDesign where many attempts had faults, as on boards that are too small for the theme.
    """
    for _ in range(ATTEMPTS):
        genome = _draw(brief, stream)
        if genome and not any(faults(genome, brief)):
            return genome
    raise NoDesign("no ship of this size and theme came out well: try another size, theme or symmetry")


def _draw(brief: Brief, stream: Stream) -> Genome | None:
    theme = THEMES[brief.theme or stream.choice(list(THEMES))]
    square = brief.width == brief.height
    symmetry = choose_symmetry(brief.symmetry, theme.symmetries, square, stream)
    known = KNOWN_TO_ALL | brief.ruleset.elements
    layout = theme.lay_out(Order(brief.width, brief.height, symmetry, known, stream))
    genome = Genome(theme.key, brief.width, brief.height, symmetry, layout.hull, layout.motifs)
    placed = with_goals(genome, layout, brief, stream)
    return guarded(placed, brief, stream) if placed else None
