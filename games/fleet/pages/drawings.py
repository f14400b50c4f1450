"""Drawings of starships for browsers, the data of the starship editor, and the notation page."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, gettext_lazy as _
from django.views.decorators.http import require_safe

import rules
from accounts import limits
from games.fleet import boards
from games.fleet.pictures import MEANINGS, Words, empty_board, meanings_in
from games.fleet.raster import board_picture
from games.fleet.selectors import revision_for
from games.reading import allow_replica
from games.web.pages import handle_missing
from games.wording import WORDS
from rules.drawing import legend
from rules.drawing.fragments import LEGEND
from rules.drawing.pieces import piece_words, pieces
from rules.elements import read_cell
from rules.language import N_
from rules.rulebook import chapters_of
from rules.setup import COMMON_ELEMENTS

# --- Drawings -----------------------------------------------------------------------------------------------


PERMANENT_CACHE_SECONDS = 60 * 60 * 24 * 365
"""The lifetime of permanent responses in browsers' caches, in seconds."""

DRAWING_CACHE_SECONDS = 60 * 60
"""The lifetime of a ship's drawing in caches of browsers and proxies, in seconds.

It is short, because staff may take the ship down.
"""

THUMBNAIL_CELL = 12


@require_safe
@allow_replica()
@handle_missing
def drawing(request: HttpRequest, revision_id: int, theme: str) -> HttpResponse:
    """Return a starship's small picture for lists, as SVG.

    ``?checkpoints=2`` draws only the first two checkpoints, for a game that uses only these.
    """
    ship = _to_draw(request, revision_id, theme)
    if wait := _wait(request, ship):
        return limits.too_many_requests(request, wait)
    answer = HttpResponse(empty_board(ship, theme=theme, cell=THUMBNAIL_CELL), content_type="image/svg+xml")
    return cache_briefly(answer)


@require_safe
@allow_replica()
@handle_missing
def picture(request: HttpRequest, revision_id: int, theme: str) -> HttpResponse:
    """Return a starship's picture as PNG, for link previews and programs without support for SVG."""
    ship = _to_draw(request, revision_id, theme)
    if wait := _wait(request, ship):
        return limits.too_many_requests(request, wait)
    return cache_briefly(HttpResponse(board_picture(ship, theme=theme), content_type="image/png"))


def cache_permanently(answer: HttpResponse, *, public: bool = True) -> HttpResponse:
    """Let browsers cache a response permanently. If it is ``public``, let proxies cache it too."""
    whose = {"public" if public else "private": True}
    patch_cache_control(answer, **whose, max_age=PERMANENT_CACHE_SECONDS, immutable=True)
    return answer


def cache_briefly(answer: HttpResponse) -> HttpResponse:
    """Let browsers and proxies cache a ship's drawing for `DRAWING_CACHE_SECONDS`."""
    patch_cache_control(answer, public=True, max_age=DRAWING_CACHE_SECONDS)
    return answer


def _wait(request: HttpRequest, ship: rules.Starship) -> int:
    """Count a request for a drawing against the sender's rate limit. Larger boards count more.

    Returns 0 if the request is allowed, or else the seconds to wait.
    """
    return limits.consume(limits.DRAWINGS, limits.address_of(request), limits.DRAWINGS.cost(len(ship.cells)))


def _to_draw(request: HttpRequest, revision_id: int, theme: str) -> rules.Starship:
    """Return the board of the requested revision, with the requested checkpoints.

    Raises NotFound, Gone if staff took the ship down, and Http404 for an unknown theme or number of
    checkpoints.
    """
    require_theme(theme)
    ship = boards.starship_of(revision_for(revision_id=revision_id))
    if asked := request.GET.get("checkpoints"):
        if asked not in map(str, ship.checkpoints):
            raise Http404(gettext("The starship doesn’t have that many checkpoints."))
        ship = rules.with_first_checkpoints(ship, int(asked))
    return ship


def require_theme(theme: str) -> None:
    """Raise Http404 for an unknown theme."""
    if theme not in ("light", "dark"):
        raise Http404(gettext("Choose the light or the dark drawing."))


# --- The palette of the editor, and the pieces that it draws with -------------------------------------------


