"""The building blocks of the generator: images, motifs, the canvas, ways and differences."""

import pytest

import rules
from rules.chance import Stream
from rules.design.canvas import (
    ALL_IMAGES,
    HALF_TURN,
    NONE,
    QUARTER_TURNS,
    TWO_MIRRORS,
    Canvas,
    Image,
    Mark,
    Motif,
    area,
    choose_symmetry,
    line,
    loop,
    put_goals,
)
from rules.design.genome import difference
from rules.design.goals import distances, two_ways
from rules.design.names import WORDS, named
from rules.design.themes import THEMES
from rules.grid import E, N, S, W
from tests.rules.tunnel.flown import ship_of


def rows_of(canvas: Canvas) -> list[str]:
    return [" ".join(row.split()) for row in rules.write_starship(canvas.starship())["rows"]]


def test_an_image_turns_cells_and_headings_alike() -> None:
    assert Image(1).at((0, 0), 3, 3) == (2, 0)
    assert Image(2).at((1, 0), 4, 3) == (2, 2)
    assert Image(0, True).at((0, 1), 4, 3) == (3, 1)
    assert [Image(2, True).heading(heading) for heading in (N, E, S, W)] == [S, E, N, W]


@pytest.mark.parametrize(("kind", "images"), [("none", {1}), ("two", {2}), ("four", {4}), (None, {1, 2, 4})])
def test_a_symmetry_has_the_requested_kind(kind: str | None, images: set[int]) -> None:
    for theme in THEMES.values():
        for seed in range(5):
            chosen = choose_symmetry(kind, theme.symmetries, False, Stream(f"{seed}"))
            assert len(chosen) in images
            assert chosen != QUARTER_TURNS


def test_a_loop_of_beams_is_closed_and_curves_follow() -> None:
    canvas = Canvas(3, 3, area(0, 0, 2, 2))
    canvas.stamp(Motif("ring", tuple(loop(0, 0, 2, 2, True)), True), NONE)
    assert rows_of(canvas) == ["b1:SE b1:E b1:WS", "b1:N . b1:S", "b1:EN b1:W b1:NW"]


def test_a_reversed_motif_is_the_reversed_loop() -> None:
    clockwise, other = (Motif("ring", tuple(loop(0, 0, 3, 2, way))) for way in (True, False))
    assert set(clockwise.reversed().marks) == set(other.marks)


def test_a_motif_has_its_images() -> None:
    canvas = Canvas(4, 2, area(0, 0, 3, 1))
    canvas.stamp(Motif("one", (Mark((0, 0), "twister", detail="+"),)), TWO_MIRRORS)
    assert rows_of(canvas) == ["g+ . . g-", "g- . . g+"]


def test_a_beam_ends_before_space() -> None:
    canvas = Canvas(4, 1, area(0, 0, 2, 0))
    canvas.stamp(Motif("line", tuple(line((0, 0), E, 3))), NONE)
    assert rows_of(canvas) == ["b1:E b1:E . ~"]


def test_rails_neither_bar_beams_nor_make_corners_at_checkpoints() -> None:
    canvas = Canvas(3, 2, area(0, 0, 2, 1))
    canvas.stamp(Motif("line", (*line((0, 0), E, 1), Mark((0, 0), "rail", E))), NONE)
    canvas.stamp(Motif("rails", (Mark((1, 1), "rail", N), Mark((1, 1), "rail", E))), NONE)
    put_goals(canvas, [], [(1, 1)], 2)
    ship = canvas.starship()
    assert not ship.railed_ever(ship.cell(0, 0), E)
    assert sum(ship.railed_ever(ship.cell(1, 1), heading) for heading in (N, E, S, W)) == 1


def test_deadly_elements_near_a_start_are_removed() -> None:
    canvas = Canvas(5, 1, area(0, 0, 4, 0))
    canvas.stamp(Motif("shafts", tuple(Mark((x, 0), "shaft") for x in (1, 2, 3))), NONE)
    put_goals(canvas, [((0, 0), "a")], [], 2)
    assert rows_of(canvas) == ["a . . o ."]


def test_ways_lead_around_deadly_cells() -> None:
    ship = ship_of(". o .", ". . .")
    assert distances(ship, ship.cell(0, 0))[ship.cell(2, 0)] == 4


def test_two_ways_share_no_step() -> None:
    ring = ship_of(". . .", ". o .", ". . .")
    path = ship_of(". . .", "o o .", "o o .")
    assert two_ways(ring, ring.cell(0, 0), ring.cell(2, 2))
    assert not two_ways(path, path.cell(0, 0), path.cell(2, 2))


def test_a_turned_ship_does_not_differ_from_itself() -> None:
    rows = ("b1:E g+ .", ".+wN o ~")
    ship = ship_of(*rows)
    turned = ship_of("~ o .+wS", ". g+ b1:W")
    mirrored = ship_of(". g- b1:W", "~ o .+wN")
    assert difference(ship, ship) == difference(ship, turned) == difference(ship, mirrored) == 0


def test_differences_ignore_cells_that_are_plain_in_both_ships() -> None:
    assert difference(ship_of("o . . ."), ship_of("g+ . . .")) == 1
    assert difference(ship_of("o . o ."), ship_of("o . g+ .")) == 0.5


def test_every_theme_has_words() -> None:
    assert WORDS.keys() == THEMES.keys()


@pytest.mark.parametrize("theme", WORDS)
def test_a_ship_gets_a_name_and_a_story(theme: str) -> None:
    ship = named(ship_of("a o .+i1"), theme, ["shaft"], Stream("name"))
    assert len(ship.name.split()) == 2
    assert ship.description.endswith("Mind the shafts.")
    assert rules.check_starship(rules.write_starship(ship)).starship


def test_all_eight_images_are_different() -> None:
    assert len({image.at((0, 1), 5, 5) for image in ALL_IMAGES}) == 8
    assert HALF_TURN[1] in ALL_IMAGES
