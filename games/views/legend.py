"""What the elements of a board do, a sentence each."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from django.utils.safestring import SafeString

import rules
from rules.cell_notation import read_cell
from rules.drawing import legend
from rules.elements import (
    Airlock,
    Bay,
    Beam,
    Cell,
    Depot,
    Grappler,
    Oil,
    Shaft,
    Space,
    Start,
    Thruster,
    Transporter,
    Twister,
)
from rules.grid import PHASES
from rules.ruleset import KNOWN_TO_ALL

Test = Callable[[Cell], bool]


def _floor(kind: type[Any], **values: object) -> Test:
    return lambda cell: (
        isinstance(cell.floor, kind)
        and all(getattr(cell.floor, key) == value for key, value in values.items())
    )


def _beam(speed: int) -> Test:
    return _floor(Beam, speed=speed)


def _curve(cell: Cell) -> bool:
    return isinstance(cell.floor, Beam) and len(cell.floor.entries) == 1 and not cell.floor.straight


def _intersection(cell: Cell) -> bool:
    return isinstance(cell.floor, Beam) and len(cell.floor.entries) > 1


def _arm(*, always: bool) -> Test:
    return lambda cell: any((arm.phases == PHASES) is always for arm in cell.arms)


def _checkpoint(*, damaged: bool) -> Test:
    return lambda cell: cell.checkpoint is not None and (cell.checkpoint.damage > 0) is damaged


TRANSPORTER = (
    "Beams whoever comes onto it to another of its kind; where to is secret until somebody has tried it."
)

HOME = "Where robots start and come back, and the crystal is to be brought: of the"

MEANINGS: dict[str, tuple[str, Test]] = {
    "Airlock": ("Where robots start, and come back after they were destroyed.", _floor(Airlock, squad=None)),
    "Airlock of the red squad": (f"{HOME} red squad.", _floor(Airlock, squad="red")),
    "Airlock of the blue squad": (f"{HOME} blue squad.", _floor(Airlock, squad="blue")),
    "Start cell": ("Where the robot of that seat starts.", _floor(Start)),
    "Crystal grappler": ("Where the power crystal arrives, and destroys who stands there.", _floor(Grappler)),
    "Checkpoint": (
        "An inspection point: be on it at the end of a phase, in the order of the numbers.",
        _checkpoint(damaged=False),
    ),
    "Checkpoint with hull damage": (
        "Lets nothing pass until lasers have welded it as often as it says.",
        _checkpoint(damaged=True),
    ),
    "Rail": ("Nothing passes it: no robot, no laser.", lambda cell: bool(cell.rails)),
    "Slide rail": ("A rail that is open in the phases it shows.", lambda cell: bool(cell.slides)),
    "Power coupling": ("Shocks whoever is stopped by its rail: 1 damage.", lambda cell: bool(cell.couplings)),
    "Cooling shaft": ("Whoever enters it is destroyed.", _floor(Shaft)),
    "Space": ("Whoever enters it is destroyed.", _floor(Space)),
    "Launch bay": ("Doors that are shut in the phases shown, and a shaft in all others.", _floor(Bay)),
    "Beam of speed 1": ("Pulls one cell along in each phase, after the chips.", _beam(1)),
    "Beam of speed 2": ("Pulls two cells along in each phase.", _beam(2)),
    "Beam of speed 3": ("Pulls three cells along in each phase.", _beam(3)),
    "Beam, curve": ("Turns robots as it pulls them round.", _curve),
    "Beam, intersection": ("Takes robots in from more than one side.", _intersection),
    "Docking arm": ("Pushes away from its edge in each phase.", _arm(always=True)),
    "Docking arm with phases": ("Pushes away from its edge in the phases shown.", _arm(always=False)),
    "Twister, right": ("Turns robots a quarter to the right.", _floor(Twister, quarters=1)),
    "Twister, left": ("Turns robots a quarter to the left.", _floor(Twister, quarters=3)),
    "Twister, half turn": ("Turns robots about.", _floor(Twister, quarters=2)),
    "Transporter, purple": (TRANSPORTER, _floor(Transporter, network="purple")),
    "Transporter, red": (TRANSPORTER, _floor(Transporter, network="red")),
    "Transporter, blue": (TRANSPORTER, _floor(Transporter, network="blue")),
    "Transporter, yellow": (TRANSPORTER, _floor(Transporter, network="yellow")),
    "Thruster": (
        "Lifts robots that drive on over everything; burns those that stop on it.",
        _floor(Thruster),
    ),
    "Repair depot": ("Repairs damage at the end of the turn, and refills ammunition.", _floor(Depot)),
    "Oil": ("Robots slide on to its end, and one cell beyond.", _floor(Oil)),
    "Laser": ("Shoots along its line in each phase.", lambda cell: bool(cell.emitters)),
    "Crusher": ("Destroys whoever is there in the phases shown.", lambda cell: bool(cell.crusher)),
}
"""What an element does, and whether a cell has it, in the order in which a newcomer meets them."""


BY_STEP = (
    ("repair", "Checkpoint", "Repairs 1 damage at the end of the turn."),
    ("inspection", "Checkpoint", MEANINGS["Checkpoint"][0]),
    ("checkpoints passed", "Checkpoint", "Drive onto it or over it, in the order of the numbers."),
    ("checkpoints counted", "Checkpoint", "Drive onto it or over it, in the order of the numbers."),
    ("flags and repair fields", "Checkpoint", "Be on it at the end of a phase, in the order of the numbers."),
    ("goals", "Checkpoint", "Be on it at the end of a phase; the last one is the finish."),
    ("repair", "Repair depot", "Repairs damage at the end of the turn."),
    ("ammunition", "Repair depot", MEANINGS["Repair depot"][0]),
    ("repair fields", "Repair depot", "Repairs damage."),
)
"""What an element does where a ruleset has a step; of several the last holds."""


@dataclass(frozen=True, slots=True)
class Line:
    """One element: what it is called, what it does, and how it looks."""

    name: str
    meaning: str
    picture: SafeString
    elements: frozenset[str]
    stands_in: Test


@lru_cache(maxsize=1)
def lines() -> tuple[Line, ...]:
    """Return all elements that are explained."""
    entries = {entry.name: entry for entry in legend(theme="page")}
    return tuple(
        Line(
            name,
            meaning,
            SafeString(entries[name].picture),
            frozenset(read_cell(entries[name].token).elements),
            stands_in,
        )
        for name, (meaning, stands_in) in MEANINGS.items()
    )


def legend_of(ship: rules.Starship, ruleset: rules.Ruleset | None = None) -> list[Line]:
    """Return the elements that stand on a board, as a ruleset has them; without one as most do."""
    found = [line for line in lines() if any(map(line.stands_in, ship.cells))]
    return _told(found, ruleset) if ruleset else found


def legend_for(ruleset: rules.Ruleset) -> list[Line]:
    """Return the elements that a ruleset knows."""
    known = KNOWN_TO_ALL | ruleset.elements
    return _told([line for line in lines() if line.elements <= known], ruleset)


def _told(found: list[Line], ruleset: rules.Ruleset) -> list[Line]:
    """Say what elements do in a ruleset, where its steps make something else of them."""
    steps = {step.name for step in (*ruleset.phase, *ruleset.entering, *ruleset.end)}
    other = {element: text for step, element, text in BY_STEP if step in steps}
    if not ruleset.start.on_board:
        other["Airlock"] = other["Start cell"] = "Plain floor here: robots start on checkpoint 1."
    return [replace(line, meaning=other.get(line.name, line.meaning)) for line in found]
