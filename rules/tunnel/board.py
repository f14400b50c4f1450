"""Findings that the board alone shows, from its outlook.

A fault that no flight has confirmed is amber, unless the board proves that robots can't play on it: there is
no way to a checkpoint, no robot can stay on one, or robots get stuck for good.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rules.grid import Pos
from rules.language import N_, Sentence, place
from rules.starship import Starship
from rules.tunnel.findings import (
    AMBER,
    MOST_CELLS,
    RED,
    Finding,
    number,
    past_ceiling,
    past_floor,
    shown,
)
from rules.tunnel.geometry import corners, elements_share, largest_field, lines_of_fire, shelter
from rules.tunnel.limits import FIELD, FIELD_CELLS, START_FIRE, Limits
from rules.tunnel.outlook import Outlook

FROM_START = N_("No way leads from the start in {at} to checkpoint {checkpoint}.")
LEG = N_("No way leads from checkpoint {before} to checkpoint {checkpoint}.")
RETURNING = N_(
    "No way leads from checkpoint {before} to checkpoint {checkpoint}: only destroyed robots get there,"
    " from their start."
)
WAY_ADVICE = N_("Open a way to checkpoint {checkpoint}: remove a rail, or turn a beam.")
SLIPPERY = N_("No robot can stay on checkpoint {checkpoint}: the ship carries it away or destroys it first.")
SLIPPERY_ADVICE = N_("Move checkpoint {checkpoint} to plain hull, or put a rail at the end of its beam.")
SEALED = N_("Robots get into this room and never out again.")
ROOM = N_("Robots get into this room, and must be destroyed to reach all checkpoints.")
ROOM_ADVICE = N_("Open a way out of this room, or close the way in.")
UNREACHABLE = N_("No robot can come to {share} of the cells.")
UNREACHABLE_ADVICE = N_("Open a way to these cells, or make them space.")
CLOSE = N_("Checkpoints {one} and {other} are fewer than three steps apart.")
CLOSE_ADVICE = N_("Move one of these checkpoints farther away.")
BACK = N_("Beams carry robots back into the start in {at}.")
BACK_ADVICE = N_("Turn these beams, so that they lead away from the start.")
LASERS = N_("Lasers of the ship do {damage} damage in each phase to a robot on the start in {at}.")
LASERS_ADVICE = N_("Put a rail between the start and these lasers, or remove a laser.")
EMPTY = N_("An empty field takes up {share} of the ship, where {limit} is the most.")
EMPTY_ADVICE = N_("Put beams, shafts or rails into this field, or crop the ship.")
CORNER = N_("Checkpoint {checkpoint} stands in a corner of rails: there are few ways to it.")
CORNER_ADVICE = N_("Remove one of the rails beside checkpoint {checkpoint}, or move the checkpoint.")
LINE = N_("There is a clear line of fire from checkpoint {one} to checkpoint {next}.")
LINE_ADVICE = N_("Put a rail between checkpoints {one} and {next}, or move one of them.")
SHELTER = N_("Only {share} of the cells around the start are sheltered from shots, where {limit} should be.")
SHELTER_ADVICE = N_("Put rails beside the cells around the start, so that no robot can lie in wait there.")
DESERT = N_("Only {share} of the cells bear anything, where {limit} should.")
DESERT_ADVICE = N_("Add one theme, such as beams, shafts or rails, along the ways between checkpoints.")

WORST = 9.0
"""The excess of a fault that the board proves: it comes first."""


def board_findings(ship: Starship, outlook: Outlook, limits: Limits) -> Iterator[Finding]:
    """Yield everything that is wrong with the board of a ship, by its outlook."""
    yield from _proved(ship, outlook)
    yield from _checkpoints(ship, outlook)
    yield from _starts(outlook)
    yield from _space(ship, outlook, limits)


def _proved(ship: Starship, outlook: Outlook) -> Iterator[Finding]:
    """Yield checkpoints without a way, checkpoints that no robot can stay on, and rooms without a way out."""
    for checkpoint in outlook.slippery:
        at = ship.pos(ship.checkpoints[checkpoint])
        yield _finding("slippery", SLIPPERY, SLIPPERY_ADVICE, [at], RED, WORST, checkpoint=checkpoint)
    for way in outlook.starts or ():
        if way.barred and way.checkpoint not in outlook.slippery:
            cells = [way.origin, ship.pos(ship.checkpoints[way.checkpoint])]
            values = {"at": place(way.origin), "checkpoint": way.checkpoint}
            yield _finding("way", FROM_START, WAY_ADVICE, cells, RED, WORST, **values)
    for way in outlook.legs or ():
        if way.barred and way.checkpoint not in outlook.slippery:
            cells = [way.origin, ship.pos(ship.checkpoints[way.checkpoint])]
            message, severity = (RETURNING, AMBER) if way.returns else (LEG, RED)
            values = {"before": way.checkpoint - 1, "checkpoint": way.checkpoint}
            yield _finding("way", message, WAY_ADVICE, cells, severity, WORST, **values)
    for room in outlook.rooms:
        message, severity = (SEALED, RED) if room.sealed else (ROOM, AMBER)
        yield _finding("room", message, ROOM_ADVICE, room.cells, severity, WORST - 1)


def _checkpoints(ship: Starship, outlook: Outlook) -> Iterator[Finding]:
    for one, other in outlook.close:
        cells = [ship.pos(ship.checkpoints[each]) for each in (one, other)]
        yield _finding("close", CLOSE, CLOSE_ADVICE, cells, one=one, other=other)
    for checkpoint, at in outlook.corners.items():
        yield _finding("corner", CORNER, CORNER_ADVICE, [at], checkpoint=checkpoint)
    for line in outlook.lines:
        one = line.checkpoint
        yield _finding("line", LINE, LINE_ADVICE, line.cells, one=one, next=one + 1)


def _starts(outlook: Outlook) -> Iterator[Finding]:
    for at, beams in outlook.feeders.items():
        yield _finding("back", BACK, BACK_ADVICE, [at, *beams], at=place(at))
    for at, damage in outlook.fire.items():
        if damage > START_FIRE:
            yield _finding("start_fire", LASERS, LASERS_ADVICE, [at], at=place(at), damage=damage)
    if (found := outlook.shelter) and found.share < found.limit:
        yield _share("shelter", SHELTER, SHELTER_ADVICE, found.share, found.limit, found.bare)


def _space(ship: Starship, outlook: Outlook, limits: Limits) -> Iterator[Finding]:
    if outlook.unreachable:
        share = len(outlook.unreachable) / len(ship.cells)
        yield _finding(
            "unreachable",
            UNREACHABLE,
            UNREACHABLE_ADVICE,
            outlook.unreachable,
            excess=past_ceiling(share, limits.unused),
            share=number(share, "{:.0%}"),
        )
    field = outlook.field
    if field.share > FIELD and len(field.cells) >= FIELD_CELLS:
        yield _share("field", EMPTY, EMPTY_ADVICE, field.share, FIELD, field.cells)
    if outlook.elements < limits.elements:
        yield _share("elements", DESERT, DESERT_ADVICE, outlook.elements, limits.elements, [])


def _finding(
    kind: str,
    message: str,
    advice: str,
    cells: Sequence[Pos],
    severity: str = AMBER,
    excess: float = 1.0,
    **values: Any,
) -> Finding:
    said, advised = Sentence(message, **values), Sentence(advice, **values)
    cells = tuple(cells[:MOST_CELLS])
    return Finding(kind, severity, said, advised, shown(), 1.0, cells=cells, excess=excess)


def _share(kind: str, message: str, advice: str, value: float, limit: float, cells: Sequence[Pos]) -> Finding:
    said = Sentence(message, share=number(value, "{:.0%}"), limit=number(limit, "{:.0%}"))
    excess = past_floor(value, limit) if value < limit else past_ceiling(value, limit)
    cells = tuple(cells[:MOST_CELLS])
    return Finding(kind, AMBER, said, Sentence(advice), shown(), value, limit, None, cells, excess)


def describe(ship: Starship, starts: Iterable[int]) -> dict[str, float]:
    """Return the figures of a board: corners and lines as counts, shelter and elements as shares of cells."""
    return {
        "corners": float(len(corners(ship))),
        "lines": float(len(lines_of_fire(ship))),
        "shelter": shelter(ship, starts)[0],
        "field": largest_field(ship).share,
        "elements": elements_share(ship),
    }
