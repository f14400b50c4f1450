"""Find the faults of a draft ship, and suggest fixes.

A fix changes a few cells and removes at least the fault that it belongs to. It may cause another fault. For
example, removing a rail leaves a laser emitter without a rail.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from rules import survey
from rules.document import Problem
from rules.elements import Airlock, Arm, Beam, Cell, Emitter, Grappler, Hull, Start
from rules.grid import HEADINGS, LETTERS, Pos, opposite
from rules.language import N_, Sentence
from rules.notation import ARM, COUPLING, EMITTER
from rules.rulesets import RULESETS
from rules.setup import COMMON_ELEMENTS, Ruleset
from rules.sketch import Sketch
from rules.starship import Starship
from rules.suitability import overcrowding

ERROR: Final = "error"
WARNING: Final = "warning"


Tokens = Mapping[Pos, str]


@dataclass(frozen=True, slots=True)
class Fix:
    """A fix for a fault. ``cells`` has the new tokens of some cells, by column and row from 0."""

    label: Sentence
    cells: Tokens


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a sketch. The ``code`` of its ``problem`` names the kind of fault.

    If the fault affects several places, ``cells`` has all of them, and the problem names the first.
    """

    problem: Problem
    fix: Fix | None = None
    cells: tuple[Pos, ...] = ()

    @property
    def is_blocking(self) -> bool:
        return self.problem.severity == ERROR


FAULTS_PER_KIND: Final = 500
"""The maximum number of faults of one kind in a list. A longer list would be repetitive."""


def faults_of(
    sketch: Sketch,
    ruleset: Ruleset | None = None,
    players: int | None = None,
    *,
    most: int | None = FAULTS_PER_KIND,
) -> list[Fault]:
    """Return the faults of a sketch: first those that prevent play, then the others, both in reading order.

    With a ``ruleset``, the list includes the reasons why the ruleset cannot be played on this ship. With
    ``players``, it includes the reasons why the ship does not suit this number of players. The readable part
    of a faulty cell still counts, so one fault does not hide others. The list has at most ``most`` faults of
    each kind.
    """
    kinds = (
        *_malformed(sketch),
        *_needs(sketch, ruleset, players, survey.Vacancies(sketch.ship)),
        *(_out_of_reach(sketch), _single_transporters(sketch), _unfed_beams(sketch)),
    )
    return sorted(
        (fault for kind in kinds for fault in islice(kind, most)),
        key=lambda fault: (not fault.is_blocking, fault.problem.row or 0, fault.problem.column or 0),
    )


def blocking_faults_of(
    sketch: Sketch, ruleset: Ruleset | None = None, players: int | None = None
) -> list[Fault]:
    """Return the faults that prevent play. The arguments are the same as for `faults_of`.

    This function is faster than `faults_of`, because it suggests no fixes that add starts or checkpoints.
    """
    kinds = (*_malformed(sketch), *_needs(sketch, ruleset, players, None))
    found = (fault for kind in kinds for fault in islice(kind, FAULTS_PER_KIND) if fault.is_blocking)
    return sorted(found, key=lambda fault: (fault.problem.row or 0, fault.problem.column or 0))


def is_unplayable(sketch: Sketch) -> bool:
    """Return whether a sketch has a fault that prevents play in every ruleset."""
    return any(True for kind in _malformed(sketch) for _ in kind)


def _malformed(sketch: Sketch) -> tuple[Iterator[Fault], ...]:
    """Return the faults that prevent play in every ruleset, grouped by kind."""
    return (_unreadable(sketch), _short_rows(sketch), _misnumbered(sketch), _fittings_without_rail(sketch))


def _needs(
    sketch: Sketch, ruleset: Ruleset | None, players: int | None, room: survey.Vacancies | None
) -> tuple[Iterator[Fault], ...]:
    """Return the faults that prevent play in some rulesets, grouped by kind.

    Fixes put missing parts on the free cells of ``room``. If ``room`` is None, there are no such fixes.
    """
    return (
        _without_start(sketch, ruleset, players, room),
        _checkpoints_counted(sketch, ruleset, room),
        _unsuitable(sketch, ruleset) if ruleset else iter(()),
    )


def _fault(
    code: str, message: str, at: Pos | None = None, fix: Fix | None = None, *, severity: str = ERROR
) -> Fault:
    column, row = (None, None) if at is None else (at[0] + 1, at[1] + 1)
    return Fault(Problem(message, row, column, severity, code=code), fix)


# The notation


def _unreadable(sketch: Sketch) -> Iterator[Fault]:
    plain, hull = Cell(Hull()), Sentence("Change it to hull")
    for y, row in enumerate(sketch.rows):
        for x in range(len(row)):
            for problem in sketch.faults_at(x, y):
                cell = sketch.ship.at(x, y)
                read = cell.token
                label = hull if cell == plain else Sentence("Change it to “{token}”", token=read)
                yield _fault("unreadable", problem.message, (x, y), Fix(label, {(x, y): read}))


