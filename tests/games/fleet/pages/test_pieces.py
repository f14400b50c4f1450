"""The editor's script draws ships as the server does, by cell and by layer."""

import json
import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

import rules
from games.fleet.pages.drawings import GROUPS, SEARCH_TERMS, clause_in, editor_addresses, palette
from games.site.rulebooks import chapters_of
from rules.drawing import CELL, MARGIN, draw
from rules.drawing.fragments import LEGEND
from rules.drawing.pieces import MOST_DIGITS, PREFIX, floors, piece_words, pieces, some_phases
from tests.games.reader import ReaderOf

ROOT = Path(__file__).parents[4]
NODE = Path(sys.executable).with_name("node")
SHIPS = 60
LAYERS = ("floors", "checkpoints", "fittings")

Matrix = tuple[float, float, float, float, float, float]
Shape = tuple[str, tuple[tuple[str, str], ...], Matrix]
"""A shape: its tag, its attributes, and its transform as a matrix."""

STILL: Matrix = (1, 0, 0, 1, 0, 0)
QUARTERS = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}


def times(one: Matrix, other: Matrix) -> Matrix:
    a, b, c, d, e, f = one
    g, h, i, j, k, l = other  # noqa: E741
    return a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f


def matrix_of(text: str) -> Matrix:
    """Return an SVG transform as a matrix.

    It may consist of moves, quarter turns and mirrors.
    """
    found = STILL
    for name, values in re.findall(r"(\w+)\(([^)]*)\)", text):
        numbers = [float(value) for value in values.split()]
        if name == "translate":
            found = times(found, (1, 0, 0, 1, numbers[0], numbers[1] if len(numbers) > 1 else 0))
        elif name == "rotate" and numbers[0] in QUARTERS:
            cos, sin = QUARTERS[int(numbers[0])]
            found = times(found, (cos, sin, -sin, cos, 0, 0))
        else:  # by its text, which is the same on both sides
            found = times(found, (1, 0, 0, 1, hash((name, values)) % 1000 * 1e3, 0))
    return found


class Shapes:
    """Lists the shapes of SVG markup in order, and resolves references."""

    def __init__(self, definitions: str) -> None:
        self._named = {each.get("id"): each for each in parsed(definitions).iter() if each.get("id")}

    def of(self, markup: str, at: Matrix = STILL) -> list[Shape]:
        return [shape for each in parsed(markup) for shape in self._of(each, at)]

    def _of(self, element: ElementTree.Element, at: Matrix) -> list[Shape]:
        tag = element.tag.rpartition("}")[2]
        given = {name: value for name, value in element.attrib.items() if not name.startswith("data-")}
        here = times(at, matrix_of(given.pop("transform", "")))
        given.pop("class", None)
        given.pop("id", None)
        if tag == "use":
            here = times(here, (1, 0, 0, 1, float(given.pop("x", 0)), float(given.pop("y", 0))))
            return self._of(self._named[given["href"][1:]], here)
        if tag == "g":
            clip = [("clip", tuple(sorted(given.items())), here)] if given else []
            return clip + [shape for child in element for shape in self._of(child, here)]
        return [(tag, tuple(sorted(given.items())), tuple(round(value, 3) for value in here))]  # type: ignore[list-item]


def parsed(markup: str) -> ElementTree.Element:
    return ElementTree.fromstring(f"<g>{markup}</g>")


def layer(svg: str, name: str) -> str:
    root = ElementTree.fromstring(svg.replace(' xmlns="http://www.w3.org/2000/svg"', ""))
    found = root.find(f"g[@class='{name}']")
    return "" if found is None else "".join(ElementTree.tostring(each, "unicode") for each in found)


