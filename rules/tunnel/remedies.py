"""Propose remedies: small changes to a ship that may fix a finding. Flights must test them.

There are remedies for corners, lines of fire, shelter, fire, deadly cells, deaths near the start, unfair
starts, and waiting robots. Faults of the whole ship, such as its length, have none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import Final

from rules.computers.chart import Chart
from rules.document import RulesError
from rules.elements import Airlock, Bay, Hull, Shaft, Start
from rules.grid import HEADINGS, PHASES, Pos
from rules.language import Sentence, place
from rules.mending import faults_of
from rules.notation import write_starship
from rules.setup import Setup
from rules.sketch import Change, Tokens, beside, changed, is_bare, is_open, read_sketch
from rules.starship import Starship
from rules.suitability import make_setup
from rules.survey import free_cells
from rules.tunnel.findings import LIMITS, MAX_EXTRA_PHASES, RED, Finding
from rules.tunnel.flying import mean_way, races
from rules.tunnel.geometry import corners, lines_of_fire, shelter
from rules.tunnel.outlook import board_findings
from rules.tunnel.play import steps, ways_behind
from rules.tunnel.run import Run, Verdict

REMEDIES_OF_RUN: Final = 4
"""The maximum number of remedies for a run."""
REMEDIES_OF_FINDING: Final = 2
"""The maximum number of remedies for one kind of finding."""
FLIGHTS: Final = 40
"""The number of flights to test a remedy."""

MOVED: Final = 6
"""The maximum distance to move a start, in steps."""
NEARER: Final = (2.0, 4.0)
"""The phases to cut from a start's way to the first checkpoint, one number for each of two remedies.

