"""Estimate a robot's distance to its goal, and the value of its states.

A chart counts phases as if a robot could choose any chip in each phase. Expected phases take chance into
account: in each phase, the robot chooses among a few random chips. Over a turn, this comes close to a hand of
nine chips. A short way that needs particular chips therefore counts as longer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from rules.computers.effects import KINDS, EffectTables, RobotState
from rules.grid import HEADINGS, OFF, PHASES, opposite
from rules.orders import DECK
from rules.setup import Ruleset, Setup
from rules.starship import Starship
from rules.state import State

NEVER: Final = 99
"""The distance in phases that stands for an unreachable goal."""


class Chart(EffectTables):
    """The distances on a ship, in phases, with the transporter links known so far."""

    def __init__(self, setup: Setup, links: Mapping[int, int], base: Chart | None = None) -> None:
        super().__init__(setup, links, base)
        self._distances: dict[tuple[frozenset[int], frozenset[int]], list[list[int]]] = {}
        self._to_cell: dict[int, list[list[int]]] = {}
        self.expected: dict[int, list[list[float]]] = {}
        self._origins = [self._backwards(phase, base) for phase in range(len(PHASES) + 1)]

    def _backwards(self, phase: int, base: Chart | None) -> list[tuple[int, ...]]:
        """Return, for each node (cell and heading), the nodes from which it is reached in one phase.

        If there is a ``base`` chart, which ignores transporter links, its result is reused. It is updated
        only for nodes from which the links lead a robot elsewhere.
        """
        if base:
            origins = list(base._origins[phase])
            before, after = base.leads[phase], self.leads[phase]
            for node in self.redrawn[phase]:
                for to in {*(before[node] or ())} - {OFF}:
                    origins[to] = tuple([origin for origin in origins[to] if origin != node])
                for to in {*(after[node] or ())} - {OFF}:
                    origins[to] = (*origins[to], node)
            return origins
        found: list[list[int]] = [[] for _ in range(self.nodes)]
        if phase and self.classes[phase] == phase:
            for node, leads in enumerate(self.leads[phase]):
                for to in {*(leads or ())} - {OFF}:
                    found[to].append(node)
        # Garbage collection traverses lists again and again, but not tuples of numbers.
        return [tuple(nodes) for nodes in found]

    def to_cell(self, cell: int) -> list[list[int]]:
        """Return the distances to a cell in phases, by start phase and by node (cell and heading).

        In rulesets with steps for entering a cell, it is enough to pass through the cell.
        """
        if cell not in self._to_cell:
            nodes = frozenset([cell << 2 | heading for heading in HEADINGS])
            self._to_cell[cell] = self.distances(nodes, frozenset([cell]) if self.passing else frozenset())
        return self._to_cell[cell]

    def distances(self, nodes: frozenset[int], passing: frozenset[int] = frozenset()) -> list[list[int]]:
        """Return the distances to the nearest goal in phases, by start phase and by node.

        A node is a cell and a heading. A goal is one of ``nodes``, or a cell in ``passing`` that the robot
        enters on its way.
        """
        key = nodes, passing
        if key not in self._distances:
            self._distances[key] = self._search(nodes, passing)
        return self._distances[key]

    def _search(self, nodes: frozenset[int], passing: frozenset[int]) -> list[list[int]]:
        """Calculate the result of `distances`: search backwards from the goals, breadth first."""
        first, alike = PHASES[0], self.alike
        phases = (first,) if alike else PHASES
        distance = [[NEVER] * self.nodes for _ in range(len(PHASES) + 1)]
        edge: list[tuple[int, int]] = []
        for phase in phases:
            for node in self._last_step(phase, nodes, passing):
                distance[phase][node] = 1
                edge.append((phase, node))
        steps = 1
        while edge:
            steps += 1
            wave, edge = edge, []
            for phase, node in wave:
                before = first if alike else (phase - 2) % len(PHASES) + 1
                table = distance[before]
                for origin in self._origins[self.classes[before]][node]:
                    if table[origin] > steps:
                        table[origin] = steps
                        edge.append((before, origin))
        return [distance[first]] * (len(PHASES) + 1) if alike else distance

    def _last_step(self, phase: int, nodes: frozenset[int], passing: frozenset[int]) -> Iterable[int]:
        origins = self._origins[self.classes[phase]]
        found = {origin for node in nodes for origin in origins[node]}
        if passing:
            found |= {
                node
                for node, ways in self.through[phase].items()
                if any(not passing.isdisjoint(way) for way in ways)
            }
        return found


Pairs = tuple[tuple[str, int], ...]


@lru_cache(maxsize=64)
def _unlinked(ship: Starship, ruleset: Ruleset, options: Pairs) -> Chart:
    return Chart(Setup(ruleset, dict(options), ship), {})


@lru_cache(maxsize=64)
def _linked(ship: Starship, ruleset: Ruleset, options: Pairs, links: tuple[tuple[int, int], ...]) -> Chart:
    base = _unlinked(ship, ruleset, options)
    return Chart(Setup(ruleset, dict(options), ship), dict(links), base)


def chart_of(setup: Setup, links: Mapping[int, int]) -> Chart:
    """Return the chart of a ship with these transporter links, from a cache if possible."""
    options = tuple(sorted(setup.options.items()))
    if not links:
        return _unlinked(setup.starship, setup.ruleset, options)
    return _linked(setup.starship, setup.ruleset, options, tuple(sorted(links.items())))


DRAWS: Final = 5
"""The number of random chips that a robot can choose from in each phase, for `expected_phases`."""
LOST: Final = 20.0
"""The cost of destruction, in phases."""
DETOUR: Final = 1.65
"""The usual number of phases that robots need for each phase of the shortest way."""
SWEEPS: Final = 12
"""The minimum number of sweeps to calculate expected phases. Each sweep works from the goal outwards.

