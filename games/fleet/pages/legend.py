"""What the elements of a board do, a sentence each."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from django.utils.safestring import SafeString

import rules
from rules.cell_notation import read_cell
from rules.drawing import legend
from rules.drawing.cell_words import kinds_of
from rules.ruleset import KNOWN_TO_ALL

TRANSPORTER = (
    "Beams whoever comes onto it to another of its kind; where to is secret until somebody has tried it."
)

HOME = "Where robots start and come back, and the crystal is to be brought: of the"

MEANINGS: Final[dict[str, str]] = {
    "Airlock": "Where robots start, and come back after they were destroyed.",
    "Airlock of the red squad": f"{HOME} red squad.",
    "Airlock of the blue squad": f"{HOME} blue squad.",
    "Start cell": "Where the robot of that seat starts.",
    "Crystal grappler": "Where the power crystal arrives, and destroys who stands there.",
    "Checkpoint": "An inspection point: be on it at the end of a phase, in the order of the numbers.",
    "Checkpoint with hull damage": "Lets nothing pass until lasers have welded it as often as it says.",
    "Rail": "Nothing passes it: no robot, no laser.",
    "Slide rail": "A rail that is open in the phases it shows.",
    "Power coupling": "Shocks whoever is stopped by its rail: 1 damage.",
    "Cooling shaft": "Whoever enters it is destroyed.",
    "Space": "Whoever enters it is destroyed.",
    "Launch bay": "Doors that are shut in the phases shown, and a shaft in all others.",
    "Beam of speed 1": "Pulls one cell along in each phase, after the chips.",
    "Beam of speed 2": "Pulls two cells along in each phase.",
    "Beam of speed 3": "Pulls three cells along in each phase.",
    "Beam, curve": "Turns robots as it pulls them round.",
    "Beam, intersection": "Takes robots in from more than one side.",
    "Docking arm": "Pushes away from its edge in each phase.",
    "Docking arm with phases": "Pushes away from its edge in the phases shown.",
    "Twister, right": "Turns robots a quarter to the right.",
    "Twister, left": "Turns robots a quarter to the left.",
    "Twister, half turn": "Turns robots about.",
    "Transporter, purple": TRANSPORTER,
    "Transporter, red": TRANSPORTER,
    "Transporter, blue": TRANSPORTER,
    "Transporter, yellow": TRANSPORTER,
    "Thruster": "Lifts robots that drive on over everything; burns those that stop on it.",
    "Repair depot": "Repairs damage at the end of the turn, and refills ammunition.",
    "Oil": "Robots slide on to its end, and one cell beyond.",
    "Laser": "Shoots along its line in each phase.",
    "Crusher": "Destroys whoever is there in the phases shown.",
}
"""What an element does, in the order in which a newcomer meets them."""


BY_STEP = (
    ("repair", "Checkpoint", "Repairs 1 damage at the end of the turn."),
    ("inspection", "Checkpoint", MEANINGS["Checkpoint"]),
    ("checkpoints passed", "Checkpoint", "Drive onto it or over it, in the order of the numbers."),
    ("checkpoints counted", "Checkpoint", "Drive onto it or over it, in the order of the numbers."),
    ("flags and repair fields", "Checkpoint", "Be on it at the end of a phase, in the order of the numbers."),
    ("goals", "Checkpoint", "Be on it at the end of a phase; the last one is the finish."),
    ("repair", "Repair depot", "Repairs damage at the end of the turn."),
    ("ammunition", "Repair depot", MEANINGS["Repair depot"]),
    ("repair fields", "Repair depot", "Repairs damage."),
)
"""What an element does where a ruleset has a step; of several the last holds."""


@dataclass(frozen=True, slots=True)
class LegendLine:
    """One element: what it is called, what it does, and how it looks."""

    name: str
    meaning: str
    picture: SafeString
    elements: frozenset[str]


@lru_cache(maxsize=1)
def lines() -> tuple[LegendLine, ...]:
    """Return all elements that are explained."""
    entries = {entry.name: entry for entry in legend(theme="page")}
    return tuple(
        LegendLine(
            name,
            meaning,
            SafeString(entries[name].picture),
            frozenset(read_cell(entries[name].token).elements),
        )
        for name, meaning in MEANINGS.items()
    )


def legend_of(ship: rules.Starship, ruleset: rules.Ruleset | None = None) -> list[LegendLine]:
    """Return the elements that stand on a board, as a ruleset has them; without one as most do."""
    standing = set().union(*map(kinds_of, set(ship.cells)))
    return _told([line for line in lines() if line.name in standing], ruleset)


def legend_for(ruleset: rules.Ruleset) -> list[LegendLine]:
    """Return the elements that a ruleset knows."""
    known = KNOWN_TO_ALL | ruleset.elements
    return _told([line for line in lines() if line.elements <= known], ruleset)


def meanings_in(ruleset: rules.Ruleset | None) -> dict[str, str]:
    """Return what elements do in a ruleset, where its steps make something else of them; else as in most."""
    if ruleset is None:
        return MEANINGS
    steps = {step.name for step in (*ruleset.phase, *ruleset.entering, *ruleset.end)}
    told = MEANINGS | {element: text for step, element, text in BY_STEP if step in steps}
    if not ruleset.start.on_board:
        told["Airlock"] = told["Start cell"] = "Plain floor here: robots start on checkpoint 1."
    return told


def _told(found: list[LegendLine], ruleset: rules.Ruleset | None) -> list[LegendLine]:
    told = meanings_in(ruleset)
    return [replace(line, meaning=told[line.name]) for line in found]
