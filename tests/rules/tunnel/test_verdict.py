"""Verdicts of the wind tunnel: findings for figures that exceed their limits."""

from collections.abc import Callable
from typing import Any

import pytest

from rules.language import Words, told
from rules.tunnel import findings
from rules.tunnel.figures import Flight, Leg
from rules.tunnel.findings import AMBER, GREEN, LIMITS, RED
from rules.tunnel.flying import level_of
from rules.tunnel.run import MAX_FINDINGS, Run, judge
from tests.rules.tunnel.flown import FAIR, flight, flights, run_of

STARTS = ("a1 . . .+wN . .+i1", ". . .+wE . . .", "a2 . o . . .+i2", ". . . .+wN . .")


def kinds(run: Run, flown: list[Flight], severity: str = RED) -> list[str]:
    return [finding.kind for finding in judge(run, flown).findings if finding.severity == severity]


def test_a_ship_without_findings_is_green() -> None:
    run = run_of()
    verdict = judge(run, flights(run))
    assert (verdict.colour, verdict.findings) == (GREEN, ())
    assert verdict.final


def deadly(number: int) -> dict[Any, int]:
    return {((3, 3), "damage"): 2, ((6, 3), "damage"): 1}


def near(number: int) -> int:
    return int(level_of(number) == "rookie")


MANY_TURNS = LIMITS["robo-runner"].length_of(run_of().setup.starship)[1] + 3
MUCH_DAMAGE = round(LIMITS["robo-runner"].fire * flight(run_of(), 1).robot_turns / 100) + 5

