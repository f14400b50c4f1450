"""Ruins: eleven ways to break a sound starship, to test whether the wind tunnel finds the fault.

No limit depends on ruins. The code that builds a ruin shares nothing with the code that finds it.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from random import Random
from typing import Final

import rules
from bench.tunnel.fleet import Base, setup_of
from bench.tunnel.spoils import Grid, beside, corner, desert, far_start, grid_of, is_free, is_spoilt, ship_of
from rules.elements import Beam, Cell, Emitter, Hull, Space, Thruster, Transporter
from rules.grid import HEADINGS, E, N, Pos, S, W, opposite
from rules.survey import reachable
from rules.tunnel.flying import races
from rules.tunnel.run import Run, judge

ATTEMPTS: Final = 200
"""The maximum number of attempts to draw a valid ruin."""
DECK: Final = 20
"""The minimum number of cells in an unreachable part of the ship."""
EMPTY: Final = 0.3
"""The minimum size of an empty rectangle, as a share of all cells except space."""
CORRIDOR: Final = 3
"""The minimum number of beams of speed 3 in a corridor, so that no robot can drive against them."""

FULL: Final = (N, E, S, W)


@dataclass(frozen=True)
class Sound(Base):
    """A sound starship, from the fleet or generated, with the key of a ruleset."""

    drawn: rules.Starship | None = None

    @property
    def ship(self) -> rules.Starship:
        return self.drawn or super().ship

    @property
    def starts(self) -> list[Pos]:
        """The start cells of the robots."""
        setup, players = setup_of(self.ruleset, self.ship)
        return [self.ship.pos(cell) for cell in Run(setup, players).start_cells]

    @property
    def goals(self) -> list[Pos]:
        """The cells of the checkpoints in the race."""
        first = rules.ruleset(self.ruleset).start.next
        return [self.ship.pos(cell) for number, cell in self.ship.checkpoints.items() if number >= first]

    @property
    def kept(self) -> set[Pos]:
        """The cells that must not change, because games need them: checkpoints, starts and grapplers."""
        ship = self.ship
        cells = [*ship.checkpoints.values(), *ship.airlocks, *ship.starts.values(), *ship.grapplers]
        return {ship.pos(cell) for cell in cells}


def findings_of(key: str, ship: rules.Starship) -> list[tuple[str, str]]:
    """Return the kind and severity of each finding about a ship, without any flight."""
    setup, players = setup_of(key, ship)
    return [(each.kind, each.severity) for each in judge(Run(setup, players), []).findings]


def ruin(kind: str, sound: Sound, seed: str) -> rules.Starship | None:
    """Return a valid ship that is ruined in this way, or None if all attempts fail."""
    chance = Random(f"{kind} {sound.name} {seed}")
    for _ in range(ATTEMPTS):
        grid = RUINS[kind].build(sound, chance)
        ship = grid and ship_of(sound.ship, grid)
        if ship and is_spoilt(kind, sound, ship):
            return ship
    return None


# Builders


def _walled(sound: Sound, chance: Random) -> Grid | None:
    """Enclose a checkpoint with rails, possibly with some of the cells around it."""
    x, y = chance.choice(sound.goals)
    wide, high = chance.choice((1, 2)), chance.choice((1, 2))
    left, top = x - chance.randrange(wide), y - chance.randrange(high)
    cells = _rectangle(left, top, wide, high)
    return None if sound.kept & {*cells} - {(x, y)} else _closed(sound, cells)


def _slippery(sound: Sound, chance: Random) -> Grid | None:
    """Put a checkpoint on a beam into which no other beam leads."""
    grid = grid_of(sound.ship)
    at = chance.choice(sound.goals)
    way = chance.choice(HEADINGS)
    sides = {heading: grid.get(beside(at, heading)) for heading in HEADINGS}
    feeds = [
        heading
        for heading, cell in sides.items()
        if cell and isinstance(cell.floor, Beam) and cell.floor.exit == opposite(heading)
    ]
    after = sides[way]
    if feeds or after is None or after.floor != Hull() or _railed(sound.ship, at, way):
        return None
    grid[at] = replace(grid[at], floor=Beam(1, (opposite(way),), way), slides=(), arms=())
    return grid


def _pot(sound: Sound, chance: Random) -> Grid | None:
    """Build a closed room at the end of a corridor of fast beams, so that robots cannot leave it."""
    ship, grid = sound.ship, grid_of(sound.ship)
    wide, high = chance.choice(((2, 2), (2, 1), (1, 2), (2, 3)))
    left, top = chance.randrange(ship.width - wide + 1), chance.randrange(ship.height - high + 1)
    room = _rectangle(left, top, wide, high)
    inward, door = chance.choice(HEADINGS), chance.choice(room)
    corridor = [door]
    for _ in range(CORRIDOR + chance.randrange(2)):
        corridor.append(beside(corridor[-1], opposite(inward)))
    corridor = corridor[1:]
    mouth = beside(corridor[-1], opposite(inward))
    used = [*room, *corridor]
    if corridor[0] in room or any(at not in grid or not is_free(grid[at]) for at in (*used, mouth)):
        return None
    if grid[mouth].floor != Hull() or grid[mouth].rails or any(ship.cell(*at) in ship.lit for at in used):
        return None
    for at in used:
        within = corridor if at in corridor else room
        open_to = {heading for heading in HEADINGS if beside(at, heading) in within}
        if at == door:
            open_to.add(opposite(inward))
        if at in corridor:
            open_to |= {inward, opposite(inward)}
        floor = Beam(3, (opposite(inward),), inward) if at in corridor else Hull()
        _strip(grid, at)
        grid[at] = Cell(floor, rails=tuple(edge for edge in FULL if edge not in open_to))
    if any(_railed_in(grid, at, opposite(inward)) for at in corridor):
        return None
    made = ship_of(ship, grid)
    starts = [ship.cell(*at) for at in sound.starts]
    return grid if made and ship.cell(*mouth) in reachable(made, starts) else None


def _deck(sound: Sound, chance: Random) -> Grid | None:
    """Enclose a rectangular part of the ship with rails."""
    wide = chance.randrange(4, max(5, sound.ship.width - 2))
    high = -(-DECK // wide) + chance.randrange(2)
    if wide > sound.ship.width or high > sound.ship.height:
        return None
    left = chance.choice((0, sound.ship.width - wide, chance.randrange(sound.ship.width - wide + 1)))
    top = chance.choice((0, sound.ship.height - high, chance.randrange(sound.ship.height - high + 1)))
    cells = _rectangle(left, top, wide, high)
    grid = grid_of(sound.ship)
    if sound.kept & {*cells}:
        return None
    standing = sum(sound.ship.falls[0][sound.ship.cell(*at)] is None for at in cells if at in grid)
    return _closed(sound, cells) if standing >= DECK * 0.8 else None


def _neighbours(sound: Sound, chance: Random) -> Grid | None:
    """Move a checkpoint to a cell beside another checkpoint."""
    grid = grid_of(sound.ship)
    marks = [pos for pos, cell in grid.items() if cell.checkpoint]
    if len(marks) < 2:
        return None
    one, other = chance.sample(marks, 2)
    spot = beside(one, chance.choice(HEADINGS))
    if spot not in grid or not is_free(grid[spot]) or grid[spot].floor != Hull() or other in sound.starts:
        return None
    grid[spot] = replace(grid[spot], checkpoint=grid[other].checkpoint)
    grid[other] = replace(grid[other], checkpoint=None)
    return grid


def _carried_back(sound: Sound, chance: Random) -> Grid | None:
    """Put beams around a start that carry robots back to the start."""
    grid, start = grid_of(sound.ship), chance.choice(sound.starts)
    rows = 0
    for heading in HEADINGS:
        at = start
        for step in range(chance.randrange(1, 4)):
            free = beside(at, heading)
            if _railed(sound.ship, at, heading) or free not in grid or not is_free(grid[free]):
                break
            if grid[free].arms or grid[free].crusher or isinstance(grid[free].floor, Space):
                break
            grid[free] = replace(grid[free], floor=Beam(1, (heading,), opposite(heading)))
            at, rows = free, rows + (step == 0)
    return grid if rows else None


def _under_fire(sound: Sound, chance: Random) -> Grid | None:
    """Aim one to three double lasers at a start."""
    ship, grid, start = sound.ship, grid_of(sound.ship), chance.choice(sound.starts)
    aimed = 0
    for heading in chance.sample(HEADINGS, chance.choice((1, 2, 3))):
        seen = [ship.pos(cell) for cell in ship.look(1, ship.cell(*start), heading)]
        if not seen:
            continue
        at = seen[min(len(seen), chance.randrange(1, 6)) - 1]
        cell = grid[at]
        if cell.slides or cell.arms or cell.emitters or cell.couplings:
            continue
        rails = tuple(sorted({*cell.rails, heading}))
        grid[at] = replace(cell, rails=rails, emitters=(Emitter(heading, 2),))
        aimed += 1
    return grid if aimed else None


def _empty_field(sound: Sound, chance: Random) -> Grid | None:
    """Turn a large rectangle of the ship into plain hull."""
    grid, ship = grid_of(sound.ship), sound.ship
    wide, high = chance.randrange(3, ship.width + 1), chance.randrange(3, ship.height + 1)
    left, top = chance.randrange(ship.width - wide + 1), chance.randrange(ship.height - high + 1)
    cells = _rectangle(left, top, wide, high)
    if sound.kept & {*cells}:
        return None
    for at in cells:
        _strip(grid, at)
        grid[at] = Cell(Hull())
    hull = sum(not isinstance(cell.floor, Space) for cell in grid.values())
    return grid if len(cells) >= EMPTY * hull and len(cells) >= DECK else None


def _rectangle(left: int, top: int, wide: int, high: int) -> list[Pos]:
    return [(left + x, top + y) for y in range(high) for x in range(wide)]


def _closed(sound: Sound, cells: Iterable[Pos]) -> Grid | None:
    """Return the ship's cells, with rails around the given cells.

    Returns None if a cell is outside the board, or near a transporter, thruster or slide rail.
    """
    grid, inside = grid_of(sound.ship), {*cells}
    if not inside <= grid.keys():
        return None
    near = inside | {beside(at, heading) for at in inside for heading in HEADINGS}
    near |= {beside(at, heading) for at in near for heading in HEADINGS}
    floors = [grid[at].floor for at in near if at in grid]
    if any(isinstance(floor, Transporter | Thruster) for floor in floors):
        return None
    if any(grid[at].slides for at in near if at in grid):
        return None
    for at in inside:
        rails = {heading for heading in HEADINGS if beside(at, heading) not in inside}
        grid[at] = replace(grid[at], rails=tuple(sorted({*grid[at].rails, *rails})))
    return grid


def _strip(grid: Grid, at: Pos) -> None:
    """Remove the elements that neighbouring cells have on the edges of this cell."""
    for heading in HEADINGS:
        edge, spot = opposite(heading), beside(at, heading)
        if spot in grid:
            cell = grid[spot]
            grid[spot] = replace(
                cell,
                rails=tuple(side for side in cell.rails if side != edge),
                slides=tuple(each for each in cell.slides if each.edge != edge),
                couplings=tuple(side for side in cell.couplings if side != edge),
                arms=tuple(each for each in cell.arms if each.edge != edge),
                emitters=tuple(each for each in cell.emitters if each.edge != edge),
            )


def _railed(ship: rules.Starship, at: Pos, heading: int) -> bool:
    return ship.railed_ever(ship.cell(*at), heading)


def _railed_in(grid: Grid, at: Pos, heading: int) -> bool:
    beyond = grid.get(beside(at, heading))
    return heading in grid[at].rails or bool(beyond and opposite(heading) in beyond.rails)


def _races(sound: Sound) -> bool:
    return races(rules.ruleset(sound.ruleset)) and bool(sound.goals)


def _is_inspected(sound: Sound) -> bool:
    """Return whether robots race and must end a phase on a checkpoint to reach it."""
    return _races(sound) and not rules.ruleset(sound.ruleset).entering


def _has_fast_beams(sound: Sound) -> bool:
    known = "beam of speed 3" in rules.ruleset(sound.ruleset).elements
    return _races(sound) and known and not sound.ship.networks


def _has_starts(sound: Sound) -> bool:
    return bool(sound.starts)


def _has_several_starts(sound: Sound) -> bool:
    return _races(sound) and len(sound.starts) > 1


@dataclass(frozen=True)
class Ruin:
    """A way to ruin a ship: the finding that it should cause, the builder, and a test for suitable ships."""

    finding: str
    build: Callable[[Sound, Random], Grid | None]
    suits: Callable[[Sound], bool]


RUINS: Final = {
    "walled checkpoint": Ruin("way", _walled, _races),
    "slippery checkpoint": Ruin("slippery", _slippery, _is_inspected),
    "pot": Ruin("room", _pot, _has_fast_beams),
    "closed deck": Ruin("unreachable", _deck, _has_starts),
    "neighbours": Ruin("close", _neighbours, _races),
    "carried back": Ruin("back", _carried_back, _has_starts),
    "under fire": Ruin("start_fire", _under_fire, _has_starts),
    "empty field": Ruin("field", _empty_field, _has_starts),
    "corner": Ruin("corner", corner, _races),
    "far start": Ruin("fairness", far_start, _has_several_starts),
    "desert": Ruin("elements", desert, _has_starts),
}
"""All ways to ruin a ship, by name."""
