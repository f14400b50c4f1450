"""Measure the starship generator: its speed, and the share of its ships that the wind tunnel judges green.

    python -m bench.design                     50 seeds, rotating through all rulesets and themes
    python -m bench.design --seeds 10 --ruleset robo-runner --theme ring
    python -m bench.design --keep FOLDER       store the starships there, one document each

It prints a line for each seed, and the shares of green ships by ruleset and by theme. It also prints in how
many pairs of ships with the same theme the two ships differ enough. It needs only Python. `make compiled`
makes it three times as fast.
"""

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import rules
from rules.design.genome import Brief, difference
from rules.design.proposal import MAX_SIDE, MIN_SIDE
from rules.design.search import CANDIDATES, design, starship_of
from rules.design.themes import THEMES
from rules.tunnel.findings import GREEN

MIN_GREEN_SHARE = 0.9
"""The minimum share of generated ships that must have a green verdict."""
DIFFERENT = 0.35
"""The minimum share of different cells between two ships of the same theme."""


@dataclass(frozen=True)
class Made:
    """A generated ship, with its seed, verdict, number of flights, and the seconds spent on it."""

    seed: int
    ruleset: str
    theme: str
    ship: rules.Starship
    colour: str
    findings: tuple[str, ...]
    flights: int
    seconds: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command. Return 1 if fewer than 9 of 10 ships are green, or else 0."""
    parser = argparse.ArgumentParser(prog="python -m bench.design", description="Measure the generator.")
    parser.add_argument("--seeds", type=int, default=50, help="how many, 50 if not given")
    parser.add_argument("--first", type=int, default=1, help="the first seed, 1 if not given")
    parser.add_argument("--ruleset", choices=rules.RULESETS, help="all in turn if not given")
    parser.add_argument("--theme", choices=THEMES, help="all in turn if not given")
    parser.add_argument("--side", type=int, default=12, help="cells along each side, 12 if not given")
    parser.add_argument("--players", type=int, default=4, help="4 if not given")
    parser.add_argument("--candidates", type=int, default=CANDIDATES, help="ships that are flown for a seed")
    parser.add_argument("--processes", type=int, default=2, help="how much is flown at a time")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where the starships are kept")
    given = parser.parse_args(arguments)
    if given.seeds < 1 or given.processes < 1 or given.candidates < 1:
        parser.error("seeds, candidates and processes are counted from 1")
    if not MIN_SIDE <= given.side <= MAX_SIDE:
        parser.error(f"a side has {MIN_SIDE} to {MAX_SIDE} cells")
    print(
        "| seed | ruleset | theme | name | verdict | findings | flights | seconds |",
        "|---" * 8 + "|",
        sep="\n",
    )
    ships = []
    for made in make(given):
        ships.append(made)
        cells = (made.ruleset, made.theme, made.ship.name, made.colour, ", ".join(made.findings))
        print(f"| {made.seed} | {' | '.join(cells)} | {made.flights} | {made.seconds:.0f} |", flush=True)
        if given.keep:
            given.keep.mkdir(parents=True, exist_ok=True)
            text = json.dumps(rules.write_starship(made.ship), ensure_ascii=False, indent=2)
            (given.keep / f"{made.seed:03}-{made.ruleset}-{made.theme}.json").write_text(text + "\n")
    for line in summary(ships):
        print(line)
    return int(sum(made.colour == GREEN for made in ships) < MIN_GREEN_SHARE * len(ships))


def make(given: argparse.Namespace) -> Iterator[Made]:
    """Generate and yield a ship for each seed.

    Rulesets and themes rotate with the seed unless they are given.
    """
    keys, themes = list(rules.RULESETS), list(THEMES)
    for seed in range(given.first, given.first + given.seeds):
        key = given.ruleset or keys[seed % len(keys)]
        theme = given.theme or themes[(seed + seed // len(keys)) % len(themes)]
        brief = Brief(rules.ruleset(key), given.players, given.side, given.side, theme)
        started = time.perf_counter()
        found = design(brief, seed, given.candidates, given.processes)
        seconds = time.perf_counter() - started
        kinds = tuple(finding.kind for finding in found.verdict.findings)
        ship = starship_of(found, str(seed))
        yield Made(seed, key, theme, ship, found.verdict.colour, kinds, found.flown, seconds)


def summary(ships: Sequence[Made]) -> Iterator[str]:
    """Yield a table of green ships by ruleset and by theme, and a line about pairs of ships.

    The line says how many pairs of ships with the same theme differ in at least the share `DIFFERENT`.
    """
    groups: dict[str, list[Made]] = defaultdict(list)
    for made in ships:
        groups[made.ruleset].append(made)
    for made in ships:
        groups[made.theme].append(made)
    groups["**all**"] = list(ships)
    yield from ("", "| | green | seconds |", "|---|---|---|")
    for name, some in groups.items():
        green = sum(made.colour == GREEN for made in some)
        mean = sum(made.seconds for made in some) / len(some)
        yield f"| {name} | {green} of {len(some)} | {mean:.0f} |"
    pairs = [(one, other) for one, other in combinations(ships, 2) if one.theme == other.theme]
    if pairs:
        apart = sum(difference(one.ship, other.ship) >= DIFFERENT for one, other in pairs)
        yield f"\n{apart} of {len(pairs)} pairs of one theme differ in {DIFFERENT:.0%} of their cells."


if __name__ == "__main__":
    sys.exit(main())
