"""The search for the best starship always finds the same ship."""

from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import pytest

from rules.design.proposal import faults
from rules.design.search import Hangar, Search, Trial, design, quick_flights
from rules.tunnel import run
from rules.tunnel.figures import Flight
from rules.tunnel.flying import level_of
from rules.tunnel.run import LostFlights
from tests.rules.design.ordered import brief_of
from tests.rules.tunnel.flown import FAIR, ship_of

SMALL = brief_of("ring", size=(8, 8), players=2)


def test_the_same_seed_designs_the_same_ship_with_any_number_of_processes(fewer_flights: None) -> None:
    one = design(SMALL, 7, candidates=2, flights=2)
    other = design(SMALL, 7, candidates=2, flights=2, processes=2)
    assert one.genome == other.genome
    assert one.verdict == other.verdict
    assert one.flown == other.flown >= 6


def test_the_chosen_ship_has_no_faults(fewer_flights: None) -> None:
    found = design(SMALL, "any text", candidates=3, flights=2)
    assert not list(faults(found.genome, SMALL))
    assert found.run.setup.starship.cells == found.genome.starship().cells


def test_aces_fly_only_in_the_last_run() -> None:
    numbers = [*quick_flights(12), *quick_flights(40, after=12)]
    assert len(set(numbers)) == 52
    assert {level_of(number) for number in numbers} == {"pilot", "rookie"}


class Broken:
    """A pool of processes that have died."""

    def submit(self, *_: Any) -> None:
        raise BrokenProcessPool

    def shutdown(self, **_: Any) -> None:
        pass


def test_lost_flights_of_killed_processes_are_repeated() -> None:
    ship = ship_of(*FAIR)
    trial = Trial(ship, 1, (0, 1))
    with Hangar(SMALL, 2) as hangar, Hangar(SMALL, 1) as alone:
        hangar._pool = Broken()  # type: ignore[assignment]
        assert hangar.fly([trial]) == alone.fly([trial])


def test_repeatedly_killed_processes_are_reported(monkeypatch: Any) -> None:
    monkeypatch.setattr(run, "ProcessPoolExecutor", lambda *_, **__: Broken())
    with Hangar(SMALL, 2) as hangar, pytest.raises(LostFlights, match="killed 3 times"):
        hangar.fly([Trial(ship_of(*FAIR), 1, (0,))])


class Pretended(Hangar):
    """A stand-in for `Hangar` that invents flights. The hull of a ship determines their number of turns."""

    def fly(self, trials: Sequence[Trial]) -> list[list[Flight]]:
        return [[self.flight(trial, number) for number in trial.numbers] for trial in trials]

    def flight(self, trial: Trial, number: int) -> Flight:
        turns = 3 + sum(cell.floor.token == "." for cell in trial.ship.cells) % 5
        return Flight(number, "pilot", "", turns, over=True, half_time=number % 2 == 0, last_turn=True)


def test_the_best_of_every_niche_is_kept() -> None:
    tried = Search(brief_of(size=(10, 10)), 3, Pretended(brief_of()))
    tried.step(4)
    tried.step(4)
    assert len(tried.seen) == 8
    for candidate in tried.seen:
        best = tried.best[candidate.niche]
        assert best.fitness <= candidate.fitness


def test_new_ships_are_changed_from_the_best() -> None:
    tried = Search(brief_of("ring"), 3, Pretended(brief_of()))
    tried.step(2)
    tried.step(4)
    parents = {each.genome.hull for each in tried.seen[:2]}
    assert any(each.genome.hull in parents for each in tried.seen[2:] if each.number % 2)


def test_progress_is_reported(fewer_flights: None) -> None:
    told: list[str] = []
    design(SMALL, 1, candidates=1, flights=1, progress=told.append)
    assert told == ["1 of 1 ships flown", "last run of ship 1"]
