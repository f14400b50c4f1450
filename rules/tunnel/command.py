"""The command ``python -m rules tunnel FILE``."""

import argparse
import sys
from collections.abc import Callable, Iterator
from typing import Final

from rules.document import Document, in_one_line, json_line
from rules.errors import NotationError, RulesError
from rules.notation import check_starship
from rules.rulesets import RULESETS, ruleset
from rules.setup import Ruleset
from rules.starship import Starship
from rules.suitability import make_setup, suits, unsuitable
from rules.tunnel.crews import middle, player_numbers
from rules.tunnel.findings import RED
from rules.tunnel.pool import Flyer, LostFlights
from rules.tunnel.report import report_of, text_of
from rules.tunnel.run import Run, fly_until_sure
from rules.tunnel.schedule import FLIGHTS, MOST_FLIGHTS

MOST_PROBLEMS: Final = 10
"""Problems of a document that are told in one line."""
MOST_PROCESSES: Final = 64

INTERRUPTED: Final = 128 + 2
"""Exit status of a command that was interrupted from the keyboard, as shells tell it."""

LONELY: Final = "the starship has a start cell for one robot, and a flight needs two"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("files", nargs=1, metavar="FILE", help="a starship, or - for standard input")
    parser.add_argument("--ruleset", metavar="KEY", help="one ruleset (each that suits, if not given)")
    parser.add_argument(
        "--players", type=int, metavar="N", help="the middle one of those that suit, if not given"
    )
    parser.add_argument(
        "--flights", type=up_to(MOST_FLIGHTS), default=FLIGHTS, metavar="N", help="at most, 200 if not given"
    )
    parser.add_argument("--seed", default="1", metavar="S", help="any text, 1 if not given")
    parser.add_argument("--json", action="store_true", help="print tunnel/1 documents, one a line")
    parser.add_argument(
        "--processes",
        type=up_to(MOST_PROCESSES),
        default=2,
        metavar="N",
        help="flights at a time, 2 if not given",
    )


def up_to(most: int) -> Callable[[str], int]:
    """Return what reads an argument that is a whole number from 1 to ``most``."""

    def whole(text: str) -> int:
        try:
            if 1 <= (number := int(text)) <= most:
                return number
        except ValueError:
            pass
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 to {most}")

    return whole


def tunnel(document: Document, chosen: argparse.Namespace) -> int:
    """Fly a starship as the command says, and print a report for each ruleset.

    Returns the exit status: 1 if a verdict is red. Raises RulesError where the document, the ruleset or the
    number of players cannot be taken.
    """
    status = 0
    for index, run in enumerate(list(runs(document, chosen))):
        shows = sys.stderr.isatty()
        try:
            with Flyer(run, chosen.processes, _progress(run) if shows else None) as flyer:
                verdict = fly_until_sure(run, flyer)
        except LostFlights as error:
            _tell(in_one_line(f"{run.setup.ruleset.name}: {error}") + "\n")
            return 2
        except KeyboardInterrupt:
            _tell("stopped\n")
            return INTERRUPTED
        if shows:
            _tell("\r\x1b[K")
        if chosen.json:
            lines = [json_line(report_of(run, verdict))]
        else:
            lines = [*[""] * bool(index), *map(in_one_line, text_of(run, verdict))]
        sys.stdout.write("\n".join([*lines, ""]))
        sys.stdout.flush()
        status |= verdict.colour == RED
    return status


def _tell(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


def _progress(run: Run) -> Callable[[int], None]:
    name = run.setup.ruleset.name

    def show(flown: int) -> None:
        _tell(f"\r{name}: {flown} of {run.flights} flights")

    return show


def runs(document: Document, chosen: argparse.Namespace) -> Iterator[Run]:
    """Yield the runs that a command asks for: one for each ruleset that suits, or the one that is chosen."""
    ship = _starship(document)
    for played in _rulesets(ship, chosen.ruleset):
        players = chosen.players
        if players is None:
            numbers = player_numbers(played, ship)
            if not numbers:
                raise RulesError(LONELY)
            players = middle(numbers)
        elif players < 2:
            raise RulesError("a flight needs at least 2 players")
        yield Run(make_setup(played, {}, ship, players), players, chosen.flights, chosen.seed)


def _starship(document: Document) -> Starship:
    report = check_starship(document)
    if report.starship:
        return report.starship
    told = [str(problem) for problem in report.problems[:MOST_PROBLEMS]]
    if more := len(report.problems) - MOST_PROBLEMS:
        told += [f"and {more} more"] if more > 0 else []
    raise NotationError("; ".join(told))


def _rulesets(ship: Starship, key: str | None) -> list[Ruleset]:
    if key is not None:
        chosen = ruleset(key)
        if problems := unsuitable(chosen, ship):
            raise RulesError(*problems[:MOST_PROBLEMS])
        return [chosen]
    suiting = [known for known in RULESETS.values() if suits(known, ship)]
    if flown := [known for known in suiting if player_numbers(known, ship)]:
        return flown
    if suiting:
        raise RulesError(LONELY)
    reasons = {known.key: str(unsuitable(known, ship)[0]) for known in RULESETS.values()}
    told = "; ".join(f"{key}: {reason}" for key, reason in reasons.items())
    raise RulesError(f"the starship suits no ruleset ({told})")
