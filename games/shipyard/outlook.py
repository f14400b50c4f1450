"""A preview of a ship before any flight: ways, lines of fire, shelter, findings."""

from typing import Annotated, TypedDict

import rules
from games.content_cache import release_connections
from games.errors import Shape
from games.play.game_view import CELL, Cell
from games.shipyard.models import Drawing
from games.shipyard.selectors import sketch_of, suiting
from games.wording import translate
from rules.tunnel.findings import AMBER, CELLS_PER_FINDING, LIMITS, MAX_EXTRA_PHASES, RED
from rules.tunnel.outlook import MAX_CELLS, MAX_GOALS, Outlook, Shelter, Way, outlook_of
from rules.tunnel.run import findings_without_flights

Cells = Annotated[list[list[int]], Shape({"type": "array", "items": CELL})]


class WayView(TypedDict):
    """The fastest way from a cell to a checkpoint, if a robot could use any chip in each phase."""

    origin: Annotated[Cell, "[x, y], from the top left [0, 0], as everywhere in this answer."]
    checkpoint: int
    phases: Annotated[
        float | None, "The average over all headings; null if no way leads there without transporters."
    ]
    cells: Annotated[Cells, "A best way, from the first cell to the checkpoint; empty without one."]
    stops: Annotated[list[int], "The ends of its phases, as indexes of `cells`."]


class LineView(TypedDict):
    """A clear line of fire from a checkpoint to the next one."""

    checkpoint: int
    cells: Cells


class ShelterView(TypedDict):
    """The cells around the starts, and the share of them that is sheltered from shots."""

    share: Annotated[
        float, "The share of cells within two steps of a start that are sheltered from two sides."
    ]
    limit: Annotated[float, "The minimum share that the wind tunnel accepts."]
    cells: Annotated[Cells, "The cells within two steps of a start."]
    bare: Annotated[Cells, "The cells among `cells` that are not sheltered."]


class BoardFindingView(TypedDict):
    """A wind tunnel finding about the board itself, made without any flights."""

    kind: Annotated[str, "The kind of finding, as in a wind tunnel report."]
    severity: Annotated[str, (AMBER, RED), "`red` proves that robots cannot play on the ship."]
    message: Annotated[str, "The problem, in a sentence for people."]
    advice: Annotated[str, "The advice, in a sentence for people."]
    cells: Annotated[Cells, f"The affected cells, at most {CELLS_PER_FINDING}."]


class ShipOutlookView(TypedDict):
    """A preview of a ship before any flight. Unknown values are null."""

    ruleset: Annotated[
        str, "The ruleset of the preview: the one in the request, or else the first suitable one."
    ]
    starts: Annotated[
        list[WayView] | None,
        "The ways to the first checkpoint. Null, like `legs`, if robots do not race in this ruleset, or"
        f" if the ship has more than {MAX_CELLS:,} cells or {MAX_GOALS} checkpoints.",
    ]
    legs: Annotated[list[WayView] | None, "The way to each later checkpoint, from the one before it."]
    behind: Annotated[float, "The maximum extra phases of a start compared with the average of the others."]
    lines: Annotated[list[LineView], f"Clear lines of fire between checkpoints: the first {MAX_GOALS}."]
    shelter: Annotated[
        ShelterView | None,
        "Null if the ship has no starts, or if robots do not return to them in this ruleset.",
    ]
    unreachable: Annotated[
        Cells | None,
        "Cells that can hold a robot but that no robot can reach. Null if the ship has no starts.",
    ]
    findings: Annotated[
        list[BoardFindingView] | None,
        "The wind tunnel's findings without a flight, worst first. Null until the ship has a start and"
        " the checkpoints that its ruleset needs.",
    ]


def outlook_view(drawing: Drawing) -> ShipOutlookView:
    """Return a preview of a drawing, even if the drawing has faults."""
    edition = rules.RULESETS.get(drawing.ruleset) or _first_suiting(drawing)
    release_connections()
    ship = sketch_of(drawing).ship
    found: Outlook = outlook_of(ship, edition, drawing.players)
    has_course = found.unreachable is not None and len(ship.checkpoints) >= edition.checkpoints[0]
    return {
        "ruleset": edition.key,
        "starts": None if found.starts is None else [_way(way) for way in found.starts],
        "legs": None if found.legs is None else [_way(way) for way in found.legs],
        "behind": MAX_EXTRA_PHASES,
        "lines": [{"checkpoint": line.checkpoint, "cells": _cells(line.cells)} for line in found.lines],
        "shelter": _shelter(found.shelter) if found.shelter else None,
        "unreachable": None if found.unreachable is None else _cells(found.unreachable),
        "findings": _findings(ship, found, edition) if has_course else None,
    }


def _findings(ship: rules.Starship, found: Outlook, edition: rules.Ruleset) -> list[BoardFindingView]:
    return [
        {
            "kind": each.kind,
            "severity": each.severity,
            "message": translate(each.message),
            "advice": translate(each.advice),
            "cells": _cells(each.cells),
        }
        for each in findings_without_flights(ship, found, LIMITS[edition.key])
    ]


def _first_suiting(drawing: Drawing) -> rules.Ruleset:
    found = suiting(drawing=drawing, players=drawing.players) or suiting(drawing=drawing)
    return found[0] if found else next(iter(rules.RULESETS.values()))


def _way(way: Way) -> WayView:
    return {
        "origin": list(way.origin),
        "checkpoint": way.checkpoint,
        "phases": way.phases,
        "cells": _cells(way.cells),
        "stops": list(way.stops),
    }


def _shelter(shelter: Shelter) -> ShelterView:
    return {
        "share": round(shelter.share, 4),
        "limit": shelter.limit,
        "cells": _cells(shelter.cells),
        "bare": _cells(shelter.bare),
    }


def _cells(cells: tuple[tuple[int, int], ...]) -> list[list[int]]:
    return [list(cell) for cell in cells]
