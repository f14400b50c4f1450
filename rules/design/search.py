"""Search for a good ship: propose ships, change them, fly them, and keep the best of each niche.

A search can be interrupted at any flight, stored as JSON, and continued later. It always makes the same draws
and flights in the same order, so a `Logbook` stores only these. To continue the search, the `Logbook` replays
them first.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from typing import Any, Final

from rules.chance import Seed, Stream
from rules.design.genome import Brief, Genome, genome_from_json, genome_to_json
from rules.design.names import named
from rules.design.proposal import kinds_of, mutate, propose
from rules.starship import Starship
from rules.suitability import make_setup
from rules.tunnel.figures import Flight, flight_from_json, flight_to_json
from rules.tunnel.findings import GREEN, RED
from rules.tunnel.flying import fly, level_of, seed_of
from rules.tunnel.run import Part, Pool, Run, Verdict, fly_until_sure, judge, setup_text

BATCH: Final = 4
"""The number of a ship's flights to give to a process at a time."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A starship to fly, with the seed of its run and the numbers of the flights."""

    ship: Starship
    seed: Seed
    numbers: tuple[int, ...]


def quick_flights(count: int, after: int = 0) -> tuple[int, ...]:
    """Return the numbers of ``count`` flights without Aces. Flights with Aces take ten times as long.

    Skips the first ``after`` such flights.

    >>> quick_flights(10), quick_flights(2, after=10)
    ((0, 1, 2, 3, 4, 5, 6, 7, 9, 10), (11, 12))
    """
    numbers = (number for number in range(2 * (count + after)) if level_of(number) != "ace")
    return tuple(numbers)[after : after + count]


class Hangar(Pool):
    """Flies starships for one order, in one or several processes. A hangar is a context manager."""

    def __init__(self, brief: Brief, processes: int = 1) -> None:
        super().__init__(processes)
        self.brief = brief
        self.flown = 0

    def draw(self, make: Callable[[], Genome]) -> Genome:
        """Return the genome that ``make`` creates. Subclasses may return a stored genome instead."""
        return make()

    def fly(self, trials: Sequence[Trial]) -> list[list[Flight]]:
        """Return the flights of each trial, in order of their numbers.

        Raises LostFlights if processes die repeatedly.
        """
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


CANDIDATES: Final = 24
"""The default number of ships that a search flies."""
GENERATION: Final = 6
"""The number of ships to draw and fly in one step of the search."""
FIRST_FLIGHTS: Final = 12
"""The number of flights for the first verdict on a ship."""
EXTRA_FLIGHTS: Final = 40
"""The number of further flights of each ship before one ship replaces another as the best of its niche.

They are needed because the first few flights can mislead.
"""
FINALISTS: Final = 4
"""The maximum number of ships that get a full run at the end. The search stops at the first green one."""
BINS: Final = 5
"""The number of bins for each of the two figures that define a ship's niche."""


@dataclass(slots=True)
class Candidate:
    """A ship in the search, its flights so far, and the verdict on them."""

    number: int
    genome: Genome
    ship: Starship
    run: Run
    flights: list[Flight] = field(default_factory=list)
    verdict: Verdict = field(init=False)

    def add(self, flights: Sequence[Flight]) -> None:
        """Add flights of the ship, and judge the ship by all its flights."""
        self.flights += flights
        self.verdict = judge(self.run, self.flights)

    @property
    def fitness(self) -> tuple[int, int, float, float, int]:
        """The sort key of a ship: the best ship has the lowest key.

        Ships are compared by their number of red findings, then by their number of other findings, total
        excess over limits, drama (more is better), and number in the order of drawing.
        """
        findings = self.verdict.findings
        reds = sum(finding.severity == RED for finding in findings)
        past = sum(finding.excess for finding in findings)
        return reds, len(findings) - reds, past, -(self.verdict.figures.drama or 0.0), self.number

    @property
    def niche(self) -> tuple[int, int]:
        """The niche of the ship: a bin for the length of its games, and a bin for the changes of the lead.

        Bins are numbered from 0 to `BINS` - 1.
        """
        figures = self.verdict.figures
        length = figures.measured["length"].value if "length" in figures.measured else 0.0
        return _bin(length, 4.0, 2.0), _bin(figures.lead_changes, 1.0, 1.0)


def _bin(value: float, first: float, wide: float) -> int:
    return max(0, min(BINS - 1, int((value - first) / wide) + 1))


@dataclass(frozen=True, slots=True)
class Design:
    """The result of a search.

    ``run`` and ``verdict`` are from the ship's full run. ``flown`` is the number of flights in the whole
    search.
    """

    genome: Genome
    run: Run
    verdict: Verdict
    flown: int