@dataclass(frozen=True, slots=True)
class Brush:
    """An element in the palette of the starship editor: its name in the legend, and its token.

    The token can contain names in braces. Painting replaces ``edge`` and ``way`` according to the painted
    cell, and ``number`` and ``seat`` according to the board. The builder chooses the other values, and
    ``choices`` has their initial values.
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
            Brush(N_("Red squad airlock"), "a:red", "RC-1"),
            Brush(N_("Blue squad airlock"), "a:blue", "RC-1"),
            Brush(N_("Start cell"), "a{seat}", "RR-1.2 AM-1.2 FA-1 GR-1.1 WS-1"),
            Brush(N_("Checkpoint"), "i{number}", "RR-8 RC-6 RA-1 AM-3.1 FA-2 GR-2.5 WS-5"),
            Brush(N_("Checkpoint with hull damage"), "i{number}*{repairs}", "RR-7.2", {"repairs": "2"}),
            Brush(N_("Repair depot"), "h{strength}", "RR-9.1 AM-4.1 FA-3 GR-3.1 WS-2", {"strength": "1"}),
            Brush(N_("Crystal grappler"), "k", "RC-2"),
            Brush(N_("Crusher"), "x{phases}", "AM-2.1 FA-2", {"phases": "15"}),
        ),
    ),
)
"""The brushes of the editor's palette in order, in named groups.

Each brush has the rulebook clauses about its element.
"""


SEARCH_TERMS: Final[Mapping[str, Words]] = {
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
"""Other names of elements, for the search in the editor's palette.

The keys are the first letters of the elements' tokens.
"""


def clause_in(brush: Brush, ruleset: rules.Ruleset) -> str:
    """Return the rulebook clause about an element, or "" if the ruleset has none.

    The ruleset's own chapter is preferred to general chapters.
    """
    chapters = chapters_of(ruleset)
    found = [number for number in brush.clauses.split() if number.partition("-")[0] in chapters]
    return max(found, key=lambda number: chapters.index(number.partition("-")[0]), default="")


def palette() -> dict[str, Any]:
    """Return the editor's palette: elements, rulesets and descriptions of cells, in the reader's language."""
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
    """Return one element of the palette, with its effect and its clause in each ruleset."""
    elements = frozenset(read_cell(LEGEND[brush.name]).elements)
    return {
        "name": gettext(brush.name),
        "token": brush.token,
        "also": str(SEARCH_TERMS[brush.token[0]]),
        "choices": dict(brush.choices or {}),
        "meaning": str(MEANINGS.get(brush.name, _("Plain hull. Nothing happens here."))),
        "known": {
            ruleset.key: {
                "meaning": str(meanings_in(ruleset).get(brush.name, "")),
                "clause": clause_in(brush, ruleset),
            }
            for ruleset in rules.RULESETS.values()
            if elements <= COMMON_ELEMENTS | ruleset.elements
        },
    }


@dataclass(frozen=True, slots=True)
class MarkedDocument:
    """A JSON document as text. ``mark`` is a hash of its contents."""

    text: str
    mark: str


@lru_cache(maxsize=1)
def pieces_document() -> MarkedDocument:
    return _marked(pieces("page"))


@lru_cache(maxsize=8)
def _palette_document(language: str | None) -> MarkedDocument:
    return _marked(palette())


def _marked(document: object) -> MarkedDocument:
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return MarkedDocument(text, sha256(text.encode()).hexdigest()[:16])


def editor_addresses() -> dict[str, str]:
    """Return the URLs of the element drawings and of the palette for the starship editor.

    Browsers may cache both documents permanently.
    """
    return {
        "pieces": f"{reverse('starships:pieces')}?mark={pieces_document().mark}",
        "palette": f"{reverse('starships:palette')}?mark={_palette_document(get_language()).mark}",
    }


@require_safe
def send_pieces(request: HttpRequest) -> HttpResponse:
    """Return the drawings of elements for the editor."""
    return _answer(request, pieces_document())


@require_safe
def send_palette(request: HttpRequest) -> HttpResponse:
    """Return the editor's palette in the reader's language."""
    return _answer(request, _palette_document(get_language()))


def _answer(request: HttpRequest, document: MarkedDocument) -> HttpResponse:
    """Send a JSON document. Browsers may cache it permanently if the URL contains its mark."""
    answer = HttpResponse(document.text, content_type="application/json")
    return cache_permanently(answer) if request.GET.get("mark") == document.mark else answer


# --- Notation -----------------------------------------------------------------------------------------------


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
    "Red squad airlock": ("robo-recon", "RC-1"),
    "Blue squad airlock": ("robo-recon", "RC-1"),
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
"""The clause about each element: the key of a ruleset, and the clause's number in that ruleset's rulebook."""

NOTATION: Final[Mapping[str, tuple[str, str | Promise]]] = {
    "Hull": (".", ""),
    "Space": ("~", ""),
    "Cooling shaft": ("o", ""),
    "Launch bay": ("d24", _("The digits are the phases in which its doors are closed.")),
    "Beam of speed 1": ("b1:E", _("The letter is the side where the beam ends: N, E, S or W.")),
    "Beam of speed 2": ("b2:E", _("The letter is the side where the beam ends: N, E, S or W.")),
    "Beam of speed 3": ("b3:E", _("The letter is the side where the beam ends: N, E, S or W.")),
    "Beam, curve": ("b1:SE", _("The beam comes from the first side and ends at the last.")),
    "Beam, intersection": ("b1:SWE", _("Robots enter from every side except the last, where the beam ends.")),
    "Twister, right": ("g+", ""),
    "Twister, left": ("g-", ""),
    "Twister, half turn": ("g2", ""),
    "Transporter, purple": ("t:purple", ""),
    "Transporter, red": ("t:red", ""),
    "Transporter, blue": ("t:blue", ""),
    "Transporter, yellow": ("t:yellow", ""),
    "Thruster": ("f", ""),
    "Repair depot": ("h2", _("The digit is the damage that it repairs: 1, 2 or 3.")),
    "Airlock": ("a", ""),
    "Red squad airlock": ("a:red", ""),
    "Blue squad airlock": ("a:blue", ""),
    "Start cell": ("a1", _("The digit is the seat: 1 to 8.")),
    "Crystal grappler": ("k", ""),
    "Oil": ("s", ""),
    "Checkpoint": ("+i1", _("Checkpoints are numbered from 1, without gaps.")),
    "Checkpoint with hull damage": (
        "+i1*3",
        _("The number after the star is the number of repairs."),
    ),
    "Rail": (
        "+wN",
        _("The letters are its edges: +wNE is a rail on the north edge and one on the east edge."),
    ),
    "Slide rail": ("+r24N", _("The digits are the phases in which it is open. The letter is its edge.")),
    "Power coupling": ("+wN+cN", _("The letter is the edge of its rail.")),
    "Docking arm": ("+wN+pN", _("The letter is the edge of its rail.")),
    "Docking arm with phases": (
        "+wN+p135N",
        _("The digits are the phases in which it pushes. The letter is the edge of its rail."),
    ),
    "Laser": (
        "+wN+l1N",
        _("The digit is its strength, 1 to 3. The letter is its edge: the laser shoots away from it."),
    ),
    "Crusher": ("+x15", _("The digits are the phases in which it strikes.")),
}
"""The token of each element, and an explanation of its digits and letters.

