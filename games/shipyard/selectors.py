"""What people see of their drafts; what others see of them by a link is in `sharing`."""

from collections.abc import Iterable
from datetime import datetime
from itertools import islice
from typing import Annotated, Final, TypedDict

from django.utils.text import capfirst
from django.utils.translation import gettext as _

import rules
from accounts.models import User
from games.documents import Shape, written
from games.errors import MOST_PROBLEMS, PLACE, NotFound, ProblemDocument
from games.kept import Memory
from games.language import told
from games.play.models import Game
from games.play.selectors.viewers import Viewer
from games.shipyard.drawings import faults_in, is_hindered, name_of, sketch_of
from games.shipyard.models import DraftFlight, DraftVersion, Drawing, StarshipDraft
from rules.mending import ERROR, WARNING, Fault, Fix
from rules.notation import STARSHIP_FORMAT

PARENTS: Final = ("parent_revision__starship", "parent_draft__user")
"""What tells where drafts were copied from."""

MOST_CELLS: Final = 20_000
"""Cells of all fixes that are told of one drawing: a single fix may change all cells of the largest."""


class FixCell(TypedDict):
    """A cell and what to put there."""

    row: Annotated[int, PLACE]
    column: Annotated[int, PLACE]
    token: str


class FixView(TypedDict):
    """A way to remove a problem: put these tokens. A row that is too short is filled up with hull."""

    label: Annotated[str, "What it does, for a button."]
    cells: list[FixCell]


class ProblemCell(TypedDict):
    """A cell that something is wrong with."""

    row: Annotated[int, PLACE]
    column: Annotated[int, PLACE]


class DraftProblem(TypedDict):
    """Something that is wrong with a drawing. `row` and `column` count from 1, null for the whole ship."""

    code: str
    detail: Annotated[str, "A sentence for people."]
    row: int | None
    column: int | None
    cells: Annotated[list[ProblemCell], "All cells of a problem that is in several; else empty."]
    severity: Annotated[str, (ERROR, WARNING), "No game can start with an error."]
    fix: FixView | None


class DraftParentView(TypedDict):
    """What a draft was copied from."""

    kind: Annotated[
        str,
        ("starship", "draft", "shared"),
        "A starship of the library, a draft of mine, or a draft that another person shared by a link.",
    ]
    id: Annotated[int | None, "Null for a draft of another person."]
    name: Annotated[str, "What it is called; of another person's draft, what it was called then."]
    version: Annotated[int | None, "Its revision or version then; null for a draft of another person."]
    builder: Annotated[str | None, "The Robo Name of that other person; null for all others."]


class DraftDocument(TypedDict):
    """A drawing: `starship/1`, in which cells may be wrong and rows of different length."""

    format: Annotated[str, Shape({"type": "string", "enum": [STARSHIP_FORMAT]})]
    name: str
    builder: str
    description: str
    rows: Annotated[list[str], "North first; cells separated by spaces."]


class StarshipDraftFacts(TypedDict):
    """A draft, as lists show it."""

    id: int
    name: str
    ruleset: Annotated[str, "What it is for; empty for any that it will suit."]
    players: Annotated[int, "How many it is for."]
    width: int
    height: int
    version: Annotated[int, "How often it was saved, from 1."]
    created_at: datetime
    saved_at: datetime
    link: Annotated[str | None, "Its secret link, for `GET shipyard/shared/{link}`; null without one."]
    parent: DraftParentView | None


class StarshipDraftView(StarshipDraftFacts):
    """A starship that I am drawing."""

    document: DraftDocument
    problems: list[DraftProblem]


class DraftRevisionFacts(TypedDict):
    """A version of a draft that is kept, as lists show it."""

    version: int
    name: str
    ruleset: str
    players: int
    width: int
    height: int
    saved_at: datetime


class DraftRevisionView(DraftRevisionFacts):
    """A version of a draft that is kept."""

    document: DraftDocument
    problems: list[DraftProblem]


def drafts_of(*, user: User) -> list[StarshipDraft]:
    """Return a person's drafts, the last saved first."""
    drafts = StarshipDraft.objects.filter(user=user)
    return list(drafts.select_related(*PARENTS))


def draft_for(*, viewer: Viewer, draft_id: int) -> StarshipDraft:
    """Return a draft of the viewer's own; raises NotFound for any other."""
    drafts = StarshipDraft.objects.select_related(*PARENTS)
    draft = drafts.filter(pk=draft_id, user=viewer).first() if isinstance(viewer, User) else None
    if draft is None:
        raise NotFound("no-draft", _("There is no such draft."))
    return draft


