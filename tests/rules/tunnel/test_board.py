"""Findings of the wind tunnel that need no flights. They are red only if the fault is beyond doubt."""

from time import process_time

import pytest

import rules
from rules.tunnel.findings import AMBER, LIMITS, RED
from rules.tunnel.outlook import MAX_CELLS, board_findings, outlook_of
from rules.tunnel.run import findings_without_flights, judge
from tests.rules.tunnel.flown import FAIR, flights, run_of, ship_of

SOUND = (
    ". . . .+wS . . . . . .",
    ". .+i2 . g+ . .+wE . o . .",
    ". . . . . . . . .+wN .",
    ". .+wE . b1:SE b1:E b1:E b1:WS . .+i1 .",
    "a .+wE . b1:N . . b1:S .+wS . .",
    ".+wS . . b1:N . o b1:S . . .",
    ". .+wE . b1:EN b1:W b1:W b1:NW . . .+wN",
    ". . . . .+wN . .+i3 . .+wN .",
    ". . o . . . .+wE . . g-",
    "h1 . . . . .+wN . . .+wW .",
)
"""A ship without findings."""


def changed(**cells: str) -> tuple[str, ...]:
    """Return the ship `SOUND` with other cells. Their names are x and y: ``x8y3``."""
    rows = [row.split() for row in SOUND]
    for name, token in cells.items():
        x, y = map(int, name[1:].split("y"))
        rows[y][x] = token
    return tuple(" ".join(row) for row in rows)


POT = changed(
    x0y8=".+wNW",
    x1y8=".+wNE",
    x0y9=".+wWS",
    x1y9=".+wS",
    x2y9="b3:W+wNS",
    x3y9="b3:W+wNS",
    x4y9="b3:W+wNS",
    x5y9="b3:W+wNS",
)
POT_WITH_A_SHAFT = tuple(row.replace(".+wNW", "o+wNW") for row in POT)
DECK = (
    *SOUND[:7],
    ". .+wNW .+wN .+wN .+wN .+wN .+wN .+wNE .+wN .",
    ". .+wW o . .+wN . . .+wE .+i3 g-",
    "h1 .+wWS .+wS .+wS .+wS .+wS .+wS .+wSE .+wW .",
)
FIELD = (". " * 10, ". " * 10, ". " * 10, *SOUND[3:])
FIELD = (*FIELD[:1], ". . . . . . . . . .+i2", *FIELD[2:])

BROKEN: dict[str, tuple[tuple[str, ...], str, str]] = {
    "a checkpoint that no robot can reach": (changed(x8y3=".+i1+wNESW"), "way", RED),
    "a checkpoint that no robot can stay on": (changed(x6y7="b1:E+i3"), "slippery", RED),
    "a room without a way out": (POT, "room", RED),
    "a room that robots leave only destroyed": (POT_WITH_A_SHAFT, "room", AMBER),
    "cells that no robot can come to": (DECK, "unreachable", AMBER),
    "checkpoints side by side": (changed(x6y7=".", x8y4=".+i3+wN"), "close", AMBER),
    "checkpoints two steps apart": (changed(x6y7=".", x9y4=".+i3"), "close", AMBER),
    "beams that lead back into the start": (changed(x0y3="b1:S", x0y2="b1:S"), "back", AMBER),
    "a start under double lasers": (changed(x0y0=".+wN+l2N"), "start_fire", AMBER),
    "an empty field": (FIELD, "field", AMBER),
    "a checkpoint in a corner": (changed(x8y3=".+i1+wNE"), "corner", AMBER),
}
"""Ships with one fault each: rows, kind of finding, and severity."""


def findings(rows: tuple[str, ...], key: str = "robo-runner", players: int = 2) -> dict[str, str]:
    """Return the highest severity of each kind of finding on a board."""
    ship = ship_of(*rows)
    outlook = outlook_of(ship, rules.ruleset(key), players)
    found = board_findings(ship, outlook, LIMITS[key])
    kinds: dict[str, str] = {}
    for each in found:
        if kinds.get(each.kind) != RED:
            kinds[each.kind] = each.severity
    return kinds


def test_a_sound_ship_has_no_findings() -> None:
    assert findings(SOUND) == findings(FAIR) == {}


