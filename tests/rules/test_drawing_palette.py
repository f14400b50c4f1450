"""The colours of drawings match the site, and colour-blind people can tell robots apart."""

import math
import re
from itertools import combinations
from pathlib import Path

import pytest

from rules.drawing import palette, stylesheet

BODIES = {f"robot_{look}": palette.LIGHT.robot(look - 1) for look in range(1, 9)}

ROOT = Path(__file__).parents[2]

SEEN_BY = {
    "everybody": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""Matrices of linear RGB for kinds of colour vision.

Source: Machado, Oliveira and Fernandes 2009, severity 1.
"""


def linear(colour: str) -> list[float]:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]


def simulated(colour: str, eyes: str) -> list[float]:
    """Return a colour as linear RGB, as people with the given colour vision see it."""
    return [
        min(1, max(0, sum(a * b for a, b in zip(row, linear(colour), strict=True)))) for row in SEEN_BY[eyes]
    ]


def seen(colour: str, eyes: str) -> tuple[float, float, float]:
    """Return a colour in the OKLab space, as people with the given colour vision see it."""
    r, g, b = simulated(colour, eyes)
    long = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    middle = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    short = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short,
    )


def difference(one: str, other: str, eyes: str) -> float:
    """Return how much two colours differ for people with the given colour vision.

    The unit is ΔE*ab of CIE 1976: a difference of 2.3 is just visible.
    """
    return math.dist(lab(one, eyes), lab(other, eyes))


def lab(colour: str, eyes: str) -> tuple[float, float, float]:
    r, g, b = simulated(colour, eyes)
    x = (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047
    y = 0.2126729 * r + 0.7151522 * g + 0.072175 * b
    z = (0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize("eyes", SEEN_BY)
def test_robots_differ_in_colour_for_all_eyes(eyes: str) -> None:
    pairs = list(combinations(BODIES.values(), 2))
    assert min(math.dist(seen(one, eyes), seen(other, eyes)) for one, other in pairs) > 0.1
    assert min(difference(one, other, eyes) for one, other in pairs) >= 15


@pytest.mark.parametrize("colours", [palette.LIGHT, palette.DARK], ids=["light", "dark"])
@pytest.mark.parametrize("eyes", SEEN_BY)
def test_virtual_robots_differ_in_colour_for_all_eyes(colours: palette.Palette, eyes: str) -> None:
    outlines = [colours.outline(model) for model in range(8)]
    assert min(difference(one, other, eyes) for one, other in combinations(outlines, 2)) >= 8


def luminance(colour: str) -> float:
    r, g, b = linear(colour)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


BOTH = pytest.mark.parametrize("colours", [palette.LIGHT, palette.DARK], ids=["light", "dark"])
READ = [("plate_ink", "plate"), ("checkpoint_ink", "checkpoint"), ("robot_ink", "robot_light")]
"""Colours of numerals and letters, each with its background."""
SEEN = [
    *((f"outline_{seat}", ground) for seat in range(1, 9) for ground in ("hull", "hull_other")),
    *(
        (sign, ground)
        for sign in ("checkpoint", "quiet", "rail", "moving")
        for ground in ("hull", "hull_other")
    ),
    *((network, "hull") for network in ("purple", "red", "blue", "yellow")),
    *((f"beam_{speed}_mark", f"beam_{speed}") for speed in (1, 2, 3)),
    *((sign, "machine") for sign in ("moving", "metal", "red", "blue")),
    *((sign, "pit_floor") for sign in ("flame", "bare", "crystal")),
    *((sign, "robot_ink") for sign in ("spark", "crystal", "bare")),
    *((sign, "hull") for sign in ("laser", "metal", "scanner")),
    ("rim", "space"),
    ("repair", "repair_plate"),
    ("oil_sheen", "oil"),
]
"""Colours of signs, each with its background.

Signs identify an element, its direction, its state or its owner.
"""


@BOTH
@pytest.mark.parametrize(("sign", "ground"), READ)
def test_numerals_and_letters_have_the_contrast_of_text(
    colours: palette.Palette, sign: str, ground: str
) -> None:
    assert contrast(getattr(colours, sign), getattr(colours, ground)) >= 4.5


@BOTH
@pytest.mark.parametrize(("sign", "ground"), SEEN)
def test_signs_have_the_contrast_of_graphics(colours: palette.Palette, sign: str, ground: str) -> None:
    assert contrast(getattr(colours, sign), getattr(colours, ground)) >= 3


def test_a_dark_edge_or_a_halo_separates_a_robot_from_the_hull() -> None:
    """The dark edge or the halo is visible on any hull."""
    for colours in (palette.LIGHT, palette.DARK):
        halo, edge = colours.robot_shadow, colours.robot_ink
        assert max(contrast(edge, colours.hull), contrast(halo, colours.hull)) >= 3
        assert max(contrast(edge, halo), contrast(edge, colours.hull)) >= 3


def test_the_two_colours_of_the_hull_are_similar() -> None:
    for colours in (palette.LIGHT, palette.DARK):
        assert 1 < contrast(colours.hull, colours.hull_other) < 1.15


def test_the_site_s_style_sheet_has_the_colours_of_drawings() -> None:
    assert (ROOT / "static/site/ship.css").read_text().endswith(stylesheet())


@pytest.mark.parametrize("look", range(1, 9))
def test_robots_letters_are_readable_on_their_colours(look: int) -> None:
    css = (ROOT / "static/site/pieces.css").read_text()
    usual = re.search(r"color: var\(--robot-ink, (#\w+)\)", css)
    own = re.search(rf"\.robot-{look} \{{[^}}]*--robot-ink: (#\w+)", css)
    assert usual is not None
    ink = (own or usual)[1]
    ink = ink if len(ink) == 7 else "#" + "".join(2 * digit for digit in ink[1:])
    assert contrast(BODIES[f"robot_{look}"], ink) >= 4.5
