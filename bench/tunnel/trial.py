"""The wind tunnel's trial: ten good ships, and ten spoilt ones to recognise."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import rules
from bench.processes import each_of
from bench.tunnel.fleet import Base, setup_of, tried
from bench.tunnel.spoils import KINDS, OWN, spoil, suits
from rules.tunnel.findings import RED
from rules.tunnel.flying import FLIGHTS, fly
from rules.tunnel.run import Run, fly_until_sure

GOOD = 10
MEASURED = frozenset({"fire", "airlock"})
"""Findings that need flights."""
EACH = 2
"""The number of spoilt ships of each kind."""


@dataclass(frozen=True)
class Case:
    """One ship to judge: a base, its kind of spoil (None for a good one), and a seed."""

    base: Base
    kind: str | None
    seed: str


@dataclass(frozen=True)
class TrialVerdict:
    """The verdict on a case: colour, red findings, all findings, and flights."""

    case: Case
    colour: str
    red: tuple[str, ...]
    found: tuple[str, ...]
    flown: int

    @property
    def right(self) -> bool:
        """Whether a good ship has no red finding, or a spoilt one its own finding.

        Measured faults must be red. The board's own faults are amber.
        """
        if not self.case.kind:
            return not self.red
        own = OWN[self.case.kind]
        return own in (self.red if own in MEASURED else self.found)


def cases(seed: int) -> list[Case]:
    """Draw ten good ships and ten spoilt ones."""
    chance = Random(f"ten and ten {seed}")
    drawn = [Case(base, None, f"{seed}") for base in chance.sample(tried(), GOOD)]
    for kind in KINDS:
        bases = [base for base in tried() if suits(kind, base)]
        drawn += [Case(base, kind, f"{seed}") for base in chance.sample(bases, EACH)]
    return drawn


def judge_case(case: Case) -> TrialVerdict:
    """Fly a case until the verdict is final."""
    ship = spoil(case.kind, case.base, case.seed) if case.kind else case.base.ship
    verdict = judged(case.base.ruleset, ship, f"{case.kind} {case.base.name} {case.seed}")
    red = tuple(finding.kind for finding in verdict.findings if finding.severity == RED)
    found = tuple(finding.kind for finding in verdict.findings)
    return TrialVerdict(case, verdict.colour, red, found, verdict.flown)


def judged(key: str, ship: rules.Starship, seed: str) -> TrialVerdict:
    """Fly a ship in its ruleset, and return the verdict."""
    setup, players = setup_of(key, ship)
    run = Run(setup, players, FLIGHTS, seed)
    return fly_until_sure(run, lambda numbers: [fly(setup, players, seed, number) for number in numbers])


def trial(seeds: range, processes: int) -> Iterator[TrialVerdict]:
    """Yield the verdicts on all cases in order, judged in parallel."""
    drawn = [case for seed in seeds for case in cases(seed)]
    yield from each_of(judge_case, drawn, processes)
