"""An interrupted search for a starship continues, and finds the same ship."""

import json
from collections.abc import Callable
from contextlib import contextmanager
from typing import Any

import pytest

from rules.design.genome import genome_from_json, genome_to_json
from rules.design.search import SEARCH_FORMAT, Logbook, SearchProgress, continue_search, design
from rules.design.themes import THEMES
from tests.rules.design.ordered import brief_of, proposed

pytestmark = pytest.mark.usefixtures("fewer_flights")

SMALL = brief_of("ring", size=(8, 8), players=2)


def times(most: int) -> Callable[[Logbook], bool]:
    """Return a condition that is true ``most`` times, to interrupt a search."""
    left = [most]

    def may_continue(_: Logbook) -> bool:
        left[0] -= 1
        return left[0] >= 0

    return may_continue


def piece(record: Any, most: int, seed: str = "7", **more: Any) -> SearchProgress:
    done = continue_search(
        SMALL, seed, record=record, may_continue=times(most), **{"candidates": 3, "flights": 4, **more}
    )
    return SearchProgress(json.loads(json.dumps(done.record)), done.ships, done.last_flights, done.found)


@pytest.mark.parametrize("theme", THEMES)
def test_a_stored_genome_is_the_same(theme: str) -> None:
    genome = proposed(brief_of(theme))
    assert genome_from_json(json.loads(json.dumps(genome_to_json(genome)))) == genome


def test_an_interrupted_search_finds_the_same_ship() -> None:
    whole = design(SMALL, "7", candidates=3, flights=4)
    record, told = None, []
    while True:
        done = piece(record, 3)
        told.append((done.ships, done.last_flights))
        if done.found:
            break
        record = done.record
    assert len(told) > 4
    ships = [judged for judged, _ in told]
    assert ships == sorted(ships) and told[-1] == (3, 4)
    assert done.found.genome == whole.genome
    assert done.found.verdict == whole.verdict


def test_stored_work_is_not_repeated() -> None:
    first = piece(None, 5)
    again = piece(first.record, 0)
    assert (again.record, again.found) == (first.record, None)
    assert len(first.record["genomes"]) + len(first.record["flights"]) == 5


def test_work_in_another_format_or_of_another_search_is_not_used() -> None:
    other = piece(None, 9, seed="8").record
    assert piece({"format": "search/0"}, 4).record == piece(None, 4).record
    mixed = {"format": SEARCH_FORMAT, "genomes": [], "flights": other["flights"]}
    done = piece(mixed, 1000)
    assert done.found and done.found.verdict == design(SMALL, "7", candidates=3, flights=4).verdict


def test_each_ship_and_each_flight_runs_within_the_guard() -> None:
    entered = []

    @contextmanager
    def guard() -> Any:
        entered.append(1)
        yield

    record = piece(None, 6, guard=guard).record
    assert len(entered) == len(record["genomes"]) + len(record["flights"]) == 6
