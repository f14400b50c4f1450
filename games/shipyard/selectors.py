"""Read drafts: their cells, faults and versions, and views of drafts for people."""

import json
import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from hashlib import sha256
from itertools import islice
from typing import Annotated, Any, Final, TypedDict
from urllib.parse import urlsplit

from django.urls import Resolver404, resolve
from django.utils.text import capfirst
from django.utils.translation import gettext as _

import rules
from accounts.models import User
from games.content_cache import LRUCache, release_connections
from games.errors import (
    COUNT_FROM_1,
    MAX_PROBLEMS,
    DeadLink,
    Invalid,
    NotFound,
    ProblemDocument,
    Shape,
    document_problems,
    view_of_row,
)
from games.fleet.boards import BYTES_PER_CELL, crowding_in
from games.play.models import Game
from games.play.viewers import Viewer
from games.shipyard.models import MOST_PLAYERS, DraftFlight, DraftVersion, Drawing, StarshipDraft
from games.wording import translate
from rules import mending
from rules.mending import ERROR, WARNING, Fault, Fix, blocking_faults_of, faults_of
from rules.notation import STARSHIP_FORMAT, TEXTS
from rules.sketch import Sketch, read_sketch, write_sketch

# --- Sketches -----------------------------------------------------------------------------------------------


Document = dict[str, Any]

BYTES_PER_FAULT_CELL: Final = 250
"""The estimated memory in bytes for each cell of a fault or its fix."""

LARGEST_DOCUMENT: Final = 1_000_000
"""The maximum size of a drawing's document, in bytes.

The document of the largest possible board is several times smaller.
"""


class Columns(TypedDict):
    """The values for the database columns of a drawing."""

    name: str
    ruleset: str
    players: int
    document: Document
    width: int
    height: int


