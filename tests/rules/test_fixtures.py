"""The built-in starships are sound, complete, and follow the design principles."""

import json
import tomllib
from dataclasses import replace
from itertools import combinations, combinations_with_replacement, product
from pathlib import Path
from typing import Any

import pytest

import rules
from rules.courses import quarter_turned
from rules.drawing import draw
from rules.elements import Airlock, Cell
from rules.grid import HEADINGS, Pos
from rules.setup import COMMON_ELEMENTS
from rules.survey import reachable

FIXTURES = Path(__file__).parents[2] / "fixtures"
INDEX: list[dict[str, Any]] = tomllib.loads((FIXTURES / "starships.toml").read_text())["starship"]
DOCUMENTS = {
    entry["file"]: json.loads((FIXTURES / "starships" / entry["file"]).read_text()) for entry in INDEX
}
SHIPS = {file: rules.read_starship(document) for file, document in DOCUMENTS.items()}
RULESETS = {entry["file"]: rules.ruleset(entry["ruleset"]) for entry in INDEX}
FLEET = [entry["file"] for entry in INDEX if entry["section"] == "fleet"]


def built_for(*keys: str) -> list[str]:
    return [file for file, ruleset in RULESETS.items() if ruleset.key in keys]


RUNNERS = [SHIPS[file] for file in built_for("robo-runner")]
HALLS = built_for("amigo-1999")

each_ship = pytest.mark.parametrize("file", SHIPS)
each_of_the_fleet = pytest.mark.parametrize("file", FLEET)
each_ruleset = pytest.mark.parametrize("ruleset", rules.RULESETS.values(), ids=lambda ruleset: ruleset.key)


def test_the_index_names_every_file_once() -> None:
    files = [entry["file"] for entry in INDEX]
    assert sorted(files) == sorted(path.name for path in (FIXTURES / "starships").iterdir())
    assert len(set(files)) == len(files)


def test_the_index_names_the_players_of_each_ship() -> None:
    for entry in INDEX:
        least, most = entry["seats"]
        seats = RULESETS[entry["file"]].seats
        assert set(entry) == {"file", "ruleset", "section", "seats"}
        assert entry["section"] in ("missions", "fleet")
        assert seats[0] <= least <= most <= seats[1]


def test_ships_are_grouped_by_ruleset_in_order() -> None:
    order = list(rules.RULESETS)
    places = [order.index(entry["ruleset"]) for entry in INDEX]
    assert places == sorted(places)
    assert set(places) == set(range(len(order)))


def test_training_missions_are_for_one_player_and_come_first() -> None:
    missions = [entry for entry in INDEX if entry["section"] == "missions"]
    names = [DOCUMENTS[entry["file"]]["name"] for entry in missions]
    assert names[:3] == ["Hull Walker", "Inspection Points", "Tractor Beams"]
    assert len(missions) >= 12
    assert INDEX[: len(missions)] == missions
    assert all(entry["seats"] == [1, 1] for entry in missions)


def test_a_ship_for_two_and_one_for_eight_exist() -> None:
    sizes = {(SHIPS[entry["file"]].width, SHIPS[entry["file"]].height): entry["seats"] for entry in INDEX}
    assert sizes[8, 8] == [2, 2]
    assert sizes[20, 20][1] == 8


@each_ship
def test_it_has_neither_errors_nor_warnings(file: str) -> None:
    assert rules.check_starship(DOCUMENTS[file]).problems == ()


@each_ship
def test_it_suits_its_ruleset(file: str) -> None:
    assert rules.reasons_against(RULESETS[file], SHIPS[file]) == []


def test_it_has_room_for_the_players_in_the_index() -> None:
    for entry in INDEX:
        for seats in entry["seats"]:
            rules.make_setup(RULESETS[entry["file"]], {}, SHIPS[entry["file"]], seats)


@each_ship
def test_it_is_in_canonical_form(file: str) -> None:
    assert rules.write_starship(SHIPS[file]) == DOCUMENTS[file]


@each_ship
def test_it_has_name_builder_and_description(file: str) -> None:
    ship = SHIPS[file]
    assert all((ship.name, ship.builder, ship.description))


