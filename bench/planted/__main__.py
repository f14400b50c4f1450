"""The command: plant faults, run tests, and report the faults that no test found.

The exit status is 1 if a fault was not found or could not be planted, and 2 for an unknown name.
"""

import argparse
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.planted.fault import FAULTS, Fault, chosen, read_faults
from bench.planted.planting import Unplantable, plant
from bench.planted.trial import (
    ROOT,
    Outcome,
    Unfit,
    commit_of,
    copy_of,
    failures,
    places_of,
    report,
    servers,
    take_out,
    test_of,
    try_out,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status."""
    given = _parser().parse_args(arguments)
    try:
        faults = chosen(read_faults(given.faults), given.names)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    with copy_of(given.root, given.at) as tree:
        if given.check:
            return _check(tree, faults)
        if given.together:
            with servers():
                return _try_together(tree, faults, given.together)
        with servers():
            outcomes = _try_all(tree, faults, given.report)
    return 0 if all(outcome.found_by for outcome in outcomes) else 1


def _check(tree: Path, faults: list[Fault]) -> int:
    """Check that each fault can be planted and that its tests exist. Run no tests. Return the exit status."""
    problems = 0
    for fault in faults:
        try:
            path = plant(tree, fault)
            text = path.read_text(encoding="utf-8")
            take_out(tree, path)
            if path.suffix == ".py":
                compile(text, path, "exec")
            places_of(tree, fault.tests)
        except (Unplantable, Unfit, SyntaxError) as reason:
            problems += 1
            print(f"{fault.name}: {reason}")
    print(f"{len(faults) - problems} of {len(faults)} faults can be planted.")
    return 1 if problems else 0


def _try_all(tree: Path, faults: list[Fault], target: Path | None) -> list[Outcome]:
    """Try the faults one at a time, and print each outcome immediately. Return all outcomes.

    Tests that also fail without any fault do not count, so faults that they found are tried again without
    them. If ``target`` is given, it gets a Markdown table of the outcomes.
    """
    outcomes: dict[str, Outcome] = {}

    def note(outcome: Outcome) -> None:
        outcomes[outcome.fault.name] = outcome
        print(f"{outcome.fault.name}: {outcome.told} ({outcome.seconds:.0f} s)", flush=True)
        if target:
            target.write_text(report(outcomes.values(), commit=commit_of(tree)), encoding="utf-8")

    for fault in faults:
        note(try_out(tree, fault))
    finders = {test_of(outcome.found_by) for outcome in outcomes.values() if outcome.found_by}
    ill = {test_of(test) for test in failures(tree, sorted(finders), all_of_them=True)}
    for test in sorted(ill):
        print(f"fails without any fault, and finds nothing: {test}", flush=True)
    for outcome in list(outcomes.values()):
        if test_of(outcome.found_by) in ill:
            note(try_out(tree, outcome.fault, ill=ill))
    return list(outcomes.values())


def _try_together(tree: Path, faults: list[Fault], tests: str) -> int:
    """Plant all faults in one tree, run the given tests once, and print the tests that fail."""
    for fault in faults:
        plant(tree, fault)
    for test in failures(tree, tests.split(), all_of_them=True):
        print(test)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench.planted", description="Plant faults, and see which the tests find."
    )
    parser.add_argument("names", nargs="*", help="faults or subjects; all faults without any")
    parser.add_argument("--report", type=Path, help="where to write a table of what was found (Markdown)")
    parser.add_argument("--at", metavar="COMMIT", default="HEAD", help="what to plant them in; HEAD else")
    parser.add_argument("--check", action="store_true", help="only say whether the faults can be planted")
    parser.add_argument(
        "--together", metavar="TESTS", help="plant all at once, and run these tests (and options of pytest)"
    )
    parser.add_argument("--faults", type=Path, default=FAULTS, help=argparse.SUPPRESS)
    parser.add_argument("--root", type=Path, default=ROOT, help=argparse.SUPPRESS)
    return parser


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))  # also ends the servers and removes the copy
    sys.exit(main())
