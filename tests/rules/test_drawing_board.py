"""Pictures of starships are complete, small, well formed and reproducible."""

import re
import zlib
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

import pytest

import rules
from rules.drawing import THEMES, Figure, draw, legend, palette
from rules.drawing.pen import GLYPHS, writing
from rules.elements import PLAIN

SVG = "{http://www.w3.org/2000/svg}"
FLOORS = [
    *PLAIN,
    *(f"d{phases}" for phases in ("1", "24", "135", "1234")),
    *(f"b{speed}:{ways}" for speed in (1, 2, 3) for ways in ("E", "N", "NE", "SE", "NWE", "NSE", "NSWE")),
    *(f"t:{network}" for network in ("purple", "red", "blue", "yellow")),
    *(f"h{strength}" for strength in (1, 2, 3)),
    *("a:red", "a:blue"),
    *(f"a{seat}" for seat in range(1, 9)),
]
FEATURES = [
    "i1",
    "i1*4",
    "x15",
    "wN",
    "wNE",
    "r24N",
    "r24E",
    *(f"wN+{fitting}" for fitting in ("cN", "pN", "p135N", "l1N", "l2N", "l3N", "pN+cN")),
    *("wE+cE", "wE+pE", "wE+l1E"),
]
CELLS = [*FLOORS, *(f".+{features}" for features in FEATURES)]


def ship_of(*rows: str, **keys: Any) -> rules.Starship:
    return rules.read_starship({"format": "starship/1", "rows": list(rows), **keys})


def every_element() -> rules.Starship:
    """Return a board with one cell of each kind, in 8 columns."""
    tokens, count = [], 0
    for token in CELLS:
        if "+i1" in token:
            count += 1
            token = token.replace("+i1", f"+i{count}")
        tokens.append(token)
    tokens += ["."] * (-len(tokens) % 8)
    return ship_of(*(" ".join(tokens[i : i + 8]) for i in range(0, len(tokens), 8)))


def without_ids(svg: str) -> str:
    return re.sub(r"s[0-9a-f]{8}-", "", svg)


def test_every_element_has_a_different_picture() -> None:
    pictures = {token: draw(ship_of(f". {token} ."), prefix="p", theme="light") for token in CELLS}
    same = [(one, other) for one, other in combinations(CELLS, 2) if pictures[one] == pictures[other]]
    assert same == []


@pytest.mark.parametrize("token", [token for token in CELLS if token != "."])
def test_every_element_differs_from_plain_hull(token: str) -> None:
    def painted(token: str) -> str:
        return draw(ship_of(f". {token} ."), prefix="p", theme="light").split("</desc>")[1]

    assert painted(token) != painted(".")


@pytest.mark.parametrize("token", ["d{}", ".+x{}", ".+r{}N", ".+wN+p{}N", ".+r{}E", ".+wW+p{}W"])
def test_elements_of_certain_phases_show_their_numerals(token: str) -> None:
    for phases in ("1", "2", "3", "4", "5", "24", "135", "1234"):
        svg = draw(ship_of(token.format(phases)), prefix="p", theme="light")
        plate = re.search(rf'<g id="p-phases{phases}(?:-upright)?">(.+?)</g>', svg)
        assert plate is not None
        strokes = re.findall(r' d="([^"]+)"', plate[1])[-1]
        assert strokes.count("M") == sum(GLYPHS[digit].count("M") for digit in phases)
        assert f'data-phases="{phases}"' in svg


def test_numerals_of_phases_differ_from_each_other() -> None:
    assert len({writing(digit, 0, 0, 6) for digit in "12345"}) == 5


@pytest.mark.parametrize("heading", "NESW")
def test_a_beam_points_in_its_direction(heading: str) -> None:
    others = {draw(ship_of(f". b1:{way} ."), prefix="p") for way in "NESW"}
    assert len(others) == 4
    svg = draw(ship_of(f"b2:{heading}"), prefix="p")
    turn = {"E": "", "S": "rotate(90)", "W": "rotate(180)", "N": "rotate(270)"}[heading]
    use = re.search(r'<use href="#p-beam2w"([^>]*)/>', svg)
    assert use is not None
    assert (turn in use[1]) if turn else "rotate" not in use[1]


