"""Drawings of robots: different outlines for each robot, and visible states."""

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

import rules
from rules.drawing import Figure, draw, portrait
from rules.drawing.robots import SCANNER, SILHOUETTES
from rules.grid import E

SVG = "{http://www.w3.org/2000/svg}"
SHIP = rules.read_starship({"format": "starship/1", "rows": [". . . .", ". . . .", ". . . ."]})
CELL = SHIP.cell(1, 1)
ALICE = Figure(0, "alice", CELL, E)


def drawn(*robots: Figure, own: int | None = None) -> dict[str | None, Element]:
    root = ElementTree.fromstring(draw(SHIP, robots, own=own))
    return {group.get("data-robot"): group for group in root.iter(f"{SVG}g") if group.get("data-robot")}


def visible(element: Element) -> Iterator[Element]:
    """Yield an element and its descendants, except hidden ones and definitions."""
    if element.get("display") != "none" and element.tag != f"{SVG}defs":
        yield element
        for child in element:
            yield from visible(child)


def parts(robot: Element) -> set[str]:
    uses = [element.get("href", "") for element in visible(robot) if element.tag == f"{SVG}use"]
    return {href.split("-", 1)[1] for href in uses}


def test_it_is_in_the_middle_of_its_cell_and_faces_its_heading() -> None:
    robot = drawn(ALICE)["alice"]
    assert robot.get("transform") == "translate(48 48)"
    assert (robot.get("data-x"), robot.get("data-y"), robot.get("data-heading")) == ("1", "1", "E")
    pose = next(group for group in robot.iter() if group.get("class") == "pose")
    assert pose.get("transform") == "rotate(90)"


def test_robots_off_the_board_are_not_drawn() -> None:
    assert drawn(replace(ALICE, cell=rules.OFF), Figure(1, "bob", SHIP.cell(-1, 0))) == {}