@pytest.mark.parametrize("fault", BROKEN)
def test_it_finds_each_fault(fault: str) -> None:
    rows, kind, severity = BROKEN[fault]
    assert findings(rows)[kind] == severity


@pytest.mark.parametrize("fault", BROKEN)
def test_the_verdict_of_a_broken_ship_is_never_green(fault: str) -> None:
    rows, kind, severity = BROKEN[fault]
    run = run_of(*rows)
    verdict = judge(run, flights(run))
    assert verdict.colour == severity
    (finding, *_) = [each for each in verdict.findings if each.kind == kind]
    assert finding.cells and str(finding.message) and str(finding.advice)


def test_a_robot_may_be_carried_onto_a_checkpoint() -> None:
    assert findings(changed(x6y7="b1:E+i3", x5y7="b1:E")) == {}


def test_a_rail_holds_a_robot_on_a_beam() -> None:
    assert "slippery" not in findings(changed(x6y7="b1:E+i3+wE"))


def test_a_checkpoint_that_counts_when_passed_may_be_on_a_beam() -> None:
    rows = (". . . . .", "b1:E+i2 . . . .", ". . . . .+i1", ". . . . .")
    assert "slippery" not in findings(rows, key="amigo-1999")


ONE_WAY = ("a b3:E b3:E b3:E .+i1", ". .+wN .+wN .+wN .+wN+wE", ".+i2 . . . .")
"""A ship where robots get from checkpoint 1 to 2 only after they return to the start."""


def test_a_leg_is_amber_if_destroyed_robots_continue_from_their_start() -> None:
    assert findings(ONE_WAY)["way"] == AMBER


def test_a_leg_without_a_way_is_red_if_destroyed_robots_return_to_their_checkpoint() -> None:
    ship = ship_of(". .+wE .", "a1 .+i1+wE .+i2", "a2 .+wE .")
    outlook = outlook_of(ship, rules.ruleset("websocket"), 2)
    found = board_findings(ship, outlook, LIMITS["websocket"])
    assert {(each.kind, each.severity) for each in found if each.kind == "way"} == {("way", RED)}


def test_ways_may_use_transporters() -> None:
    rows = ("a . t:red .+wE . t:red .", ". . . .+wE . . .+i1")
    assert "way" not in findings(rows)
    assert findings(tuple(row.replace("t:red", ".") for row in rows))["way"] == RED


def test_each_kind_of_finding_comes_before_a_second_one_of_its_kind() -> None:
    rows = changed(x8y4=".+i3+wN", x6y7=".", x7y4=".+i4", x0y0=".+wN+l2N")
    kinds = [each.kind for each in judge(run_of(*rows), []).findings]
    assert kinds[:3] == ["close", "line", "start_fire"]


def test_only_the_wind_tunnel_searches_ways_on_a_large_ship() -> None:
    rows = (*changed(x8y3=".+i1+wNESW"), *[" ".join("." * 10)] * (MAX_CELLS // 10 - 19))
    rows = tuple(row + " . ." for row in rows)
    assert "way" not in findings(rows)
    assert "way" in {each.kind for each in judge(run_of(*rows), []).findings}


def test_the_time_of_an_outlook_is_proportional_to_the_cells() -> None:
    def seconds(side: int) -> float:
        rows = [
            " ".join(["b1:S+i1" if not x + y else "a" if x + y == 1 and x else "." for x in range(side)])
            for y in range(side)
        ]
        ship, began = ship_of(*rows), process_time()
        outlook_of(ship, rules.ruleset("robo-runner"), 4)
        return process_time() - began

    assert seconds(100) < 12 * seconds(50) + 0.2


def test_a_start_that_is_far_behind_is_found_without_a_flight() -> None:
    ruleset = rules.ruleset("websocket")
    for steps, expected in ((2, []), (40, ["fairness"])):
        row = " ".join(["a1", ".", ".+i1", *["."] * steps, "a2"])
        ship = ship_of(row)
        found = findings_without_flights(ship, outlook_of(ship, ruleset, 2), LIMITS["websocket"])
        assert [each.kind for each in found if each.kind == "fairness"] == expected