def by_cell(shapes: Shapes, markup: str, width: int) -> dict[int, list[Shape]]:
    """Return the shapes of each cell, by the cell's index in reading order."""
    found: dict[int, list[Shape]] = {}
    for each in parsed(markup):
        x, y = each.get("data-x"), each.get("data-y")
        if x is None or y is None:
            at = times(matrix_of(each.get("transform", "")), (1, 0, 0, 1, *place(each)))
            x, y = str(int(at[4] // CELL)), str(int(at[5] // CELL))
        found.setdefault(int(y) * width + int(x), []).extend(shapes._of(each, STILL))
    return found


def place(element: ElementTree.Element) -> tuple[float, float]:
    return float(element.get("x", 0)), float(element.get("y", 0))


def runs(data: str) -> list[str]:
    return sorted(re.findall(r"M[^M]*", data))


def ships(count: int) -> list[rules.Starship]:
    """Return random ships of up to 12 × 12 cells. Together they have every element."""
    return [random_ship(Random(seed)) for seed in range(count)]


def random_ship(chance: Random) -> rules.Starship:
    width, height = chance.randint(1, 12), chance.randint(1, 12)
    kinds, phases = [floor.token for floor in floors()], list(some_phases())
    plain = chance.random()
    cells = [
        [chance.choice(kinds if chance.random() > plain else ".~") for _ in range(width)]
        for _ in range(height)
    ]
    spots = [(x, y) for y in range(height) for x in range(width)]
    for number, (x, y) in enumerate(chance.sample(spots, chance.randint(0, len(spots))), 1):
        cells[y][x] += f"+i{number}" + chance.choice(["", f"*{chance.choice((1, 12, 345, 9999))}"])
    for x, y in chance.sample(spots, len(spots) // 3):
        edges = [edge for edge in "NESW" if chance.random() < 0.4]
        digits = "".join(map(str, chance.choice(phases)))
        cells[y][x] += chance.choice(["", f"+x{digits}"])
        for edge in edges:
            cells[y][x] += chance.choice([f"+w{edge}", f"+r{digits}{edge}", f"+w{edge}+r{digits}{edge}"])
            cells[y][x] += chance.choice(["", f"+c{edge}"])
            cells[y][x] += chance.choice(
                ["", f"+p{edge}", f"+p{digits}{edge}", f"+l{chance.randint(1, 3)}{edge}"]
            )
            cells[y][x] += chance.choice(["", "", f"+l3{edge}" if "+l" not in cells[y][x] else ""])
    return rules.read_starship({"format": "starship/1", "rows": [" ".join(row) for row in cells]})


@pytest.fixture(scope="module")
def drawn() -> list[tuple[rules.Starship, dict[str, Any]]]:
    """Random ships, each with the layers that the script draws."""
    sample = ships(SHIPS)
    asked = {
        "pieces": pieces(),
        "margin": MARGIN,
        "boards": [rules.write_starship(ship)["rows"] for ship in sample],
    }
    program = ROOT / "tests" / "scripts" / "draw_boards.js"
    done = subprocess.run(
        [NODE, program], input=json.dumps(asked), capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return list(zip(sample, json.loads(done.stdout), strict=True))


@pytest.fixture(scope="module")
def symbols() -> Shapes:
    return Shapes(pieces()["symbols"])


def definitions_of(svg: str) -> str:
    found = re.search(r"<defs>.*</defs>", svg)
    return found[0] if found else ""


def test_each_cell_is_drawn_as_the_server_draws_it_layer_by_layer(drawn: Any, symbols: Shapes) -> None:
    compared = 0
    for ship, layers in drawn:
        svg = draw(ship, theme="page", prefix=PREFIX)
        server = Shapes(definitions_of(svg))
        for name in LAYERS:
            expected = by_cell(server, layer(svg, name), ship.width)
            for index, markup in enumerate(layers[name]):
                at: Matrix = (1, 0, 0, 1, index % ship.width * CELL, index // ship.width * CELL)
                assert symbols.of(markup, at) == expected.get(index, []), (name, ship.cells[index].token)
                compared += bool(markup)
    assert compared > 1_500


def test_rails_and_beams_match_the_server(drawn: Any, symbols: Shapes) -> None:
    for ship, layers in drawn:
        svg = draw(ship, theme="page", prefix=PREFIX)
        rails = re.search(rf'<g id="{PREFIX}-rails"><path d="([^"]*)"/>', svg)
        assert runs(layers["rails"]) == runs(rails[1] if rails else "")
        assert symbols.of(layers["rays"]) == symbols.of(layer(svg, "rays"))


def test_the_ground_has_the_same_outline_plates_and_stars(drawn: Any) -> None:
    for ship, layers in drawn:
        svg = draw(ship, theme="page", prefix=PREFIX)
        ground = layers["ground"]
        for name, pattern in {
            "hull": rf'<g id="{PREFIX}-hull"><path d="([^"]*)"',
            "stars": r'<path class="stars"[^>]* d="([^"]*)"',
            "plates": r'<path fill="var\(--ship-hull-other\)" d="([^"]*)"',
            "seams": r'<path stroke="var\(--ship-seam\)" stroke-width=".6" d="([^"]*)"',
            "rivets": r'<path stroke="var\(--ship-seam\)" stroke-width="1.5" d="([^"]*)"',
        }.items():
            found = re.search(pattern, svg)
            assert found
            assert ground[name] == found[1], name


def test_everything_in_a_cell_has_a_piece_and_a_name() -> None:
    drawn, words = pieces(), piece_words()
    plain = {floor.token for floor in floors()} - {".", "~"}
    assert all(drawn["floors"][token] for token in plain)
    assert {token.rstrip("~") for token in drawn["features"]} | {*drawn["floors"]} <= set(words)
    assert all(words.values())
    assert len(drawn["number"]["plates"]) == MOST_DIGITS == len(str(9999))


def test_every_element_can_be_painted_and_its_clauses_are_in_the_rulebook() -> None:
    painted = {brush.name for _, brushes in GROUPS for brush in brushes}
    assert {brush.token[0] for _, brushes in GROUPS for brush in brushes} == set(SEARCH_TERMS)
    forms = {
        "Beam, curve",
        "Beam, intersection",
        "Docking arm with phases",
    }  # drawn with a stroke, or chosen with its phases
    assert painted | forms == set(LEGEND)
    of_element = known()
    for ruleset in rules.RULESETS.values():
        numbers = frozenset().union(*(chapter.numbers for chapter in chapters_of(ruleset)))
        for _, brushes in GROUPS:
            for brush in brushes:
                if ruleset.key in of_element[brush.name]:
                    assert clause_in(brush, ruleset) in numbers, (ruleset.key, brush.name)


def known() -> dict[str, set[str]]:
    """Return the rulesets that know each element, by element."""
    elements = [each for group in palette()["groups"] for each in group["elements"]]
    return {each["name"]: set(each["known"]) for each in elements}


def test_a_ruleset_offers_only_its_own_elements() -> None:
    of_element = known()
    assert of_element["Crusher"] == {"amigo-1999", "factory-1999"}
    assert of_element["Crystal grappler"] == {"robo-recon"}
    assert of_element["Rail"] == set(rules.RULESETS)


def test_browsers_cache_pieces_and_palette_by_etag(db: None, read: ReaderOf) -> None:
    client = read(None).client
    for name, address in editor_addresses().items():
        answer = client.get(address, headers={"Accept-Encoding": "gzip"})
        assert answer["Content-Type"] == "application/json"
        assert "immutable" in answer["Cache-Control"]
        assert len(answer.content) < 25_000
        other = client.get(f"/starships/{name}/?mark=0")
        assert other.status_code == 200
        assert "immutable" not in other.get("Cache-Control", "")
