"""The starships that come with the game: sound, complete, and built by the design principles."""

import json
import tomllib
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import rules
from rules.drawing import draw
from rules.grid import HEADINGS, Pos

FIXTURES = Path(__file__).parents[2] / "fixtures"
INDEX: list[dict[str, Any]] = tomllib.loads((FIXTURES / "starships.toml").read_text())["starship"]
DOCUMENTS = {
    entry["file"]: json.loads((FIXTURES / "starships" / entry["file"]).read_text()) for entry in INDEX
}
SHIPS = {file: rules.read_starship(document) for file, document in DOCUMENTS.items()}
FLEET = [entry["file"] for entry in INDEX if entry["section"] == "fleet"]
ROBO_RUNNER = rules.ruleset("robo-runner")

each_ship = pytest.mark.parametrize("file", SHIPS)
each_of_the_fleet = pytest.mark.parametrize("file", FLEET)


def test_the_index_names_every_file_once() -> None:
    files = [entry["file"] for entry in INDEX]
    assert sorted(files) == sorted(path.name for path in (FIXTURES / "starships").iterdir())
    assert len(set(files)) == len(files)


def test_the_index_says_for_whom_each_ship_is() -> None:
    for entry in INDEX:
        least, most = entry["seats"]
        assert set(entry) == {"file", "section", "seats"}
        assert entry["section"] in ("missions", "fleet")
        assert ROBO_RUNNER.seats[0] <= least <= most <= ROBO_RUNNER.seats[1]


def test_there_are_three_training_missions_for_one_and_they_come_first() -> None:
    missions = [entry for entry in INDEX if entry["section"] == "missions"]
    names = [DOCUMENTS[entry["file"]]["name"] for entry in missions]
    assert names == ["Hull Walker", "Inspection Points", "Tractor Beams"]
    assert INDEX[:3] == missions
    assert all(entry["seats"] == [1, 1] for entry in missions)


def test_there_is_a_ship_for_two_and_one_for_eight() -> None:
    sizes = {(SHIPS[entry["file"]].width, SHIPS[entry["file"]].height): entry["seats"] for entry in INDEX}
    assert sizes[8, 8] == [2, 2]
    assert sizes[20, 20][1] == 8


@each_ship
def test_it_has_neither_errors_nor_warnings(file: str) -> None:
    assert rules.check_starship(DOCUMENTS[file]).problems == ()


@each_ship
def test_it_suits_robo_runner(file: str) -> None:
    assert rules.unsuitable(ROBO_RUNNER, SHIPS[file]) == []


@each_ship
def test_it_is_in_canonical_form(file: str) -> None:
    assert rules.write_starship(SHIPS[file]) == DOCUMENTS[file]


@each_ship
def test_it_has_name_builder_and_description(file: str) -> None:
    ship = SHIPS[file]
    assert all((ship.name, ship.builder, ship.description))


def test_no_two_ships_have_the_same_name() -> None:
    assert len({ship.name for ship in SHIPS.values()}) == len(SHIPS)


def test_together_they_use_every_element_of_robo_runner() -> None:
    used = {element for ship in SHIPS.values() for cell in ship.cells for element in cell.elements}
    assert used == rules.ruleset("robo-runner").elements | {
        "hull",
        "space",
        "shaft",
        "beam",
        "twister",
        "rail",
        "slide rail",
        "laser",
        "repair depot",
        "checkpoint",
        "airlock",
    }


def test_together_they_use_every_kind_of_each_element() -> None:
    ships = SHIPS.values()
    beams = {(beam.speed, len(beam.entries)) for ship in ships for beam in ship.beams.values()}
    curves = {beam.speed for ship in ships for beam in ship.beams.values() if not beam.straight}
    members = {network: len(cells) for ship in ships for network, cells in ship.networks.items()}
    slides = {slide.phases for ship in ships for cell in ship.cells for slide in cell.slides}
    assert {(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)} <= beams
    assert curves == {1, 2, 3}
    assert {turn for ship in ships for turn in ship.twisters.values()} == {1, 2, 3}
    assert {strength for ship in ships for strength in ship.depots.values()} == {1, 2, 3}
    assert {emitter.strength for ship in ships for _, emitter in ship.emitters} == {1, 2, 3}
    assert set(members) == {"purple", "red", "blue", "yellow"}
    assert max(len(cells) for ship in ships for cells in ship.networks.values()) > 2
    assert {(2, 4), (1, 5)} <= slides
    assert {len(arm.phases) == 5 for ship in ships for arms in ship.arms.values() for arm in arms} == {
        True,
        False,
    }


def in_sight(ship: rules.Starship, cell: int, heading: int) -> list[int]:
    """Return the cells that a shot from a cell passes, rails and slide rails being in the way."""
    cells = []
    while not ship.railed_ever(cell, heading) and ship.inside(cell + ship.steps[heading]):
        cell += ship.steps[heading]
        cells.append(cell)
    return cells


@each_ship
def test_no_checkpoint_stands_in_a_corner_of_rails(file: str) -> None:
    ship = SHIPS[file]
    for cell in ship.checkpoints.values():
        railed = [ship.railed_ever(cell, heading) for heading in HEADINGS]
        assert not any(railed[heading] and railed[heading - 1] for heading in HEADINGS)


@each_ship
def test_several_ways_lead_to_each_checkpoint(file: str) -> None:
    ship = SHIPS[file]
    for number, cell in ship.checkpoints.items():
        ways = [
            heading
            for heading in HEADINGS
            if not ship.railed_ever(cell, heading) and ship.falls[0][cell + ship.steps[heading]] is None
        ]
        assert len(ways) >= 2, number


@each_ship
def test_there_is_no_line_of_fire_between_checkpoints(file: str) -> None:
    ship = SHIPS[file]
    for one, other in combinations(ship.checkpoints.values(), 2):
        assert not any(other in in_sight(ship, one, heading) for heading in HEADINGS)


@each_of_the_fleet
def test_there_is_cover_round_each_airlock(file: str) -> None:
    ship = SHIPS[file]
    for airlock in ship.airlocks:
        assert all(len(in_sight(ship, airlock, heading)) <= 5 for heading in HEADINGS)


@each_of_the_fleet
def test_depots_are_spread_out(file: str) -> None:
    ship = SHIPS[file]
    depots: list[Pos] = [ship.pos(cell) for cell in ship.depots]
    assert len(depots) >= 2
    assert all(abs(x1 - x2) + abs(y1 - y2) >= 4 for (x1, y1), (x2, y2) in combinations(depots, 2))


@each_of_the_fleet
def test_most_of_the_deck_is_open_for_bad_hands(file: str) -> None:
    ship = SHIPS[file]
    deck = [cell for cell in ship.cells if cell.floor.element != "space"]
    harmless = [cell for cell in deck if cell.floor.element in ("hull", "repair depot", "airlock", "twister")]
    assert len(harmless) > 0.55 * len(deck)


@each_ship
def test_its_picture_is_small(file: str) -> None:
    assert len(draw(SHIPS[file], theme="page")) < 60_000