Further sweeps would hardly change the result.
"""
DRAWN: Final = KINDS[:7]
"""The kinds of chip that are in the deck."""


def _misses(mask: int) -> float:
    """Return the probability that no random chip of a phase is of a kind in the bit mask."""
    sought = sum(1 for chip in DECK if mask >> DRAWN.index(chip.kind) & 1)
    return float((1 - sought / len(DECK)) ** DRAWS)


MISSES: Final = tuple(_misses(mask) for mask in range(1 << len(DRAWN)))


def expected_phases(chart: Chart, cell: int) -> list[list[float]]:
    """Return the expected number of phases to reach a cell, by start phase and by node (cell and heading)."""
    if cell not in chart.expected:
        chart.expected[cell] = _worked_out(chart, cell)
    return chart.expected[cell]


def _worked_out(chart: Chart, cell: int) -> list[list[float]]:
    near = chart.to_cell(cell)
    phases = PHASES[:1] if chart.alike else PHASES
    times: list[list[float]] = [[]]
    times += [[min(float(NEVER), DETOUR * way) for way in near[phase]] for phase in phases]
    order = {
        phase: sorted(
            (node for node, leads in enumerate(chart.leads[phase]) if leads and near[phase][node] < NEVER),
            key=near[phase].__getitem__,
        )
        for phase in phases
    }
    for _ in range(SWEEPS if chart.alike else 1 + SWEEPS // len(PHASES)):
        for phase in reversed(phases):
            ahead = times[1 if chart.alike else phase % len(PHASES) + 1]
            _sweep(chart, cell, phase, order[phase], times[phase], ahead)
    return [times[1]] * (len(PHASES) + 1) if chart.alike else times


def _sweep(
    chart: Chart, cell: int, phase: int, nodes: list[int], here: list[float], ahead: list[float]
) -> None:
    """Update the expected phases from each node (cell and heading) once.

    In each phase, the robot plays the best of its random chips.
    """
    goal = {cell << 2 | heading for heading in HEADINGS}
    leads, through = chart.leads[phase], chart.through[phase]
    for node in nodes:
        values = [
            (0.0 if to in goal else ahead[to] if to >= 0 else LOST, kind_index)
            for kind_index, to in enumerate((leads[node] or ())[: len(DRAWN)])
        ]
        if chart.passing:
            values = [
                (0.0 if cell in through[node][kind_index] else value, kind_index)
                for value, kind_index in values
            ]
        values.sort()
        mask, missed, total = 0, 1.0, 1.0
        for value, kind_index in values:
            mask |= 1 << kind_index
            still = MISSES[mask]
            total += value * (missed - still)
            missed = still
        here[node] = min(float(NEVER), total)


WIN: Final = 1000.0
OUT: Final = 400.0
"""The cost of being out of the game, in phases."""
DAMAGE: Final[tuple[float, ...]] = (0.0, 0.3, 0.7, 1.2, 1.9, 3.0, 4.5, 6.5, 9.0, 12.0)
"""The cost of damage, in phases. The index is the damage in tenths of the damage limit."""
LIFE: Final = 7.0
"""The cost of a lost life, in phases. It doubles if only one life is left.

