"""Flies many starships at a time, in processes of its own or in this one."""

import json
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from rules.chance import Seed
from rules.design.genome import Brief, Genome
from rules.notation import read_starship, write_starship
from rules.rulesets import ruleset
from rules.setup import Setup
from rules.starship import Starship
from rules.suitability import make_setup
from rules.tunnel.flight import Flight, flight_from_json, flight_to_json
from rules.tunnel.flying import fly
from rules.tunnel.pool import ATTEMPTS, LostFlights
from rules.tunnel.schedule import level_of

BATCH: Final = 4
"""Flights that a process gets at a time."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A starship to be flown: which flights, by the seed of a run."""

    ship: Starship
    seed: Seed
    numbers: tuple[int, ...]


def quick_flights(count: int, after: int = 0) -> tuple[int, ...]:
    """Return the numbers of the next flights that are not of Aces, who take ten times as long as Pilots.

    >>> quick_flights(10), quick_flights(2, after=10)
    ((0, 1, 2, 3, 4, 5, 6, 7, 9, 10), (11, 12))
    """
    numbers = (number for number in range(2 * (count + after)) if level_of(number) != "ace")
    return tuple(numbers)[after : after + count]


class Hangar:
    """Flies starships by one ruleset and number of players. Use it as a context manager."""

    def __init__(self, brief: Brief, processes: int = 1) -> None:
        self.brief, self.processes = brief, processes
        self.flown = 0
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> "Hangar":
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool:
            self._pool.shutdown(cancel_futures=True)

    def draw(self, make: Callable[[], Genome]) -> Genome:
        """Return the next ship of a search, as it is made."""
        return make()

    def fly(self, trials: Sequence[Trial]) -> list[list[Flight]]:
        """Return the flights of each trial, in the order of their numbers.

        Raises LostFlights where processes die again and again.
        """
        self.flown += sum(len(trial.numbers) for trial in trials)
        parts = [(index, part) for index, trial in enumerate(trials) for part in self._parts(trial)]
        work = [part for _, part in parts]
        done = self._fly(work)
        found: list[list[Flight]] = [[] for _ in trials]
        for (index, _), flights in zip(parts, done, strict=True):
            found[index] += [flight_from_json(flight) for flight in flights]
        return found

    def _fly(self, work: Sequence["Part"]) -> list[list[dict[str, Any]]]:
        if self.processes == 1:
            return [_fly_part(part) for part in work]
        for _ in range(ATTEMPTS):
            self._pool = self._pool or ProcessPoolExecutor(self.processes, initializer=_ignore_interrupts)
            try:
                return list(self._pool.map(_fly_part, work))
            except BrokenProcessPool:  # one was killed: all of this is flown again
                self._pool = None
        raise LostFlights(f"flights are missing, because processes were killed {ATTEMPTS} times")

    def _parts(self, trial: Trial) -> Iterator["Part"]:
        document = json.dumps(write_starship(trial.ship))
        key, players = self.brief.ruleset.key, self.brief.players
        for begin in range(0, len(trial.numbers), BATCH):
            yield document, key, players, trial.seed, trial.numbers[begin : begin + BATCH]


Part = tuple[str, str, int, Seed, tuple[int, ...]]
"""A starship as text, ruleset, players, the seed of the run, and the numbers of the flights."""


def _ignore_interrupts() -> None:
    """Leave an interrupt to the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _fly_part(part: Part) -> list[dict[str, Any]]:
    document, key, players, seed, numbers = part
    setup = _setup(document, key, players)
    return [flight_to_json(fly(setup, players, seed, number)) for number in numbers]


@lru_cache(maxsize=8)
def _setup(document: str, key: str, players: int) -> Setup:
    return make_setup(ruleset(key), {}, read_starship(json.loads(document)), players)
