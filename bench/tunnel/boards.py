"""Boards by other authors, adapted to each ruleset. Half of them set limits, and the others test the limits.

The boards are not part of this project. `measured.csv` has their figures.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import rules
from rules.grid import Pos
from rules.tunnel.findings import LIMITS, RED
from rules.tunnel.flying import LEVEL_MIX, level_of, races
from rules.tunnel.outlook import board_findings, outlook_of
from rules.tunnel.play import steps
from rules.tunnel.run import Run

PLAYERS: Final = 4
FLIGHTS: Final = 24
"""The number of flights of a board. All are flights of Pilots and Rookies."""
ORIGINAL: Final = "factory-1999"
"""The ruleset that is most similar to the original rules of these boards."""

_FEATURES: Final = {"p": "docking arm", "x": "crusher"}
_CELL: Final = re.compile(r"(g\+|[^+]+)(?:\+(.*))?")


@dataclass(frozen=True)
class Board:
    """A board by another author, adapted to a ruleset."""

    name: str
    ruleset: str
    ship: rules.Starship

    @property
    def run(self) -> Run:
        """The wind tunnel run of the board."""
        setup = rules.make_setup(rules.ruleset(self.ruleset), {}, self.ship, PLAYERS)
        return Run(setup, PLAYERS, FLIGHTS, f"foreign {self.name}")

    @property
    def numbers(self) -> Sequence[int]:
        """The numbers of the board's flights."""
        return [number for number in range(2 * len(LEVEL_MIX)) if level_of(number) != "ace"][:FLIGHTS]

    @property
    def proved(self) -> bool:
        """Whether the board itself proves, without any flight, that robots can't play on it."""
        outlook = outlook_of(self.ship, rules.ruleset(self.ruleset), PLAYERS)
        found = board_findings(self.ship, outlook, LIMITS[self.ruleset])
        return any(finding.severity == RED for finding in found)


def measured(folder: Path, key: str) -> list[Board]:
    """Return the boards of a folder that set limits for a ruleset, without unplayable boards.

    It takes every second board. If robots do not race, it takes every fourth board, because such games take
    ten times as long.
    """
    return _playable(_files(folder)[:: 2 if races(rules.ruleset(key)) else 4], key)


def tried(folder: Path, key: str) -> list[Board]:
    """Return the boards of a folder that test limits for a ruleset, without unplayable boards."""
    files = _files(folder)
    return _playable(files[1::2] if races(rules.ruleset(key)) else files[2::4], key)


def boards_in(folder: Path, key: str) -> list[Board]:
    """Return all boards of a folder that suit a ruleset, adapted to it."""
    return list(_adapted(_files(folder), key))


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.json"))


def _playable(files: Sequence[Path], key: str) -> list[Board]:
    return [board for board in _adapted([*filter(_is_whole, files)], key) if not board.proved]


@cache
def _is_whole(file: Path) -> bool:
    """Return whether every checkpoint can be reached after the board was converted to our format."""
    return not any(board.proved for board in _adapted([file], ORIGINAL))


def _adapted(files: Sequence[Path], key: str) -> Iterator[Board]:
    for file in files:
        if ship := adapted(json.loads(file.read_text()), rules.ruleset(key)):
            yield Board(file.stem, key, ship)


def adapted(document: dict[str, object], ruleset: rules.Ruleset) -> rules.Starship | None:
    """Return a board adapted to a ruleset, or None if the board does not suit the ruleset.

    Elements that the ruleset does not allow become hull. If the ruleset gives each robot its own start, the
    board's shared start and the plain hull cells nearest to it become the starts. Squads start at opposite
    ends, and the crystal arrives between them.
    """
    rows = [row.split() for row in document["rows"]]  # type: ignore[attr-defined]
    cells = {(x, y): _known(cell, ruleset) for y, row in enumerate(rows) for x, cell in enumerate(row)}
    _place_starts(cells, ruleset)
    drawn = [" ".join(cells[x, y] for x in range(len(row))) for y, row in enumerate(rows)]
    ship = rules.read_starship({**document, "rows": drawn})
    return None if rules.reasons_against(ruleset, ship) else ship


def _known(cell: str, ruleset: rules.Ruleset) -> str:
    found = _CELL.fullmatch(cell)
    assert found, cell
    floor, features = found[1], (found[2] or "").split("+")
    if floor.startswith("b3") and "beam of speed 3" not in ruleset.elements:
        floor = f"b2{floor[2:]}"
    unknown = set(_FEATURES.values()) - ruleset.elements
    known = [each for each in features if each and _FEATURES.get(each[0]) not in unknown]
    return "+".join([floor, *known])


def _place_starts(cells: dict[Pos, str], ruleset: rules.Ruleset) -> None:
    shared = [at for at, cell in cells.items() if cell.split("+")[0] == "a"]
    if not shared or not (ruleset.squads or ruleset.start.own):
        return
    start = shared[0]
    plain = [at for at, cell in cells.items() if cell == "."]
    if ruleset.squads:
        far = max(plain, key=lambda at: steps(at, start))
        between = min(plain, key=lambda at: abs(steps(at, start) - steps(at, far)))
        placed: Sequence[Pos] = (start, far, between)
        floors = [*(f"a:{squad}" for squad in ruleset.squads), "k"]
    else:
        near = sorted(plain, key=lambda at: (steps(at, start), at))
        placed = (start, *near[: PLAYERS - 1])
        floors = [f"a{number + 1}" for number in range(PLAYERS)]
    for at, floor in zip(placed, floors, strict=True):
        _, plus, features = cells[at].partition("+")
        cells[at] = floor + plus + features
