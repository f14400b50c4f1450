"""Small drawings that pages add to a drawn board: ghosts, checkpoints and pins."""

from itertools import combinations
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

import rules
from rules.drawing import THEMES, checkpoint, draw, ghost, pin
from rules.grid import E

FRAGMENTS = [
    ghost(3, (2, 1), E, (4,)),
    ghost(3, (2, 1), None, (1, 2), lost=True, last=True),
    checkpoint(2, 3, (1, 0)),
    checkpoint(2, 0, (1, 0), next_checkpoint=2),
    pin("g", (0, 3)),
]


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_it_is_one_group_without_ids_references_or_styles(fragment: str) -> None:
    assert ElementTree.fromstring(fragment).tag == "g"
    assert not any(word in fragment for word in (" id=", "href", "url(", "style", "<use"))


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_it_is_small(fragment: str) -> None:
    assert len(fragment) < 3_000


@pytest.mark.parametrize("theme", THEMES)
def test_it_exists_in_every_theme(theme: str) -> None:
    fixed = theme in ("light", "dark")
    for fragment in (ghost(1, (0, 0), 0, (1,), theme=theme), pin("a", (0, 0), theme=theme)):
        assert ("var(" in fragment) is not fixed


def test_a_ghost_shows_its_place_phase_and_heading() -> None:
    group = ElementTree.fromstring(ghost(3, (2, 1), E, (2, 3), lost=True, last=True))
    assert group.get("class") == "ghost lost last"
    assert group.get("transform") == "translate(80 48)"
    assert {key: group.get(f"data-{key}") for key in ("x", "y", "heading", "phases")} == {
        "x": "2",
        "y": "1",
        "heading": "E",
        "phases": "23",
    }
    assert group[0].get("transform") == "rotate(90)"


def test_a_ghost_has_the_outline_of_its_robot_and_the_numeral_of_its_phase() -> None:
    assert len({ghost(look, (0, 0), 0, (1,)) for look in range(1, 9)}) == 8
    assert len({ghost(1, (0, 0), 0, (phase,)) for phase in range(1, 6)}) == 5
    assert ghost(1, (0, 0), 0, (1,)) != ghost(1, (0, 0), 0, (1,), lost=True)


def test_each_phase_has_a_separate_plate() -> None:
    for phases in ((1,), (1, 2), (2, 3, 5), (1, 2, 3, 4), (1, 2, 3, 4, 5)):
        group = ElementTree.fromstring(ghost(3, (2, 1), E, phases))
        plates = [each for each in group if each.get("class") == "ghost-phase"]
        middles = [
            tuple(float(number) for number in (each.get("transform") or "")[10:-1].split()) for each in plates
        ]
        assert len(plates) == len(phases)
        for (x, y), (u, v) in combinations(middles, 2):
            assert (x - u) ** 2 + (y - v) ** 2 >= 10**2  # they do not overlap
        assert all(abs(x) <= 11 and abs(y) <= 11 for x, y in middles)  # they stay within the cell


def test_an_element_has_a_plate_for_each_of_its_phases() -> None:
    ship = rules.read_starship({"format": "starship/1", "rows": [".+wN+p12N .+wN+p3N"]})
    root = ElementTree.fromstring(draw(ship, theme="light", prefix="q"))
    definitions = {each.get("id"): each for each in root.iter()}
    plates = {key: [kind for kind, _ in painted(definitions[f"q-phases{key}"])] for key in ("12", "3")}
    assert plates == {"12": ["rect", "rect", "path"], "3": ["rect", "path"]}


def painted(element: Element) -> list[tuple[str, dict[str, str]]]:
    """Return the kind and attributes of each shape in an element."""
    leaves = [each for each in element.iter() if each.tag.rsplit("}")[-1] in ("path", "circle", "rect")]
    return [(each.tag.rsplit("}")[-1], dict(each.attrib)) for each in leaves]


@pytest.mark.parametrize(("left", "following"), [(0, None), (0, 1), (0, 2), (2, None), (2, 1), (2, 2)])
def test_a_checkpoint_looks_as_on_the_board(left: int, following: int | None) -> None:
    ship = rules.read_starship({"format": "starship/1", "rows": [". .+i1*3 .+i2"]})
    board = draw(ship, hull={1: left}, next_checkpoint=following, theme="light", prefix="p")
    root = ElementTree.fromstring(board)
    group = next(g for g in root.iter() if g.get("data-number") == "1")
    alone = ElementTree.fromstring(checkpoint(1, left, (1, 0), next_checkpoint=following, theme="light"))
    assert dict(alone.attrib) == dict(group.attrib)
    definitions = {each.get("id"): each for each in root.iter() if each.get("id")}
    used = [definitions[use.get("href", "")[1:]] for use in group]
    assert painted(alone) == [leaf for part in used for leaf in painted(part)]


def test_an_undamaged_checkpoint_has_no_patch() -> None:
    assert checkpoint(1, 0, (0, 0)) != checkpoint(1, 0, (0, 0), damaged=False)


def test_a_pin_points_at_the_middle_of_its_cell() -> None:
    group = ElementTree.fromstring(pin("g", (0, 3)))
    assert (group.get("class"), group.get("transform")) == ("pin", "translate(16 112)")
    assert group[0].get("d", "").startswith("M0 1C")
    assert all(
        one != other for one, other in combinations([pin(letter, (0, 0)) for letter in "abcdefghi"], 2)
    )