def design(
    brief: Brief,
    seed: Seed,
    candidates: int = CANDIDATES,
    processes: int = 1,
    flights: int = 200,
    progress: Callable[[str], None] | None = None,
) -> Design:
    """Search for the best ship for an order.

    The number of processes does not change the result. Raises NoDesign if the generator finds no ship without
    faults.
    """
    with Hangar(brief, processes) as hangar:
        return design_in(hangar, seed, candidates, flights, progress or _silent)


def design_in(
    hangar: Hangar, seed: Seed, candidates: int, flights: int, tell: Callable[[str], None]
) -> Design:
    """Search for the best ship, with a hangar to draw and fly ships.

    ``tell`` is called with a progress message after each step. Raises NoDesign if the generator finds no ship
    without faults.
    """
    search = Search(hangar.brief, seed, hangar)
    while len(search.seen) < candidates:
        search.step(min(GENERATION, candidates - len(search.seen)))
        tell(f"{len(search.seen)} of {candidates} ships flown")
    return search.finish(flights, tell)


def last_seed(seed: Seed) -> str:
    """Return the seed that is shared by the full runs of all finalists."""
    return f"{seed} last"


def starship_of(found: Design, seed: Seed) -> Starship:
    """Return the ship that a search found, with a name and a story."""
    ship, theme = found.genome.starship(), found.genome.theme
    return named(ship, theme, sorted(kinds_of(ship)), Stream(f"name {seed} {theme}"))


def _silent(_: str) -> None:
    pass


class Search:
    """An unfinished search: all ships flown so far, and the best ship of each niche."""

    def __init__(self, brief: Brief, seed: Seed, hangar: Hangar) -> None:
        self.brief, self.seed, self.hangar = brief, seed, hangar
        self.seen: list[Candidate] = []
        self.best: dict[tuple[int, int], Candidate] = {}

    def step(self, count: int) -> None:
        """Draw and fly ``count`` more ships. Keep each ship that is the best of its niche."""
        new = [self._next(len(self.seen) + index) for index in range(count)]
        self.seen += new
        self._fly(new, FIRST_FLIGHTS)
        for candidate in new:
            self._admit(candidate)

    def _next(self, number: int) -> Candidate:
        """Return the next ship to fly.

        Once a best ship is known, ships with odd numbers are variations of one of the best ships, if
        possible. All other ships are new.
        """
        stream = Stream(f"design {self.seed} {number}")
        genome = self.hangar.draw(lambda: self._drawn(number, stream))
        ship = genome.starship()
        setup = make_setup(self.brief.ruleset, {}, ship, self.brief.players)
        return Candidate(number, genome, ship, Run(setup, self.brief.players, seed=f"{self.seed} {number}"))

    def _drawn(self, number: int, stream: Stream) -> Genome:
        genome = None
        if number % 2 and self.best:
            parent = stream.choice(sorted(self.best.values(), key=lambda each: each.fitness))
            genome = mutate(parent.genome, self.brief, stream)
        return genome or propose(self.brief, stream)

    def _fly(self, candidates: Sequence[Candidate], count: int) -> None:
        trials = [
            Trial(each.ship, each.run.seed, quick_flights(count, after=len(each.flights)))
            for each in candidates
        ]
        for candidate, flights in zip(candidates, self.hangar.fly(trials), strict=True):
            candidate.add(flights)

    def _admit(self, candidate: Candidate) -> None:
        niche = candidate.niche
        other = self.best.get(niche)
        if other and candidate.fitness < other.fitness:
            self._fly(
                [each for each in (candidate, other) if len(each.flights) == FIRST_FLIGHTS], EXTRA_FLIGHTS
            )
        if not other or candidate.fitness < other.fitness:
            self.best[niche] = candidate

    def finish(self, flights: int, tell: Callable[[str], None]) -> Design:
        """Fly full runs of the best ships with a new seed, and return the best.

        At most `FINALISTS` ships get a full run. The first green verdict ends the search.
        """
        ranked = sorted(self.best.values(), key=lambda each: each.fitness)
        judged: list[tuple[Candidate, Run, Verdict]] = []
        for candidate in ranked[:FINALISTS]:
            run = Run(candidate.run.setup, self.brief.players, flights, last_seed(self.seed))
            tell(f"last run of ship {candidate.number + 1}")

            def fly_all(
                numbers: Sequence[int], ship: Starship = candidate.ship, run: Run = run
            ) -> list[Flight]:
                return self.hangar.fly([Trial(ship, run.seed, tuple(numbers))])[0]

            judged.append((candidate, run, fly_until_sure(run, fly_all)))
            if judged[-1][2].colour == GREEN:
                break
        candidate, run, verdict = min(judged, key=lambda each: (_order(each[2]), each[0].fitness))
        return Design(candidate.genome, run, verdict, self.hangar.flown)


