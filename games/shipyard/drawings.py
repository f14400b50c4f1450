"""Drafts as sketches of the rules, and back: what is asked of a drawing before it is kept."""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final, TypedDict

from django.utils.translation import gettext as _

import rules
from games.errors import Invalid, ProblemDocument, of_document
from games.fleet.boards import A_CELL, crowding_in
from games.kept import Memory, hand_back_connections
from games.shipyard.models import MOST_PLAYERS, Drawing, StarshipDraft
from rules import mending
from rules.mending import Fault, faults_of, hindrances_of
from rules.notation import TEXTS
from rules.sketch import Sketch, read_sketch, write_sketch

Document = dict[str, Any]

A_CELL_OF_A_FAULT: Final = 250
"""Bytes that a cell of a fault or of its fix takes in memory."""

LARGEST: Final = 1_000_000
"""Bytes of the largest document: several times what the largest board takes."""


class Columns(TypedDict):
    """What a row holds of a drawing."""

    name: str
    ruleset: str
    players: int
    document: Document
    width: int
    height: int


def read_drawing(*, document: object, name: str | None, ruleset: str, players: int) -> Columns:
    """Return what a row is to hold; with a ``name``, that takes the place of the one in the document.

    Cells may say anything. Raises Invalid with all that is wrong beside them.
    """
    hand_back_connections()
    problems: list[ProblemDocument] = []
    if ruleset and ruleset not in rules.RULESETS:
        detail = _("There is no ruleset “{name}”.").format(name=ruleset)
        problems.append({"code": "ruleset", "detail": detail, "key": "ruleset"})
    if not 1 <= players <= MOST_PLAYERS:
        detail = _("A starship is for 1 to {most} players.").format(most=MOST_PLAYERS)
        problems.append({"code": "players", "detail": detail, "key": "players"})
    if name is not None and isinstance(document, Mapping):
        document = {**document, "name": name.strip()}
    sketch: Sketch | None = None
    try:
        if crowded := crowding_in(document):
            raise rules.NotationError(*crowded)
        sketch = read_sketch(document)
    except rules.NotationError as error:
        problems += of_document("document", error.problems)
    written = write_sketch(sketch) if sketch else {}
    if len(json.dumps(written, ensure_ascii=False).encode()) > LARGEST:
        detail = _("The document is larger than {size} MB.").format(size=LARGEST // 1_000_000)
        problems.append({"code": "too-large", "detail": detail, "key": "document"})
    if problems or sketch is None:
        raise Invalid("no-draft", _("The draft cannot be saved like this."), problems)
    return {
        "name": sketch.name,
        "ruleset": ruleset,
        "players": players,
        "document": written,
        "width": sketch.width,
        "height": sketch.height,
    }


def drawing_of(*, document: object, name: str | None, ruleset: str, players: int) -> Drawing:
    """Return a drawing that is kept nowhere; raises Invalid as `read_drawing` does."""
    return StarshipDraft(**read_drawing(document=document, name=name, ruleset=ruleset, players=players))


SKETCHES: Final = Memory[Sketch](60_000_000, lambda sketch: A_CELL * sketch.width * sketch.height)
"""Sketches with what was made of them: a page, its preview and its checks ask about the same drawing."""


def sketch_of(drawing: Drawing) -> Sketch:
    """Return what was drawn."""
    rows, texts = drawing.document["rows"], {key: drawing.document[key] for key in TEXTS}
    return SKETCHES.made(name_of(drawing), lambda: Sketch(tuple(tuple(row.split()) for row in rows), **texts))


def name_of(drawing: Drawing) -> str:
    """Return the name under which to remember what follows from what was drawn."""
    rows, texts = drawing.document["rows"], {key: drawing.document[key] for key in TEXTS}
    return sha256(json.dumps((rows, texts)).encode()).hexdigest()


def size_of(drawing: Drawing) -> int:
    """Return the characters of a drawing's rows, by which checks are counted."""
    return sum(map(len, drawing.document["rows"]))


def _bytes_of(faults: tuple[Fault, ...]) -> int:
    cells = sum(len(fault.cells) + len(fault.fix.cells if fault.fix else ()) for fault in faults)
    return 1000 * (len(faults) + 1) + A_CELL_OF_A_FAULT * cells


FAULTS: Final = Memory[tuple[Fault, ...]](60_000_000, _bytes_of)
"""Faults of drawings, kept because many readers may follow one link."""


def faults_in(drawing: Drawing) -> list[Fault]:
    """Return what is wrong with a drawing, judged by what it is for."""
    ruleset = rules.RULESETS.get(drawing.ruleset)
    name = f"{name_of(drawing)} {drawing.ruleset} {drawing.players}"
    return list(
        FAULTS.made(
            name, lambda: (*_crowding(drawing), *faults_of(sketch_of(drawing), ruleset, drawing.players))
        )
    )


def hindrances_in(drawing: Drawing, ruleset: rules.Ruleset) -> list[Fault]:
    """Return why a drawing cannot be played on by a ruleset."""
    hand_back_connections()
    return [*_crowding(drawing), *hindrances_of(sketch_of(drawing), ruleset)]


def is_hindered(drawing: Drawing) -> bool:
    """Return whether something prevents play on a drawing by every ruleset."""
    return bool(_crowding(drawing)) or mending.is_hindered(sketch_of(drawing))


def _crowding(drawing: Drawing) -> list[Fault]:
    """Return why a drawing is too crowded: it may have been saved before there was a bound."""
    return [Fault(problem) for problem in crowding_in(drawing.document)]
