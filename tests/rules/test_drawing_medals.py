"""Medals: one drawing for each achievement and step, earned or not."""

from itertools import product
from xml.etree import ElementTree

import pytest

from rules.drawing import FRAMES, MOTIFS, medal

EVERY = list(product(MOTIFS, FRAMES))


@pytest.mark.parametrize(("motif", "frame"), EVERY)
@pytest.mark.parametrize("earned", [True, False])
def test_a_medal_is_a_picture_for_pages(motif: str, frame: str, earned: bool) -> None:
    drawing = medal(motif, frame, earned=earned, theme="page")
    root = ElementTree.fromstring(drawing)
    assert root.get("viewBox") == "-33 -33 66 66"
    assert root.get("aria-hidden") == "true"
    assert "style" not in drawing  # forbidden by the pages' policy
    assert " id=" not in drawing  # so that a page can show many of them


@pytest.mark.parametrize("earned", [True, False])
def test_no_two_medals_look_the_same(earned: bool) -> None:
    assert len({medal(motif, frame, earned=earned) for motif, frame in EVERY}) == len(EVERY)


@pytest.mark.parametrize("motif", MOTIFS)
def test_frames_differ_by_form_and_not_only_by_colour(motif: str) -> None:
    outlines = {medal(motif, frame, earned=False, theme="page").split(' d="')[1] for frame in FRAMES}
    assert len(outlines) == len(FRAMES)


def test_an_unearned_medal_only_has_faint_colours_of_the_page() -> None:
    drawing = ElementTree.fromstring(medal("destroyed", "gear", earned=False, theme="page"))
    colours = {part.get(paint) for part in drawing.iter() for paint in ("fill", "stroke")}
    assert colours <= {None, "none", "var(--ship-space)", "var(--ship-quiet)"}


def test_an_earned_medal_looks_the_same_in_light_and_dark() -> None:
    assert medal("walked", "nut", theme="light").replace("starship-light", "") == medal(
        "walked", "nut", theme="dark"
    ).replace("starship-dark", "")


def test_a_named_medal_has_a_text_for_screen_readers() -> None:
    drawing = ElementTree.fromstring(medal("deaths", "washer", name='Once & "again"'))
    assert drawing.get("role") == "img"
    assert drawing.get("aria-label") == 'Once & "again"'


def test_an_unknown_medal_is_refused() -> None:
    with pytest.raises(KeyError):
        medal("sang", "washer")
    with pytest.raises(KeyError):
        medal("deaths", "crown")
