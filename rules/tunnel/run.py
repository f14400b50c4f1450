"""A wind tunnel run: many flights, in one or several processes, and a verdict."""

import json
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, NamedTuple, Self

from rules.chance import Seed
from rules.computers.chart import chart_of
from rules.language import N_, Sentence
from rules.notation import read_starship, write_starship
from rules.rulesets import ruleset
from rules.setup import Setup
from rules.starship import Starship
from rules.suitability import make_setup
from rules.tunnel.figures import Figures, Flight, figures_of, flight_from_json, flight_to_json
from rules.tunnel.findings import AMBER, GREEN, LIMITS, RED, Finding, Limits, certain, worst_first
from rules.tunnel.flying import FLIGHTS, fly, judged_after, start_cells
from rules.tunnel.geometry import floor
from rules.tunnel.outlook import Outlook, board_findings, outlook_of
from rules.tunnel.play import Play, fairness_findings, far_starts, ways_behind

RISK: Final = 0.01
"""The probability that a run wrongly judges a figure red, over all its judgements together."""
EARLY_RISKS: Final = (0.002, 0.003)
"""The parts of `RISK` for the early judgements of a run. The last judgement gets the rest."""
GREEN_AT: Final = 100
"""The minimum number of flights before a run may stop early as green."""
MAX_FINDINGS: Final = 4
"""The maximum number of findings in a verdict."""

FAILED: Final = N_(
    "{failed} of {flights} flights failed. The first was flight {number}, in turn {turn}: {failure}"
)
FAILED_ADVICE: Final = N_(
    "This is a bug in the site, not in your ship. Report it with the starship and the seed {seed}."
)


