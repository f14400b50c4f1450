"""Proposed fixes for findings of the wind tunnel."""

import pytest

from rules.elements import Airlock, Start
from rules.sketch import changed
from rules.tunnel.figures import Flight
from rules.tunnel.geometry import corners, lines_of_fire, shelter
from rules.tunnel.remedies import REMEDIES_OF_RUN, Remedy, cures, remedies_of
from rules.tunnel.run import Run, judge
from tests.rules.tunnel.flown import FAIR, flights, run_of


def proposed(run: Run, flown: list[Flight] | None = None) -> list[Remedy]:
    return remedies_of(run, judge(run, flown or flights(run, 200)))


def of_kind(found: list[Remedy], kind: str) -> list[Remedy]:
    return [remedy for remedy in found if remedy.kind == kind]


def fair(**cells: str) -> tuple[str, ...]:
    """Return the ship `FAIR` with other cells. Their names are x and y: ``x8y3``."""
    rows = [row.split() for row in FAIR]
    for name, token in cells.items():
        x, y = map(int, name[1:].split("y"))
        rows[y][x] = token
    return tuple(" ".join(row) for row in rows)


def test_a_fair_ship_needs_no_remedies() -> None:
    assert proposed(run_of()) == []


def test_one_rail_of_a_corner_is_removed_from_either_cell() -> None:
    run = run_of(*fair(x1y4=".+i1+wN", x2y4=".+wW"))
    (remedy,) = of_kind(proposed(run), "corner")
    after = changed(run.setup.starship, remedy.cells)
    assert len(remedy.cells) == 1 and str(remedy.label) == "Remove a rail beside the checkpoint"
    assert corners(after) == {}


def test_a_rail_with_a_fitting_stays() -> None:
    run = run_of(*fair(x1y4=".+i1+wNE+cN"))
    (remedy,) = of_kind(proposed(run), "corner")
    assert remedy.cells == {(1, 4): ".+i1+wN+cN"}
    assert of_kind(proposed(run_of(*fair(x1y4=".+i1+wNE+cN+cE"))), "corner") == []


def test_a_line_of_fire_gets_a_rail() -> None:
    run = run_of(*fair(x5y4=".+i2", x6y1=".", x3y4="."))
    (remedy, *_) = of_kind(proposed(run), "line")
    assert lines_of_fire(changed(run.setup.starship, remedy.cells)) == []


def test_rails_shelter_the_start() -> None:
    rows = [". . . . . . . . ."] * 4
    run = run_of(*rows, "b1:E b1:E b1:E b1:E a b1:E b1:E b1:E .+i1", *rows, players=4)
    (remedy, *_) = of_kind(proposed(run), "shelter")
    after = changed(run.setup.starship, remedy.cells)
    assert shelter(after, run.start_cells)[0] >= 0.25 > shelter(run.setup.starship, run.start_cells)[0]


def test_a_deadly_shaft_gets_a_rail_on_its_busiest_side_or_becomes_hull() -> None:
    run = run_of()
    flown = flights(run, 200, deaths={((3, 2), "shaft"): 1}, entered={(2, 2): 1, (3, 1): 9})
    first, second = of_kind(proposed(run, flown), "deadly")
    assert first.cells == {(3, 2): "o+wN"} and second.cells == {(3, 2): "."}


def test_traps_near_the_start_are_made_safe() -> None:
    run = run_of(*fair(x3y5="o"))
    flown = flights(run, 200, deaths={((3, 5), "shaft"): 1}, near=1)
    (remedy, *_) = of_kind(proposed(run, flown), "airlock")
    assert remedy.cells == {(3, 5): "."}


def test_a_start_behind_moves_nearer() -> None:
    run = run_of(
        "a1 . . .+i1 . . . . . . . . . . . . . . . . . . . . . . . a2",
        *[" ".join(["."] * 28)] * 3,
        key="websocket",
    )
    (remedy, *_) = of_kind(proposed(run), "fairness")
    after = changed(run.setup.starship, remedy.cells)
    assert after.starts[2] != run.setup.starship.starts[2] and after.starts[1] == run.setup.starship.starts[1]
    assert isinstance(after.at(*after.pos(after.starts[2])).floor, Start)


def test_waiting_robots_get_another_airlock() -> None:
    run = run_of()
    (remedy, *_) = of_kind(proposed(run, flights(run, 200, virtual_turns=14)), "waiting")
    after = changed(run.setup.starship, remedy.cells)
    assert sum(isinstance(cell.floor, Airlock) for cell in after.cells) == 2


def test_the_lasers_with_most_hits_are_removed() -> None:
    run = run_of(*fair(x1y0=".+wN+l1N", x6y6=".+wS+l1S"))
    flown = flights(run, 200, burnt={(1, 1): 40, (6, 5): 1})
    (remedy, *_) = of_kind(proposed(run, flown), "fire")
    assert remedy.cells == {(1, 0): ".+wN"}


def test_at_most_four_remedies_cover_every_finding() -> None:
    run = run_of(*fair(x1y4=".+i1+wNE", x3y5="o", x1y0=".+wN+l1N"))
    flown = flights(
        run,
        200,
        deaths={((3, 5), "shaft"): 1},
        near=1,
        burnt={(1, 1): 40},
        virtual_turns=14,
        entered={(2, 5): 1},
    )
    found = proposed(run, flown)
    assert len(found) == REMEDIES_OF_RUN and len({remedy.kind for remedy in found}) >= 3


@pytest.mark.parametrize(
    ("after", "cured"),
    [
        ([], True),
        ([("length", "amber")], True),
        ([("fire", "red")], True),
        ([("length", "red")], False),
        ([("corner", "amber")], False),
    ],
)
def test_a_fix_removes_its_finding_and_adds_no_red_one(after: list[tuple[str, str]], cured: bool) -> None:
    assert cures("corner", [("corner", "red"), ("fire", "red")], after) is cured
