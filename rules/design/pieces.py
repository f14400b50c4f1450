"""A search for a ship in pieces: it can be broken off at any flight, kept as JSON, and gone on with later.

A search always draws and flies the same in the same order. So what it has drawn and flown is all that is
kept: a `Logbook` gives it back to the search, which runs through it in no time, and goes on where it was.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from typing import Any, Final

from rules.chance import Seed
from rules.design.genome import Brief, Genome, genome_from_json, genome_to_json
from rules.design.hangar import Hangar, Trial
from rules.design.search import ENTRY, Design, design_in, last_seed
from rules.suitability import make_setup
from rules.tunnel.flight import Flight, flight_from_json, flight_to_json
from rules.tunnel.flying import fly
from rules.tunnel.schedule import seed_of

SEARCH_FORMAT: Final = "search/1"
"""A search that is under way: `{"format", "genomes", "flights"}`, in the order in which they were made."""

Document = Mapping[str, Any]
Guard = Callable[[], AbstractContextManager[Any]]


class BrokenOff(Exception):
    """There is no more time for a search."""


class Logbook(Hangar):
    """A hangar that keeps what is drawn and flown, and gives back what was kept before.

    ``goes_on`` is asked before each ship is drawn, and before each flight. Each is made within a ``guard``.
    """

    def __init__(
        self,
        brief: Brief,
        kept: Document | None,
        goes_on: Callable[["Logbook"], bool],
        guard: Guard = nullcontext,
    ) -> None:
        super().__init__(brief)
        if kept is None or kept.get("format") != SEARCH_FORMAT:
            kept = {"genomes": [], "flights": []}
        self.genomes: list[dict[str, Any]] = list(kept["genomes"])
        self.flights: list[dict[str, Any]] = list(kept["flights"])
        self.goes_on, self.guard = goes_on, guard
        self.drawn = 0
        self.counts: dict[Seed, int] = {}
        """How often the ship of each run was flown; that of the last run is the one that is flown now."""

    @property
    def document(self) -> dict[str, Any]:
        """What is to be kept of the search."""
        return {"format": SEARCH_FORMAT, "genomes": self.genomes, "flights": self.flights}

    def ships(self, seed: Seed) -> int:
        """Return how many ships of a search were flown often enough to be judged."""
        return sum(count >= ENTRY for run, count in self.counts.items() if run != last_seed(seed))

    def last_flights(self, seed: Seed) -> int:
        """Return how often one of the best ships of a search was flown in its whole run."""
        return self.counts.get(last_seed(seed), 0)

    def draw(self, make: Callable[[], Genome]) -> Genome:
        """Return the next ship. Raises BrokenOff, and whatever the guard does."""
        self.drawn += 1
        if self.drawn <= len(self.genomes):
            return genome_from_json(self.genomes[self.drawn - 1])
        self._ask()
        with self.guard():
            genome = make()
        self.genomes.append(genome_to_json(genome))
        return genome

    def fly(self, trials: Sequence[Trial]) -> list[list[Flight]]:
        """Return the flights of each trial, in the order of their numbers. Raises BrokenOff."""
        return [self._fly_trial(trial) for trial in trials]

    def _fly_trial(self, trial: Trial) -> list[Flight]:
        setup = make_setup(self.brief.ruleset, {}, trial.ship, self.brief.players)
        if trial.numbers[0] == 0:
            self.counts[trial.seed] = 0
        found = []
        for number in trial.numbers:
            flight = self._kept_flight(seed_of(trial.seed, number))
            if flight is None:
                self._ask()
                with self.guard():
                    flight = fly(setup, self.brief.players, trial.seed, number)
                self.flights.append(flight_to_json(flight))
            self.flown += 1
            self.counts[trial.seed] += 1
            found.append(flight)
        return found

    def _kept_flight(self, seed: str) -> Flight | None:
        """Return the next flight if it is kept; where another one is, that and all after it are forgotten."""
        if self.flown < len(self.flights) and self.flights[self.flown]["seed"] != seed:
            del self.flights[self.flown :]
        return flight_from_json(self.flights[self.flown]) if self.flown < len(self.flights) else None

    def _ask(self) -> None:
        if not self.goes_on(self):
            raise BrokenOff


@dataclass(frozen=True, slots=True)
class Piece:
    """How far a search has come: what to keep of it, and what was found, once it is over.

    ``ships`` were flown often enough to be judged, and the best ``last_flights`` times in a whole run.
    """

    kept: dict[str, Any]
    ships: int
    last_flights: int
    found: Design | None


def search_on(
    brief: Brief,
    seed: Seed,
    *,
    kept: Document | None,
    goes_on: Callable[[Logbook], bool],
    guard: Guard = nullcontext,
    candidates: int,
    flights: int,
) -> Piece:
    """Go on with a search for as long as it ``goes_on``; ``kept`` is what the piece before came to, if any.

    The pieces of a search come to the same ship as `search.design`. Raises NoDesign where nothing can be
    drawn as ordered, and what the guard raises while a ship is drawn.
    """
    logbook = Logbook(brief, kept, goes_on, guard)
    found = None
    with suppress(BrokenOff):
        found = design_in(logbook, seed, candidates, flights, lambda _: None)
    return Piece(logbook.document, logbook.ships(seed), logbook.last_flights(seed), found)
