"""What it is worth to stand somewhere: for a robot itself, on the board as it stands."""

from collections.abc import Sequence
from typing import Final

from rules.computers.chart import NEVER, chart_of
from rules.computers.stand import Stand
from rules.grid import HEADINGS, OFF, opposite
from rules.setup import Setup
from rules.starship import Starship
from rules.state import State

WIN: Final = 1000.0
OUT: Final = 400.0
"""What it costs to be out of the game."""
DAMAGE: Final[tuple[float, ...]] = (0.0, 0.3, 0.7, 1.2, 1.9, 3.0, 4.5, 6.5, 9.0, 12.0)
"""What damage costs, in phases, of the ten tenths of what destroys."""
LIFE: Final = 7.0
"""What a life costs, in phases, besides the way lost; twice as much when only one is left."""

FAR: Final = 40
"""The cells that the crystal is taken to be from home, where no way leads there."""


class Aim:
    """What counts for robots of which only the ``ways`` to their goal differ, by node.

    ``leg`` is how far it is from there to the last checkpoint, and ``off`` what it costs to be off.
    """

    __slots__ = ("damage", "leg", "off", "ways")

    def __init__(self, ways: Sequence[float], leg: float, damage: int, off: float) -> None:
        self.ways, self.leg, self.damage, self.off = ways, leg, damage, off