BAD: dict[str, dict[str, Any]] = {
    "unfinished": {"over": lambda number: number % 5 > 0},
    "length": {"turns": lambda number: MANY_TURNS + number % 3},
    "half_time": {"half_time": lambda number: number % 100 > 0},
    "last_turn": {"last_turn": lambda number: number % 5 == 0},
    "deadly": {"deaths": deadly},
    "airlock": {"near": near, "deaths": lambda number: {((1 + number // 20 % 5, 5), "shaft"): near(number)}},
    "waiting": {"virtual_turns": lambda number: 9 + number % 3},
    "fire": {"burnt": lambda number: {(2, 2): MUCH_DAMAGE + number % 3, (5, 5): 1}},
    "leg": {"legs": lambda number: {1: Leg(2, 20, 8.0), 2: Leg(2, 130 + number % 9, 8.0)}},
    "unused": {"entered": {(3, 6): 5}},
}
"""Results of flights that show each kind of finding."""

WHERE = {"deadly": (3, 3), "airlock": (2, 5), "fire": (2, 2), "leg": (6, 1), "unused": (1, 0)}
"""The first cell that each kind of finding names."""


@pytest.mark.parametrize("kind", BAD)
def test_a_figure_certainly_past_its_limit_is_red(kind: str) -> None:
    run = run_of()
    (finding,) = judge(run, flights(run, **BAD[kind])).findings
    assert (finding.kind, finding.severity) == (kind, RED)
    assert finding.cells[:1] == ((WHERE[kind],) if kind in WHERE else ())
    assert finding.limit is not None and finding.interval is not None
    assert finding.interval[0] <= finding.value <= finding.interval[1]
    assert all(map(str.strip, (finding.message, finding.advice, finding.certainty)))


@pytest.mark.parametrize("kind", ["length", "airlock", "waiting", "fire", "leg"])
def test_a_finding_of_few_flights_is_amber(kind: str) -> None:
    """The figure exceeds its limit, but fewer than ten flights give no certainty."""
    run = run_of()
    (finding,) = judge(run, flights(run, 6, **BAD[kind])).findings
    assert (finding.kind, finding.severity) == (kind, AMBER)
    assert finding.certainty == "Not sure: only 6 flights."


def test_a_figure_possibly_past_its_limit_by_chance_is_amber() -> None:
    run = run_of()
    (finding,) = judge(run, flights(run, over=lambda number: number % 15 > 0)).findings
    assert (finding.kind, finding.severity) == ("unfinished", AMBER)
    assert finding.certainty == "Not sure yet: between 3 % and 14 %, after 200 flights."


def test_a_game_can_be_too_short() -> None:
    run = run_of()
    (finding,) = judge(run, flights(run, turns=1)).findings
    assert (finding.kind, finding.severity, finding.value) == ("length", RED, 1)
    assert "farther" in finding.advice


def test_without_a_race_no_checkpoint_has_to_move() -> None:
    run = run_of("a . . . . a", *[". . b1:E b1:E . ."] * 5, key="robo-arena")
    for turns, word in ((1, "apart"), (100, "together")):
        (finding,) = judge(run, flights(run, turns=turns)).findings
        assert (finding.kind, finding.severity) == ("length", RED)
        assert word in finding.advice


def test_few_deaths_make_no_cell_deadly_and_few_flights_no_cell_unused() -> None:
    run = run_of()
    once = flights(run, deaths=lambda number: {((3, 3), "damage"): int(number < findings.FEWEST_DEATHS - 1)})
    assert kinds(run, once) == []
    assert kinds(run, flights(run, findings.UNUSED_FLIGHTS - 1, **BAD["unused"])) == []


BOARDS: dict[str, tuple[tuple[str, ...], tuple[int, int] | None]] = {
    "corner": ((*FAIR[:4], FAIR[4].replace(".+i1", ".+i1+wSW"), *FAIR[5:]), (1, 4)),
    "line": ((FAIR[0], FAIR[1].replace(".+i2", "."), *FAIR[2:4], ". .+i1 . . . . .+i2 .", *FAIR[5:]), None),
    "elements": ((". " * 9, ". " * 9, "a . . . .+i1 . . . .+wE", ". .+i2 . . . . . . ."), None),
    "shelter": (
        (
            "o . o . o . o . o . o .",
            *["b1:E . . . . . . . . . . ."] * 5,
            ". . . . . . a . . . . .",
            "b1:E . .+i1 . . . . . . . . .",
            "b1:E . . . . . . . . . . .+i2",
            *["b1:E b1:E . . . . . . . . . ."] * 4,
        ),
        (6, 4),
    ),
}
"""Boards with one fault each, and the first cell that its finding names, if any."""


@pytest.mark.parametrize("kind", BOARDS)
def test_a_fault_of_the_board_is_amber_until_flights_confirm_it(kind: str) -> None:
    rows, at = BOARDS[kind]
    run = run_of(*rows)
    found = {finding.kind: finding for finding in judge(run, flights(run)).findings}
    assert found[kind].severity == AMBER
    assert found[kind].certainty == "Certain: the board shows it."
    if at:
        assert found[kind].cells[0] == at


def placed(chances: Callable[[int], bool]) -> Callable[[int], tuple[float, float]]:
    """Return a function that gives two robots' places in a flight, from the flight's number.

    The second robot loses if ``chances(number)`` is true.
    """
    return lambda number: (1.0, 2.0) if chances(number) else (2.0, 1.0)


@pytest.mark.parametrize(("loses", "severity"), [(19, RED), (14, AMBER), (13, AMBER), (10, None)])
def test_a_start_that_loses_more_than_its_share_is_unfair(loses: int, severity: str | None) -> None:
    run = run_of(*STARTS, key="websocket")
    flown = flights(run, places=placed(lambda number: number % 20 < loses))
    verdict = judge(run, flown)
    found = [(finding.kind, finding.severity) for finding in verdict.findings if finding.kind == "fairness"]
    assert found == ([("fairness", severity)] if severity else [])
    if severity == RED:
        (finding,) = [finding for finding in verdict.findings if finding.kind == "fairness"]
        assert finding.cells in (((0, 0),), ((0, 2),))
        assert "flights by Pilots" in finding.certainty


def test_a_start_a_turn_behind_is_unfair_despite_the_flights() -> None:
    maze = ("a1 . .+i1 .+wE a2+wNEW", ". .+wN . .+wE .+wEW", ". . . .+wE .+wEW", ".+i2 . . .+wE .+wEW")
    maze += (". .+wS . .+wE .+wEW", ". . . .+wE .+wEW", ". . . .+wE .+wEW", ". o . .+wE .+wEW")
    maze += (". . . .+wE .+wEW", ". . . .+wE .+wEW", ". . b1:E . .")
    run = run_of(*maze, key="websocket")
    found = {finding.kind: finding for finding in judge(run, flights(run)).findings}
    assert found["fairness"].cells == ((4, 0),)
    assert "phases farther" in found["fairness"].message


def test_at_most_four_findings_are_reported_from_the_worst() -> None:
    run = run_of()
    bad = {
        key: value
        for kind in ("unfinished", "half_time", "last_turn", "waiting", "fire", "deadly")
        for key, value in BAD[kind].items()
    }
    found = judge(run, flights(run, **bad)).findings
    assert len(found) == MAX_FINDINGS
    assert [finding.severity for finding in found] == [RED] * MAX_FINDINGS
    assert [finding.excess for finding in found] == sorted(
        (finding.excess for finding in found), reverse=True
    )


def test_failed_flights_are_reported_first_with_number_and_seed() -> None:
    run = run_of()
    flown = flights(run)
    flown[3] = Flight(3, "pilot", "abc", turns=7, failure="ComputerError: no way")
    verdict = judge(run, flown)
    assert verdict.colour == RED
    assert verdict.findings[0].kind == "failed"
    assert (
        verdict.findings[0].message
        == "1 of 200 flights failed. The first was flight 3, in turn 7: ComputerError: no way"
    )
    assert "abc" in verdict.findings[0].advice
    assert verdict.figures.flights == 199


def test_only_the_failure_is_reported_if_all_flights_failed() -> None:
    run = run_of()
    flown = [Flight(number, "pilot", "abc", failure="ComputerError: no way") for number in range(40)]
    assert [finding.kind for finding in judge(run, flown).findings] == ["failed"]


def test_findings_are_in_the_language_of_the_reader() -> None:
    run = run_of()
    (finding,) = judge(run, flights(run, **BAD["half_time"])).findings
    other = Words(
        gettext=lambda form: form.replace("half-time leader", "Halbzeitführer").replace("Add a", "Noch ein")
    )
    assert told(finding.message, other).startswith("The Halbzeitführer loses only 1 %")
    assert told(finding.advice, other).startswith("Noch ein second way")
