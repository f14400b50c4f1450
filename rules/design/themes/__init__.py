"""The themes of generated ships. Each theme lays out a hull and its motifs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from rules.design.canvas import HALF_TURN, KEEL, MIRROR, NONE, QUARTER_TURNS, TWO_MIRRORS, Symmetry
from rules.design.genome import Layout, LayoutRequest
from rules.design.themes.beams import canyon, factory, ring
from rules.design.themes.structures import fortress, islands, liner, orchard


@dataclass(frozen=True, slots=True)
class Theme:
    """A theme: its key, its layout function, and its symmetries.

    A symmetry that is listed twice is twice as likely. No theme has a mirror symmetry that would make the two
    halves of a beam run against each other.
    """

    key: str
    lay_out: Callable[[LayoutRequest], Layout]
    symmetries: tuple[Symmetry, ...]


THEMES: Final = {
    theme.key: theme
    for theme in (
        Theme("ring", ring, (HALF_TURN, QUARTER_TURNS, QUARTER_TURNS, TWO_MIRRORS)),
        Theme("canyon", canyon, (HALF_TURN, HALF_TURN, KEEL, NONE, TWO_MIRRORS)),
        Theme("islands", islands, (HALF_TURN, MIRROR, TWO_MIRRORS, NONE)),
        Theme("factory", factory, (HALF_TURN, HALF_TURN, NONE)),
        Theme("fortress", fortress, (QUARTER_TURNS, TWO_MIRRORS, HALF_TURN, MIRROR)),
        Theme("liner", liner, (KEEL, KEEL, HALF_TURN)),
        Theme("orchard", orchard, (QUARTER_TURNS, TWO_MIRRORS, HALF_TURN)),
    )
}
