"""Spoils: good starships that are made bad on purpose, in one of five ways. A seed determines each spoil."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import rules
from bench.tunnel.fleet import Base, setup_of
from rules.elements import Airlock, Cell, Emitter, Grappler, Hull, Shaft, Space, Start
from rules.grid import HEADINGS, E, N, S, W, opposite
from rules.tunnel.flying import best_way, fly, races
from rules.tunnel.geometry import can_stand, elements_share
from rules.tunnel.play import steps
from rules.tunnel.run import Run

ATTEMPTS = 400
"""The maximum number of attempts to draw a spoil."""
EXTRA_PHASES = 8
"""The minimum extra phases from a bad start to the first checkpoint, compared with the next worst start."""
SHAFTS = 5
"""The number of shafts around a start that is a trap."""
LIT = 0.7
"""The minimum share of cells under lasers on a ship spoilt by lasers. In the fleet, it is under 0.4."""
DESERT_SHARE = 0.04
"""The maximum share of cells with an element on a ship that was turned into a desert."""

Grid = dict[tuple[int, int], Cell]
PLAIN = Cell(Hull())


class NoSpoil(LookupError):
    """Raised if all attempts to spoil a ship in one way fail."""


def spoil(kind: str, base: Base, seed: str) -> rules.Starship:
    """Return a valid ship that is spoilt in this way. Pilots can still finish a game on it.

    To check this, Pilots fly the ship with the fewest players allowed. Raises NoSpoil if all attempts fail.
    """
    chance = Random(f"{kind} {base.name} {seed}")
    for _ in range(ATTEMPTS):
        grid = KINDS[kind](base, chance)
        ship = grid and ship_of(base.ship, grid)
        if ship and is_spoilt(kind, base, ship) and _is_finished(base.ruleset, ship):
            return ship
    raise NoSpoil(f"no {kind} of {base.name} was found")


def suits(kind: str, base: Base) -> bool:
    """Return whether a ship has the starts, airlock or checkpoints that a way to spoil it needs."""
    setup, players = setup_of(base.ruleset, base.ship)
    if kind == "far start":
        return races(setup.ruleset) and len(Run(setup, players).start_cells) > 1
    if kind == "trap":
        return bool(base.ship.airlocks)
    return kind != "corner" or bool(base.ship.checkpoints)


OWN = {
    "far start": "fairness",
    "corner": "corner",
    "gallery": "fire",
    "trap": "airlock",
    "desert": "elements",
}
"""The finding that each way to spoil a ship should cause."""


def ship_of(base: rules.Starship, grid: Grid) -> rules.Starship | None:
    """Return a ship with these cells, or None if such a ship is invalid."""
    cells = [grid[x, y] for y in range(base.height) for x in range(base.width)]
    made = rules.Starship(base.width, base.height, cells, base.name, base.builder, base.description)
    try:
        return rules.read_starship(rules.write_starship(made))
    except rules.NotationError:
        return None


def is_spoilt(kind: str, base: Base, ship: rules.Starship) -> bool:
    """Return whether a ship is valid in its ruleset, and bad enough for its kind of spoil."""
    if rules.reasons_against(rules.ruleset(base.ruleset), ship):
        return False
    if kind == "far start":
        ways = _first_ways(base.ruleset, ship)
        before = _first_ways(base.ruleset, base.ship)
        return len(ways) == len(before) and max(ways) - sorted(ways)[-2] >= EXTRA_PHASES and max(ways) < 25
    if kind == "gallery":
        floor = [cell for cell, _ in ship.numbered() if can_stand(ship, cell)]
        return sum(cell in ship.lit for cell in floor) >= LIT * len(floor)
    return kind != "desert" or elements_share(ship) <= DESERT_SHARE


def _first_ways(key: str, ship: rules.Starship) -> list[float]:
    """Return the distance from each start to the first checkpoint, in phases."""
    setup, players = setup_of(key, ship)
    goal = ship.checkpoints[setup.ruleset.start.next]
    return [best_way(setup, cell, goal) or 99.0 for cell in Run(setup, players).start_cells]


def _is_finished(key: str, ship: rules.Starship) -> bool:
    """Return whether a Pilot finishes a game on the ship, with the fewest players allowed."""
    ruleset = rules.ruleset(key)
    players = ruleset.seats[0]
    flight = fly(rules.make_setup(ruleset, {}, ship, players), players, "alone", 0)
    return flight.over and (any(leg.robots for leg in flight.legs.values()) or not races(ruleset))


def grid_of(ship: rules.Starship) -> Grid:
    """Return the cells of a ship by position."""
    return {ship.pos(number): cell for number, cell in ship.numbered()}


# Kinds


def far_start(base: Base, chance: Random) -> Grid | None:
    """Move a start to the inner end of a winding corridor of rails, anywhere on the ship."""
    ship, grid = base.ship, grid_of(base.ship)
    setup, players = setup_of(base.ruleset, ship)
    start = ship.pos(chance.choice(Run(setup, players).start_cells))
    across, lanes = chance.choice((3, 4)), chance.choice((3, 4))
    wide, high = (across, lanes) if (upright := chance.random() < 0.5) else (lanes, across)
    left, top = chance.randrange(ship.width - wide + 1), chance.randrange(ship.height - high + 1)
    inside = [(left + x, top + y) for y in range(high) for x in range(wide)]
    if any(not is_free(grid[pos]) and pos != start for pos in inside):
        return None
    moved, grid[start] = grid[start], PLAIN
    for pos in inside:
        grid[pos] = PLAIN
    way = [
        (left + (x if lane % 2 == 0 else across - 1 - x), top + lane)
        if upright
        else (left + lane, top + (x if lane % 2 == 0 else across - 1 - x))
        for lane in range(lanes)
        for x in range(across)
    ]
    if chance.random() < 0.5:
        way.reverse()
    outs = [heading for heading in HEADINGS if beside(way[-1], heading) not in inside]
    out = chance.choice(outs)
    for index, pos in enumerate(way):
        goes = {*way[max(0, index - 1) : index], *way[index + 1 : index + 2]}
        rails = [
            heading
            for heading in HEADINGS
            if beside(pos, heading) not in goes and not (pos == way[-1] and heading == out)
        ]
        grid[pos] = Cell(Hull(), rails=tuple(rails))
    grid[way[0]] = replace(grid[way[0]], floor=moved.floor)
    return grid


def is_free(cell: Cell) -> bool:
    """Return whether a cell may be changed: it is no space, checkpoint, start or grappler."""
    return not cell.checkpoint and not isinstance(cell.floor, Airlock | Start | Grappler | Space)


def beside(pos: tuple[int, int], heading: int) -> tuple[int, int]:
    """Return the position of the next cell in a direction. It may be outside the board."""
    x, y = pos
    return {N: (x, y - 1), E: (x + 1, y), S: (x, y + 1), W: (x - 1, y)}[heading]


def corner(base: Base, chance: Random) -> Grid | None:
    """Put rails on two adjoining edges of a checkpoint."""
    ship, grid = base.ship, grid_of(base.ship)
    pos = ship.pos(chance.choice(list(ship.checkpoints.values())))
    heading = chance.choice(HEADINGS)
    edges = {heading, (heading + 1) % 4}
    if edges & {slide.edge for slide in grid[pos].slides}:
        return None
    grid[pos] = replace(grid[pos], rails=tuple(sorted({*grid[pos].rails, *edges})))
    return grid


def _gallery(base: Base, chance: Random) -> Grid | None:
    """Put many lasers on the edges of the board. They fire along its rows and columns."""
    ship, grid = base.ship, grid_of(base.ship)
    rows = [(W, (0, y)) for y in range(ship.height)] + [(E, (ship.width - 1, y)) for y in range(ship.height)]
    columns = [(N, (x, 0)) for x in range(ship.width)] + [
        (S, (x, ship.height - 1)) for x in range(ship.width)
    ]
    places = rows + columns
    chance.shuffle(places)
    floor = {ship.pos(cell) for cell, _ in ship.numbered() if can_stand(ship, cell)}
    lit: set[tuple[int, int]] = set()
    for edge, pos in places:
        cell = grid[pos]
        seen = ship.look(1, ship.cell(*pos), opposite(edge))
        crossed = {pos, *(ship.pos(each) for each in seen)} & floor
        if cell.arms or cell.slides or cell.emitters or len(crossed - lit) < 3:
            continue
        lasers = (Emitter(edge, chance.choice((2, 2, 3))),)
        grid[pos] = replace(cell, rails=tuple(sorted({*cell.rails, edge})), emitters=lasers)
        lit |= crossed
        if len(lit) >= 1.1 * LIT * len(floor):
            break
    return grid


def _trap(base: Base, chance: Random) -> Grid | None:
    """Put shafts around every airlock, and leave a way out."""
    ship, grid = base.ship, grid_of(base.ship)
    starts = [ship.pos(cell) for cell in ship.airlocks]
    for start in starts:
        around = [pos for pos in sorted(grid) if 0 < steps(pos, start) <= 2 and is_free(grid[pos])]
        around = [pos for pos in around if not _is_fitted(grid, pos)]
        chance.shuffle(around)
        there = sum(isinstance(grid[pos].floor, Shaft) for pos in around)
        for pos in [pos for pos in around if not isinstance(grid[pos].floor, Shaft)][: SHAFTS - there]:
            grid[pos] = Cell(Shaft(), rails=grid[pos].rails)
    return grid


def _is_fitted(grid: Grid, pos: tuple[int, int]) -> bool:
    cell = grid[pos]
    return bool(cell.arms or cell.emitters or cell.couplings or cell.crusher)


def desert(base: Base, chance: Random) -> Grid | None:
    """Remove nearly all elements, except starts and checkpoints."""
    grid = grid_of(base.ship)
    bearing = list(_bearing(grid))
    chance.shuffle(bearing)
    cells = sum(not isinstance(cell.floor, Space) for cell in grid.values())
    for pos in bearing[int(DESERT_SHARE * cells * chance.random()) :]:
        cell = grid[pos]
        floor = cell.floor if isinstance(cell.floor, Airlock | Start | Grappler) else Hull()
        grid[pos] = Cell(floor, checkpoint=cell.checkpoint)
    return grid


def _bearing(grid: Grid) -> Iterator[tuple[int, int]]:
    """Yield the cells with an element, counted in the same way as in `elements_share`."""
    bare = (Hull, Airlock, Start, Grappler)
    for pos, cell in grid.items():
        fitted = cell != Cell(cell.floor, cell.checkpoint)
        if not isinstance(cell.floor, Space) and (fitted or not isinstance(cell.floor, bare)):
            yield pos


KINDS: dict[str, Callable[[Base, Random], Grid | None]] = {
    "far start": far_start,
    "corner": corner,
    "gallery": _gallery,
    "trap": _trap,
    "desert": desert,
}
