"""Tips that explain each cell, with the texts of the legend for the game's rules."""

import json
import re
from html import unescape

import pytest
from django.template import Context, Template
from django.template.loader import render_to_string

import rules
from games.fleet.pictures import legend_of
from games.play.pages.crew import CHIPS, PIECES, board_tips

SHIP = rules.read_starship({"format": "starship/1", "rows": ["a . o", ".+i1 b1:NE .+x15", "g+ h1 ."]})


def tips_at(document: dict[str, object], x: int, y: int) -> list[list[str]]:
    cells, parts = document["cells"], document["parts"]
    assert isinstance(cells, list)
    assert isinstance(parts, list)
    return [parts[number] for number in cells[y * 3 + x]]


def test_plain_hull_has_no_tip() -> None:
    document = board_tips(SHIP)
    assert tips_at(document, 1, 0) == tips_at(document, 2, 2) == []
    assert len(document["cells"]) == 9


def test_a_tip_names_elements_and_their_effects() -> None:
    assert tips_at(board_tips(SHIP), 2, 0) == [["Cooling shaft", "A robot that enters it is destroyed."]]
    curve = (
        "Pulls a robot one cell along in each phase, after the chips are executed. "
        "Turns a robot while pulling it around the curve."
    )
    assert tips_at(board_tips(SHIP), 1, 1) == [["Beam of speed 1, from north to east", curve]]


@pytest.mark.parametrize("key", rules.RULESETS)
def test_its_meanings_equal_the_legend_in_every_ruleset(key: str) -> None:
    ruleset = rules.ruleset(key)
    meanings = re.findall(r'<span class="quiet">(.+?)</span>', unescape(legend_of(SHIP, ruleset)))
    told = " ".join(meaning for _, meaning in board_tips(SHIP, ruleset)["parts"])
    assert meanings
    assert all(meaning in told for meaning in meanings)


def test_the_page_contains_it_as_json() -> None:
    page = Template("{% load pictures %}{% board_tips ship %}").render(Context({"ship": SHIP}))
    document = page.removeprefix('<script id="board-tips" type="application/json">').removesuffix("</script>")
    assert json.loads(document) == board_tips(SHIP)


def test_it_is_small() -> None:
    busy = ["b2:NWE", "d24", ".+wN+p135N", "t:red", ".+wW+l1W", "h2"]
    rows = [" ".join(busy[(x + 2 * y) % 6] for x in range(12)) for y in range(12)]
    ship = rules.read_starship({"format": "starship/1", "rows": rows})
    assert len(json.dumps(board_tips(ship))) < 10_000


@pytest.mark.parametrize("kind", sorted({chip.kind for chip in rules.DECK}))
def test_every_chip_has_a_description(kind: str) -> None:
    chip = render_to_string("components/chip.html", {"kind": kind, "number": 100})
    assert f'data-tip="{CHIPS[kind]}"' in chip


def test_a_locked_chip_says_that_it_cannot_be_removed() -> None:
    chip = render_to_string("components/chip.html", {"kind": "1", "number": "", "locked": True})
    assert f'data-tip="{CHIPS["1"]} {PIECES["welded"]}"' in chip


def test_a_meter_names_its_quantity() -> None:
    meter = render_to_string("components/meter.html", {"left": 7, "of": 10, "name": "health"})
    assert f'data-tip="{PIECES["health"]}"' in meter


def test_self_explanatory_elements_have_no_tip() -> None:
    assert "data-tip" not in render_to_string("components/meter.html", {"left": 7, "of": 10})