The way is lengthened instead if robots from this start do too well.
"""
MAX_RAILS: Final = 6
"""The maximum number of rails to add for shelter."""
AIRLOCK_SPACING: Final = 3
"""The minimum number of steps between a new airlock and each existing one."""


@dataclass(frozen=True, slots=True)
class Remedy:
    """A possible fix for the findings of one ``kind``.

    ``label`` describes the change for players. ``cells`` has the new tokens of the changed cells.
    """

    kind: str
    label: Sentence
    cells: Tokens


def remedies_of(run: Run, verdict: Verdict) -> list[Remedy]:
    """Return up to four remedies for the findings of a run, the worst findings first.

    A remedy causes no new fault of the board itself. Flights must test whether it helps.
    """
    worst: dict[str, Finding] = {}
    for finding in verdict.findings:
        worst.setdefault(finding.kind, finding)
    found: list[list[Remedy]] = []
    for kind, finding in worst.items():
        proposed = CURES[kind](run, verdict, finding) if kind in CURES else ()
        different = {tuple(each.cells.items()): each for each in proposed}.values()
        found.append([each for each in different if _is_sound(run, verdict, each)][:REMEDIES_OF_FINDING])
    one_each = chain.from_iterable(zip_longest(*found))
    return [each for each in one_each if each][:REMEDIES_OF_RUN]


def cures(finding: str, before: Iterable[tuple[str, str]], after: Iterable[tuple[str, str]]) -> bool:
    """Return whether the findings of this kind are gone after a remedy, and no other kind became red.

    ``before`` and ``after`` have the kind and severity of each finding, without and with the remedy.
    """
    red = {kind for kind, severity in before if severity == RED}
    return all(kind != finding and (severity != RED or kind in red) for kind, severity in after)


def _is_sound(run: Run, verdict: Verdict, remedy: Remedy) -> bool:
    """Return whether a remedy makes a valid ship without new faults of the board.

    If the remedy is for a fault of the board, the fault must be gone.
    """
    if not remedy.cells:
        return False
    setup, before = run.setup, run.setup.starship
    after = changed(before, remedy.cells)
    try:
        new = replace(
            run, setup=make_setup(setup.ruleset, setup.options, after, run.players, setup.house_rules)
        )
    except RulesError:
        return False
    faults = [
        len(faults_of(read_sketch(write_starship(ship), known=True), setup.ruleset, run.players, most=None))
        for ship in (before, after)
    ]
    if faults[1] > faults[0] or len(new.start_cells) < len(run.start_cells):
        return False
    return _board_faults(new) <= _board_faults(run) - {remedy.kind}


def _board_faults(run: Run) -> set[str]:
    """Return the kinds of all findings that need no flights, of any severity."""
    setup = run.setup
    kinds = {each.kind for each in board_findings(setup.starship, run.outlook, LIMITS[setup.ruleset.key])}
    behind = ways_behind(setup, run.start_cells).values()
    return kinds | {"fairness"} if any(way > MAX_EXTRA_PHASES for way in behind) else kinds


# A cure for each kind of finding


def _corners(run: Run, verdict: Verdict, finding: Finding) -> Iterator[Remedy]:
    """Propose to remove a rail beside each checkpoint in a corner, or more rails if one is not enough."""
    ship = run.setup.starship
    change, gone = Change(ship), 0
    for number, at in corners(ship).items():
        while number in corners(change.board):
            edges = [
                edge
                for edge in HEADINGS
                if is_bare(ship, at, edge) and change.board.railed_always(ship.cell(*at), edge)
            ]
            if not edges:
                return
            change.unrail(at, min(edges, key=lambda edge: _corners_without(change, at, edge, number)))
            gone += 1
    label = Sentence.counted(
        "Remove a rail beside the checkpoint", "Remove {number} rails beside the checkpoints", gone
    )
    yield Remedy(finding.kind, label, change.tokens)


def _corners_without(change: Change, at: Pos, edge: int, number: int) -> bool:
    """Return whether a checkpoint is still in a corner after removing the rail on this edge of its cell."""
    tried = Change(change.ship)
    tried.cells = dict(change.cells)
    tried.unrail(at, edge)
    return number in corners(tried.board)


def _lines(run: Run, verdict: Verdict, finding: Finding) -> Iterator[Remedy]:
    """Propose a rail across each clear line of fire: in its middle, or one cell before or after it."""
    ship = run.setup.starship
    for shift in (0, 1, -1):
        change, lines = Change(ship), lines_of_fire(ship)
        for line in lines:
            middle = min(max(0, (len(line.cells) - 1) // 2 + shift), len(line.cells) - 2)
            at, ahead = line.cells[middle], line.cells[middle + 1]
            edge = next(edge for edge in HEADINGS if beside(ship, at, edge) == ahead)
            change.rail(at, edge)
        label = Sentence.counted(
            "Put a rail across the line of fire", "Put {number} rails across the lines of fire", len(lines)
        )
        yield Remedy(finding.kind, label, change.tokens)


def _shelter(run: Run, verdict: Verdict, finding: Finding) -> Iterator[Remedy]:
    """Propose rails around the start, the most useful first, until there is enough shelter."""
    limit, starts = LIMITS[run.setup.ruleset.key].shelter, run.start_cells
    if limit is None:
        return
    change = Change(run.setup.starship)
    share, bare = shelter(change.ship, starts)
    for number in range(1, MAX_RAILS + 1):
        best: tuple[float, Change] | None = None
        for at in bare:
            for edge in HEADINGS:
                if is_open(change.board, at, edge):
                    tried = Change(change.ship)
                    tried.cells = dict(change.cells)
                    tried.rail(at, edge)
                    gain = shelter(tried.board, starts)[0] - _sealed(tried.board, starts)
                    if best is None or gain > best[0]:
                        best = gain, tried
        if best is None:
            return
        change = best[1]
        share, bare = shelter(change.board, starts)
        if share >= limit:
            label = Sentence.counted("Add a rail near the start", "Add {number} rails near the start", number)
            yield Remedy(finding.kind, label, change.tokens)
            return


def _sealed(ship: Starship, starts: Iterable[int]) -> float:
    """Return the number of starts that rails almost enclose, with at most one edge open, as a penalty."""
    return float(sum(sum(not ship.railed_ever(cell, edge) for edge in HEADINGS) < 2 for cell in starts))


def _fire(run: Run, verdict: Verdict, finding: Finding) -> Iterator[Remedy]:
    """Propose two remedies: remove lasers until damage is just below its limit, or far below it.

    The lasers that do the most damage are removed first.
    """
    ship, burnt = run.setup.starship, verdict.figures.burnt
    beams = sorted(
        ship.laser_beams[PHASES[0]],
        key=lambda beam: -sum(burnt.get(ship.pos(cell), 0) for cell in beam.cells),
    )
    emitters = list(dict.fromkeys(beam.emitter for beam in beams))
    for share in (0.8, 0.3):
        change, left, gone = Change(ship), finding.value, 0
        total = sum(burnt.values()) or 1
        for cell in emitters:
            if left <= share * (finding.limit or 0.0):
                break
            mine = {at for beam in beams if beam.emitter == cell for at in beam.cells}
            left -= finding.value * sum(burnt.get(ship.pos(at), 0) for at in mine) / total
            at = ship.pos(cell)
            gone += len(ship.at(*at).emitters)
            change.put(at, replace(change.at(at), emitters=()))
        label = Sentence.counted("Remove a laser", "Remove {number} lasers", gone)
        yield Remedy(finding.kind, label, change.tokens)


def _deadly(run: Run, verdict: Verdict, finding: Finding) -> Iterator[Remedy]:
    """Propose a rail between the deadly cell and its busiest neighbour, or propose to make the cell safe.

    If the cell itself is harmless, propose rails between it and the shafts or space beside it.
    """
    ship, entered = run.setup.starship, verdict.figures.entered
    for at in finding.cells[:1]:
        cell = ship.at(*at)
        if isinstance(cell.floor, Shaft | Bay) or cell.crusher:
            sides = {edge: beside(ship, at, edge) for edge in HEADINGS if is_open(ship, at, edge)}
            usual = {edge: entered.get(beyond, 0) for edge, beyond in sides.items() if beyond}
            if usual:
                change = Change(ship)
                change.rail(at, max(usual, key=lambda edge: usual[edge]))
                yield Remedy(
                    finding.kind,
                    Sentence("Put a rail beside the cell at {cell}", cell=place(at)),
                    change.tokens,
                )
            yield Remedy(
                finding.kind, Sentence("Make the cell at {cell} safe", cell=place(at)), _safe(ship, [at])
            )
            continue
        change = Change(ship)
        for edge in HEADINGS:  # a robot that drives off the ship counts in its last cell
            if is_open(ship, at, edge) and ship.falls[PHASES[0]][ship.cell(*at) + ship.steps[edge]]:
                change.rail(at, edge)
        yield Remedy(
            finding.kind, Sentence("Put rails beside the cell at {cell}", cell=place(at)), change.tokens
        )


def _airlock(run: Run, verdict: Verdict, finding: Finding) -> Iterator[Remedy]:
    """Propose two remedies: make all cells near the start safe, or only the cells where robots died."""
    ship = run.setup.starship
    starts = [ship.pos(cell) for cell in run.start_cells]
    near = [
        ship.pos(cell)
        for cell, _ in ship.numbered()
        if any(steps(ship.pos(cell), start) <= 2 for start in starts)
    ]
    before: Tokens = {}
    for cells in ([at for at in finding.cells if at in near], near):
        safe = _safe(ship, cells)
        if safe != before:
            label = Sentence.counted(
                "Make a cell near the start safe", "Make {number} cells near the start safe", len(safe)
            )
            yield Remedy(finding.kind, label, safe)
        before = safe


def _safe(ship: Starship, cells: Iterable[Pos]) -> Tokens:
    """Return changes to these cells: shafts and bays become hull, and crushers are removed."""
    change = Change(ship)
    for at in cells:
        cell = ship.at(*at)
        floor = Hull() if isinstance(cell.floor, Shaft | Bay) else cell.floor
        change.put(at, replace(cell, floor=floor, crusher=()))
    return change.tokens


def _fairness(run: Run, verdict: Verdict, finding: Finding) -> Iterator[Remedy]:
    """Propose to move a start to free hull at a fairer distance from the first checkpoint."""
    setup = run.setup
    ship, goal = setup.starship, setup.starship.checkpoints.get(setup.ruleset.start.next)
    at = finding.cells[0]
    if goal is None or not races(setup.ruleset) or not isinstance(ship.at(*at).floor, Start | Airlock):
        return
    ways = _ways(setup, goal)
    own, behind = ways(at), ways_behind(setup, run.start_cells).get(at)
    if own is None or behind is None:
        return
    far = finding.limit == MAX_EXTRA_PHASES
    sooner = [behind, behind - 1] if far else [phases if finding.value > 0 else -phases for phases in NEARER]
    taken: set[Pos] = set()
    for phases in sooner:
        spots = {
            spot: abs(way - (own - phases))
            for spot in free_cells(ship)
            if spot not in taken
            and (far or steps(spot, at) <= MOVED)
            and ship.cell(*spot) not in ship.lit
            and (way := ways(spot)) is not None
        }
        if spots:
            spot = min(spots, key=lambda each: (round(spots[each]), steps(each, at), each))
            taken.add(spot)
            change = Change(ship)
            change.put(spot, replace(ship.at(*spot), floor=ship.at(*at).floor))
            change.put(at, replace(ship.at(*at), floor=Hull()))
            yield Remedy(finding.kind, Sentence("Move this start to {cell}", cell=place(spot)), change.tokens)


def _waiting(run: Run, verdict: Verdict, finding: Finding) -> Iterator[Remedy]:
    """Propose a new airlock, about as far from the first checkpoint as the existing ones."""
    setup = run.setup
    ship, goal = setup.starship, setup.starship.checkpoints.get(setup.ruleset.start.next)
    locks = [ship.pos(cell) for cell in ship.airlocks]
    if goal is None or not locks or not races(setup.ruleset) or setup.ruleset.squads:
        return
    ways = _ways(setup, goal)
    known = [way for at in locks if (way := ways(at)) is not None]
    spots = {
        spot: abs(way - sum(known) / len(known))
        for spot in free_cells(ship)
        if known
        and min(steps(spot, at) for at in locks) >= AIRLOCK_SPACING
        and (way := ways(spot)) is not None
    }
    for spot in sorted(spots, key=lambda each: (round(spots[each]), steps(each, locks[0]), each))[
        :REMEDIES_OF_FINDING
    ]:
        change = Change(ship)
        change.put(spot, replace(ship.at(*spot), floor=Airlock()))
        yield Remedy(finding.kind, Sentence("Add an airlock at {cell}", cell=place(spot)), change.tokens)


def _ways(setup: Setup, goal: int) -> Callable[[Pos], float | None]:
    chart = Chart(setup, {})
    return lambda at: mean_way(chart, setup.starship.cell(*at), goal)


Cure = Callable[[Run, Verdict, Finding], Iterator[Remedy]]

CURES: Final[Mapping[str, Cure]] = {
    "corner": _corners,
    "line": _lines,
    "shelter": _shelter,
    "fire": _fire,
    "deadly": _deadly,
    "airlock": _airlock,
    "fairness": _fairness,
    "waiting": _waiting,
}
"""The function that proposes remedies, for each kind of finding."""
