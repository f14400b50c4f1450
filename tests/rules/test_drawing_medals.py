"""Medals: one drawing for each thing and each step, earned or not."""

from itertools import product
from xml.etree import ElementTree

import pytest

from rules.drawing import FRAMES, MOTIFS, medal

EVERY = list(product(MOTIFS, FRAMES))


@pytest.mark.parametrize(("motif", "frame"), EVERY)
@pytest.mark.parametrize("earned", [True, False])
def test_a_medal_is_a_picture_that_a_page_may_carry(motif: str, frame: str, earned: bool) -> None:
    drawing = medal(motif, frame, earned=earned, theme="page")
    root = ElementTree.fromstring(drawing)
    assert root.get("viewBox") == "-33 -33 66 66"
    assert root.get("aria-hidden") == "true"
    assert "style" not in drawing  # which the pages' policy would not let through
    assert " id=" not in drawing  # so that any number of them can be in one page


@pytest.mark.parametrize("earned", [True, False])
def test_no_two_medals_look_the_same(earned: bool) -> None:
    assert len({medal(motif, frame, earned=earned) for motif, frame in EVERY}) == len(EVERY)


@pytest.mark.parametrize("motif", MOTIFS)
def test_frames_differ_by_form_and_not_by_colour_alone(motif: str) -> None:
    outlines = {medal(motif, frame, earned=False, theme="page").split(' d="')[1] for frame in FRAMES}
    assert len(outlines) == len(FRAMES)


def test_a_medal_that_is_not_earned_has_no_colour_but_the_pages_quiet_ones() -> None:
    drawing = ElementTree.fromstring(medal("destroyed", "gear", earned=False, theme="page"))
    colours = {part.get(paint) for part in drawing.iter() for paint in ("fill", "stroke")}
    assert colours <= {None, "none", "var(--ship-space)", "var(--ship-quiet)"}


def test_an_earned_medal_looks_the_same_by_day_and_by_night() -> None:
    assert medal("walked", "nut", theme="light").replace("starship-light", "") == medal(
        "walked", "nut", theme="dark"
    ).replace("starship-dark", "")


def test_a_named_medal_is_told_to_those_who_do_not_see_it() -> None:
    drawing = ElementTree.fromstring(medal("deaths", "washer", name='Once & "again"'))
    assert drawing.get("role") == "img"
    assert drawing.get("aria-label") == 'Once & "again"'


def test_it_refuses_what_it_cannot_draw() -> None:
    with pytest.raises(KeyError):
        medal("sang", "washer")
    with pytest.raises(KeyError):
        medal("deaths", "crown")
