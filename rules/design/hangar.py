"""Flies many starships at a time, in processes of its own or in this one."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rules.chance import Seed
from rules.design.genome import Brief, Genome
from rules.starship import Starship
from rules.suitability import make_setup
from rules.tunnel.flight import Flight
from rules.tunnel.pool import Part, Pool, setup_text
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


class Hangar(Pool):
    """Flies starships by one ruleset and number of players. Use it as a context manager."""

    def __init__(self, brief: Brief, processes: int = 1) -> None:
        super().__init__(processes)
        self.brief = brief
        self.flown = 0

    def draw(self, make: Callable[[], Genome]) -> Genome:
        """Return the next ship of a search, as it is made."""
        return make()

    def fly(self, trials: Sequence[Trial]) -> list[list[Flight]]:
        """Return the flights of each trial, in the order of their numbers. Raises LostFlights."""
        self.flown += sum(len(trial.numbers) for trial in trials)
        parts = [(index, part) for index, trial in enumerate(trials) for part in self._parts(trial)]
        found: list[list[Flight]] = [[] for _ in trials]
        for (index, _), flights in zip(parts, self.fly_parts([part for _, part in parts]), strict=True):
            found[index] += flights
        return found

    def _parts(self, trial: Trial) -> Iterator[Part]:
        players = self.brief.players
        text = setup_text(make_setup(self.brief.ruleset, {}, trial.ship, players))
        for begin in range(0, len(trial.numbers), BATCH):
            yield Part(text, players, trial.seed, trial.numbers[begin : begin + BATCH])
