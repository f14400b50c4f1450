"""What starships are built from: the palette of the editor, and the pieces that it draws with."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

import rules
from games.fleet.pages.legend import MEANINGS, Words, meanings_in
from games.fleet.pages.starships import kept_for_ever
from games.language import WORDS
from rules.cell_notation import read_cell
from rules.drawing.pieces import piece_words, pieces
from rules.drawing.single import LEGEND
from rules.language import N_
from rules.rulebook import chapters_of
from rules.setup import KNOWN_TO_ALL


@dataclass(frozen=True, slots=True)
class Brush:
    """One thing to paint with: under which name the legend has it, and its token.

    Names in braces are put in when it is painted: ``edge`` and ``way`` by where it is painted, ``number`` and
    ``seat`` by what is on the board; the rest are choices of the person, of which ``choices`` has the first.
    """

    name: str
    token: str
    clauses: str
    choices: Mapping[str, str] | None = None


GROUPS: Final[Sequence[tuple[Words, Sequence[Brush]]]] = (
    (
        _("Hull"),
        (
            Brush(N_("Hull"), ".", "G-1.2"),
            Brush(N_("Space"), "~", "G-4.4"),
            Brush(N_("Cooling shaft"), "o", "G-4.4"),
            Brush(N_("Launch bay"), "d{phases}", "RR-3.1", {"phases": "24"}),
        ),
    ),
    (
        _("Edges"),
        (
            Brush(N_("Rail"), "w{edge}", "G-1.3"),
            Brush(N_("Slide rail"), "r{phases}{edge}", "G-4.2 RR-3.2", {"phases": "24"}),
            Brush(N_("Power coupling"), "c{edge}", "RR-3.3"),
            Brush(N_("Docking arm"), "p{phases}{edge}", "RR-4 AM-2 FA-2", {"phases": "12345"}),
            Brush(N_("Laser"), "l{strength}{edge}", "G-6.2", {"strength": "1"}),
        ),
    ),
    (
        _("Movement"),
        (
            Brush(N_("Beam of speed 1"), "b1:{way}", "G-5.1"),
            Brush(N_("Beam of speed 2"), "b2:{way}", "G-5.1"),
            Brush(N_("Beam of speed 3"), "b3:{way}", "G-5.1"),
            Brush(N_("Twister, right"), "g+", "RR-3.4 AM-2 FA-2 GR-2 WS-2"),
            Brush(N_("Twister, left"), "g-", "RR-3.4 AM-2 FA-2 GR-2 WS-2"),
            Brush(N_("Twister, half turn"), "g2", "RR-3.4 AM-2 FA-2 GR-2 WS-2"),
            Brush(N_("Thruster"), "f", "RR-6.1"),
            Brush(N_("Oil"), "s", "GR-2.2"),
            Brush(N_("Transporter, purple"), "t:purple", "RR-5.1"),
            Brush(N_("Transporter, red"), "t:red", "RR-5.1"),
            Brush(N_("Transporter, blue"), "t:blue", "RR-5.1"),
            Brush(N_("Transporter, yellow"), "t:yellow", "RR-5.1"),
        ),
    ),
    (
        _("Starts and goals"),
        (
            Brush(N_("Airlock"), "a", "RR-1.2 AM-1.2 FA-1 GR-1.1 WS-1"),
            Brush(N_("Airlock of the red squad"), "a:red", "RC-1"),
            Brush(N_("Airlock of the blue squad"), "a:blue", "RC-1"),
            Brush(N_("Start cell"), "a{seat}", "RR-1.2 AM-1.2 FA-1 GR-1.1 WS-1"),
            Brush(N_("Checkpoint"), "i{number}", "RR-8 RC-6 RA-1 AM-3.1 FA-2 GR-2.5 WS-5"),
            Brush(N_("Checkpoint with hull damage"), "i{number}*{repairs}", "RR-7.2", {"repairs": "2"}),
            Brush(N_("Repair depot"), "h{strength}", "RR-9.1 AM-4.1 FA-3 GR-3.1 WS-2", {"strength": "1"}),
            Brush(N_("Crystal grappler"), "k", "RC-2"),
            Brush(N_("Crusher"), "x{phases}", "AM-2.1 FA-2", {"phases": "15"}),
        ),
    ),
)
"""All that can be painted, in the order of the palette; each with the clauses that tell of it."""


ALSO: Final[Mapping[str, Words]] = {
    ".": _("floor, deck, plain, empty"),
    "~": _("hole, void, gap, outside"),
    "o": _("pit, hole"),
    "d": _("trapdoor, flap, pit"),
    "w": _("wall"),
    "r": _("wall, door, gate"),
    "c": _("electric, shock, wall"),
    "p": _("pusher, push panel"),
    "l": _("gun, cannon, wall"),
    "b": _("conveyor belt, express"),
    "g": _("gear, cog, rotate, turn"),
    "f": _("flame, fire, jet"),
    "s": _("slick, slide, puddle"),
    "t": _("teleporter, portal, warp"),
    "a": _("start, dock, spawn"),
    "i": _("flag, goal, target"),
    "h": _("wrench, heal, repair site"),
    "k": _("crane, claw"),
    "x": _("press, stomper"),
}
"""What other games call the elements, by the first letter of their tokens: only the search looks at it."""


def clause_in(brush: Brush, ruleset: rules.Ruleset) -> str:
    """Return the clause that tells of an element in a ruleset, of its own chapter where there is one."""
    chapters = chapters_of(ruleset)
    found = [number for number in brush.clauses.split() if number.partition("-")[0] in chapters]
    return max(found, key=lambda number: chapters.index(number.partition("-")[0]), default="")


def palette() -> dict[str, Any]:
    """Return the palette in the reader's language: groups of elements, rulesets, and words for cells."""
    return {
        "groups": [
            {"name": str(name), "elements": [_element(brush) for brush in brushes]}
            for name, brushes in GROUPS
        ],
        "rulesets": [
            {
                "key": ruleset.key,
                "name": ruleset.name,
                "address": reverse("pages:rulebook", args=[ruleset.key]),
            }
            for ruleset in rules.RULESETS.values()
        ],
        "words": piece_words(WORDS),
    }


