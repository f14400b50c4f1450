"""Descriptions of cells in words: every element, with its directions and phases."""

import pytest

import rules
from rules.drawing.fragments import LEGEND
from rules.drawing.words import kinds_of, parts_of
from rules.elements import read_cell
from tests.rules.test_drawing_board import CELLS


def ship_of(*rows: str) -> rules.Starship:
    return rules.read_starship({"format": "starship/1", "rows": list(rows)})


def words(token: str) -> list[str]:
    return [part.words for part in parts_of(ship_of(token), 0, 0)]


@pytest.mark.parametrize(
    ("token", "said"),
    [
        (".", ["Hull"]),
        ("~", ["Space"]),
        ("o", ["Cooling shaft"]),
        ("d24", ["Launch bay, shut in phases 2 and 4"]),
        ("b1:E", ["Beam of speed 1, running east"]),
        ("b2:NE", ["Beam of speed 2, from north to east"]),
        ("b3:NSWE", ["Beam of speed 3, from north, south and west to east"]),
        ("g-", ["Twister, left"]),
        ("t:yellow", ["Transporter, yellow"]),
        ("f", ["Thruster"]),
        ("h2", ["Repair depot of strength 2"]),
        ("s", ["Oil"]),
        ("a", ["Airlock"]),
        ("a:red", ["Red squad airlock"]),
        ("a3", ["Start cell for seat 3"]),
        ("k", ["Crystal grappler"]),
        (".+i1*4", ["Hull", "Checkpoint 1"]),
        (".+x15", ["Hull", "Crusher in phases 1 and 5"]),
        (".+wNE", ["Hull", "Rail to the north and east"]),
        (".+r24N", ["Hull", "Slide rail to the north, open in phases 2 and 4"]),
        (".+wN+cN", ["Hull", "Rail to the north", "Power coupling to the north"]),
        (".+wN+pN", ["Hull", "Rail to the north", "Docking arm that pushes south"]),
        (".+wN+p135N", ["Hull", "Rail to the north", "Docking arm that pushes south in phases 1, 3 and 5"]),
        (".+wW+l2W", ["Hull", "Rail to the west", "Laser of strength 2, firing east"]),
    ],
)
def test_a_cell_is_described_in_words(token: str, said: list[str]) -> None:
    assert words(token) == said


@pytest.mark.parametrize("token", CELLS)
def test_every_element_is_explained_by_the_legend(token: str) -> None:
    kinds = {kind for part in parts_of(ship_of(token), 0, 0) for kind in part.kinds}
    assert kinds <= set(LEGEND)
    assert kinds_of(read_cell(token)) == kinds


@pytest.mark.parametrize(("name", "token"), LEGEND.items())
def test_words_and_legend_have_the_same_names(name: str, token: str) -> None:
    assert name in kinds_of(read_cell(token))


def test_both_cells_at_an_edge_mention_its_rail() -> None:
    ship = ship_of(".+wE .", ".+r3E .")
    east, below = parts_of(ship, 1, 0), parts_of(ship, 1, 1)
    assert [part.words for part in east] == ["Hull", "Rail to the west"]
    assert [part.words for part in below] == ["Hull", "Slide rail to the west, open in phase 3"]


def test_cells_in_a_laser_s_beam_mention_it() -> None:
    ship = ship_of(".+wW+l1W . .+r2E .")
    assert "In the line of fire of a laser of strength 1 from the west" in [
        p.words for p in parts_of(ship, 1, 0)
    ]
    assert "In the line of fire of a laser of strength 1 from the west, in phase 2" in [
        p.words for p in parts_of(ship, 3, 0)
    ]