def test_chevrons_show_the_speed_of_a_beam_and_the_entries_of_an_intersection() -> None:
    def chevrons(token: str) -> int:
        svg = draw(ship_of(token), prefix="p")
        ribbon = re.search(r'<g id="p-beam[^"]+"><g [^>]*>.+?</g><path [^>]*d="([^"]+)"', svg)
        assert ribbon is not None
        return ribbon[1].count("M")

    assert [chevrons(f"b{speed}:E") for speed in (1, 2, 3)] == [1, 2, 3]
    assert [chevrons(f"b{speed}:NE") for speed in (1, 2, 3)] == [1, 2, 3]
    assert [chevrons(f"b{speed}:NWE") for speed in (1, 2, 3)] == [3, 4, 5]
    assert chevrons("b1:NSWE") == 4


def test_a_start_cell_shows_the_picture_or_the_seat_of_its_robot() -> None:
    def drawn(looks: dict[int, int] | None) -> str:
        return draw(ship_of("a1 a2"), looks=looks, prefix="p", theme="light")

    assert writing("1", 0, 0, 11) in drawn(None)
    assert writing("2", 0, 0, 11) in drawn({0: 7})
    taken = drawn({0: 7})
    assert writing("G", 0, 0, 11) in taken
    assert palette.LIGHT.outline_7 in taken
    assert palette.LIGHT.outline_1 not in taken


def test_every_element_that_a_cell_can_have_is_in_the_legend() -> None:
    shown = {element for entry in legend() for element in ship_of(entry.token).cells[0].elements}
    known = {element for cell in every_element().cells for element in cell.elements}
    assert shown == known


def test_the_legend_s_pictures_are_all_different() -> None:
    pictures = [without_ids(entry.picture.split("</desc>")[1]) for entry in legend("dark")]
    assert len(set(pictures)) == len(pictures)


@pytest.mark.parametrize("theme", THEMES)
def test_it_is_well_formed(theme: str) -> None:
    root = ElementTree.fromstring(draw(every_element(), theme=theme, rulers=True, next_checkpoint=1))
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"


@pytest.mark.parametrize("theme", THEMES)
def test_every_reference_has_a_definition_and_ids_are_unique(theme: str) -> None:
    svg = draw(every_element(), theme=theme, next_checkpoint=1)
    ids = re.findall(r' id="([^"]+)"', svg)
    references = re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', svg)
    assert len(ids) == len(set(ids))
    assert {one or other for one, other in references} <= set(ids)