def _element(brush: Brush) -> dict[str, Any]:
    """Return one element, with what it is in each ruleset that knows it: what it does, and its clause."""
    elements = frozenset(read_cell(LEGEND[brush.name]).elements)
    return {
        "name": gettext(brush.name),
        "token": brush.token,
        "also": str(ALSO[brush.token[0]]),
        "choices": dict(brush.choices or {}),
        "meaning": str(MEANINGS.get(brush.name, _("Plain hull, on which nothing happens."))),
        "known": {
            ruleset.key: {
                "meaning": str(meanings_in(ruleset).get(brush.name, "")),
                "clause": clause_in(brush, ruleset),
            }
            for ruleset in rules.RULESETS.values()
            if elements <= KNOWN_TO_ALL | ruleset.elements
        },
    }


@dataclass(frozen=True, slots=True)
class Told:
    """A document as it is sent, and its mark: another one when it says something else."""

    text: str
    mark: str


@lru_cache(maxsize=1)
def told_pieces() -> Told:
    return _told(pieces("page"))


@lru_cache(maxsize=8)
def _told_palette(language: str | None) -> Told:
    return _told(palette())


def _told(document: object) -> Told:
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return Told(text, sha256(text.encode()).hexdigest()[:16])


def addresses() -> dict[str, str]:
    """Return where a page finds pieces and palette, by addresses that browsers may keep for ever."""
    return {
        "pieces": f"{reverse('starships:pieces')}?mark={told_pieces().mark}",
        "palette": f"{reverse('starships:palette')}?mark={_told_palette(get_language()).mark}",
    }


@require_safe
def send_pieces(request: HttpRequest) -> HttpResponse:
    """Answer with what the editor draws with."""
    return _answer(request, told_pieces())


@require_safe
def send_palette(request: HttpRequest) -> HttpResponse:
    """Answer with what the editor paints with, in the reader's language."""
    return _answer(request, _told_palette(get_language()))


def _answer(request: HttpRequest, told: Told) -> HttpResponse:
    """Answer with a document; browsers keep it for ever under its own mark, and under no other."""
    answer = HttpResponse(told.text, content_type="application/json")
    return kept_for_ever(answer) if request.GET.get("mark") == told.mark else answer
