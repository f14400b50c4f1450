"""The command ``python -m rules design``."""

import argparse
import json
import re
import sys
from collections.abc import Callable
from typing import Final

from rules.design.genome import Brief
from rules.design.ordering import LARGEST, SMALLEST, USUAL_PLAYERS, brief_of
from rules.design.proposal import NoDesign
from rules.design.search import CANDIDATES, design, starship_of
from rules.design.symmetry import KINDS
from rules.design.themes import THEMES
from rules.document import in_one_line
from rules.drawing import draw
from rules.errors import RulesError
from rules.notation import write_starship
from rules.rulesets import ruleset
from rules.tunnel.command import INTERRUPTED, MOST_PROCESSES, up_to
from rules.tunnel.findings import RED
from rules.tunnel.pool import LostFlights
from rules.tunnel.report import text_of
from rules.tunnel.schedule import FLIGHTS, MOST_FLIGHTS

MOST_CANDIDATES: Final = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("--ruleset", default="robo-runner", metavar="KEY", help="robo-runner if not given")
    parser.add_argument(
        "--size", type=_size, default=(12, 12), metavar="WxH", help="cells, 12x12 if not given"
    )
    parser.add_argument(
        "--players", type=int, metavar="N", help=f"{USUAL_PLAYERS} if not given and there is room"
    )
    parser.add_argument("--theme", choices=list(THEMES), help="by chance if not given")
    parser.add_argument("--symmetry", choices=KINDS, help="one that suits the theme if not given")
    parser.add_argument("--seed", default="1", metavar="S", help="any text, 1 if not given")
    parser.add_argument(
        "--candidates",
        type=up_to(MOST_CANDIDATES),
        default=CANDIDATES,
        metavar="N",
        help=f"ships that are flown, {CANDIDATES} if not given",
    )
    parser.add_argument(
        "--flights",
        type=up_to(MOST_FLIGHTS),
        default=FLIGHTS,
        metavar="N",
        help="of the best ship at most, 200 if not given",
    )
    parser.add_argument(
        "--processes", type=up_to(MOST_PROCESSES), default=2, metavar="N", help="2 if not given"
    )
    parser.add_argument("--draw", action="store_true", help="print the ship as SVG")


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]{1,3})(?:[x×]([0-9]{1,3}))?", text, re.ASCII)
    sides = [int(side) for side in match.groups(match[1])] if match else [0]
    if not all(SMALLEST <= side <= LARGEST for side in sides):
        raise argparse.ArgumentTypeError(
            f"must be like 12 or 16x12, with {SMALLEST} to {LARGEST} cells along each side"
        )
    return sides[0], sides[-1]


def _ordered(chosen: argparse.Namespace) -> Brief:
    """Return what a command orders; raises RulesError where the ruleset or the players cannot be."""
    return brief_of(ruleset(chosen.ruleset), chosen.size, chosen.players, chosen.theme, chosen.symmetry)


def run(chosen: argparse.Namespace) -> int:
    """Design a starship as the command says: prints it, and on standard error what the tunnel says of it.

    Returns the exit status: 1 if the verdict is red. Raises RulesError where nothing can be designed so.
    """
    brief = _ordered(chosen)
    try:
        found = design(brief, chosen.seed, chosen.candidates, chosen.processes, chosen.flights, _progress())
    except (LostFlights, NoDesign) as error:
        raise RulesError(str(error)) from None
    except KeyboardInterrupt:
        _tell("stopped\n")
        return INTERRUPTED
    ship = starship_of(found, chosen.seed)
    if sys.stderr.isatty():
        _tell("\r\x1b[K")
    lines = [f"{ship.name}: {found.flown} flights", *text_of(found.run, found.verdict)]
    _tell("\n".join([*map(in_one_line, lines), ""]))
    sys.stdout.write(
        draw(ship) if chosen.draw else json.dumps(write_starship(ship), ensure_ascii=False, indent=2)
    )
    sys.stdout.write("\n")
    return int(found.verdict.colour == RED)


def _tell(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


def _progress() -> Callable[[str], None] | None:
    if not sys.stderr.isatty():
        return None
    return lambda told: _tell(f"\r\x1b[K{told}")