def test_no_two_ships_have_the_same_name() -> None:
    assert len({ship.name for ship in SHIPS.values()}) == len(SHIPS)


@each_ruleset
def test_together_they_show_the_special_elements_of_their_rulesets(ruleset: rules.Ruleset) -> None:
    used = {element for file in built_for(ruleset.key) for element in elements(SHIPS[file])}
    as_robo_runner = rules.ruleset("robo-runner").elements if ruleset.key.startswith("robo-") else frozenset()
    assert ruleset.elements - as_robo_runner <= used


def test_together_they_use_every_element() -> None:
    used = {element for ship in SHIPS.values() for element in elements(ship)}
    assert used == COMMON_ELEMENTS.union(*(ruleset.elements for ruleset in rules.RULESETS.values()))


def test_ships_of_robo_runner_use_all_its_elements() -> None:
    used = {element for ship in RUNNERS for element in elements(ship)}
    assert used == (COMMON_ELEMENTS - {"start cell"}) | rules.ruleset("robo-runner").elements


def elements(ship: rules.Starship) -> set[str]:
    return {element for cell in ship.cells for element in cell.elements}


def test_ships_of_robo_runner_use_all_kinds_of_elements() -> None:
    ships = RUNNERS
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
    """Return the cells that a shot crosses, up to the first rail or slide rail."""
    cells = []
    while not ship.railed_ever(cell, heading) and ship.inside(cell + ship.steps[heading]):
        cell += ship.steps[heading]
        cells.append(cell)
    return cells


@each_ship
def test_no_checkpoint_is_in_a_corner_of_rails(file: str) -> None:
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
def test_checkpoints_have_no_line_of_fire_between_them(file: str) -> None:
    ship = SHIPS[file]
    for one, other in combinations(ship.checkpoints.values(), 2):
        assert not any(other in in_sight(ship, one, heading) for heading in HEADINGS)


@each_of_the_fleet
def test_each_airlock_has_cover_around_it(file: str) -> None:
    ship = SHIPS[file]
    squads = [airlock for airlocks in ship.squad_airlocks.values() for airlock in airlocks]
    for airlock in [*ship.airlocks, *squads]:
        assert all(len(in_sight(ship, airlock, heading)) <= 5 for heading in HEADINGS)


@each_of_the_fleet
def test_depots_are_spread_out(file: str) -> None:
    ship = SHIPS[file]
    depots: list[Pos] = [ship.pos(cell) for cell in ship.depots]
    assert len(depots) >= 2
    assert all(abs(x1 - x2) + abs(y1 - y2) >= 4 for (x1, y1), (x2, y2) in combinations(depots, 2))


OPEN = {"hull", "repair depot", "airlock", "coloured airlock", "start cell", "grappler", "twister"}


@each_of_the_fleet
def test_most_of_the_deck_is_open_for_bad_hands(file: str) -> None:
    ship = SHIPS[file]
    deck = [cell for cell in ship.cells if cell.floor.element != "space"]
    harmless = [cell for cell in deck if cell.floor.element in OPEN and not cell.crusher]
    assert len(harmless) > 0.55 * len(deck)


@each_ship
def test_its_picture_is_small(file: str) -> None:
    assert len(draw(SHIPS[file], theme="page")) < 60_000


@each_ship
def test_every_habitable_cell_can_be_reached(file: str) -> None:
    ship = SHIPS[file]
    assert reachable(ship, [first_start(ship)]) >= places_to_stand(ship)


def first_start(ship: rules.Starship) -> int:
    """Return a cell where robots start."""
    starts: list[int] = [*ship.airlocks, *ship.starts.values(), *ship.checkpoints.values()]
    return (starts or ship.squad_airlocks["red"])[0]


def places_to_stand(ship: rules.Starship) -> set[int]:
    return {cell for cell, _ in ship.numbered() if ship.falls[0][cell] is None}


@pytest.mark.parametrize("file", built_for("robo-recon"))
def test_both_squads_have_the_same_deck_in_front(file: str) -> None:
    ship = SHIPS[file]
    assert tuple(map(squad_exchanged, quarter_turned(ship, 2).cells)) == ship.cells