The longer way from the cell where the robot comes back counts separately.
"""

UNREACHABLE_PUSHES: Final = 40
"""The number of pushes to assume if no pushes can bring the crystal home from its cell."""


class PartialValue:
    """The part of a state's value that does not depend on the robot's distance to its goal.

    ``ways`` has the distance to the goal from each node (cell and heading). ``leg`` is the distance from the
    goal to the last checkpoint, and ``off`` the cost of being switched off. All are numbers of phases.
    """

    __slots__ = ("damage", "leg", "off", "ways")

    def __init__(self, ways: Sequence[float], leg: float, damage: int, off: float) -> None:
        self.ways, self.leg, self.damage, self.off = ways, leg, damage, off


class Evaluator:
    """Judges the states of one robot, by its damage and its distance to the last checkpoint, in phases."""

    idle = 4.0
    """The cost of a turn without a program, in phases."""
    detour = 1.0
    """The expected number of phases for each phase of the shortest way between two checkpoints.

    It applies only to the ways that lead on from the robot's next checkpoint.
    """

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
        self._shots_at_rivals = None if self.races else self._hunting()
        self._crystal: dict[int, int] = (
            _crystal_ways(self.ship, self.robot.squad) if setup.ruleset.crystal else {}
        )

    def value_of(self, robot_state: RobotState, lives: int) -> float:
        """Return the value of a state between two turns, in phases.

        ``lives`` is the number of lives before the turn.
        """
        if robot_state.won:
            return WIN
        if robot_state.over:
            return -WIN
        if robot_state.lives <= 0 or not robot_state.alive:
            return -OUT - self.phases_left(robot_state, anyhow=True)
        left = self.phases_left(robot_state, anyhow=robot_state.lives < lives)
        value = -left - self.damage_cost(robot_state.damage, left) - self.idle * robot_state.down
        if robot_state.lives < lives:
            value -= LIFE * (1 + (robot_state.lives == 1))
        return value

    def partial_value(self, robot_state: RobotState, lives: int) -> PartialValue | None:
        """Return the part of a state's value that is the same in every cell.

        Returns None if the cell affects the value in any way other than by its distance from the goal.
        """
        lost = robot_state.done or not 0 < robot_state.lives >= lives
        if lost or self.setup.ruleset.crystal or self._shots_at_rivals is not None:
            return None
        if robot_state.next > self.last or self._repairs(robot_state):
            return None
        ways = self._ways(self.ship.checkpoints[robot_state.next])[1]
        return PartialValue(
            ways, self.leg(robot_state.next), robot_state.damage, self.idle * robot_state.down
        )

    def value_at_distance(self, partial_value: PartialValue, way: float) -> float:
        """Return a state's value, given its distance from the goal. `value_of` gives the same result."""
        left = way + partial_value.leg
        return -left - self.damage_cost(partial_value.damage, left) - partial_value.off

    def damage_cost(self, damage: int, left: float) -> float:
        """Return the cost of damage for a robot that has ``left`` phases to go. All values are in phases."""
        return DAMAGE[min(len(DAMAGE) - 1, damage * 10 // self.limit)]

    def phases_left(self, robot_state: RobotState, *, anyhow: bool = False) -> float:
        """Return the number of phases to the last checkpoint, or to the goal in rulesets without checkpoints.

        With ``anyhow``, the robot may first choose its heading.
        """
        if self.setup.ruleset.crystal:
            return self._crystal_left(robot_state)
        if self._shots_at_rivals is not None:
            return float(self._way(self._shots_at_rivals, robot_state.cell, robot_state.heading, anyhow))
        if robot_state.next > self.last:
            return 0.0
        cell = self.ship.checkpoints[robot_state.next]
        way = float(self._way(self._ways(cell), robot_state.cell, robot_state.heading, anyhow))
        if robot_state.cell == OFF or way >= NEVER:
            way = NEVER / 2 + self._straight_distance(robot_state.cell, cell)
        repairs = self._repairs(robot_state)
        if repairs:
            weld = self._way(
                self.chart.distances(self._facing(cell)), robot_state.cell, robot_state.heading, anyhow
            )
            way = max(way, min(weld, NEVER / 2) + repairs + 1) + 0.2 * way
        return way + self.leg(robot_state.next)

    def leg(self, number: int) -> float:
        """Return the number of phases from a checkpoint to the last one, through all others in between."""
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
        return self.chart.to_cell(cell)

    def _way(self, table: Sequence[Sequence[float]], cell: int, heading: int, anyhow: bool) -> float:
        if cell == OFF:
            return NEVER
        row = table[1]
        return min(row[cell << 2 | way] for way in HEADINGS) if anyhow else row[cell << 2 | heading]

    def _straight_distance(self, cell: int, goal: int) -> int:
        if cell == OFF:
            return NEVER
        (x, y), (to_x, to_y) = self.ship.pos(cell), self.ship.pos(goal)
        return abs(x - to_x) + abs(y - to_y)

    def _repairs(self, robot_state: RobotState) -> int:
        if not any(robot_state.hull) or robot_state.next not in self.hull_numbers:
            return 0
        return robot_state.hull[self.hull_numbers.index(robot_state.next)]

    def _facing(self, *goals: int) -> frozenset[int]:
        """Return the nodes (cell and heading) from which a robot can shoot at one of these cells."""
        found = set()
        for goal in goals:
            for heading in HEADINGS:
                seen = self.ship.look(1, goal, opposite(heading))
                found |= {cell << 2 | heading for cell in seen if self.ship.falls[0][cell] is None}
        return frozenset(found)

    def _hunting(self) -> list[list[int]]:
        """Return the distances, in phases, to positions from which the robot can shoot at a rival."""
        prey = [
            robot.cell
            for robot in self.state.robots
            if robot.index != self.index
            and robot.cell != OFF
            and not robot.crystal
            and (robot.squad is None or robot.squad != self.robot.squad)
        ]
        return self.chart.distances(self._facing(*prey))

    def _crystal_left(self, robot_state: RobotState) -> float:
        """Return the expected number of phases to bring the crystal home (RC)."""
        if robot_state.crystal == OFF:
            goals = self.ship.grapplers
            return 60.0 + min(self._straight_distance(robot_state.cell, goal) for goal in goals)
        if robot_state.crystal not in self._pushes:
            self._pushes[robot_state.crystal] = self._pushing(robot_state.crystal)
        pushes = self._pushes[robot_state.crystal]
        way = self._way(self.chart.distances(pushes), robot_state.cell, robot_state.heading, anyhow=False)
        return 3.0 * self._crystal.get(robot_state.crystal, UNREACHABLE_PUSHES) + (
            min(way, 30) if pushes else 30
        )

    def _pushing(self, crystal: int) -> frozenset[int]:
        """Return the nodes (cell and heading) from which a push brings the crystal closer to home.

        A robot pushes the crystal by a step or by a shot.
        """
        far, ship = self._crystal.get(crystal, UNREACHABLE_PUSHES), self.ship
        return frozenset(
            cell << 2 | heading
            for heading, step in enumerate(ship.steps)
            if not ship.railed_always(crystal, heading)
            and self._crystal.get(crystal + step, UNREACHABLE_PUSHES + 1) < far
            for cell in ship.look(1, crystal, opposite(heading))
            if ship.falls[0][cell] is None
        )


def _crystal_ways(ship: Starship, squad: str | None) -> dict[int, int]:
    """Return, for each cell, how many pushes bring the crystal from it to an airlock of the squad."""
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