def _short_rows(sketch: Sketch) -> Iterator[Fault]:
    for y, row in enumerate(sketch.rows):
        if len(row) < sketch.width:
            message = Sentence.counted(
                "the row has {number} cell, but the longest row has {width}",
                "the row has {number} cells, but the longest row has {width}",
                len(row),
                width=sketch.width,
            )
            cells = {(x, y): "." for x in range(len(row), sketch.width)}
            problem = Problem(message, y + 1, severity=ERROR, code="row-length")
            yield Fault(problem, Fix(Sentence("Fill the rest of the row with hull"), cells))


def _misnumbered(sketch: Sketch) -> Iterator[Fault]:
    """Yield faults of checkpoint numbers, which must count from 1 without gaps."""
    standing = survey.checkpoints_of(sketch.ship)
    renumbered = {
        at: replace(cell, checkpoint=replace(cell.checkpoint, number=number)).token
        for number, (at, cell) in enumerate(standing, 1)
        if cell.checkpoint and cell.checkpoint.number != number
    }
    fix = Fix(Sentence("Renumber the checkpoints"), renumbered)
    there = Counter(cell.checkpoint.number for _, cell in standing if cell.checkpoint)
    for at, cell in standing:
        assert cell.checkpoint
        number = cell.checkpoint.number
        if there[number] > 1:
            message = Sentence("there is more than one checkpoint {number}", number=number)
            yield _fault("checkpoint-numbers", message, at, fix)
        if number > 1 and number - 1 not in there:
            form = N_("checkpoint {number} is here, but checkpoint {before} is missing")
            message = Sentence(form, number=number, before=number - 1)
            yield _fault("checkpoint-numbers", message, at, fix)


def _fittings_without_rail(sketch: Sketch) -> Iterator[Fault]:
    """Yield couplings, arms and emitters on an edge that has no rail.

    Either of the edge's two cells may declare the rail.
    """
    ship = sketch.ship
    for number, cell in ship.numbered():
        for message, edge in _fittings(cell):
            if not ship.railed_ever(number, edge):
                at = ship.pos(number)
                railed = replace(cell, rails=tuple(sorted((*cell.rails, edge))))
                fix = Fix(Sentence("Add the rail"), {at: railed.token})
                yield _fault("no-rail", Sentence(message, edge=LETTERS[edge]), at, fix)


def _fittings(cell: Cell) -> Iterator[tuple[str, int]]:
    yield from ((COUPLING, edge) for edge in cell.couplings)
    fitted: Sequence[tuple[str, Sequence[Arm | Emitter]]] = ((ARM, cell.arms), (EMITTER, cell.emitters))
    yield from ((message, fitting.edge) for message, fittings in fitted for fitting in fittings)


# What a game needs


STARTS: Final = (
    ("a",),
    ("a1",),
    ("k",),
    ("a:red",),
    ("a:blue",),
    ("a:red", "a:blue"),
    ("a:red", "k"),
    ("a:blue", "k"),
    ("a:red", "a:blue", "k"),
)
"""The groups of tokens that a fix may add if starts are missing. Smaller groups are tried first."""


def _without_start(
    sketch: Sketch, ruleset: Ruleset | None, players: int | None, room: survey.Vacancies | None
) -> Iterator[Fault]:
    ship = sketch.ship
    if ruleset is None:
        if not survey.starts_of(ship):
            message = Sentence("there is no airlock or start cell, so no robot can start")
            if able := [each.name for each in RULESETS.values() if each.start.missing(ship) is None]:
                form = N_(
                    "there is no airlock or start cell, so robots can start only in these rulesets:"
                    " {rulesets}"
                )
                message = Sentence(form, rulesets=", ".join(able))
            fix = _adding(room, ("a",), Sentence("Add an airlock"))
            yield _fault("no-start", message, fix=fix, severity=WARNING)
        return
    if missing := ruleset.start.missing(ship):
        yield _fault("no-start", missing, fix=_start_for(sketch, ruleset, room))
    if players is not None:
        lacking = tuple(f"a{seat}" for seat in range(1, players + 1) if seat not in ship.starts)
        for problem in overcrowding(ruleset, ship, players):
            label = Sentence.counted("Add a start cell", "Add {number} start cells", len(lacking))
            yield _fault("too-few-starts", problem.message, fix=_adding(room, lacking, label))