In a cell, the token of a feature (with “+”) follows the token of a floor.
"""

HULL: Final = _("Nothing happens here.")


@dataclass(frozen=True, slots=True)
class NotationLine:
    """One row of the notation page: a token with its picture, name, effect, explanation and clause."""

    token: str
    picture: SafeString
    name: str
    meaning: str
    reading: str
    ruleset: str
    clause: str


@require_safe
@allow_replica()
def notation(request: HttpRequest) -> HttpResponse:
    """Show the page about the notation of starships."""
    floors, features = notation_lines(get_language())
    return render(request, "shipyard/notation.html", {"floors": floors, "features": features})


@lru_cache(maxsize=8)
def notation_lines(language: str | None) -> tuple[list[NotationLine], list[NotationLine]]:
    """Return the lines for floors and for features, each in the order of the legend."""
    found = [
        NotationLine(
            token=NOTATION[entry.name][0],
            picture=SafeString(entry.picture),
            name=gettext(entry.name),
            meaning=str(MEANINGS.get(entry.name, HULL)),
            reading=str(NOTATION[entry.name][1]),
            ruleset=CLAUSES[entry.name][0],
            clause=CLAUSES[entry.name][1],
        )
        for entry in legend(theme="page", words=WORDS)
    ]
    return (
        [line for line in found if not line.token.startswith("+")],
        [line for line in found if line.token.startswith("+")],
    )
