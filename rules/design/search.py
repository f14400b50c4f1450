"""Searches for a good ship: proposes, changes, flies each a little, and keeps the best of every kind."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from rules.chance import Seed, Stream
from rules.design.checks import kinds_of
from rules.design.genome import Brief, Genome
from rules.design.hangar import Hangar, Trial, quick_flights
from rules.design.mutation import mutate
from rules.design.names import named
from rules.design.proposal import propose
from rules.starship import Starship
from rules.suitability import make_setup
from rules.tunnel.findings import GREEN, RED
from rules.tunnel.flight import Flight
from rules.tunnel.run import Run, Verdict, fly_until_sure, judge

CANDIDATES: Final = 24
"""Ships that are flown for one that is kept."""
GENERATION: Final = 6
"""Ships that are flown together."""
ENTRY: Final = 12
"""Flights by which a ship is first judged."""
MORE: Final = 40
"""Flights more before one ship takes the place of another: a few flights flatter some."""
FINALISTS: Final = 4
"""Ships that get a whole run, one after the other, until one is green."""
BINS: Final = 5
"""Kinds of ships by each of two figures."""


@dataclass(slots=True)
class Candidate:
    """A ship that is flown, its flights so far, and the verdict on them."""

    number: int
    genome: Genome
    ship: Starship
    run: Run
    flights: list[Flight] = field(default_factory=list)
    verdict: Verdict = field(init=False)

    def add(self, flights: Sequence[Flight]) -> None:
        """Judge the ship again, by some more flights."""
        self.flights += flights
        self.verdict = judge(self.run, self.flights)

    @property
    def fitness(self) -> tuple[int, int, float, float, int]:
        """The least is best: the fewest red findings, then others, these least past limits, most drama."""
        findings = self.verdict.findings
        reds = sum(finding.severity == RED for finding in findings)
        past = sum(finding.excess for finding in findings)
        return reds, len(findings) - reds, past, -(self.verdict.figures.drama or 0.0), self.number

    @property
    def kind(self) -> tuple[int, int]:
        """How long its games are, and how often the lead changes: one of five times five kinds."""
        figures = self.verdict.figures
        length = figures.measured["length"].value if "length" in figures.measured else 0.0
        return _bin(length, 4.0, 2.0), _bin(figures.lead_changes, 1.0, 1.0)


def _bin(value: float, first: float, wide: float) -> int:
    return max(0, min(BINS - 1, int((value - first) / wide) + 1))


@dataclass(frozen=True, slots=True)
class Design:
    """What a search came to: the genome, the run that judged it, the verdict, and the flights in all."""

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
    """Return the best ship of many: the same arguments give the same one, with any number of processes.

    Raises NoDesign where nothing can be drawn as ordered.
    """
    with Hangar(brief, processes) as hangar:
        return design_in(hangar, seed, candidates, flights, progress or _silent)


def design_in(
    hangar: Hangar, seed: Seed, candidates: int, flights: int, tell: Callable[[str], None]
) -> Design:
    """Return the best ship of many that are drawn and flown in a hangar. Raises NoDesign."""
    search = Search(hangar.brief, seed, hangar)
    while len(search.seen) < candidates:
        search.step(min(GENERATION, candidates - len(search.seen)))
        tell(f"{len(search.seen)} of {candidates} ships flown")
    return search.finish(flights, tell)


def last_seed(seed: Seed) -> str:
    """Return the seed of the whole run that the best ships of a search get."""
    return f"{seed} last"


def starship_of(found: Design, seed: Seed) -> Starship:
    """Return a ship that was found, with its name and its story."""
    ship, theme = found.genome.starship(), found.genome.theme
    return named(ship, theme, sorted(kinds_of(ship)), Stream(f"name {seed} {theme}"))


def _silent(_: str) -> None:
    """Tell nothing."""


class Search:
    """The ships that were flown so far, and the best of each kind."""

    def __init__(self, brief: Brief, seed: Seed, hangar: Hangar) -> None:
        self.brief, self.seed, self.hangar = brief, seed, hangar
        self.seen: list[Candidate] = []
        self.best: dict[tuple[int, int], Candidate] = {}

    def step(self, count: int) -> None:
        """Fly some more ships, and keep each that is the best of its kind."""
        new = [self._next(len(self.seen) + index) for index in range(count)]
        self.seen += new
        self._fly(new, ENTRY)
        for candidate in new:
            self._admit(candidate)

    def _next(self, number: int) -> Candidate:
        """Return the next ship: every other one is a change of one that is kept, if there is any."""
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
        kind = candidate.kind
        other = self.best.get(kind)
        if other and candidate.fitness < other.fitness:
            self._fly([each for each in (candidate, other) if len(each.flights) == ENTRY], MORE)
        if not other or candidate.fitness < other.fitness:
            self.best[kind] = candidate

    def finish(self, flights: int, tell: Callable[[str], None]) -> Design:
        """Return the best ship by a whole run on other seeds; the next ones are tried until one is green."""
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