@dataclass(frozen=True, slots=True)
class Run:
    """A starship to fly: its setup, number of players, maximum number of flights, and seed."""

    setup: Setup
    players: int
    flights: int = FLIGHTS
    seed: Seed = 1

    @property
    def start_cells(self) -> list[int]:
        """The start cells of robots, row by row."""
        return start_cells(self.setup.ruleset, self.setup.starship, self.players)

    @property
    def outlook(self) -> Outlook:
        """The outlook of the board: its facts, without any flight."""
        setup = self.setup
        return outlook_of(setup.starship, setup.ruleset, self.players, chart_of(setup, {}))


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a run so far: its colour, up to four findings (worst first), and the figures.

    ``flown`` is the number of flights. ``failed`` has the flights where a computer or the engine failed.
    ``final`` means that no more flights are needed.
    """

    colour: str
    findings: tuple[Finding, ...]
    figures: Figures
    flown: int
    failed: tuple[Flight, ...] = field(default=())
    final: bool = True


def judge(run: Run, flights: Iterable[Flight]) -> Verdict:
    """Return the verdict on the flights of a run.

    The order of the flights does not matter. A verdict can be ``final`` only if the number of flights is in
    `judged_after`, or if all flights are flown.
    """
    flown = sorted(flights, key=lambda flight: flight.number)
    failed = tuple(flight for flight in flown if flight.failure)
    setup, ship = run.setup, run.setup.starship
    risk = risk_at(run, len(flown))
    figures = figures_of(flown, floor(ship), risk)
    limits = LIMITS[setup.ruleset.key]
    starts = [ship.pos(cell) for cell in run.start_cells]
    findings = worst_first(
        [
            *failures(failed, len(flown)),
            *board_findings(ship, run.outlook, limits),
            *fairness_findings(setup, figures.starts, ways_behind(setup, run.start_cells), risk),
            *Play(setup.ruleset, ship, starts, limits, figures).findings(),
        ]
    )
    colour = RED if any(each.severity == RED for each in findings) else AMBER if findings else GREEN
    final = len(flown) >= run.flights or (
        len(flown) in judged_after(run.flights)
        and (colour == RED or (colour == GREEN and len(flown) >= GREEN_AT))
    )
    return Verdict(colour, tuple(findings[:MAX_FINDINGS]), figures, len(flown), failed, final)


def findings_without_flights(ship: Starship, outlook: Outlook, limits: Limits) -> list[Finding]:
    """Return all findings that need no flights, worst first."""
    ways = {way.origin: way.phases for way in outlook.starts or ()}
    return worst_first([*board_findings(ship, outlook, limits), *far_starts(ways)])


def risk_at(run: Run, flown: int) -> float:
    """Return the probability of wrongly judging a figure red, if a run is judged after ``flown`` flights.

    The probabilities of all judgements of a run add up to `RISK`.
    """
    stops = judged_after(run.flights)
    look = next((index for index, stop in enumerate(stops) if flown <= stop), len(stops) - 1)
    return EARLY_RISKS[look] if look < len(stops) - 1 else RISK - sum(EARLY_RISKS[:look])


def failures(failed: Sequence[Flight], flown: int) -> list[Finding]:
    """Return a list with a finding about the first failed flight, or an empty list if no flight failed."""
    if not failed:
        return []
    first = failed[0]
    message = Sentence(
        FAILED,
        failed=len(failed),
        flights=flown,
        number=first.number,
        turn=first.turns,
        failure=first.failure,
    )
    advice = Sentence(FAILED_ADVICE, seed=first.seed)
    return [Finding("failed", RED, message, advice, certain(), float(len(failed)), excess=99.0)]


def fly_until_sure(run: Run, fly_all: Callable[[Sequence[int]], Iterable[Flight]]) -> Verdict:
    """Fly a run until its verdict is final.

    ``fly_all`` takes the numbers of flights and flies them, in any order and in any process (`flying.fly`).
    """
    flights: list[Flight] = []
    for look in judged_after(run.flights):
        flights += fly_all(range(len(flights), look))
        verdict = judge(run, flights)
        if verdict.final:
            break
    return verdict


ATTEMPTS: Final = 3
"""The maximum number of attempts to fly flights whose processes were killed."""


class LostFlights(RuntimeError):
    """Raised if flights are missing because processes were killed repeatedly."""


class Part(NamedTuple):
    """Some flights of a run for one process to fly, by their numbers. The setup is text (`setup_text`)."""

    setup: str
    players: int
    seed: Seed
    numbers: Sequence[int]


class Pool:
    """Processes that fly flights. If there is only one, it is the current process.

    A pool is a context manager. Leaving the context ends the processes.
    """

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
        """Fly all parts of a run, and return the flights of each part.

        After each part, ``tell`` is called with the number of its flights. Raises LostFlights if processes
        die repeatedly.
        """
        found: dict[int, list[Flight]] = {}
        for _ in range(ATTEMPTS):
            try:
                missing = [index for index in range(len(parts)) if index not in found]
                for index, flights in self._flown(missing, parts):
                    found[index] = [flight_from_json(flight) for flight in flights]
                    tell(len(flights))
                return [found[index] for index in range(len(parts))]
            except BrokenProcessPool:  # the next attempt flies the missing parts
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
    """Flies a run in one or several processes.

    ``progress`` is called with the total number of flights flown so far.
    """

    def __init__(self, run: Run, processes: int = 1, progress: Callable[[int], None] | None = None) -> None:
        super().__init__(processes)
        self.run, self.progress = run, progress
        self.flown = 0

    def __call__(self, numbers: Sequence[int]) -> list[Flight]:
        """Return the flights with these numbers, in the same order.

        Raises LostFlights if processes die repeatedly.
        """
        run, text = self.run, setup_text(self.run.setup)
        parts = [Part(text, run.players, run.seed, [number]) for number in numbers]
        return [flight for flights in self.fly_parts(parts, self._tell) for flight in flights]

    def _tell(self, flown: int) -> None:
        self.flown += flown
        if self.progress:
            self.progress(self.flown)


def setup_text(setup: Setup) -> str:
    """Return a setup as JSON text for other processes, because rulesets cannot be pickled."""
    edition = setup.ruleset
    played = [edition.key, edition.version, dict(setup.options), dict(setup.house_rules)]
    return json.dumps([write_starship(setup.starship), *played])


def _ignore_interrupts() -> None:
    """Ignore Ctrl+C in this process. The parent process handles it."""
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
