"""Generate the daily runs of a year, and check each: ``python -m bench.daily [--seed S] [--prove]``.

Prints one line for each day, and a summary. No day may be trivial (`TRIVIAL`) or unsolvable, or have the kind
of task of the day before. The search that finds the best score of a day covers all programs, so par is
proven. With ``--prove``, each day is read back from its document and searched again, and its solution is
played by the engine. Exits with 1 if a day fails.
"""

import argparse
import time
from collections import Counter
from datetime import date, timedelta

from rules.daily.days import TRIVIAL, day_of, prove, read_day, write_day


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.daily", description=__doc__)
    parser.add_argument("--seed", default="bench")
    parser.add_argument("--year", type=int, default=2027)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--prove", action="store_true")
    chosen = parser.parse_args()
    kinds: Counter[str] = Counter()
    slowest, failed, began, before = 0.0, 0, time.perf_counter(), ""
    for number in range(chosen.days):
        day = date(chosen.year, 1, 1) + timedelta(number)
        started = time.perf_counter()
        made = day_of(day, chosen.seed)
        seconds = time.perf_counter() - started
        slowest = max(slowest, seconds)
        read = read_day(write_day(made))
        good = 0 < made.best.share <= TRIVIAL and write_day(read) == write_day(made)
        good = good and (not chosen.prove or prove(read))
        good = good and made.task.kind.key != before
        before = made.task.kind.key
        failed += not good
        kinds[before] += 1
        print(
            f"{day:%a %d %b} {before:12} turns {made.position.turns}  par {made.best.par:3}  "
            f"{made.best.reaching:>9,} of {made.best.programs:,} programs ({made.best.share:.5%})  "
            f"{seconds:.1f} s{'' if good else '  FAILED'}",
            flush=True,
        )
    print(f"{chosen.days} days, failed: {failed}. Kinds: {dict(kinds.most_common())}.")
    print(f"Seconds: {time.perf_counter() - began:.0f}, slowest day {slowest:.1f}.")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
