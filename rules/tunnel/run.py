"""A run of the wind tunnel: which flights it has, when it may stop, and its verdict."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from rules.chance import Seed
from rules.computers.chart import chart_of
from rules.language import N_, Sentence
from rules.setup import Setup
from rules.starship import Starship
from rules.tunnel.board import board_findings
from rules.tunnel.fairness import fairness_findings, far_starts, ways_behind
from rules.tunnel.figures import Figures, figures_of
from rules.tunnel.findings import AMBER, GREEN, RED, Finding, shown, worst_first
from rules.tunnel.flight import Flight
from rules.tunnel.flying import start_cells
from rules.tunnel.geometry import floor
from rules.tunnel.limits import LIMITS, Limits
from rules.tunnel.outlook import Outlook, outlook_of
from rules.tunnel.play import Play
from rules.tunnel.schedule import FLIGHTS, looks

RISK: Final = 0.01
"""The risk that a figure is called red by mere chance, for all looks at a run together."""
EARLY_RISKS: Final = (0.002, 0.003)
"""How much of it the first looks take; the last one takes the rest."""
GREEN_AT: Final = 100
"""Flights after which a run may stop because nothing is wrong."""
MOST_FINDINGS: Final = 4
"""Findings of a verdict: the worst."""

FAILED: Final = N_("{failed} of {flights} flights failed: number {number}, in turn {turn}: {failure}")
FAILED_ADVICE: Final = N_(
    "Report this with the starship and the seed {seed}: it is a fault of the computers or of the engine."
)


@dataclass(frozen=True, slots=True)
class Run:
    """A starship to be flown: the setup, how many players, how many flights at most, and the seed."""

    setup: Setup
    players: int
    flights: int = FLIGHTS
    seed: Seed = 1

    @property
    def start_cells(self) -> list[int]:
        """The cells in which robots start, row by row."""
        return start_cells(self.setup.ruleset, self.setup.starship, self.players)

    @property
    def outlook(self) -> Outlook:
        """What the board shows before any flight."""
        setup = self.setup
        return outlook_of(setup.starship, setup.ruleset, self.players, chart_of(setup, {}))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a run has come to so far: its colour, at most four findings, and the figures that they are from.

    ``flown`` are all flights, by number, and ``failed`` those in which a computer or the engine failed.
    ``final`` says that no more need be flown.
    """

    colour: str
    findings: tuple[Finding, ...]
    figures: Figures
    flown: int
    failed: tuple[Flight, ...] = field(default=())
    final: bool = True


def judge(run: Run, flights: Iterable[Flight]) -> Verdict:
    """Judge the flights of a run, in whichever order they come: the same flights get the same verdict.

    It is what the run comes to if they are as many as one of its `looks` waits for.
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
        len(flown) in looks(run.flights) and (colour == RED or (colour == GREEN and len(flown) >= GREEN_AT))
    )
    return Verdict(colour, tuple(findings[:MOST_FINDINGS]), figures, len(flown), failed, final)


def findings_without_flights(ship: Starship, outlook: Outlook, limits: Limits) -> list[Finding]:
    """Return all that the wind tunnel finds before its first flight, the worst first."""
    ways = {way.origin: way.phases for way in outlook.starts or ()}
    return worst_first([*board_findings(ship, outlook, limits), *far_starts(ways)])


def risk_at(run: Run, flown: int) -> float:
    """Return the risk that each figure takes at the look which that many flights are for.

    All looks of a run together take 0.01.
    """
    stops = looks(run.flights)
    look = next((index for index, stop in enumerate(stops) if flown <= stop), len(stops) - 1)
    return EARLY_RISKS[look] if look < len(stops) - 1 else RISK - sum(EARLY_RISKS[:look])


def failures(failed: Sequence[Flight], flown: int) -> list[Finding]:
    """Return the finding that flights have failed, if any did; the first of them is named with its seed."""
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
    return [Finding("failed", RED, message, advice, shown(), float(len(failed)), excess=99.0)]


def fly_until_sure(run: Run, fly_all: Callable[[Sequence[int]], Iterable[Flight]]) -> Verdict:
    """Fly a run until its verdict is final.

    ``fly_all`` flies the flights of these numbers, in whichever order and place (`flying.fly`).
    """
    flights: list[Flight] = []
    for look in looks(run.flights):
        flights += fly_all(range(len(flights), look))
        verdict = judge(run, flights)
        if verdict.final:
            break
    return verdict
