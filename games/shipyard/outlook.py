"""A preview of a ship before any flight: ways, lines of fire, shelter, findings."""

from typing import Annotated, TypedDict

import rules
from games.errors import Shape
from games.kept import hand_back_connections
from games.play.game_view import CELL, Cell
from games.shipyard.models import Drawing
from games.shipyard.selectors import sketch_of, suiting
from games.wording import told
from rules.tunnel.findings import AMBER, BEHIND, LIMITS, MOST_CELLS, RED
from rules.tunnel.outlook import LARGEST, MOST_GOALS, Outlook, Shelter, Way, outlook_of
from rules.tunnel.run import findings_without_flights

Cells = Annotated[list[list[int]], Shape({"type": "array", "items": CELL})]


class WayView(TypedDict):
    """The fastest way from a cell to a checkpoint, with any chip in each phase."""

    origin: Annotated[Cell, "[x, y], from the top left [0, 0], as everywhere in this answer."]
    checkpoint: int
    phases: Annotated[
        float | None, "In the mean of all headings; null if no way leads there, or none without transporters."
    ]
    cells: Annotated[Cells, "A best way, from the first cell to the checkpoint; empty without one."]
    stops: Annotated[list[int], "Where its phases end: places among `cells`."]


class LineView(TypedDict):
    """A clear line of fire from a checkpoint to the next one."""

    checkpoint: int
    cells: Cells


class ShelterView(TypedDict):
    """The shelter of the cells around the starts."""

    share: Annotated[float, "Of the cells within two steps of a start, those sheltered from two sides."]
    limit: Annotated[float, "The wind tunnel wants this share at least."]
    cells: Annotated[Cells, "The cells within two steps."]
    bare: Annotated[Cells, "Those of them that are not sheltered."]


class BoardFindingView(TypedDict):
    """A finding of the wind tunnel without a flight."""

    kind: Annotated[str, "As in a report of the wind tunnel."]
    severity: Annotated[str, (AMBER, RED), "`red` proves that robots cannot play on the ship."]
    message: Annotated[str, "What is wrong, for people."]
    advice: Annotated[str, "What to change, for people."]
    cells: Annotated[Cells, f"Where it is: {MOST_CELLS} cells at most."]


class ShipOutlookView(TypedDict):
    """A preview of a ship before any flight. Unknown values are null."""

    ruleset: Annotated[str, "By which it is judged: that of the ship, or the first that it suits."]
    starts: Annotated[
        list[WayView] | None,
        "The ways to the first checkpoint. Null, as `legs`, where robots do not race, and beyond"
        f" {LARGEST:,} cells or {MOST_GOALS} checkpoints.",
    ]
    legs: Annotated[list[WayView] | None, "The way to each later checkpoint, from the one before it."]
    behind: Annotated[float, "Phases by which a start may be farther than the mean of the others."]
    lines: Annotated[list[LineView], f"Clear lines of fire between checkpoints: the first {MOST_GOALS}."]
    shelter: Annotated[ShelterView | None, "Null without starts, and where robots do not come back to them."]
    unreachable: Annotated[
        Cells | None, "Cells in which robots could stand, but to which none comes. Null without starts."
    ]
    findings: Annotated[
        list[BoardFindingView] | None,
        "All that the wind tunnel finds without a flight, the worst first. Null until the ship has a start"
        " and as many checkpoints as its ruleset needs.",
    ]


def outlook_view(drawing: Drawing) -> ShipOutlookView:
    """Return a preview of a drawing, even if it has faults."""
    edition = rules.RULESETS.get(drawing.ruleset) or _first_suiting(drawing)
    hand_back_connections()
    ship = sketch_of(drawing).ship
    found: Outlook = outlook_of(ship, edition, drawing.players)
    begun = found.unreachable is not None and len(ship.checkpoints) >= edition.checkpoints[0]
    return {
        "ruleset": edition.key,
        "starts": None if found.starts is None else [_way(way) for way in found.starts],
        "legs": None if found.legs is None else [_way(way) for way in found.legs],
        "behind": BEHIND,
        "lines": [{"checkpoint": line.checkpoint, "cells": _cells(line.cells)} for line in found.lines],
        "shelter": _shelter(found.shelter) if found.shelter else None,
        "unreachable": None if found.unreachable is None else _cells(found.unreachable),
        "findings": _findings(ship, found, edition) if begun else None,
    }


def _findings(ship: rules.Starship, found: Outlook, edition: rules.Ruleset) -> list[BoardFindingView]:
    return [
        {
            "kind": each.kind,
            "severity": each.severity,
            "message": told(each.message),
            "advice": told(each.advice),
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