def test_every_seat_has_a_different_outline_colour_and_letter() -> None:
    robots = drawn(*(Figure(seat, f"r{seat}", SHIP.cell(seat % 4, seat // 4)) for seat in range(8)))
    shown = [parts(robot) for robot in robots.values()]
    assert all(not (one & other) - {"scar1"} for one, other in combinations(shown, 2))
    assert len({silhouette.body for silhouette in (*SILHOUETTES, SCANNER)}) == 9


def test_a_chosen_picture_brings_its_letter_and_colour() -> None:
    robots = [replace(ALICE, cell=SHIP.cell(0, 0)), Figure(1, "bob", SHIP.cell(1, 0))]
    root = ElementTree.fromstring(draw(SHIP, robots, looks={0: 7}))
    drawn = {group.get("data-robot"): group for group in root.iter(f"{SVG}g") if group.get("data-robot")}
    assert {"robot7", "nose7", "eyes7", "stickerG"} == parts(drawn["alice"])
    assert drawn["alice"].get("data-seat") == "1"
    assert {"robot2", "nose2", "eyes2", "stickerB"} == parts(drawn["bob"]), (
        "by default one looks like one's seat"
    )


def test_the_pictures_of_the_seats_are_the_default() -> None:
    robots = [replace(ALICE, cell=SHIP.cell(0, 0)), Figure(1, "bob", SHIP.cell(1, 0))]
    plain = draw(SHIP, robots, prefix="p")
    assert draw(SHIP, robots, prefix="p", looks={0: 1, 1: 2}) == plain
    assert draw(SHIP, robots, prefix="p", looks={0: 2, 1: 1}) != plain


def test_a_virtual_robot_is_only_an_outline() -> None:
    assert parts(drawn(ALICE)["alice"]) == {"robot1", "nose1", "eyes1", "stickerA"}
    shown = parts(drawn(replace(ALICE, virtual=True))["alice"])
    assert shown == {"ghost1", "virtual-nose1", "eyes1", "letterA-1"}


def test_a_robot_that_is_down_has_its_eyes_closed() -> None:
    shown = parts(drawn(replace(ALICE, down=True))["alice"])
    assert {"lids1", "sleep"} <= shown
    assert "eyes1" not in shown


def test_a_robot_without_a_heading_shows_none() -> None:
    for virtual in (True, False):
        shown = parts(drawn(replace(ALICE, heading=None, virtual=virtual))["alice"])
        assert "undecided" in shown
        assert not {"eyes1", "lids1", "nose1", "virtual-nose1"} & shown


@pytest.mark.parametrize("damage", range(10))
def test_damage_shows_on_the_body(damage: int) -> None:
    robot = drawn(replace(ALICE, damage=damage))["alice"]
    scars = [part for part in visible(robot) if "-scar" in part.get("href", "")]
    smoke = [part for part in visible(robot) if "-puff" in part.get("href", "")]
    assert len(scars) == damage
    assert len(smoke) == sum(damage >= least for least in (5, 7, 9))


def test_scanners_are_numbered() -> None:
    robots = drawn(
        ALICE,
        Figure(1, "scanner 1", SHIP.cell(2, 0), scanner=True),
        Figure(2, "scanner 2", SHIP.cell(3, 0), scanner=True),
    )
    assert {"robotscanner", "sticker1"} <= parts(robots["scanner 1"])
    assert {"robotscanner", "sticker2"} <= parts(robots["scanner 2"])


def stance(robot: Element) -> tuple[float, float, float]:
    """Return a robot's shift from the centre of its cell, as x and y, and its scale."""
    transform = next(part.get("transform") for part in robot.iter() if part.get("class") == "stance")
    if transform is None:
        return 0, 0, 1
    shift, scale = transform.removeprefix("translate(").removesuffix(")").split(")scale(")
    x, y = shift.split()
    return float(x), float(y), float(scale)


@pytest.mark.parametrize("count", range(2, 9))
def test_virtual_robots_in_one_cell_do_not_cover_each_other(count: int) -> None:
    robots = drawn(*(Figure(seat, f"r{seat}", CELL, virtual=True) for seat in range(count)))
    stances = [stance(robot) for robot in robots.values()]
    for (x1, y1, scale1), (x2, y2, scale2) in combinations(stances, 2):
        assert math.dist((x1, y1), (x2, y2)) >= 12.5 * (scale1 + scale2)
    assert all(math.hypot(x, y) <= 20 for x, y, _ in stances)


def test_a_real_robot_keeps_the_middle_of_the_cell() -> None:
    robots = drawn(Figure(0, "ghost", CELL, virtual=True), Figure(1, "real", CELL))
    assert stance(robots["real"])[:2] == (0, 0)
    assert stance(robots["ghost"])[:2] != (0, 0)


@pytest.mark.parametrize("count", range(2, 12))
def test_the_viewer_s_robot_lies_on_top_at_full_size_and_covers_no_other(count: int) -> None:
    figures = [Figure(seat, f"r{seat}", CELL, virtual=seat != 1) for seat in range(count)]
    robots = drawn(*figures, Figure(count, "far", SHIP.cell(3, 2)), own=0)
    *others, (own, first) = [(name, stance(robot)) for name, robot in robots.items() if name != "far"]
    assert (own, first) == ("r0", (0, 0, 1))
    stances = [each for _, each in others]
    assert all(12 <= math.hypot(x, y) <= 20 for x, y, _ in stances)
    for (x1, y1, scale1), (x2, y2, scale2) in combinations(stances, 2):
        assert math.dist((x1, y1), (x2, y2)) >= 12.5 * (scale1 + scale2)


def test_names_are_escaped() -> None:
    name = """Mc"Bot' & <b>"""
    robot = drawn(Figure(0, name, CELL))[name]
    title = robot.find(f"{SVG}title")
    assert title is not None
    assert title.text == name


def test_it_describes_the_places_of_robots_in_words() -> None:
    svg = draw(SHIP, [replace(ALICE, damage=2), Figure(1, "bob", CELL, None, virtual=True, down=True)])
    assert "alice at column 2, row 2, facing east, damage 2. bob at column 2, row 2, virtual, down." in svg


def test_a_game_s_state_and_its_view_can_be_drawn() -> None:
    ship = rules.read_starship({"format": "starship/1", "rows": ["a . .+i1"]})
    setup = rules.make_setup(rules.ruleset("robo-runner"), {}, ship, seats=2)
    state = rules.new_game(setup, ["alice", "bob"], seed=1)
    assert draw(ship, state.robots) == draw(ship, rules.view(state).robots)
    root = ElementTree.fromstring(draw(ship, state.robots))
    assert {group.get("data-robot") for group in root.iter(f"{SVG}g")} >= {"alice", "bob"}


def test_a_portrait_shows_the_robot_of_a_seat() -> None:
    root = ElementTree.fromstring(portrait(2, name="carol"))
    assert root.get("aria-label") == "carol"
    assert {"robot3", "eyes3", "stickerC"} == parts(root)


def test_a_portrait_without_a_name_is_decoration() -> None:
    assert ElementTree.fromstring(portrait(2)).get("aria-hidden") == "true"


def test_a_scanner_s_portrait_has_its_number() -> None:
    assert "sticker2" in parts(ElementTree.fromstring(portrait(1, scanner=True)))