def squad_exchanged(cell: Cell) -> Cell:
    if isinstance(cell.floor, Airlock):
        return replace(cell, floor=Airlock({"red": "blue", "blue": "red"}[cell.floor.squad or ""]))
    return cell


@pytest.mark.parametrize("file", built_for("robo-recon"))
def test_the_crystal_arrives_in_different_places(file: str) -> None:
    assert len(SHIPS[file].grapplers) >= 3


@pytest.mark.parametrize("file", built_for("robo-arena"))
def test_the_beams_of_an_arena_lead_away_from_its_airlocks(file: str) -> None:
    ship = SHIPS[file]
    for cell in ship.beams:
        assert from_airlocks(ship, end_of_ride(ship, cell)) > from_airlocks(ship, cell)


def end_of_ride(ship: rules.Starship, cell: int) -> int:
    """Return the cell at the end of a ride on beams."""
    while cell in ship.beams:
        cell += ship.steps[ship.beams[cell].exit]
    return cell


def from_airlocks(ship: rules.Starship, cell: int) -> int:
    """Return the distance to the nearest airlock in cells, ignoring rails."""
    x, y = ship.pos(cell)
    places = [ship.pos(airlock) for airlock in ship.airlocks]
    return min(abs(x - to_x) + abs(y - to_y) for to_x, to_y in places)


@pytest.mark.parametrize("file", built_for("group-11"))
def test_it_has_oil_and_eight_start_cells(file: str) -> None:
    assert "oil" in elements(SHIPS[file])
    assert set(SHIPS[file].starts) == set(range(1, 9))
    assert len(SHIPS[file].checkpoints) in (3, 4)


@pytest.mark.parametrize("file", built_for("websocket"))
def test_it_has_six_start_cells_an_intermediate_checkpoint_and_a_finish(file: str) -> None:
    ship = SHIPS[file]
    assert (ship.width, ship.height) == (12, 12)
    assert set(ship.starts) == set(range(1, 7))
    assert len(ship.checkpoints) == 2


@pytest.mark.parametrize("file", built_for("factory-1999"))
def test_a_factory_has_one_start_cell(file: str) -> None:
    assert len(SHIPS[file].airlocks) == 1


@pytest.mark.parametrize("file", built_for("amigo-1999", "factory-1999"))
def test_edges_of_a_hall_neither_bar_nor_throw_off_robots(file: str) -> None:
    ship = SHIPS[file]
    assert (ship.width, ship.height) == (12, 12)
    for cell, heading in product((number for number, _ in ship.numbered()), HEADINGS):
        if not ship.inside(cell + ship.steps[heading]):
            assert not ship.railed_ever(cell, heading)
            assert ship.falls[0][cell] != "space"
            assert cell not in ship.beams or ship.beams[cell].exit != heading


@pytest.mark.parametrize("pair", list(combinations_with_replacement(HALLS, 2)), ids="+".join)
def test_any_two_halls_can_be_joined_in_every_turn(pair: tuple[str, str]) -> None:
    one, other = (SHIPS[file] for file in pair)
    for turn_of_one, turn_of_other in product(range(4), repeat=2):
        pieces = [rules.Tile(one, (0, 0), turn_of_one), rules.Tile(other, (1, 0), turn_of_other)]
        joined = rules.join(pieces)
        assert rules.check_starship(rules.write_starship(joined)).problems == ()
        assert reachable(joined, [joined.cell(0, 0)]) >= places_to_stand(joined)


def test_four_halls_make_a_course() -> None:
    places = ((0, 0), (1, 0), (0, 1), (1, 1))
    pieces = [
        rules.Tile(SHIPS[file], at, turned)
        for turned, (file, at) in enumerate(zip(HALLS, places, strict=False))
    ]
    course = rules.with_checkpoints(rules.join(pieces), [(1, 1), (22, 4), (12, 22)])
    assert rules.reasons_against(rules.ruleset("amigo-1999"), course) == []
    assert rules.check_starship(rules.write_starship(course)).problems == ()