def versions_of(*, draft: StarshipDraft) -> list[Drawing]:
    """Return the versions of a draft that are kept, the last one first."""
    return [draft, *draft.versions.defer("document").order_by("-number")]


def version_for(*, draft: StarshipDraft, number: int) -> StarshipDraft | DraftVersion:
    """Return one version of a draft; raises NotFound for one that is not kept."""
    if number == draft.version:
        return draft
    version = draft.versions.filter(number=number).first()
    if version is None:
        raise NotFound("no-version", _("This version is not kept."))
    return version


def number_of(drawing: Drawing) -> int:
    """Return which version a drawing is."""
    assert isinstance(drawing, StarshipDraft | DraftVersion)
    return drawing.version if isinstance(drawing, StarshipDraft) else drawing.number


def facts_of_draft(draft: StarshipDraft) -> StarshipDraftFacts:
    """Return a draft as lists show it."""
    return written(
        StarshipDraftFacts, draft, id=draft.pk, link=draft.link_token or None, parent=parent_of(draft)
    )


def draft_view(draft: StarshipDraft) -> StarshipDraftView:
    """Return a draft with all that is wrong with it."""
    return {
        **facts_of_draft(draft),
        "document": draft.document,
        "problems": problems_in(faults_in(draft)),
    }


def revision_facts(drawing: Drawing) -> DraftRevisionFacts:
    """Return a version as lists show it."""
    return written(DraftRevisionFacts, drawing, version=number_of(drawing))


def revision_view(drawing: Drawing) -> DraftRevisionView:
    """Return a version with all that is wrong with it."""
    return {
        **revision_facts(drawing),
        "document": drawing.document,
        "problems": problems_in(faults_in(drawing)),
    }


def parent_of(draft: StarshipDraft) -> DraftParentView | None:
    """Return what a draft was copied from, as long as that is there.

    Of another person's draft it tells what the copier has seen: not what it is called now.
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
    """Write what is wrong with a drawing, in the reader's language: as much as an answer may hold."""
    told: list[DraftProblem] = []
    room = MOST_CELLS
    for fault in islice(faults, MOST_PROBLEMS):
        room -= len(fault.fix.cells) if fault.fix else 0
        told.append(_problem(fault, fault.fix if room >= 0 else None))
    return told


def refused(faults: Iterable[Fault]) -> list[ProblemDocument]:
    """Write why a drawing cannot be played on, as problems of a refusal."""
    told = ("code", "detail", "row", "column")
    return [
        {key: value for key, value in problem.items() if key in told and value is not None}
        for problem in problems_in(faults)
    ]


def cells_of(problem: DraftProblem) -> list[ProblemCell]:
    """Return all cells that a problem is in."""
    row, column = problem["row"], problem["column"]
    return problem["cells"] or ([{"row": row, "column": column}] if row and column else [])


def _problem(fault: Fault, fix: Fix | None) -> DraftProblem:
    problem = fault.problem
    return {
        "code": problem.code or "problem",
        "detail": f"{capfirst(told(problem.message))}.",
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
    return {"label": told(fix.label), "cells": cells}


SUITING: Final = Memory[tuple[rules.Ruleset, ...]](1_000_000, lambda found: 1000)
"""The rulesets that suit drawings: some thousand drawings."""


def suiting(*, drawing: Drawing, players: int | None = None) -> list[rules.Ruleset]:
    """Return the rulesets by which a drawing can be flown, by so many ``players``.

    Those that start where it has cells for it come first.
    """
    name = f"{name_of(drawing)} {players}"
    return list(SUITING.made(name, lambda: tuple(_suiting(drawing, players))))


def _suiting(drawing: Drawing, players: int | None) -> list[rules.Ruleset]:
    sketch = sketch_of(drawing)
    if is_hindered(drawing):
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
    """Return the ruleset that a drawing is for; for one that has none, the first by which so many can fly it.

    Without one, it is the ruleset that most begin with.
    """
    if drawing.ruleset:
        return drawing.ruleset
    found = suiting(drawing=drawing, players=players) or suiting(drawing=drawing)
    return found[0].key if found else next(iter(rules.RULESETS))


def flights_of(*, draft: StarshipDraft, most: int = 5) -> list[Game]:
    """Return the last test flights of a draft, the last first."""
    games = Game.objects.filter(draft_flight__draft=draft).select_related("draft_flight", "course")
    return list(games.order_by("-pk")[:most])


def draft_flown_in(*, viewer: Viewer, game: Game) -> int | None:
    """Return the draft of which a game is a test flight, if it is the viewer's."""
    if not game.is_test_flight or not isinstance(viewer, User):
        return None
    flights = DraftFlight.objects.filter(game=game, draft__user=viewer)
    return flights.values_list("draft", flat=True).first()