class Worth:
    """Judges stands of one robot by the way that it still has to go, in phases, and what it has suffered."""

    idle = 4.0
    """What a turn without a program costs, in phases."""
    detour = 1.0
    """How many phases count for each that a later leg takes at best."""

    def __init__(self, setup: Setup, state: State, index: int) -> None:
        self.setup, self.state, self.index = setup, state, index
        self.ship = setup.starship
        self.robot = state.robots[index]
        self.chart = chart_of(setup, state.links)
        self.limit = setup.ruleset.damage_limit
        self.races = setup.ruleset.has("inspection") or not setup.ruleset.ranks
        self.last = int(setup.options.get("checkpoints", 0)) or max(self.ship.checkpoints, default=0)
        self.hull_numbers = tuple(state.hull)
        self._tables: dict[int, Sequence[Sequence[float]]] = {}
        self._legs: dict[int, float] = {}
        self._pushes: dict[int, frozenset[int]] = {}
        self._prey = None if self.races else self._hunting()
        self._crystal: dict[int, int] = (
            _crystal_ways(self.ship, self.robot.squad) if setup.ruleset.crystal else {}
        )

    def of(self, stand: Stand, lives: int) -> float:
        """Return the worth of standing so between two turns, having had this many lives before."""
        if stand.won:
            return WIN
        if stand.over:
            return -WIN
        if stand.lives <= 0 or not stand.alive:
            return -OUT - self.left(stand, anyhow=True)
        left = self.left(stand, anyhow=stand.lives < lives)
        worth = -left - self.hurt(stand.damage, left) - self.idle * stand.down
        if stand.lives < lives:
            worth -= LIFE * (1 + (stand.lives == 1))
        return worth

    def aim(self, stand: Stand, lives: int) -> Aim | None:
        """Return what counts for robots that stand so in any cell, None where more than the way differs."""
        lost = stand.done or not 0 < stand.lives >= lives
        if lost or self.setup.ruleset.crystal or self._prey is not None:
            return None
        if stand.next > self.last or self._repairs(stand):
            return None
        ways = self._ways(self.ship.checkpoints[stand.next])[1]
        return Aim(ways, self.leg(stand.next), stand.damage, self.idle * stand.down)

    def along(self, aim: Aim, way: float) -> float:
        """Return the worth of standing so far away from one's goal, which is what `of` comes to there."""
        left = way + aim.leg
        return -left - self.hurt(aim.damage, left) - aim.off

    def hurt(self, damage: int, left: float) -> float:
        """Return what damage costs, in phases, with this many left to go."""
        return DAMAGE[min(len(DAMAGE) - 1, damage * 10 // self.limit)]

    def left(self, stand: Stand, *, anyhow: bool = False) -> float:
        """Return how many phases are left to go; ``anyhow`` where the robot may still choose its heading."""
        if self.setup.ruleset.crystal:
            return self._crystal_left(stand)
        if self._prey is not None:
            return float(self._way(self._prey, stand.cell, stand.heading, anyhow))
        if stand.next > self.last:
            return 0.0
        cell = self.ship.checkpoints[stand.next]
        way = float(self._way(self._ways(cell), stand.cell, stand.heading, anyhow))
        if stand.cell == OFF or way >= NEVER:
            way = NEVER / 2 + self._crow(stand.cell, cell)
        repairs = self._repairs(stand)
        if repairs:
            weld = self._way(self.chart.distances(self._facing(cell)), stand.cell, stand.heading, anyhow)
            way = max(way, min(weld, NEVER / 2) + repairs + 1) + 0.2 * way
        return way + self.leg(stand.next)

    def leg(self, number: int) -> float:
        """Return how many phases there are from a checkpoint over all later ones to the last."""
        if number >= self.last:
            return 0.0
        if number not in self._legs:
            here, there = self.ship.checkpoints[number], self.ship.checkpoints[number + 1]
            ways = self.chart.to_cell(there)[1][here << 2 : (here + 1) << 2]
            self._legs[number] = self.detour * sum(ways) / len(ways) + self.leg(number + 1)
        return self._legs[number]

    def _ways(self, cell: int) -> Sequence[Sequence[float]]:
        if cell not in self._tables:
            self._tables[cell] = self._table(cell)
        return self._tables[cell]

    def _table(self, cell: int) -> Sequence[Sequence[float]]:
        """Return the way to a cell in phases, by phase and node."""
        return self.chart.to_cell(cell)

    def _way(self, table: Sequence[Sequence[float]], cell: int, heading: int, anyhow: bool) -> float:
        if cell == OFF:
            return NEVER
        row = table[1]
        return min(row[cell << 2 | way] for way in HEADINGS) if anyhow else row[cell << 2 | heading]

    def _crow(self, cell: int, goal: int) -> int:
        if cell == OFF:
            return NEVER
        (x, y), (to_x, to_y) = self.ship.pos(cell), self.ship.pos(goal)
        return abs(x - to_x) + abs(y - to_y)

    def _repairs(self, stand: Stand) -> int:
        if not any(stand.hull) or stand.next not in self.hull_numbers:
            return 0
        return stand.hull[self.hull_numbers.index(stand.next)]

    def _facing(self, *goals: int) -> frozenset[int]:
        """Return the nodes from which a shot reaches one of these cells."""
        found = set()
        for goal in goals:
            for heading in HEADINGS:
                seen = self.ship.look(1, goal, opposite(heading))
                found |= {cell << 2 | heading for cell in seen if self.ship.falls[0][cell] is None}
        return frozenset(found)

    def _hunting(self) -> list[list[int]]:
        """Return the distances to where one of the other robots can be shot, as they stand."""
        prey = [
            robot.cell
            for robot in self.state.robots
            if robot.index != self.index
            and robot.cell != OFF
            and not robot.crystal
            and (robot.squad is None or robot.squad != self.robot.squad)
        ]
        return self.chart.distances(self._facing(*prey))

    def _crystal_left(self, stand: Stand) -> float:
        """Return how far the crystal is from home, and this robot from where it pushes it there (RC)."""
        if stand.crystal == OFF:
            goals = self.ship.grapplers
            return 60.0 + min(self._crow(stand.cell, goal) for goal in goals)
        if stand.crystal not in self._pushes:
            self._pushes[stand.crystal] = self._pushing(stand.crystal)
        pushes = self._pushes[stand.crystal]
        way = self._way(self.chart.distances(pushes), stand.cell, stand.heading, anyhow=False)
        return 3.0 * self._crystal.get(stand.crystal, FAR) + (min(way, 30) if pushes else 30)

    def _pushing(self, crystal: int) -> frozenset[int]:
        """Return the nodes from which a shot, or a step, moves the crystal nearer to home."""
        far, ship = self._crystal.get(crystal, FAR), self.ship
        return frozenset(
            cell << 2 | heading
            for heading, step in enumerate(ship.steps)
            if not ship.railed_always(crystal, heading) and self._crystal.get(crystal + step, FAR + 1) < far
            for cell in ship.look(1, crystal, opposite(heading))
            if ship.falls[0][cell] is None
        )


def _crystal_ways(ship: Starship, squad: str | None) -> dict[int, int]:
    """Return how many cells the crystal has to be pushed from each cell to the squad's airlock."""
    ways = dict.fromkeys(ship.squad_airlocks.get(squad or "", []), 0)
    edge = list(ways)
    while edge:
        wave, edge = edge, []
        for cell in wave:
            for heading, step in enumerate(ship.steps):
                before = cell - step
                known = before in ways or not ship.inside(before) or ship.falls[0][before] is not None
                if not (known or ship.railed_always(before, heading)):
                    ways[before] = ways[cell] + 1
                    edge.append(before)
    return ways
