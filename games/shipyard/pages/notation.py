"""The notation of starships: every token with its picture, what it does, and its clause."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from games.fleet.pages.legend import MEANINGS
from games.language import WORDS
from games.replicas import may_be_old
from rules.drawing import legend

CLAUSES: Final[Mapping[str, tuple[str, str]]] = {
    "Hull": ("robo-runner", "G-1.2"),
    "Space": ("robo-runner", "G-4.4"),
    "Cooling shaft": ("robo-runner", "G-4.4"),
    "Launch bay": ("robo-runner", "RR-3.1"),
    "Beam of speed 1": ("robo-runner", "G-5.1"),
    "Beam of speed 2": ("robo-runner", "G-5.1"),
    "Beam of speed 3": ("robo-runner", "G-5.1"),
    "Beam, curve": ("robo-runner", "G-5.4"),
    "Beam, intersection": ("robo-runner", "G-5.5"),
    "Twister, right": ("robo-runner", "RR-3.4"),
    "Twister, left": ("robo-runner", "RR-3.4"),
    "Twister, half turn": ("robo-runner", "RR-3.4"),
    "Transporter, purple": ("robo-runner", "RR-5.1"),
    "Transporter, red": ("robo-runner", "RR-5.1"),
    "Transporter, blue": ("robo-runner", "RR-5.1"),
    "Transporter, yellow": ("robo-runner", "RR-5.1"),
    "Thruster": ("robo-runner", "RR-6.1"),
    "Repair depot": ("robo-runner", "RR-9.1"),
    "Airlock": ("robo-runner", "RR-1.2"),
    "Airlock of the red squad": ("robo-recon", "RC-1"),
    "Airlock of the blue squad": ("robo-recon", "RC-1"),
    "Start cell": ("group-11", "GR-1.1"),
    "Crystal grappler": ("robo-recon", "RC-2"),
    "Oil": ("group-11", "GR-2.2"),
    "Checkpoint": ("robo-runner", "RR-8.1"),
    "Checkpoint with hull damage": ("robo-runner", "RR-7.2"),
    "Rail": ("robo-runner", "G-1.3"),
    "Slide rail": ("robo-runner", "RR-3.2"),
    "Power coupling": ("robo-runner", "RR-3.3"),
    "Docking arm": ("robo-runner", "RR-4.1"),
    "Docking arm with phases": ("robo-runner", "RR-4.1"),
    "Laser": ("robo-runner", "G-6.2"),
    "Crusher": ("amigo-1999", "AM-2.1"),
}
"""The clause of each element, and the ruleset whose book has it."""

WRITTEN: Final[Mapping[str, tuple[str, str | Promise]]] = {
    "Hull": (".", ""),
    "Space": ("~", ""),
    "Cooling shaft": ("o", ""),
    "Launch bay": ("d24", _("The digits are the phases in which its doors are closed.")),
    "Beam of speed 1": ("b1:E", _("The letter is the side where it ends: N, E, S or W.")),
    "Beam of speed 2": ("b2:E", _("The letter is the side where it ends: N, E, S or W.")),
    "Beam of speed 3": ("b3:E", _("The letter is the side where it ends: N, E, S or W.")),
    "Beam, curve": ("b1:SE", _("It comes from the first side and ends at the last.")),
    "Beam, intersection": ("b1:SWE", _("It takes in from all sides but the last, where it ends.")),
    "Twister, right": ("g+", ""),
    "Twister, left": ("g-", ""),
    "Twister, half turn": ("g2", ""),
    "Transporter, purple": ("t:purple", ""),
    "Transporter, red": ("t:red", ""),
    "Transporter, blue": ("t:blue", ""),
    "Transporter, yellow": ("t:yellow", ""),
    "Thruster": ("f", ""),
    "Repair depot": ("h2", _("The digit is how much it repairs: 1, 2 or 3.")),
    "Airlock": ("a", ""),
    "Airlock of the red squad": ("a:red", ""),
    "Airlock of the blue squad": ("a:blue", ""),
    "Start cell": ("a1", _("The digit is the seat: 1 to 8.")),
    "Crystal grappler": ("k", ""),
    "Oil": ("s", ""),
    "Checkpoint": ("+i1", _("The numbers count from 1, without a gap.")),
    "Checkpoint with hull damage": ("+i1*3", _("The number after the star is how many repairs it needs.")),
    "Rail": ("+wN", _("The letters are its edges: +wNE is a rail in the north and one in the east.")),
    "Slide rail": ("+r24N", _("The digits are the phases in which it is open, the letter is its edge.")),
    "Power coupling": ("+wN+cN", _("The letter is the edge of its rail.")),
    "Docking arm": ("+wN+pN", _("The letter is the edge of its rail.")),
    "Docking arm with phases": (
        "+wN+p135N",
        _("The digits are the phases in which it pushes, the letter is the edge of its rail."),
    ),
    "Laser": (
        "+wN+l1N",
        _("The digit is its strength, 1 to 3. The letter is its edge: it shoots away from it."),
    ),
    "Crusher": ("+x15", _("The digits are the phases in which it strikes.")),
}
"""How each element is written, and what the figures and letters in it say. A feature follows a floor."""

HULL: Final = _("Nothing happens here.")


@dataclass(frozen=True, slots=True)
class NotationLine:
    """One token: how it is written, how it looks, what it is called and does, and where the rules say so."""

    token: str
    picture: SafeString
    name: str
    meaning: str
    reading: str
    ruleset: str
    clause: str


@require_safe
@may_be_old()
def notation(request: HttpRequest) -> HttpResponse:
    """Explain how a starship is written."""
    floors, features = lines(get_language())
    return render(request, "shipyard/notation.html", {"floors": floors, "features": features})


@lru_cache(maxsize=8)
def lines(language: str | None) -> tuple[list[NotationLine], list[NotationLine]]:
    """Return floors and features, in the order in which one meets them."""
    found = [
        NotationLine(
            token=WRITTEN[entry.name][0],
            picture=SafeString(entry.picture),
            name=gettext(entry.name),
            meaning=str(MEANINGS.get(entry.name, HULL)),
            reading=str(WRITTEN[entry.name][1]),
            ruleset=CLAUSES[entry.name][0],
            clause=CLAUSES[entry.name][1],
        )
        for entry in legend(theme="page", words=WORDS)
    ]
    return (
        [line for line in found if not line.token.startswith("+")],
        [line for line in found if line.token.startswith("+")],
    )