@pytest.mark.parametrize("theme", THEMES)
def test_it_has_no_scripts_style_attributes_or_external_content(theme: str) -> None:
    svg = draw(every_element(), theme=theme)
    assert not re.search(r"<script|\son\w+=|\sstyle=|javascript:|<image|<foreignObject|<text|font", svg)
    assert re.findall(r"https?://[^\"']+", svg) == ["http://www.w3.org/2000/svg"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_fixed_theme_includes_its_colours(theme: str) -> None:
    svg = draw(every_element(), theme=theme, next_checkpoint=1)
    assert "var(" not in svg
    assert "<style" not in svg


def test_a_drawing_for_a_page_leaves_the_colours_to_the_page() -> None:
    svg = draw(every_element(), theme="page")
    paints = set(re.findall(r'(?:fill|stroke|stop-color)="([^"]+)"', svg))
    assert "<style" not in svg
    assert all(re.fullmatch(r"none|var\(--ship-[a-z0-9-]+\)|url\(#.+\)", paint) for paint in paints)


def test_a_standalone_drawing_follows_the_reader_s_scheme() -> None:
    svg = draw(every_element(), theme="auto")
    used = set(re.findall(r"var\((--ship-[a-z0-9-]+)\)", svg))
    light, dark = svg.split("@media (prefers-color-scheme:dark)")
    assert used
    assert all(f"{name}:#" in light and f"{name}:#" in dark for name in used)


def test_it_refuses_an_unknown_theme() -> None:
    with pytest.raises(ValueError, match="not 'sepia'"):
        draw(ship_of("."), theme="sepia")


def test_the_same_board_always_has_the_same_drawing() -> None:
    assert draw(every_element()) == draw(every_element())


def test_different_boards_share_no_ids() -> None:
    ids = [set(re.findall(r' id="([^"]+)"', draw(ship_of(row)))) for row in (". o", "o .")]
    assert not ids[0] & ids[1]


def test_a_prefix_may_be_given() -> None:
    svg = draw(every_element(), prefix="board7")
    assert all(id_.startswith("board7-") for id_ in re.findall(r' id="([^"]+)"', svg))


def test_the_largest_boards_stay_small() -> None:
    tokens = [".+wNE", "b2:NWE", "h2", "d24+wS", ".+wW+p135W", "g+", "t:red", "o", ".+wN+l3N", ".+r24S"]
    busy = ship_of(*(" ".join(tokens[(x + y) % 10] for x in range(20)) for y in range(20)))
    assert len(draw(busy, theme="page")) < 150_000
    calm = ship_of(*(" ".join("." for _ in range(20)) for _ in range(20)))
    assert len(draw(calm, theme="page")) < 15_000


def test_a_board_of_usual_size_with_eight_robots_stays_small() -> None:
    tokens = [".+wNE", "b2:NWE", ".", "d24+wS", ".", "g+", ".", "o", ".+wN+l3N", ".+r24S", ".+i1*2", "b1:E"]
    rows = [" ".join(tokens[(x * 5 + y * 7) % 12].replace("+i1*2", "") for x in range(12)) for y in range(12)]
    ship = ship_of(*rows)
    robots = [Figure(seat, f"Robot {seat}", ship.cell(seat, seat), seat % 4, seat) for seat in range(8)]
    svg = draw(ship, robots, theme="page", rulers=True, prefix="board")
    assert len(svg) < 75_000
    assert len(zlib.compress(svg.encode())) < 11_000


def test_texts_are_escaped() -> None:
    svg = draw(ship_of(".", name='A "ship" & <script>alert(1)</script>'))
    title = ElementTree.fromstring(svg).find(f"{SVG}title")
    assert title is not None
    assert title.text == 'A "ship" & <script>alert(1)</script>'


def test_characters_invalid_in_xml_are_removed() -> None:
    svg = draw(rules.Starship(1, 1, ship_of(".").cells, "Bell\x07 \x00tower"))
    assert "Bell tower</title>" in svg


def test_a_cell_is_at_its_coordinates() -> None:
    root = ElementTree.fromstring(draw(ship_of(". . .", ". . o"), cell=64))
    assert root.get("viewBox") == "-16 -16 128 96"
    assert (root.get("width"), root.get("height")) == ("256", "192")
    shaft = next(use for use in root.iter(f"{SVG}use") if "shaft" in use.get("href", ""))
    assert (shaft.get("x"), shaft.get("y")) == ("80", "48")


def test_a_style_sheet_may_set_the_size_of_a_cell() -> None:
    root = ElementTree.fromstring(draw(ship_of(". . ."), cell=1, unit="em"))
    assert (root.get("width"), root.get("height")) == ("4em", "2em"), "half a cell of space on each side"


def test_it_fills_its_container_by_default() -> None:
    root = ElementTree.fromstring(draw(ship_of("."), cell=None))
    assert root.get("width") is None


def test_space_is_not_part_of_the_hull() -> None:
    whole = draw(ship_of(". . .", ". . .", ". . ."), prefix="p")
    ring = draw(ship_of(". . .", ". ~ .", ". . ."), prefix="p")
    corner = draw(ship_of("~ . .", ". . .", ". . ."), prefix="p")
    outlines = [re.search(r'<g id="p-hull"><path d="([^"]+)"', svg) for svg in (whole, ring, corner)]
    paths = [match[1] for match in outlines if match]
    assert [path.count("Z") for path in paths] == [1, 2, 1]
    assert [path.count("Q") for path in paths] == [4, 8, 6]


def test_plates_that_only_touch_at_a_corner_are_separate() -> None:
    svg = draw(ship_of(". ~", "~ ."), prefix="p")
    outline = re.search(r'<g id="p-hull"><path d="([^"]+)"', svg)
    assert outline is not None
    assert outline[1].count("Z") == 2


def test_a_rail_is_drawn_once_for_both_sides() -> None:
    def rails(*rows: str) -> str:
        match = re.search(r'<g id="p-rails"><path d="([^"]+)"', draw(ship_of(*rows), prefix="p"))
        assert match is not None
        return match[1]

    assert rails(".+wE .") == rails(". .+wW") == rails(".+wE .+wW") == "M32 0v32"
    assert rails(".+wN .+wN .+wN") == "M0 0h96"


def beams_of_light(row: str) -> dict[str | None, str | None]:
    root = ElementTree.fromstring(draw(ship_of(row)))
    paths = (path for path in root.iter(f"{SVG}path") if path.get("class", "").startswith("ray"))
    return {path.get("class"): path.get("d") for path in paths}


def test_a_laser_s_beam_ends_at_a_rail_and_at_the_board_s_end() -> None:
    assert beams_of_light(".+wW+l1W . .+wE .") == {"ray": "M0-6V78"}
    assert beams_of_light(".+wW+l1W . . .") == {"ray": "M0-6V110"}


def test_beyond_a_slide_rail_a_laser_s_beam_is_dotted() -> None:
    assert beams_of_light(".+wW+l1W .+r2E . .") == {"ray": "M0-6V46", "ray far": "M0 50V110"}


def checkpoints(hull: dict[int, int] | None = None, following: int | None = None) -> dict[str | None, Any]:
    root = ElementTree.fromstring(draw(ship_of(". .+i1 .+i2*3 .+i3"), hull=hull, next_checkpoint=following))
    groups = [group for group in root.iter(f"{SVG}g") if group.get("class", "").startswith("checkpoint ")]
    return {group.get("data-number"): group for group in groups}


def test_the_reader_s_next_checkpoint_is_bright_and_earlier_ones_are_faint() -> None:
    stages = {number: group.get("class") for number, group in checkpoints(following=2).items()}
    assert stages == {"1": "checkpoint done", "2": "checkpoint next", "3": "checkpoint open"}


def test_without_a_reader_all_checkpoints_are_open() -> None:
    assert {group.get("class") for group in checkpoints().values()} == {"checkpoint open"}


@pytest.mark.parametrize(("hull", "left"), [(None, "3"), ({2: 1}, "1"), ({2: 0}, "0"), ({}, "0")])
def test_it_shows_the_remaining_repairs(hull: dict[int, int] | None, left: str) -> None:
    group = checkpoints(hull)["2"]
    uses = [use.get("href", "").split("-", 1)[1] for use in group]
    assert group.get("data-left") == left
    assert ("torn" in uses, f"repairs{left}" in uses) == (left != "0", left != "0")
    assert ("mended" in uses) == (left == "0")


def test_active_elements_can_be_found_by_their_cell() -> None:
    root = ElementTree.fromstring(draw(ship_of(". d24", ".+wN+p13N .+r5E")))
    found = {
        element.get("class"): [element.get(f"data-{key}") for key in ("x", "y", "edge", "phases")]
        for element in root.iter()
        if element.get("data-x")
    }
    assert found == {
        "bay": ["1", "0", None, "24"],
        "arm": ["0", "1", "N", "13"],
        "slide-rail": ["1", "1", "E", "5"],
    }


def test_known_links_of_transporters_are_drawn() -> None:
    ship = ship_of("t:red . t:red")
    here, there = ship.networks["red"]
    assert 'class="links"' not in draw(ship)
    assert 'class="links"' in draw(ship, links={here: there})


def test_the_power_crystal_is_drawn_in_its_cell() -> None:
    ship = ship_of("k .")
    root = ElementTree.fromstring(draw(ship, crystal=ship.cell(1, 0)))
    gem = next(group for group in root.iter(f"{SVG}g") if group.get("class") == "crystal")
    assert (gem.get("data-x"), gem.get("data-y")) == ("1", "0")
    assert 'class="crystal"' not in draw(ship)


def test_rulers_number_columns_and_rows_from_1() -> None:
    svg = draw(ship_of(". ."), rulers=True)
    assert f'd="{writing("1", 16, -9, 6)}{writing("2", 48, -9, 6)}{writing("1", -9, 16, 6)}"' in svg


def test_it_can_write_every_numeral_and_every_letter_of_robots_and_pins() -> None:
    assert set("0123456789ABCDEFGHabcdefghi") <= set(GLYPHS)
    assert len({writing(glyph, 0, 0, 6) for glyph in GLYPHS}) == len(GLYPHS)


def test_it_has_a_description_in_words() -> None:
    svg = draw(ship_of(". .+i1*2", "a .", name="Hull Walker"), next_checkpoint=1)
    assert "Hull Walker</title>" in svg
    assert "2 columns by 2 rows. Checkpoint 1 at column 2, row 1, 2 repairs left, next.</desc>" in svg
    assert "2 columns by 1 row.</desc>" in draw(ship_of(". ."))


def test_light_and_dark_differ_in_all_colours_except_robots_bodies() -> None:
    bodies = {f"robot_{look}" for look in range(1, 9)}
    names = set(palette.LIGHT.__slots__) - bodies
    same = {name for name in names if getattr(palette.LIGHT, name) == getattr(palette.DARK, name)}
    assert same <= {"robot_light"}
