"""Random starships for every ruleset: valid and suitable, but often odd."""

from collections.abc import Collection, Mapping
from random import Random
from typing import Any

import rules
from rules.setup import COMMON_ELEMENTS

FLOORS = {
    "hull": ".",
    "space": "~",
    "shaft": "o",
    "beam": "b1:E b1:W b2:N b2:SE b1:NWE b2:NSWE b2:W b2:E b1:ES b1:NW",
    "beam of speed 3": "b3:S b3:N b3:WE b3:NSE",
    "twister": "g+ g- g2",
    "repair depot": "h1 h2 h3",
    "airlock": "a",
    "start cell": "a8",
    "launch bay": "d24 d135 d12345",
    "transporter": "t:purple t:purple t:red t:red t:blue",
    "thruster": "f",
    "oil": "s",
    "coloured airlock": "a:red a:blue",
    "grappler": "k",
}
FEATURES = {
    "rail": "+wN +wE +wNESW",
    "slide rail": "+r24E +r135S",
    "laser": "+wN+l2N +wE+l1E +wS+l3S +r13W+l1W",
    "coupling": "+wS+cS +r15S+cS",
    "docking arm": "+wN+pN +wW+p24W +wS+pS+wE+p135E",
    "crusher": "+x15 +x234 +x12345",
}
RARE = frozenset({"airlock", "start cell"})
"""Elements that are placed only as starts, never at random."""
SMALL = ((1, 1), (1, 2), (1, 4), (3, 1), (2, 2), (3, 2))
LARGE = ((3, 3), (4, 4), (5, 4), (6, 6), (7, 5), (9, 9), (12, 3))


def starship_document(
    chance: Random, ruleset: rules.Ruleset = rules.RULESETS["robo-runner"], seats: int = 1
) -> dict[str, Any]:
    """Return a random starship of at most 81 cells for a ruleset and number of players."""
    tokens = _starts(ruleset, seats)
    marked = _checkpoints(chance, ruleset)
    width, height = _size(chance, max(len(tokens), marked))
    floors, features, plain = _palette(chance, ruleset)
    cells = [chance.choice(floors if chance.random() > plain else ["."]) for _ in range(width * height)]
    spots = list(range(len(cells)))
    for spot, token in zip(chance.sample(spots, len(tokens)), tokens, strict=True):
        cells[spot] = token
    numbers = dict(zip(chance.sample(spots, marked), range(1, marked + 1), strict=True))
    for spot in spots:
        if spot in numbers:
            if cells[spot] not in tokens and chance.random() < 0.7:
                cells[spot] = "."
            if cells[spot] in tokens_of(FLOORS, ruleset.barred):
                cells[spot] = "."
            cells[spot] += f"+i{numbers[spot]}{_damage(chance, ruleset)}"
        if features and chance.random() > plain:
            feature = chance.choice(features)
            if not (spot in numbers and feature in tokens_of(FEATURES, ruleset.barred)):
                cells[spot] += feature
    if chance.random() < 0.6:
        cells = [_fenced(cell, spot, width, height) for spot, cell in enumerate(cells)]
    rows = [" ".join(cells[start : start + width]) for start in range(0, len(cells), width)]
    return {"format": "starship/1", "name": "Random", "rows": rows}


def tokens_of(table: Mapping[str, str], elements: Collection[str]) -> list[str]:
    return [token for element in table if element in elements for token in table[element].split()]


def _size(chance: Random, least: int) -> tuple[int, int]:
    """Return a random width and height for a board with at least this many cells."""
    sizes = SMALL if chance.random() < 0.2 else LARGE
    width, height = chance.choice([size for size in sizes if size[0] * size[1] >= least] or LARGE)
    return (width, height) if chance.random() < 0.5 else (height, width)


def _fenced(cell: str, spot: int, width: int, height: int) -> str:
    """Add rails to a cell along the edge of the board, unless the cell already has rails."""
    x, y = spot % width, spot // width
    at_edge = {"N": y == 0, "E": x == width - 1, "S": y == height - 1, "W": x == 0}
    edges = "".join(edge for edge in at_edge if at_edge[edge])
    return f"{cell}+w{edges}" if edges and "+w" not in cell else cell


def _palette(chance: Random, ruleset: rules.Ruleset) -> tuple[list[str], list[str], float]:
    """Return tokens of floors, tokens of features, and the share of plain cells."""
    known = (COMMON_ELEMENTS | ruleset.elements) - RARE
    floors = [element for element in FLOORS if element in known]
    features = [element for element in FEATURES if element in known]
    few = chance.choice([1, 1, 3, 3, 5, 99])
    floors = chance.sample(floors, min(few, len(floors)))
    features = chance.sample(features, min(chance.choice([0, few]), len(features)))
    plain = chance.choice([0.0, 0.1, 0.4] if few == 1 else [0.2, 0.5, 0.8])
    return tokens_of(FLOORS, floors), tokens_of(FEATURES, features), plain


def _starts(ruleset: rules.Ruleset, seats: int) -> list[str]:
    """Return tokens of starts for this many players."""
    if ruleset.squads:
        return [*(f"a:{squad}" for squad in ruleset.squads), "k"]
    if ruleset.start.own:
        return [f"a{seat}" for seat in range(1, seats + 1)]
    return ["a"] if ruleset.start.on_board else []


def _checkpoints(chance: Random, ruleset: rules.Ruleset) -> int:
    least, most = ruleset.checkpoints
    return chance.randint(least, min(most, least + 3))


def _damage(chance: Random, ruleset: rules.Ruleset) -> str:
    return chance.choice(["", "*2", "*5"]) if "hull damage" in ruleset.elements else ""
