"""What the elements of a board do, a sentence each."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

import rules
from games.kept import text_of
from games.language import WORDS
from rules.cell_notation import read_cell
from rules.drawing import legend
from rules.drawing.cell_words import kinds_of
from rules.language import N_
from rules.rulebook import welds
from rules.setup import KNOWN_TO_ALL

Words = str | Promise

TRANSPORTER: Final = _(
    "Beams a robot to another transporter of the same colour. Which one stays secret until a robot has"
    " used it."
)
VISITED: Final = _("Drive onto it or over it, in the order of the numbers.")

MEANINGS: Final[Mapping[str, Words]] = {
    N_("Airlock"): _("Where robots start, and where they come back after they were destroyed."),
    N_("Airlock of the red squad"): _(
        "Where robots of the red squad start and come back, and where they must bring the power crystal."
    ),
    N_("Airlock of the blue squad"): _(
        "Where robots of the blue squad start and come back, and where they must bring the power crystal."
    ),
    N_("Start cell"): _("Where the robot of that seat starts."),
    N_("Crystal grappler"): _("Where the power crystal arrives. It destroys a robot that stands there."),
    N_("Checkpoint"): _("Be on it at the end of a phase. Reach the checkpoints in the order of the numbers."),
    N_("Checkpoint with hull damage"): _(
        "Lets nothing pass until lasers have welded it as often as it says."
    ),
    N_("Rail"): _("Nothing passes it: no robot, no laser."),
    N_("Slide rail"): _("A rail that is open in the phases it shows."),
    N_("Power coupling"): _("A robot that its rail stops takes 1 damage."),
    N_("Cooling shaft"): _("A robot that enters it is destroyed."),
    N_("Space"): _("A robot that enters it is destroyed."),
    N_("Launch bay"): _("Closed doors in the phases shown, and a shaft in all others."),
    N_("Beam of speed 1"): _("Pulls a robot one cell along in each phase, after the chips."),
    N_("Beam of speed 2"): _("Pulls a robot two cells along in each phase."),
    N_("Beam of speed 3"): _("Pulls a robot three cells along in each phase."),
    N_("Beam, curve"): _("Turns a robot as it pulls it round."),
    N_("Beam, intersection"): _("Takes robots in from more than one side."),
    N_("Docking arm"): _("Pushes a robot away from its edge in each phase."),
    N_("Docking arm with phases"): _("Pushes a robot away from its edge in the phases shown."),
    N_("Twister, right"): _("Turns a robot a quarter to the right."),
    N_("Twister, left"): _("Turns a robot a quarter to the left."),
    N_("Twister, half turn"): _("Turns a robot around."),
    N_("Transporter, purple"): TRANSPORTER,
    N_("Transporter, red"): TRANSPORTER,
    N_("Transporter, blue"): TRANSPORTER,
    N_("Transporter, yellow"): TRANSPORTER,
    N_("Thruster"): _("Lifts a robot that keeps moving over everything. Burns a robot that stops on it."),
    N_("Repair depot"): _("Repairs damage at the end of the turn, and refills ammunition."),
    N_("Oil"): _("A robot slides to the end of it, and one cell further."),
    N_("Laser"): _("Shoots along its line in each phase."),
    N_("Crusher"): _("Destroys a robot that is there in the phases shown."),
}
"""What an element does, in the order in which a newcomer meets them."""


BY_STEP: Final[Mapping[tuple[str, str], Words]] = {
    ("repair", "Checkpoint"): _("Repairs 1 damage at the end of the turn."),
    ("inspection", "Checkpoint"): MEANINGS["Checkpoint"],
    ("checkpoints passed", "Checkpoint"): VISITED,
    ("checkpoints counted", "Checkpoint"): VISITED,
    ("flags and repair fields", "Checkpoint"): _(
        "Be on it at the end of a phase, in the order of the numbers."
    ),
    ("goals", "Checkpoint"): _("Be on it at the end of a phase. The last one is the finish."),
    ("repair", "Repair depot"): _("Repairs damage at the end of the turn."),
    ("ammunition", "Repair depot"): MEANINGS["Repair depot"],
    ("repair fields", "Repair depot"): _("Repairs damage."),
}
"""What an element does where a ruleset has a step; of several the last holds."""


@dataclass(frozen=True, slots=True)
class LegendLine:
    """One element: what it is called, what it does, and how it looks."""

    name: str
    meaning: Words
    picture: SafeString
    elements: frozenset[str]


@lru_cache(maxsize=8)
def _lines(language: str | None) -> tuple[LegendLine, ...]:
    """Return all elements that are explained, with their names as the rules have them."""
    entries = {entry.name: entry for entry in legend(theme="page", words=WORDS)}
    return tuple(
        LegendLine(
            name,
            meaning,
            SafeString(entries[name].picture),
            frozenset(read_cell(entries[name].token).elements),
        )
        for name, meaning in MEANINGS.items()
    )


def legend_of(ship: rules.Starship, ruleset: rules.Ruleset | None = None) -> SafeString:
    """Return the elements that stand on a board, as a ruleset has them; without one as most do."""
    language = get_language()

    def told() -> str:
        standing = frozenset().union(*map(kinds_of, set(ship.cells)))
        return _told([line for line in _lines(language) if line.name in standing], ruleset)

    meanings = [str(each) for each in meanings_in(ruleset).values()]
    return SafeString(text_of("legend", ship.fingerprint, meanings, language, make=told))


def legend_for(ruleset: rules.Ruleset) -> SafeString:
    """Return the elements that a ruleset knows."""
    return _told(lines_for(ruleset), ruleset)


def lines_for(ruleset: rules.Ruleset) -> list[LegendLine]:
    """Return the elements that a ruleset knows, as it is played: not those that a game turns off."""
    known = KNOWN_TO_ALL | ruleset.elements
    return [line for line in _lines(get_language()) if line.elements <= known]


def meanings_in(ruleset: rules.Ruleset | None) -> Mapping[str, Words]:
    """Return what elements do in a ruleset, where its steps make something else of them; else as in most."""
    if ruleset is None:
        return MEANINGS
    steps = {step.name for step in (*ruleset.phase, *ruleset.entering, *ruleset.end)}
    told = {**MEANINGS} | {element: text for (step, element), text in BY_STEP.items() if step in steps}
    told |= _starts_in(ruleset)
    if "crushers" not in steps:
        told["Crusher"] = _("Plain floor in this game: crushers are off.")
    if not welds(ruleset):
        told["Checkpoint with hull damage"] = told["Checkpoint"]
    return told


def _starts_in(ruleset: rules.Ruleset) -> Mapping[str, Words]:
    """Return what airlocks and start cells are in a ruleset, where that is not as in most."""
    if not ruleset.start.on_board:
        plain = _("Plain floor here: robots start on checkpoint 1.")
        return {"Airlock": plain, "Start cell": plain}
    if ruleset.start.own:
        return {"Airlock": _("Where robots start if the board has no start cells.")}
    if ruleset.sets_start:
        one = _(
            "All robots start on one cell: the host’s choice, or the first airlock, or the lowest start cell."
        )
        return {"Airlock": one, "Start cell": one}
    if ruleset.squads:
        plain = _("Plain floor here: each squad starts on the airlock of its colour.")
        return {"Airlock": plain, "Start cell": plain}
    return {"Start cell": _("Where the robot of that seat starts if the board has no airlock.")}


def _told(found: list[LegendLine], ruleset: rules.Ruleset | None) -> SafeString:
    told = meanings_in(ruleset)
    lines = [replace(line, name=gettext(line.name), meaning=str(told[line.name])) for line in found]
    return render_to_string("fleet/legend.html", {"legend": lines})
