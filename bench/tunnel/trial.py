"""The wind tunnel's trial: judge ten good ships and ten spoilt ones."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import rules
from bench.processes import each_of
from bench.tunnel.fleet import Base, setup_of, tried
from bench.tunnel.spoils import KINDS, OWN, spoil, suits
from rules.tunnel.findings import RED
from rules.tunnel.flying import FLIGHTS, fly
from rules.tunnel.run import Run, Verdict, fly_until_sure

GOOD_SHIPS = 10
MEASURED = frozenset({"fire", "airlock"})
"""The expected findings that need flights."""
SHIPS_PER_SPOIL = 2
"""The number of ships to spoil in each way."""


@dataclass(frozen=True)
class Case:
    """A ship to judge. ``kind`` is the kind of spoiling (`KINDS`), or None for a good ship."""

    base: Base
    kind: str | None
    seed: str


@dataclass(frozen=True)
class TrialVerdict:
    """The verdict on a case: colour, red findings, all findings, and number of flights."""

    case: Case
    colour: str
    red: tuple[str, ...]
    found: tuple[str, ...]
    flown: int

    @property
    def right(self) -> bool:
        """Whether the verdict is correct.

        For a good ship, it must have no red finding. For a spoilt ship, it must have the expected finding. A
        finding that needs flights must be red. Others may be amber, because they come from the board alone.
        """
        if not self.case.kind:
            return not self.red
        own = OWN[self.case.kind]
        return own in (self.red if own in MEASURED else self.found)


def cases(seed: int) -> list[Case]:
    """Draw the cases of a seed: ten good ships and ten spoilt ones."""
    chance = Random(f"ten and ten {seed}")
    drawn = [Case(base, None, f"{seed}") for base in chance.sample(tried(), GOOD_SHIPS)]
    for kind in KINDS:
        bases = [base for base in tried() if suits(kind, base)]
        drawn += [Case(base, kind, f"{seed}") for base in chance.sample(bases, SHIPS_PER_SPOIL)]
    return drawn


def judge_case(case: Case) -> TrialVerdict:
    """Fly the ship of a case until the verdict is final. Return the verdict."""
    ship = spoil(case.kind, case.base, case.seed) if case.kind else case.base.ship
    verdict = judge_ship(case.base.ruleset, ship, f"{case.kind} {case.base.name} {case.seed}")
    red = tuple(finding.kind for finding in verdict.findings if finding.severity == RED)
    found = tuple(finding.kind for finding in verdict.findings)
    return TrialVerdict(case, verdict.colour, red, found, verdict.flown)


def judge_ship(key: str, ship: rules.Starship, seed: str) -> Verdict:
    """Fly a ship in its ruleset until the verdict is final. Return the verdict."""
    setup, players = setup_of(key, ship)
    run = Run(setup, players, FLIGHTS, seed)
    return fly_until_sure(run, lambda numbers: [fly(setup, players, seed, number) for number in numbers])


def trial(seeds: range, processes: int) -> Iterator[TrialVerdict]:
    """Judge all cases of these seeds in parallel. Yield the verdicts in order."""
    drawn = [case for seed in seeds for case in cases(seed)]
    yield from each_of(judge_case, drawn, processes)
