"""Runs of flights: in any order, and ended early when the verdict is certain."""

import os
import signal
from collections.abc import Sequence
from random import Random

import pytest

import rules
from rules.tunnel import run as pool
from rules.tunnel.figures import Flight
from rules.tunnel.flying import fly, judged_after
from rules.tunnel.report import report_of
from rules.tunnel.run import RISK, Flyer, LostFlights, Run, fly_until_sure, judge, risk_at
from tests.rules.tunnel.flown import FAIR, flight, run_of

WALLED = (*FAIR[:4], FAIR[4].replace(".+i1", ".+i1+wNESW"), *FAIR[5:])


@pytest.mark.parametrize("seed", range(3))
def test_flights_in_any_order_give_the_same_report(seed: int) -> None:
    run = run_of(flights=12)
    flown = [fly(run.setup, run.players, run.seed, number) for number in range(12)]
    shuffled = Random(seed).sample(flown, len(flown))
    assert report_of(run, judge(run, shuffled)) == report_of(run, judge(run, flown))


def test_processes_fly_the_same_flights() -> None:
    run = run_of(flights=6, seed="a text")
    told: list[int] = []
    with Flyer(run, 2, told.append) as flyer:
        flown = flyer(range(6))
    assert flown == [fly(run.setup, run.players, run.seed, number) for number in range(6)]
    assert told == [1, 2, 3, 4, 5, 6]


def test_processes_fly_by_the_same_options_house_rules_and_version() -> None:
    usual = run_of(flights=3)
    earlier = rules.ruleset("robo-runner", 1)
    house_rule = next(each for each in earlier.house_rules if each.yes_or_no)
    house_rules = {house_rule.key: not house_rule.default}
    setup = rules.make_setup(earlier, {"lives": 1}, usual.setup.starship, 2, house_rules)
    run = Run(setup, 2, flights=3)
    with Flyer(run, 2) as flyer:
        assert flyer(range(3)) == [fly(setup, 2, run.seed, number) for number in range(3)]


def test_flights_of_a_killed_process_are_repeated() -> None:
    run = run_of(flights=8)
    killed = []

    def kill(flown: int) -> None:
        if not killed:
            killed.append(flown)
            assert flyer._pool is not None
            for process in list(flyer._pool._processes.values()):
                os.kill(process.pid, signal.SIGKILL)

    with Flyer(run, 2, kill) as flyer:
        flown = flyer(range(8))
    assert killed
    assert flown == [fly(run.setup, run.players, run.seed, number) for number in range(8)]


def test_repeatedly_killed_processes_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_fly_part", _die)
    with Flyer(run_of(flights=2), 1 + 1) as flyer, pytest.raises(LostFlights, match="2 flights are missing"):
        flyer(range(2))


def _die(part: pool.Part) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("flights", [1, 40, 60, 100, 200, 1000])
def test_all_looks_at_a_run_together_have_the_agreed_risk(flights: int) -> None:
    run = run_of(flights=flights)
    assert sum(risk_at(run, look) for look in judged_after(flights)) == pytest.approx(RISK)
    assert risk_at(run, 1) == risk_at(run, judged_after(flights)[0])


def flown_by(rows: Sequence[str] = (), **keys: object) -> tuple[list[int], str, bool]:
    """Fly a run.

    Return the numbers of flights in each batch, the verdict's colour, and whether it is final.
    """
    run = run_of(*rows)
    asked: list[int] = []

    def fly_all(numbers: Sequence[int]) -> list[Flight]:
        asked.append(len(numbers))
        return [
            flight(
                run,
                number,
                **{key: value(number) if callable(value) else value for key, value in keys.items()},
            )
            for number in numbers
        ]

    verdict = fly_until_sure(run, fly_all)
    return asked, verdict.colour, verdict.final


def test_a_run_stops_as_soon_as_it_is_red() -> None:
    assert flown_by(WALLED) == ([40], "red", True)


def test_a_green_run_stops_after_a_hundred_flights_and_not_before() -> None:
    assert flown_by() == ([40, 60], "green", True)


def test_an_uncertain_run_flies_all_its_flights() -> None:
    assert flown_by(over=lambda number: number % 15 > 0) == ([40, 60, 100], "amber", True)


def test_a_run_of_few_flights_ends_with_them() -> None:
    run = run_of(flights=5)
    assert not judge(run, [flight(run, number) for number in range(4)]).final
    assert judge(run, [flight(run, number) for number in range(5)]).final


def test_robots_start_in_the_cells_of_their_ruleset() -> None:
    run = run_of("a:red . k . a:blue", ". . . . a:blue", key="robo-recon", players=4)
    ship = run.setup.starship
    assert [ship.pos(cell) for cell in run.start_cells] == [(0, 0), (4, 0), (4, 1)]
