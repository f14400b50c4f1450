"""Flies many flights at a time, in processes of its own or in this one."""

import json
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from typing import Any, Final, NamedTuple, Self

from rules.chance import Seed
from rules.notation import read_starship, write_starship
from rules.rulesets import ruleset
from rules.setup import Setup
from rules.suitability import make_setup
from rules.tunnel.flight import Flight, flight_from_json, flight_to_json
from rules.tunnel.flying import fly
from rules.tunnel.run import Run

ATTEMPTS: Final = 3
"""How often flights are given to new processes after one of these has died."""


class LostFlights(RuntimeError):
    """Processes died again and again, and flights are missing."""


class Part(NamedTuple):
    """Flights for one process: of a setup as text, for so many players; the seed of the run, and numbers."""

    setup: str
    players: int
    seed: Seed
    numbers: Sequence[int]


class Pool:
    """Processes that fly. With one process, this one flies. Use it as a context manager, which ends them."""

    def __init__(self, processes: int = 1) -> None:
        self.processes = processes
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool:
            self._pool.shutdown(cancel_futures=True)

    def fly_parts(
        self, parts: Sequence[Part], tell: Callable[[int], None] = lambda flown: None
    ) -> list[list[Flight]]:
        """Return the flights of each part, and ``tell`` after each part how many flights it had.

        Raises LostFlights where processes die again and again.
        """
        found: dict[int, list[Flight]] = {}
        for _ in range(ATTEMPTS):
            try:
                missing = [index for index in range(len(parts)) if index not in found]
                for index, flights in self._flown(missing, parts):
                    found[index] = [flight_from_json(flight) for flight in flights]
                    tell(len(flights))
                return [found[index] for index in range(len(parts))]
            except BrokenProcessPool:  # one was killed: what it had not flown is flown again
                self._pool = None
        lost = sum(len(part.numbers) for index, part in enumerate(parts) if index not in found)
        raise LostFlights(f"{lost} flights are missing, because processes were killed {ATTEMPTS} times")

    def _flown(
        self, missing: Sequence[int], parts: Sequence[Part]
    ) -> Iterator[tuple[int, list[dict[str, Any]]]]:
        if self.processes == 1:
            yield from ((index, _fly_part(parts[index])) for index in missing)
            return
        self._pool = self._pool or ProcessPoolExecutor(self.processes, initializer=_ignore_interrupts)
        waiting = {self._pool.submit(_fly_part, parts[index]): index for index in missing}
        for done in as_completed(waiting):
            yield waiting[done], done.result()


class Flyer(Pool):
    """Flies the flights of a run; tells ``progress``, if any, after each how many have been flown so far."""

    def __init__(self, run: Run, processes: int = 1, progress: Callable[[int], None] | None = None) -> None:
        super().__init__(processes)
        self.run, self.progress = run, progress
        self.flown = 0

    def __call__(self, numbers: Sequence[int]) -> list[Flight]:
        """Return the flights of these numbers, in their order. Raises LostFlights."""
        run, text = self.run, setup_text(self.run.setup)
        parts = [Part(text, run.players, run.seed, [number]) for number in numbers]
        return [flight for flights in self.fly_parts(parts, self._tell) for flight in flights]

    def _tell(self, flown: int) -> None:
        self.flown += flown
        if self.progress:
            self.progress(self.flown)


def setup_text(setup: Setup) -> str:
    """Return a setup as text, from which any process makes it again: rulesets cannot be sent themselves."""
    edition = setup.ruleset
    played = [edition.key, edition.version, dict(setup.options), dict(setup.house_rules)]
    return json.dumps([write_starship(setup.starship), *played])


def _ignore_interrupts() -> None:
    """Leave an interrupt to the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _fly_part(part: Part) -> list[dict[str, Any]]:
    setup = _setup(part.setup, part.players)
    return [flight_to_json(fly(setup, part.players, part.seed, number)) for number in part.numbers]


@lru_cache(maxsize=8)
def _setup(text: str, players: int) -> Setup:
    document, key, version, options, house_rules = json.loads(text)
    return make_setup(
        ruleset(key, version), options, read_starship(document, known=True), players, house_rules
    )