def _order(verdict: Verdict) -> tuple[bool, int]:
    return verdict.colour == RED, len(verdict.findings)


SEARCH_FORMAT: Final = "search/1"
"""The format of a stored search: `{"format", "genomes", "flights"}`, with both lists in order of creation."""

Document = Mapping[str, Any]
Guard = Callable[[], AbstractContextManager[Any]]


class SearchStopped(Exception):
    """Raised if a search must stop before its end."""


class Logbook(Hangar):
    """A hangar that records all genomes and flights of a search, and replays them when the search continues.

    Before each new genome or flight, the hangar calls ``may_continue``. It creates each genome or flight
    within a context from ``guard``.
    """

    def __init__(
        self,
        brief: Brief,
        record: Document | None,
        may_continue: Callable[["Logbook"], bool],
        guard: Guard = nullcontext,
    ) -> None:
        super().__init__(brief)
        if record is None or record.get("format") != SEARCH_FORMAT:
            record = {"genomes": [], "flights": []}
        self.genomes: list[dict[str, Any]] = list(record["genomes"])
        self.flights: list[dict[str, Any]] = list(record["flights"])
        self.may_continue, self.guard = may_continue, guard
        self.drawn = 0
        self.counts: dict[Seed, int] = {}
        """The number of flights flown in each run, by the run's seed.

        All full runs share one seed. The count of this seed starts again from 0 with each full run.
        """

    @property
    def document(self) -> dict[str, Any]:
        return {"format": SEARCH_FORMAT, "genomes": self.genomes, "flights": self.flights}

    def ships(self, seed: Seed) -> int:
        """Return the number of ships with enough flights for a verdict. Full runs do not count."""
        return sum(count >= FIRST_FLIGHTS for run, count in self.counts.items() if run != last_seed(seed))

    def last_flights(self, seed: Seed) -> int:
        """Return the number of flights in the full run of the current finalist."""
        return self.counts.get(last_seed(seed), 0)

    def draw(self, make: Callable[[], Genome]) -> Genome:
        """Return the next stored genome, or a new one from ``make``.

        Raises SearchStopped if the search may not continue, and the guard's errors.
        """
        self.drawn += 1
        if self.drawn <= len(self.genomes):
            return genome_from_json(self.genomes[self.drawn - 1])
        self._ask()
        with self.guard():
            genome = make()
        self.genomes.append(genome_to_json(genome))
        return genome

    def fly(self, trials: Sequence[Trial]) -> list[list[Flight]]:
        """Return the flights of each trial, in order of their numbers.

        Raises SearchStopped if the search may not continue, and the guard's errors.
        """
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
        """Return the next stored flight, or None if there is none.

        If the stored flight was flown with a seed other than ``seed``, deletes it and all later flights.
        """
        if self.flown < len(self.flights) and self.flights[self.flown]["seed"] != seed:
            del self.flights[self.flown :]
        return flight_from_json(self.flights[self.flown]) if self.flown < len(self.flights) else None

    def _ask(self) -> None:
        if not self.may_continue(self):
            raise SearchStopped


@dataclass(frozen=True, slots=True)
class SearchProgress:
    """The progress of a search.

    ``record`` is the search in `SEARCH_FORMAT`. ``ships`` is the number of ships with enough flights for a
    verdict. ``last_flights`` is the number of flights in the current full run. ``found`` is the result, or
    None if the search is not finished.
    """

    record: dict[str, Any]
    ships: int
    last_flights: int
    found: Design | None


def continue_search(
    brief: Brief,
    seed: Seed,
    *,
    record: Document | None,
    may_continue: Callable[[Logbook], bool],
    guard: Guard = nullcontext,
    candidates: int,
    flights: int,
) -> SearchProgress:
    """Start or continue a search while ``may_continue`` returns true.

    ``record`` is the stored search, or None for a new one. Each new genome or flight is created within a
    context from ``guard``. A search that is interrupted and continued finds the same ship as `design`. Raises
    NoDesign if the generator finds no ship without faults, and the errors of ``guard``.
    """
    logbook = Logbook(brief, record, may_continue, guard)
    found = None
    with suppress(SearchStopped):
        found = design_in(logbook, seed, candidates, flights, lambda _: None)
    return SearchProgress(logbook.document, logbook.ships(seed), logbook.last_flights(seed), found)
