"""Measure how well the wind tunnel recognises bad ships, and calculate its limits.

    python -m bench.tunnel               ten good ships and ten spoilt ones: how many are judged correctly
    python -m bench.tunnel --rounds 5    five times, each with new ships and spoils
    python -m bench.tunnel --first 7     with another seed
    python -m bench.tunnel --limits      the measurements, and the limits that follow from them
    python -m bench.tunnel --measure     fly the ships that set limits, and store their figures
    python -m bench.tunnel --measure --boards FOLDER    also fly every second board in the folder
    python -m bench.tunnel --ruins       ruin sound ships in eleven ways: how many are found without a flight
    python -m bench.tunnel --boards FOLDER --ruleset KEY    how many of its boards are red without a flight
    python -m bench.tunnel --boards FOLDER --ruleset KEY --fly    how many of its boards are red after flights

Half of the ships of the fleet and of the boards in the folder (every second) set the limits. The other half
test them. With `--keep FOLDER`, the flights of these ships and boards are stored in that folder, and only
missing flights are flown. It needs only Python. `make compiled` makes it three times as fast.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.tunnel import search, setting, trial
from rules.document import in_one_line

MIN_CORRECT_SHARE = 0.95
"""The minimum share of ships that must be judged correctly."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command. Return 1 if under 95 % of ships are judged correctly, or else 0."""
    parser = argparse.ArgumentParser(prog="python -m bench.tunnel", description="Measure the wind tunnel.")
    parser.add_argument(
        "--rounds", type=int, default=1, help="how often ten and ten are drawn, once if not given"
    )
    parser.add_argument("--first", type=int, default=1, help="the seed of the first round, 1 if not given")
    parser.add_argument("--processes", type=int, default=2, help="how much is flown at a time")
    parser.add_argument("--limits", action="store_true", help="print what was measured, and the limits")
    parser.add_argument("--measure", action="store_true", help="fly the ships that set limits")
    parser.add_argument("--ruins", action="store_true", help="ruin sound ships, without a flight")
    parser.add_argument("--boards", type=Path, metavar="FOLDER", help="boards to judge or to measure")
    parser.add_argument("--ruleset", default="factory-1999", help="the ruleset for --boards")
    parser.add_argument("--fly", action="store_true", help="fly the boards before they are judged")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where flights are kept")
    given = parser.parse_args(arguments)
    if given.rounds < 1 or given.processes < 1:
        parser.error("rounds and processes are counted from 1")
    if given.keep:
        given.keep.mkdir(parents=True, exist_ok=True)
    for line in lines_of(given):
        print(in_one_line(line), flush=True)
    if given.limits or given.measure or given.ruins or given.boards:
        return 0
    return try_out(range(given.first, given.first + given.rounds), given.processes)


def lines_of(given: argparse.Namespace) -> Iterator[str]:
    """Yield the output of all commands, except for the trial of good and spoilt ships."""
    if given.measure:
        yield from setting.measure(given.processes, given.keep, given.boards)
    elif given.limits:
        yield from setting.tell()
    elif given.ruins:
        yield from search.look_for_ruins(given.first, given.processes)
    elif given.boards and given.fly:
        yield from search.fly_boards(given.boards, given.ruleset, given.processes, given.keep)
    elif given.boards:
        yield from search.judge_boards(given.boards, given.ruleset, given.processes)


def try_out(seeds: range, processes: int) -> int:
    """Run the trial for each seed, and print the verdicts and their accuracy. Return the exit status."""
    started = time.perf_counter()
    right: Counter[str] = Counter()
    all_of: Counter[str] = Counter()
    print(
        "| seed | starship | ruleset | spoilt | verdict | findings | flights |",
        "|---|---|---|---|---|---|---|",
        sep="\n",
    )
    for told in trial.trial(seeds, processes):
        case, kind = told.case, told.case.kind or "good"
        right[kind] += told.right
        all_of[kind] += 1
        mark = told.colour if told.right else f"**{told.colour}**"
        cells = (case.seed, case.base.name, case.base.ruleset, case.kind or "", mark, ", ".join(told.found))
        print(f"| {' | '.join(cells)} | {told.flown} |", flush=True)
    print("", "| | told apart |", "|---|---|", sep="\n")
    for kind, number in all_of.items():
        print(f"| {kind} | {right[kind]} of {number} |")
    share = right.total() / all_of.total()
    print(f"| **all** | {right.total()} of {all_of.total()} |")
    print(f"\n{time.perf_counter() - started:.0f} s")
    return int(share < MIN_CORRECT_SHARE)


if __name__ == "__main__":
    sys.exit(main())