def _start_for(sketch: Sketch, ruleset: Ruleset, room: survey.Vacancies | None) -> Fix | None:
    floors = (cell.floor for cell in sketch.ship.cells)
    there = tuple(
        dict.fromkeys(each.token for each in floors if isinstance(each, Airlock | Start | Grappler))
    )
    for tokens in STARTS:
        if ruleset.start.missing(Sketch(((*there, *tokens),)).ship) is not None:
            continue
        label = Sentence.counted("Add an airlock", "Add the missing starts", len(tokens))
        if tokens == ("k",):
            label = Sentence("Add a grappler")
        elif isinstance(_floor_of(tokens[0]), Start):
            label = Sentence("Add a start cell")
        if fix := _adding(room, tokens, label):
            return fix
    return None


def _floor_of(token: str) -> object:
    return Sketch(((token,),)).ship.cells[0].floor


def _checkpoints_counted(
    sketch: Sketch, ruleset: Ruleset | None, room: survey.Vacancies | None
) -> Iterator[Fault]:
    ship = sketch.ship
    numbers = {cell.checkpoint.number for _, cell in survey.checkpoints_of(ship) if cell.checkpoint}
    there = len(numbers)
    if ruleset is None:
        if not there:
            message = Sentence("there is no checkpoint, so there is nothing to reach")
            fix = _adding(room, (".+i1",), Sentence("Add a checkpoint"))
            yield _fault("checkpoint-count", message, fix=fix, severity=WARNING)
        return
    least, most = ruleset.checkpoints
    severity = WARNING if ruleset.sets_checkpoints else ERROR
    if there < least:
        free = (number for number in range(1, least + there + 1) if number not in numbers)
        added = tuple(f".+i{next(free)}" for _ in range(least - there))
        message = Sentence.counted(
            "{ruleset} needs at least {number} checkpoint, but the starship has {count}",
            "{ruleset} needs at least {number} checkpoints, but the starship has {count}",
            least,
            ruleset=ruleset.name,
            count=there,
        )
        label = Sentence.counted("Add a checkpoint", "Add {number} checkpoints", len(added))
        fix = _adding(room, added, label)
        yield _fault("checkpoint-count", message, fix=fix, severity=severity)
    elif there > most:
        message = Sentence.counted(
            "{ruleset} allows at most {number} checkpoint, but the starship has {count}",
            "{ruleset} allows at most {number} checkpoints, but the starship has {count}",
            most,
            ruleset=ruleset.name,
            count=there,
        )
        kept = set(sorted(numbers)[:most])
        dropped = {
            at: replace(cell, checkpoint=None).token
            for at, cell in survey.checkpoints_of(ship)
            if cell.checkpoint and cell.checkpoint.number not in kept
        }
        label = Sentence.counted(
            "Remove the last checkpoint", "Remove the last {number} checkpoints", there - most
        )
        yield _fault("checkpoint-count", message, fix=Fix(label, dropped), severity=severity)


def _unsuitable(sketch: Sketch, ruleset: Ruleset) -> Iterator[Fault]:
    """Yield a ship's violations of the limits of a ruleset.

    These are a board that is too large, elements unknown to the ruleset, and elements that must not share a
    cell with a checkpoint.
    """
    ship = sketch.ship
    known = COMMON_ELEMENTS | ruleset.elements
    if (cells := ship.width * ship.height) > ruleset.cells:
        form = N_("{ruleset} allows at most {most} cells, but the starship has {cells}")
        yield _fault("too-large", Sentence(form, ruleset=ruleset.name, most=ruleset.cells, cells=cells))
    concerned = ship.elements.keys() - known
    places = {number for element in concerned for number in ship.elements[element]}
    for number in sorted(places.union(ship.checkpoint_at if ruleset.barred else ())):
        at = ship.pos(number)
        cell = ship.at(*at)
        for element in cell.elements:
            named = Sentence(element)
            if element not in known:
                message = Sentence(
                    "{ruleset} does not have this element: {element}", ruleset=ruleset.name, element=named
                )
            elif cell.checkpoint and element in ruleset.barred:
                form = N_("{ruleset} does not allow checkpoint {number} on this element: {element}")
                message = Sentence(form, ruleset=ruleset.name, element=named, number=cell.checkpoint.number)
            else:
                continue
            label = Sentence("Change it to hull")
            if element != cell.floor.element:
                label = Sentence("Remove this element: {element}", element=named)
            fix = Fix(label, {at: without(cell, element).token})
            yield _fault("unknown-element" if element not in known else "barred", message, at, fix)


