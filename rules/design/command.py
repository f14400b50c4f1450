"""The command ``python -m rules design``."""

import argparse
import json
import re
import sys
from collections.abc import Callable
from typing import Final

from rules.chance import Stream
from rules.design.checks import kinds_of
from rules.design.genome import Brief
from rules.design.names import named
from rules.design.proposal import NoDesign
from rules.design.search import CANDIDATES, Design, design
from rules.design.symmetry import KINDS
from rules.design.themes import THEMES
from rules.drawing import draw
from rules.errors import RulesError
from rules.notation import write_starship
from rules.rulesets import ruleset
from rules.setup import Ruleset
from rules.starship import Starship
from rules.tunnel.command import INTERRUPTED, MOST_PROCESSES, up_to
from rules.tunnel.crews import ROOM
from rules.tunnel.findings import RED
from rules.tunnel.pool import LostFlights
from rules.tunnel.report import text_of
from rules.tunnel.schedule import FLIGHTS, MOST_FLIGHTS

SMALLEST: Final = 8
LARGEST: Final = 30
"""Cells along a side of a ship that is designed."""
PLAYERS: Final = 4
MOST_CANDIDATES: Final = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("--ruleset", default="robo-runner", metavar="KEY", help="robo-runner if not given")
    parser.add_argument(
        "--size", type=_size, default=(12, 12), metavar="WxH", help="cells, 12x12 if not given"
    )
    parser.add_argument("--players", type=int, metavar="N", help=f"{PLAYERS} if not given and there is room")
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
    match = re.fullmatch(r"([0-9]{1,3})[x×]([0-9]{1,3})", text, re.ASCII)
    if match and all(SMALLEST <= int(side) <= LARGEST for side in match.groups()):
        return int(match[1]), int(match[2])
    raise argparse.ArgumentTypeError(
        f"must be like 12x12, with {SMALLEST} to {LARGEST} cells along each side"
    )


def brief_of(chosen: argparse.Namespace) -> Brief:
    """Return what a command orders; raises RulesError where the ruleset or the players cannot be."""
    played = ruleset(chosen.ruleset)
    width, height = chosen.size
    players = chosen.players
    if players is None:
        players = min(PLAYERS, width * height // ROOM)
        players -= players % len(played.squads) if played.squads else 0
    check_players(played, players, width * height)
    return Brief(played, players, width, height, chosen.theme, chosen.symmetry)


def check_players(played: Ruleset, players: int, cells: int) -> None:
    """Raise RulesError where a ruleset or a board is not for that many players."""
    least, most = max(2, played.seats[0]), min(played.seats[1], cells // ROOM)
    if not least <= players <= most:
        raise RulesError(f"{played.name} on {cells} cells is for {least} to {most} players, not {players}")
    if played.squads and players % len(played.squads):
        raise RulesError(f"{played.name} is for squads of equal size: {players} players make none")


def starship_of(found: Design, seed: str) -> Starship:
    """Return a ship that was found, with its name and its story."""
    ship = found.genome.starship()
    return named(
        ship, found.genome.theme, sorted(kinds_of(ship)), Stream(f"name {seed} {found.genome.theme}")
    )


def run(chosen: argparse.Namespace) -> int:
    """Design a starship as the command says: prints it, and on standard error what the tunnel says of it.

    Returns the exit status: 1 if the verdict is red. Raises RulesError where nothing can be designed so.
    """
    brief = brief_of(chosen)
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
    _tell("\n".join([f"{ship.name}: {found.flown} flights", *text_of(found.run, found.verdict), ""]))
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
