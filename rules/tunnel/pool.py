"""Flies many flights at a time, in processes of its own."""

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Final

from rules.notation import read_starship, write_starship
from rules.rulesets import ruleset
from rules.setup import Options, Setup
from rules.suitability import make_setup
from rules.tunnel.flight import Flight, flight_from_json, flight_to_json
from rules.tunnel.flying import fly
from rules.tunnel.run import Run

ATTEMPTS: Final = 3
"""How often flights are given to new processes after one of these has died."""


class LostFlights(RuntimeError):
    """Processes died again and again, and flights are missing."""


class Flyer:
    """Flies the flights of a run, and tells ``progress`` after each how many have been flown so far.

    With one process it flies them itself. Use it as a context manager, which ends the processes.
    """

    def __init__(self, run: Run, processes: int = 1, progress: Callable[[int], None] | None = None) -> None:
        self.run, self.processes, self.progress = run, processes, progress
        self.flown = 0
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> "Flyer":
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool:
            self._pool.shutdown(cancel_futures=True)

    def __call__(self, numbers: Sequence[int]) -> list[Flight]:
        """Return the flights of these numbers, in their order.

        Raises LostFlights where processes die again and again.
        """
        found: dict[int, Flight] = {}
        for _ in range(ATTEMPTS):
            try:
                for flight in self._fly([number for number in numbers if number not in found]):
                    found[flight.number] = flight
                    self.flown += 1
                    if self.progress:
                        self.progress(self.flown)
                return [found[number] for number in numbers]
            except BrokenProcessPool:  # one was killed: what it had not flown is flown again
                self._pool = None
        missing = len(numbers) - len(found)
        raise LostFlights(f"{missing} flights are missing, because processes were killed {ATTEMPTS} times")

    def _fly(self, numbers: Sequence[int]) -> Iterator[Flight]:
        run = self.run
        if self.processes == 1:
            for number in numbers:
                yield fly(run.setup, run.players, run.seed, number)
            return
        if self._pool is None:
            setup = run.setup
            played = setup.ruleset.key, setup.ruleset.version, setup.options, setup.house_rules
            given = write_starship(setup.starship), played, run.players
            self._pool = ProcessPoolExecutor(self.processes, initializer=_begin, initargs=given)
        waiting = [self._pool.submit(_fly_one, run.seed, number) for number in numbers]
        for done in as_completed(waiting):
            yield flight_from_json(done.result())


class _Given:
    """What a process of a pool flies."""

    setup: Setup
    players: int


def _begin(document: dict[str, Any], played: tuple[str, int, Options, Options], players: int) -> None:
    """Prepare a process; an interrupt is left to the one that started it.

    ``played`` are the ruleset and its version, options and house rules: rulesets cannot be sent themselves.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    key, version, options, house_rules = played
    _Given.setup = make_setup(ruleset(key, version), options, read_starship(document), players, house_rules)
    _Given.players = players


def _fly_one(seed: int | str, number: int) -> dict[str, Any]:
    return flight_to_json(fly(_Given.setup, _Given.players, seed, number))