def read_drawing(*, document: object, name: str | None, ruleset: str, players: int) -> Columns:
    """Check a document and return the values for the columns of a drawing.

    A ``name`` replaces the document's name. The document may have faulty cells. Raises Invalid with all other
    faults.
    """
    release_connections()
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
        problems += document_problems("document", error.problems)
    written = write_sketch(sketch) if sketch else {}
    if len(json.dumps(written, ensure_ascii=False).encode()) > LARGEST_DOCUMENT:
        detail = _("The document is larger than {size} MB.").format(size=LARGEST_DOCUMENT // 1_000_000)
        problems.append({"code": "too-large", "detail": detail, "key": "document"})
    if problems or sketch is None:
        raise Invalid("no-draft", _("Couldn’t save the draft. Fix the problems first."), problems)
    return {
        "name": sketch.name,
        "ruleset": ruleset,
        "players": players,
        "document": written,
        "width": sketch.width,
        "height": sketch.height,
    }


def drawing_of(*, document: object, name: str | None, ruleset: str, players: int) -> Drawing:
    """Return an unsaved drawing. Raises the errors of `read_drawing`."""
    return StarshipDraft(**read_drawing(document=document, name=name, ruleset=ruleset, players=players))


SKETCHES: Final = LRUCache[Sketch](60_000_000, lambda sketch: BYTES_PER_CELL * sketch.width * sketch.height)
"""A cache of parsed drawings (`Sketch`). A draft's page, preview and checks use the same sketch."""


def sketch_of(drawing: Drawing) -> Sketch:
    rows, texts = drawing.document["rows"], {key: drawing.document[key] for key in TEXTS}
    return SKETCHES.get_or_make(
        cache_key_of(drawing), lambda: Sketch(tuple(tuple(row.split()) for row in rows), **texts)
    )


def cache_key_of(drawing: Drawing) -> str:
    """Return the cache key for everything derived from a drawing's cells and texts."""
    rows, texts = drawing.document["rows"], {key: drawing.document[key] for key in TEXTS}
    return sha256(json.dumps((rows, texts)).encode()).hexdigest()


def characters_in(drawing: Drawing) -> int:
    """Return the number of characters in a drawing's rows.

    A check of the drawing costs time in proportion to this number.
    """
    return sum(map(len, drawing.document["rows"]))


def _bytes_of(faults: tuple[Fault, ...]) -> int:
    cells = sum(len(fault.cells) + len(fault.fix.cells if fault.fix else ()) for fault in faults)
    return 1000 * (len(faults) + 1) + BYTES_PER_FAULT_CELL * cells


FAULTS: Final = LRUCache[tuple[Fault, ...]](60_000_000, _bytes_of)
"""A cache of faults in drawings, since many readers may open one shared draft."""


def faults_in(drawing: Drawing) -> list[Fault]:
    """Return the faults of a drawing, for its own ruleset and number of players."""
    ruleset = rules.RULESETS.get(drawing.ruleset)
    key = f"{cache_key_of(drawing)} {drawing.ruleset} {drawing.players}"
    return list(
        FAULTS.get_or_make(
            key, lambda: (*_crowding(drawing), *faults_of(sketch_of(drawing), ruleset, drawing.players))
        )
    )


def hindrances_in(drawing: Drawing, ruleset: rules.Ruleset) -> list[Fault]:
    """Return the faults of a drawing that prevent play by a ruleset."""
    release_connections()
    return [*_crowding(drawing), *blocking_faults_of(sketch_of(drawing), ruleset)]


def is_unplayable(drawing: Drawing) -> bool:
    """Return whether faults make a drawing unplayable by all rulesets."""
    return bool(_crowding(drawing)) or mending.is_unplayable(sketch_of(drawing))


def _crowding(drawing: Drawing) -> list[Fault]:
    """Return a list with one fault if a drawing has too many elements, or else an empty list.

    A drawing may have too many elements if it was saved before the limit existed.
    """
    return [Fault(problem) for problem in crowding_in(drawing.document)]


# --- Drafts -------------------------------------------------------------------------------------------------


PARENTS: Final = ("parent_revision__starship", "parent_draft__user")
"""The relations to load with a draft: its original, with the original's starship or owner."""

MOST_CELLS: Final = 20_000
"""The maximum total number of cells in all fixes of one response.

One fix may change each cell of a large ship.
"""


class FixCell(TypedDict):
    """A cell and its new token."""

    row: Annotated[int, COUNT_FROM_1]
    column: Annotated[int, COUNT_FROM_1]
    token: str


class FixView(TypedDict):
    """A fix for a problem: new tokens for some cells.

    If a row is too short to have the cell, fill the row with hull first.
    """

    label: Annotated[str, "Its effect, as the label of a button."]
    cells: list[FixCell]


class ProblemCell(TypedDict):
    """A cell with a problem."""

    row: Annotated[int, COUNT_FROM_1]
    column: Annotated[int, COUNT_FROM_1]


class DraftProblem(TypedDict):
    """A problem of a drawing.

    `row` and `column` count from 1. They are null if the problem concerns the whole ship.
    """

    code: str
    detail: Annotated[str, "A sentence for people."]
    row: int | None
    column: int | None
    cells: Annotated[list[ProblemCell], "All cells of the problem if it is in several, or else empty."]
    severity: Annotated[str, (ERROR, WARNING), "No game can start on a ship with an error."]
    fix: FixView | None


class DraftParentView(TypedDict):
    """The original of a copied draft."""

    kind: Annotated[
        str,
        ("starship", "draft", "shared"),
        "A library starship, a draft of yours, or a draft that another person shared by link.",
    ]
    id: Annotated[int | None, "Null for a draft of another person."]
    name: Annotated[str, "The current name, or the name of another person's draft at the time of copying."]
    version: Annotated[int | None, "The version at the time of copying; null for a draft of another person."]
    builder: Annotated[
        str | None, "The Robo Name of the other person; null for a starship or your own draft."
    ]


class DraftDocument(TypedDict):
    """A `starship/1` document, except that cells may be faulty and rows may have any length."""

    format: Annotated[str, Shape({"type": "string", "enum": [STARSHIP_FORMAT]})]
    name: str
    builder: str
    description: str
    rows: Annotated[list[str], "North first; cells separated by spaces."]


class StarshipDraftFacts(TypedDict):
    """A draft, as shown in lists."""

    id: int
    name: str
    ruleset: Annotated[str, "The ruleset that it is drawn for; empty for any suitable one."]
    players: Annotated[int, "The number of players that it is drawn for."]
    width: int
    height: int
    version: Annotated[int, "The number of the last saved version, from 1."]
    created_at: datetime
    saved_at: datetime
    link: Annotated[
        str | None, "The secret link for `GET shipyard/shared/{link}`; null if the draft is not shared."
    ]
    parent: DraftParentView | None


class StarshipDraftView(StarshipDraftFacts):
    """One of your drafts, with its document and problems."""

    document: DraftDocument
    problems: list[DraftProblem]


class DraftRevisionFacts(TypedDict):
    """A stored version of a draft, as shown in lists."""

    version: int
    name: str
    ruleset: str
    players: int
    width: int
    height: int
    saved_at: datetime


class DraftRevisionView(DraftRevisionFacts):
    """A stored version of a draft, with its document and problems."""

    document: DraftDocument
    problems: list[DraftProblem]


def drafts_of(*, user: User) -> list[StarshipDraft]:
    """Return a person's drafts, last saved first."""
    drafts = StarshipDraft.objects.filter(user=user)
    return list(drafts.select_related(*PARENTS))


def draft_for(*, viewer: Viewer, draft_id: int) -> StarshipDraft:
    """Return one of the viewer's drafts by its ID.

    Raises NotFound if the viewer has no such draft.
    """
    drafts = StarshipDraft.objects.select_related(*PARENTS)
    draft = drafts.filter(pk=draft_id, user=viewer).first() if isinstance(viewer, User) else None
    if draft is None:
        raise NotFound("no-draft", _("There is no such draft."))
    return draft


def versions_of(*, draft: StarshipDraft) -> list[Drawing]:
    """Return the current version of a draft and the stored ones, newest first."""
    return [draft, *draft.versions.defer("document").order_by("-number")]


def version_for(*, draft: StarshipDraft, number: int) -> StarshipDraft | DraftVersion:
    """Return the version of a draft with the given number.

    Raises NotFound if the version does not exist or was deleted.
    """
    if number == draft.version:
        return draft
    version = draft.versions.filter(number=number).first()
    if version is None:
        raise NotFound("no-version", _("There is no such version."))
    return version


def number_of(drawing: Drawing) -> int:
    """Return the version number of a draft or of a stored version."""
    assert isinstance(drawing, StarshipDraft | DraftVersion)
    return drawing.version if isinstance(drawing, StarshipDraft) else drawing.number


def facts_of_draft(draft: StarshipDraft) -> StarshipDraftFacts:
    return view_of_row(
        StarshipDraftFacts, draft, id=draft.pk, link=draft.link_token or None, parent=parent_of(draft)
    )


def draft_view(draft: StarshipDraft) -> StarshipDraftView:
    """Return the view of a draft for its builder, with the draft's problems."""
    return {**facts_of_draft(draft), "document": draft.document, "problems": problems_in(faults_in(draft))}


def revision_facts(drawing: Drawing) -> DraftRevisionFacts:
    return view_of_row(DraftRevisionFacts, drawing, version=number_of(drawing))


def revision_view(drawing: Drawing) -> DraftRevisionView:
    """Return the view of a draft's version, with the version's problems."""
    return {
        **revision_facts(drawing),
        "document": drawing.document,
        "problems": problems_in(faults_in(drawing)),
    }


def parent_of(draft: StarshipDraft) -> DraftParentView | None:
    """Return the original of a copied draft, or None if it was deleted.

    Also returns None for a draft that is not a copy. If the original is another person's draft, the result
    has the name of that draft at the time of copying.
    """
    if revision := draft.parent_revision:
        return {
            "kind": "starship",
            "id": revision.starship_id,
            "name": revision.starship.name,
            "version": revision.number,
            "builder": None,
        }
    parent = draft.parent_draft
    if parent is None:
        return None
    if parent.user_id != draft.user_id:
        builder = parent.user.robo_name
        return {"kind": "shared", "id": None, "name": draft.parent_name, "version": None, "builder": builder}
    version = draft.parent_version or 1
    return {"kind": "draft", "id": parent.pk, "name": parent.name, "version": version, "builder": None}


def problems_in(faults: Iterable[Fault]) -> list[DraftProblem]:
    """Convert a drawing's faults to problems for a response, in the reader's language.

    Returns at most `MAX_PROBLEMS` problems. If a fix brings the total to more than `MOST_CELLS` cells, leaves
    out this fix and all later ones.
    """
    problems: list[DraftProblem] = []
    room = MOST_CELLS
    for fault in islice(faults, MAX_PROBLEMS):
        room -= len(fault.fix.cells) if fault.fix else 0
        problems.append(_problem(fault, fault.fix if room >= 0 else None))
    return problems


def refused(faults: Iterable[Fault]) -> list[ProblemDocument]:
    """Convert a drawing's faults to problems for an error response."""
    keys = ("code", "detail", "row", "column")
    return [
        {key: value for key, value in problem.items() if key in keys and value is not None}
        for problem in problems_in(faults)
    ]


def cells_of(problem: DraftProblem) -> list[ProblemCell]:
    """Return all cells of a problem, or an empty list if it concerns the whole ship."""
    row, column = problem["row"], problem["column"]
    return problem["cells"] or ([{"row": row, "column": column}] if row and column else [])


def _problem(fault: Fault, fix: Fix | None) -> DraftProblem:
    problem = fault.problem
    return {
        "code": problem.code or "problem",
        "detail": f"{capfirst(translate(problem.message))}.",
        "row": problem.row,
        "column": problem.column,
        "cells": [{"row": y + 1, "column": x + 1} for x, y in fault.cells],
        "severity": problem.severity,
        "fix": _fix_view(fix) if fix else None,
    }


def _fix_view(fix: Fix) -> FixView:
    cells: list[FixCell] = [
        {"row": y + 1, "column": x + 1, "token": token} for (x, y), token in fix.cells.items()
    ]
    return {"label": translate(fix.label), "cells": cells}


SUITING: Final = LRUCache[tuple[rules.Ruleset, ...]](1_000_000, lambda found: 1000)
"""A cache of suitable rulesets, by drawing and number of players.

It has at most 1,000 entries.
"""


def suiting(*, drawing: Drawing, players: int | None = None) -> list[rules.Ruleset]:
    """Return the rulesets suitable for a drawing of a ship and a number of ``players``.

    If ``players`` is None, the number does not matter. Rulesets that use a ship's own start cells come first
    if the drawing has start cells, and last if it has none.
    """
    key = f"{cache_key_of(drawing)} {players}"
    return list(SUITING.get_or_make(key, lambda: tuple(_suiting(drawing, players))))


def _suiting(drawing: Drawing, players: int | None) -> list[rules.Ruleset]:
    sketch = sketch_of(drawing)
    if is_unplayable(drawing):
        return []
    found = [
        edition
        for edition in rules.RULESETS.values()
        if rules.suits(edition, sketch.ship)
        and (
            players is None
            or (
                edition.seats[0] <= players <= edition.seats[1]
                and not rules.overcrowding(edition, sketch.ship, players)
            )
        )
    ]
    return sorted(found, key=lambda edition: edition.start.own != bool(sketch.ship.starts))


def ruleset_for(*, drawing: Drawing, players: int) -> str:
    """Return the key of a drawing's ruleset.

    If the drawing has none, returns the first ruleset that is suitable for this number of ``players``. If
    there is none, returns the first that is suitable for any number of players, or else the first of all
    rulesets.
    """
    if drawing.ruleset:
        return drawing.ruleset
    found = suiting(drawing=drawing, players=players) or suiting(drawing=drawing)
    return found[0].key if found else next(iter(rules.RULESETS))


def flights_of(*, draft: StarshipDraft) -> list[Game]:
    """Return the last five test flights of a draft, newest first."""
    games = Game.objects.filter(draft_flight__draft=draft).select_related("draft_flight", "course")
    return list(games.order_by("-pk")[:5])


def draft_flown_in(*, viewer: Viewer, game: Game) -> int | None:
    """Return the ID of the draft of a test flight, or None if the draft is not the viewer's.

    Also returns None if the game is not a test flight.
    """
    if not game.is_test_flight or not isinstance(viewer, User):
        return None
    flights = DraftFlight.objects.filter(game=game, draft__user=viewer)
    return flights.values_list("draft", flat=True).first()


# --- Shared drafts ------------------------------------------------------------------------------------------


TOKEN: Final = re.compile(r"[\w-]{1,64}", re.ASCII)

ADDRESS: Final = re.compile(r"https?://\S+", re.IGNORECASE)

NOINDEX_HEADER: Final = ("X-Robots-Tag", "noindex, nofollow")
"""The header to keep pages with a secret address out of search engines.

Links to other sites do not reveal the address, since `roborunner.middleware` sets `Referrer-Policy:
same-origin` for all pages.
"""


class SharedStarshipView(TypedDict):
    """A shared draft, as seen by everyone with its link."""

    name: str
    builder: Annotated[str, "The Robo Name of the builder."]
    ruleset: Annotated[str, "The ruleset that it is drawn for; empty for any suitable one."]
    players: Annotated[int, "The number of players that it is drawn for."]
    width: int
    height: int
    suits: Annotated[list[str], "The keys of the rulesets that it can be flown with."]
    document: DraftDocument
    problems: list[DraftProblem]


def shared_draft(*, link: str) -> StarshipDraft:
    """Return the draft that is shared by a secret link.

    Raises DeadLink if there is no such draft, or if the builder's account is inactive.
    """
    drafts = StarshipDraft.objects.select_related("user").filter(user__is_active=True)
    draft = drafts.filter(link_token=link).first() if TOKEN.fullmatch(link) else None
    if draft is None:
        raise DeadLink("no-shared-draft")
    return draft


def shared_view(draft: StarshipDraft) -> SharedStarshipView:
    """Return the view of a shared draft, as seen by everyone with its link."""
    return view_of_row(
        SharedStarshipView,
        draft,
        builder=draft.user.robo_name,
        suits=[edition.key for edition in suiting(drawing=draft)],
        problems=problems_in(faults_in(draft)),
    )


def is_address(text: str) -> bool:
    """Return whether a text is a single web address.

    >>> is_address(" https://robots.example.org/x/ "), is_address("a . .+i1")
    (True, False)
    """
    return ADDRESS.fullmatch(text.strip()) is not None


def link_in(address: str, hosts: Iterable[str]) -> str | None:
    """Return the secret link in the address of a shared draft, or None for any other address.

    Returns None for all addresses outside ``hosts``, the host names of this site.
    """
    try:
        parts = urlsplit(address.strip())
        found = resolve(parts.path) if parts.netloc.lower() in hosts else None
    except (ValueError, Resolver404):
        return None
    return found.kwargs["link"] if found and found.view_name == "shipyard:shared" else None