def without(cell: Cell, element: str) -> Cell:
    """Return a cell without one of its elements. If the element is the floor, the floor becomes hull."""
    if element == cell.floor.element:
        return replace(cell, floor=Hull())
    match element:
        case "hull damage":
            assert cell.checkpoint
            return replace(cell, checkpoint=replace(cell.checkpoint, damage=0))
        case "checkpoint":
            return replace(cell, checkpoint=None)
        case "crusher":
            return replace(cell, crusher=())
        case "rail":
            return replace(cell, rails=())
        case "slide rail":
            return replace(cell, slides=())
        case "coupling":
            return replace(cell, couplings=())
        case "docking arm":
            return replace(cell, arms=())
        case _:
            return replace(cell, emitters=())


def _adding(room: survey.Vacancies | None, tokens: Sequence[str], label: Sentence) -> Fix | None:
    """Return a fix that puts these tokens on free hull cells, far from other starts and checkpoints.

    Returns None if ``room`` has too few such cells, or is None.
    """
    spots = room.choose(len(tokens)) if room else []
    return Fix(label, dict(zip(spots, tokens, strict=True))) if spots else None


# Design faults, with play still possible


def _out_of_reach(sketch: Sketch) -> Iterator[Fault]:
    """Yield checkpoints that no robot can reach from a start, if the ship has any starts."""
    ship = sketch.ship
    starts = survey.starts_of(ship)
    if not starts:
        return
    reached = survey.reachable(ship, starts)
    beyond = [(at, cell) for at, cell in survey.checkpoints_of(ship) if ship.cell(*at) not in reached]
    if not beyond:
        return
    nearest = survey.nearest_of(
        ship, [spot for spot in survey.free_cells(ship) if ship.cell(*spot) in reached]
    )
    for at, cell in beyond:
        assert cell.checkpoint
        message = Sentence("no robot can reach checkpoint {number}", number=cell.checkpoint.number)
        yield _fault("out-of-reach", message, at, _moved(at, cell, nearest), severity=WARNING)


def _moved(at: Pos, cell: Cell, nearest: Mapping[Pos, tuple[int, Pos]]) -> Fix | None:
    """Return a fix that moves a checkpoint to the nearest free cell within reach, or None."""
    if at not in nearest or cell.checkpoint is None:
        return None
    x, y = nearest[at][1]
    label = Sentence("Move it to column {column}, row {row}", column=x + 1, row=y + 1)
    cells = {at: replace(cell, checkpoint=None).token, (x, y): Cell(Hull(), cell.checkpoint).token}
    return Fix(label, cells)


def _single_transporters(sketch: Sketch) -> Iterator[Fault]:
    ship = sketch.ship
    for number, message in survey.lonely_transporters(ship):
        at = ship.pos(number)
        fix = Fix(Sentence("Change it to hull"), {at: replace(ship.at(*at), floor=Hull()).token})
        yield _fault("lonely-transporter", message, at, fix, severity=WARNING)


def _unfed_beams(sketch: Sketch) -> Iterator[Fault]:
    """Yield beams with side entries not fed by any other beam.

    Such an entry is useless: a beam turns only robots that another beam pulls in from the side (G-5.4).
    """
    ship = sketch.ship
    sides: dict[int, list[int]] = {}
    for number, side, _ in survey.unfed_sides(ship):
        sides.setdefault(number, []).append(side)
    for numbers, message in survey.unfed_beams(ship):
        better = {number: _fed(ship, number, ship.beams[number], sides[number]) for number in numbers}
        places = tuple(map(ship.pos, numbers))
        tokens = {
            ship.pos(number): replace(ship.at(*ship.pos(number)), floor=beam).token
            for number, beam in better.items()
        }
        label = Sentence("Remove these entries")
        if len(numbers) == 1:
            label = _improvement(better[numbers[0]])
        fault = _fault("unfed-beam", message, places[0], Fix(label, tokens), severity=WARNING)
        yield fault if len(numbers) == 1 else replace(fault, cells=places)


def _improvement(beam: Beam) -> Sentence:
    """Return the label of a fix that makes a beam straight, a curve or an intersection."""
    if beam.straight:
        return Sentence("Make this beam straight")
    return Sentence("Make this beam a curve" if len(beam.entries) == 1 else "Make this beam an intersection")


def _fed(ship: Starship, number: int, beam: Beam, unfed: Sequence[int]) -> Beam:
    """Return a beam without its ``unfed`` side entries. No other beam leads into them.

    If no entries are left, the sides that are fed by other beams become entries. If there are no such sides,
    the beam becomes straight.
    """
    kept = tuple(side for side in beam.entries if side not in unfed)
    if not kept:
        feeding = (side for side in HEADINGS if side != beam.exit and _feeds(ship, number, side))
        kept = tuple(feeding) or (opposite(beam.exit),)
    return replace(beam, entries=kept)


def _feeds(ship: Starship, number: int, side: int) -> bool:
    feeder = ship.beams.get(number + ship.steps[side])
    return feeder is not None and feeder.exit == opposite(side) and not ship.railed_always(number, side)
