"""Tables of the effect of each chip from each cell of a ship. The engine fills them by playing.

A node is a cell and a heading as one number: 4 × cell + heading. The tables include the effects of
elements such as rails, shafts, beams, lasers and oil, and of transporters with known destinations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from rules import events as ev
from rules.chance import Chance
from rules.engine import begin_phase, run_where_needed
from rules.grid import AFTER, HEADINGS, OFF, PHASES, opposite
from rules.orders import CHIPS, PAUSE, QUARTERS, Chip, Orders
from rules.resolution import Resolution
from rules.setup import EVERYWHERE, PlacedStep, Setup
from rules.starship import Starship
from rules.state import Robot, State


class RobotState(NamedTuple):
    """The state of a robot between two phases, and of the parts of its ship that can change.

    ``hull`` has the number of repairs that each checkpoint still needs, in order. ``crystal`` is the cell of
    the power crystal. ``over`` is true if the game has ended, and ``won`` if the robot has won.
    """

    cell: int
    heading: int
    damage: int
    next: int
    archive: int
    lives: int
    alive: bool
    virtual: bool
    down: bool
    hull: tuple[int, ...]
    crystal: int
    over: bool
    won: bool

    @property
    def done(self) -> bool:
        """Whether the robot executes no more chips in this turn."""
        return self.over or self.won or not self.alive


def placed(robot_state: RobotState, cell: int, heading: int) -> RobotState:
    """Return a robot's state with another cell and heading. This is three times as fast as `_replace`."""
    return tuple.__new__(RobotState, (cell, heading, *robot_state[2:]))


def robot_state_of(state: State, robot: Robot) -> RobotState:
    crystal = state.robots[-1].cell if state.robots[-1].crystal else OFF
    won = robot.place is not None or (
        state.over and state.winner is not None and state.winner in (robot.index, robot.squad)
    )
    return RobotState(
        robot.cell,
        robot.heading or 0,
        robot.damage,
        robot.next,
        robot.archive,
        robot.lives,
        robot.alive,
        robot.virtual,
        robot.down,
        tuple(state.hull.values()),
        crystal,
        state.over,
        won,
    )


CHIP_OF: Final[dict[str, Chip]] = {chip.kind: chip for chip in CHIPS.values()} | {PAUSE.kind: PAUSE}
"""An example chip of each kind."""


class SoloEngine:
    """Plays phases with one robot on a ship without other robots, and without equipment.

    In games with a power crystal, the crystal is there too (RC-3).
    """

    def __init__(self, setup: Setup, state: State, index: int) -> None:
        self.setup = setup
        self.ship = setup.starship
        names = [name for name, _, _ in setup.phase]
        split = names.index("chips") + 1 if "chips" in names else 0
        # A single robot has no rank. If the crystal is there too, ranks decide which of them is first.
        ranked = any(other.crystal for other in state.robots)
        self.end_steps = tuple([step for step in setup.end if ranked or step[0] != "ranks"])
        self.first_steps, self.later_steps = setup.phase[:split], setup.phase[split:]
        robot = state.robots[index].copy()
        robot.index, robot.equipment, robot.ammo = 0, None, None
        self.robot = robot
        crew = [robot]
        self.crystal = next((other.copy() for other in state.robots if other.crystal), None)
        if self.crystal:
            self.crystal.index = 1
            crew.append(self.crystal)
        self.damaged_numbers = tuple(state.hull)
        self.turn = Resolution(
            setup,
            State(
                turn=max(1, state.turn),
                robots=crew,
                hull=dict(state.hull),
                links={origin: to for origin, to in state.links.items() if origin in state.known},
                return_damage=state.return_damage,
            ),
            {},
            {0: [None] * len(PHASES), 1: [None] * len(PHASES)},
            Chance("alone", state.turn),
            alone=True,
        )
        self.start = robot_state_of(self.turn.state, self.robot)

    def play(self, phase: int, robot_state: RobotState, kind: str) -> RobotState:
        """Return the robot's state after a phase with a chip of this kind (“” for no chip)."""
        self._begin(phase, robot_state, kind)
        run_where_needed(self.turn, self.turn.setup.phase)
        return self._verdict()

    def execute(self, phase: int, robot_state: RobotState, kind: str) -> RobotState:
        """Return the robot's state right after its chip in a phase, before the ship's elements act."""
        self._begin(phase, robot_state, kind)
        run_where_needed(self.turn, self.first_steps)
        return robot_state_of(self.turn.state, self.robot)

    def entered(self) -> tuple[int, ...]:
        """Return the cells that the robot has entered since the phase began, in order."""
        return tuple([entry[5] for entry in self.turn.log if entry[0] is ev.Move and entry[3] == 0])

    def fired(self) -> bool:
        """Return whether the robot has fired since the phase began."""
        return any(entry[0] is ev.Shot and entry[3] == 0 for entry in self.turn.log)

    def end(self, robot_state: RobotState, *, power_down: bool) -> RobotState:
        """Return the robot's state at the start of the next turn, given its state after phase 5."""
        turn, ship = self.turn, self.ship
        self._put(robot_state)
        turn.phase, turn.ways, turn.falls = AFTER, ship.ways[AFTER], ship.falls[AFTER]
        turn.orders = {0: Orders(power_down=power_down)}
        if not robot_state.alive:
            turn.destroyed = [self.robot]
        run_where_needed(turn, self.end_steps)
        turn.orders = {}
        return robot_state_of(turn.state, self.robot)

    def _begin(self, phase: int, robot_state: RobotState, kind: str) -> None:
        turn = self.turn
        self._put(robot_state)
        turn.acting = []
        if kind and robot_state.alive and not robot_state.down:
            program: list[Chip | None] = [None] * len(PHASES)
            program[phase - 1] = CHIP_OF[kind]
            turn.acting = [(self.robot, program)]
        begin_phase(turn, phase)

    def _verdict(self) -> RobotState:
        turn = self.turn
        if turn.departed or self.crystal:
            turn.run(turn.setup.ruleset.verdict)
        return robot_state_of(turn.state, self.robot)

    def _put(self, robot_state: RobotState) -> None:
        turn, robot, ship = self.turn, self.robot, self.ship
        turn.clear()
        robot.cell, robot.heading, robot.damage, robot.next, robot.archive = robot_state[:5]
        robot.lives, robot.alive, robot.virtual, robot.down = robot_state[5:9]
        robot.place, robot.locked = None, ()
        state = turn.state
        state.over, state.winner = False, None
        if robot_state.cell != OFF and not robot_state.virtual:
            turn.occupied[robot_state.cell] = robot
        turn.ghostly = robot_state.virtual
        if crystal := self.crystal:
            crystal.cell = robot_state.crystal
            crystal.alive = robot_state.crystal != OFF
            if crystal.alive:
                turn.occupied[robot_state.crystal] = crystal
        if self.damaged_numbers:
            state.hull.update(zip(self.damaged_numbers, robot_state.hull, strict=True))
            turn.damaged = {ship.checkpoints[number] for number, left in state.hull.items() if left}
        turn.falls = ship.falls[AFTER]
        turn.log = []
        turn.phase_begins = 0
        turn.departed.clear()
        turn.destroyed = []


def phase_classes(ship: Starship) -> list[int]:
    """Return, for each phase, the first phase with the same active elements. Index 0 is not used."""
    classes = [0]
    works: list[object] = [None]
    for phase in PHASES:
        works.append(
            (
                ship.rails[phase],
                ship.falls[phase],
                [arm for arms in ship.arms.values() for arm in arms if phase in arm.phases],
                [cell for cell, phases in ship.crushers.items() if phase in phases],
                [cell for cell, phases in ship.bays.items() if phase in phases],
            )
        )
        classes.append(works.index(works[phase], 1))
    return classes


DRIVES: Final = ("1", "2", "3")
KINDS: Final = ("1", "2", "3", "B", "L", "R", "U", "P")
NOTHING: Final = 8
"""The index, in a `Row`, of the result without a chip. It follows the results of all `KINDS`."""

LIVES: Final = 9
"""The number of lives of the robot that explores a ship."""

OFFSET: Final = 4
"""The number added to nodes (4 × cell + heading) in results.

Results below it are the headings of destroyed robots.
"""
DAMAGE: Final = 20
"""The position of the damage's lowest bit in a result. The bits below hold the node plus `OFFSET`."""
NODE: Final = (1 << DAMAGE) - 1
UNKNOWN: Final = -1
"""The value for a result that depends on more than the robot's cell and heading."""

Row = tuple[int, ...]
"""The results of a phase for a robot in a cell and heading: for each kind of chip, and for no chip.

Each result is a number. It combines the robot's new node (4 × cell + heading), plus `OFFSET`, with its
damage.
"""
UNKNOWN_ROW: Final[Row] = (UNKNOWN,) * (NOTHING + 1)
"""A row with only unknown results."""

Key = tuple[int, int, str, bool]
"""The key of a cached `PhaseEffect`: the phase, the node, the kind of move, and whether the robot is virtual.

A node is a cell and a heading. The kind of move is “” for a robot that waits.
"""
UsedLinks = list[tuple[int, int]]
"""The transporters that a robot enters in a phase, with their destinations (OFF if unknown)."""


class PhaseEffect:
    """The effect of one phase on a robot: the new node plus `OFFSET`, the damage, and the cells entered.

    A node is a cell and a heading. An effect is ``plain`` if it is the same for all robots. A plain effect
    involves no element whose effect depends on the robot's checkpoint or archive, and no destruction after a
    shot at damaged hull.
    """

    __slots__ = ("damage", "entered", "node", "plain")

    def __init__(self, node: int, damage: int, entered: tuple[int, ...], plain: bool) -> None:
        self.node, self.damage, self.entered, self.plain = node, damage, entered, plain

    def turned(self, quarters: int) -> PhaseEffect:
        """Return the same effect for a robot whose heading differs by ``quarters`` quarter turns.

        The caller must know that the heading makes no other difference to the effect.
        """
        return PhaseEffect(self.node & ~3 | (self.node + quarters) & 3, self.damage, self.entered, self.plain)

    @property
    def lead(self) -> int:
        """The robot's new node (cell and heading), or OFF if the robot is destroyed."""
        return self.node - OFFSET if self.node >= OFFSET else OFF

    @property
    def packed(self) -> int:
        return self.node | self.damage << DAMAGE if self.plain else UNKNOWN


class CellEffects:
    """The effects of all chips from one cell, by heading.

    ``used_links`` are the transporter links on which these effects depend.
    """

    __slots__ = ("leads", "rows", "through", "used_links")

    def __init__(self, used_links: UsedLinks, effects: list[list[PhaseEffect]]) -> None:
        self.used_links = used_links
        self.rows = [tuple([effect.packed for effect in chips]) for chips in effects]
        self.leads = [tuple([effect.lead for effect in chips[:NOTHING]]) for chips in effects]
        self.through = [tuple([effect.entered for effect in chips[:NOTHING]]) for chips in effects]


class EffectTables:
    """The effects of each kind of chip from each cell and heading of a ship, in each phase.

    ``leads[phase][node]`` has the new node for each of `KINDS`, or OFF if the robot is destroyed.
    ``through[phase]`` has the cells entered, in rulesets with steps for entering a cell. ``rows[phase]`` has
    a row of results for each node, at the index node plus `OFFSET`. The rows are for a real robot that is
    switched on and meets no other robot. Phases in which the same elements act share their tables.
    """

    def __init__(self, setup: Setup, links: Mapping[int, int], base: EffectTables | None) -> None:
        """Explore the ship.

        ``base``, if given, has the effects of the same ship without transporter links. Effects that do not
        depend on the links are copied from it.
        """
        self.ship = ship = setup.starship
        self.classes = phase_classes(ship)
        self.alike = len(set(self.classes[1:])) == 1
        self.passing = bool(setup.ruleset.entering)
        self.nodes = ship.size * 4
        self.leads: list[list[Row | None]] = [[] for _ in range(len(PHASES) + 1)]
        self.through: list[dict[int, tuple[tuple[int, ...], ...]]] = [{} for _ in range(len(PHASES) + 1)]
        self.rows: list[list[Row]] = [[] for _ in range(len(PHASES) + 1)]
        self._virtual_rows: list[dict[int, Row]] = [{} for _ in range(len(PHASES) + 1)]
        self._guarded: dict[tuple[int, frozenset[int]], dict[int, Row]] = {}
        self._faced: dict[tuple[int, frozenset[int]], frozenset[int]] = {}
        self._base, self._links = base, links
        self._phase_cache: dict[Key, list[tuple[UsedLinks, PhaseEffect]]] = base._phase_cache if base else {}
        self._cell_cache: dict[Key, list[CellEffects]] = base._cell_cache if base else {}
        self._over: list[dict[int, set[int]]] = [{} for _ in range(2 * len(PHASES) + 2)]
        self._stations = frozenset(cell for cells in ship.networks.values() for cell in cells)
        self._slippery = self._stations | ship.oil
        acted_on = cells_of(setup, setup.phase)
        fields = [cell for cell in ship.depots if self.passing or cell in acted_on]
        self.mends = not acted_on.isdisjoint(ship.depots)
        """Whether a robot can be repaired before the end of the turn."""
        self._special = frozenset(ship.checkpoint_at) | frozenset(fields)
        apart = cells_of(setup, setup.end).union(ship.airlocks, ship.checkpoint_at, ship.depots, ship.bays)
        self.ends_apart = [True] + [cell in apart for cell in range(ship.size)]
        """Whether the end of a turn has an effect in a cell.

        The index is the cell plus 1. Index 0 is for a robot off the board.
        """
        self._wary = self.passing or bool(ship.hull_damage)
        self.met: dict[tuple[int, int, RobotState], RobotState] = {}
        """`SoloSimulator`'s cache of states after phases whose results are not in these tables."""
        self._setup = setup
        self.redrawn: list[set[int]] = [set() for _ in range(len(PHASES) + 1)]
        """The nodes (cell and heading) whose ``leads`` differ from those in ``base``, by phase."""
        solo = _explorer(setup, links)
        for phase in PHASES:
            known = self.classes[phase]
            if known == phase:
                self._explore(solo, phase)
            else:
                self.leads[phase], self.through[phase] = self.leads[known], self.through[known]
                self.rows[phase], self._virtual_rows[phase] = self.rows[known], self._virtual_rows[known]

    def virtual_row(self, phase: int, node: int) -> Row:
        """Return the results of each kind of chip for a virtual robot in a node (cell and heading)."""
        known = self._virtual_rows[phase]
        row = known.get(node)
        if row is None:
            cell, drawn, base = node - OFFSET >> 2, self.classes[phase], self._base
            row = base.virtual_row(phase, node) if base else UNKNOWN_ROW
            if base and cell not in base._beamed(drawn, self._links, virtual=True):
                known[node] = row
            else:
                solo = _explorer(self._setup, self._links)
                for heading, to in enumerate(self._cell_effects(solo, drawn, cell, virtual=True).rows):
                    known[(cell << 2 | heading) + OFFSET] = to
            row = known[node]
        return row

    def entered(self, phase: int, node: int, kind: str) -> tuple[int, ...]:
        """Return the cells that a robot with a chip of this kind enters in a phase."""
        solo = _explorer(self._setup, self._links)
        solo.play(phase, _blank(solo, node, virtual=False), kind)
        return solo.entered()

    def guarded(self, phase: int, node: int, damaged: frozenset[int]) -> Row:
        """Return the results of each kind of chip for a real robot in a node (cell and heading).

        A result is UNKNOWN if a shot may hit one of the ``damaged`` hull cells (RR-7.2).
        """
        known = self._guarded.setdefault((self.classes[phase], damaged), {})
        if node not in known:
            facing = self._facing(phase, damaged)
            row = self.rows[phase][node]
            known[node] = tuple([UNKNOWN if to & NODE in facing else to for to in row])
        return known[node]

    def _facing(self, phase: int, damaged: frozenset[int]) -> frozenset[int]:
        """Return the nodes (cell and heading) from which a robot can shoot at one of these cells.

        `OFFSET` is added to each node.
        """
        key = self.classes[phase], damaged
        if key not in self._faced:
            self._faced[key] = frozenset(
                [
                    (cell << 2 | heading) + OFFSET
                    for goal in damaged
                    for heading in HEADINGS
                    for cell in self.ship.look(phase, goal, opposite(heading))
                ]
            )
        return self._faced[key]

    def _explore(self, solo: SoloEngine, phase: int) -> None:
        ship, base = self.ship, self._base
        if base:
            self.leads[phase], self.rows[phase] = list(base.leads[phase]), list(base.rows[phase])
            self.through[phase] = dict(base.through[phase])
            cells = sorted(base._beamed(phase, self._links, virtual=False))
        else:
            self.leads[phase] = [None] * self.nodes
            self.rows[phase] = [UNKNOWN_ROW] * (self.nodes + OFFSET)
            cells = [cell for cell, _ in ship.numbered() if ship.falls[0][cell] in (None, "bay")]
        leads, rows = self.leads[phase], self.rows[phase]
        for cell in cells:
            effects = self._cell_effects(solo, phase, cell, virtual=False)
            for heading, to in enumerate(effects.leads):
                node = cell << 2 | heading
                rows[node + OFFSET] = effects.rows[heading]
                if to != leads[node]:
                    leads[node] = to
                    self.redrawn[phase].add(node)
                if self.passing:
                    self.through[phase][node] = effects.through[heading]

    def _beamed(self, phase: int, links: Mapping[int, int], *, virtual: bool) -> set[int]:
        """Return the cells from which at least one chip leads a robot onto one of these transporters."""
        over = self._over[phase << 1 | virtual]
        return {cell for origin in links for cell in over.get(origin, ())}

    def _cell_effects(self, solo: SoloEngine, phase: int, cell: int, *, virtual: bool) -> CellEffects:
        """Return the results from a cell, for each of `KINDS` and for an empty register.

        Only waiting and the three forward moves are played. The results of other chips follow from these,
        because the heading of a robot makes no difference to the effects of the ship.
        """
        key = phase, cell << 2, "", virtual
        for effects in self._cell_cache.get(key, ()):
            if _holds(effects.used_links, self._links):
                return effects
        rest = self._phase_effect(solo, key)
        drives = [
            [self._phase_effect(solo, (phase, cell << 2 | heading, kind, virtual)) for kind in DRIVES]
            for heading in HEADINGS
        ]
        used_links: UsedLinks = []
        if self._stations:
            ways = [effect.entered for moves in drives for effect in moves]
            used_links = self._used_links({*rest.entered}.union(*ways))
        found = []
        for heading in HEADINGS:
            # A step back is a step forward by a robot facing the other way.
            back = drives[opposite(heading)][0].turned(2)
            turns = [rest.turned(heading + QUARTERS[kind]) for kind in "LRU"]
            still = rest.turned(heading)
            found.append([*drives[heading], back, *turns, still, still])
        effects = CellEffects(used_links, found)
        if used_links:
            self._cell_cache.setdefault(key, []).append(effects)
        if not self._base:
            for station, _ in used_links:
                self._over[phase << 1 | virtual].setdefault(station, set()).add(cell)
        return effects

    def _used_links(self, cells: Iterable[int]) -> UsedLinks:
        return [(cell, self._links.get(cell, OFF)) for cell in self._stations.intersection(cells)]

    def _phase_effect(self, solo: SoloEngine, key: Key) -> PhaseEffect:
        """Return the effect of a phase on a robot that moves or waits, from a cache if possible.

        If it is not cached, the phase is played. Transporter links make a difference only to robots that
        enter a transporter.
        """
        for used_links, effect in self._phase_cache.get(key, ()):
            if _holds(used_links, self._links):
                return effect
        phase, node, kind, virtual = key
        if kind:
            effect = self._drive(solo, phase, _blank(solo, node, virtual), kind)
        else:
            effect = self._rest(solo, phase, _blank(solo, node, virtual))
        met = self._used_links(effect.entered) if self._stations else []
        # All other effects are used only once.
        if met or self._links or not kind:
            self._phase_cache.setdefault(key, []).append((met, effect))
        return effect

    def _drive(self, solo: SoloEngine, phase: int, blank: RobotState, kind: str) -> PhaseEffect:
        """Return the effect of a phase on a robot that moves by a chip.

        If the move has no special effect, the ship then acts on the robot as if it waited in the new cell.
        """
        ahead = solo.execute(phase, blank, kind)
        way = solo.entered()
        if placed(ahead, blank.cell, ahead.heading) != blank or (way and ahead.cell in self._slippery):
            after = solo.play(phase, blank, kind)
            return self._effect(solo, after, solo.entered() if way else (blank.cell, *solo.entered()))
        rest = self._phase_effect(solo, (phase, ahead.cell << 2, "", blank.virtual)).turned(blank.heading)
        plain = rest.plain and not (self._wary and not self._special.isdisjoint(way))
        return PhaseEffect(rest.node, rest.damage, way + rest.entered, plain)

    def _rest(self, solo: SoloEngine, phase: int, blank: RobotState) -> PhaseEffect:
        """Return the effect of a phase on a robot that waits in a cell."""
        after = solo.play(phase, blank, "P")
        effect = self._effect(solo, after, (blank.cell, *solo.entered()))
        effect.entered = effect.entered[1:]
        return effect

    def _effect(self, solo: SoloEngine, after: RobotState, visited: tuple[int, ...]) -> PhaseEffect:
        """Return the effect of the phase just played, with the cells ``visited`` by the robot."""
        lost, fired = not after.alive, self._wary and solo.fired()
        usual = solo.start._replace(
            cell=after.cell,
            heading=after.heading,
            damage=after.damage,
            alive=after.alive,
            lives=LIVES - lost,
            virtual=after.virtual,
        )
        plain = after == usual and self._special.isdisjoint(visited) and not (lost and fired)
        node = after.heading if lost else (after.cell << 2 | after.heading) + OFFSET
        return PhaseEffect(node, after.damage, visited, plain)


def _holds(used_links: UsedLinks, links: Mapping[int, int]) -> bool:
    """Return whether a cached effect is valid: its transporters have the same destinations in ``links``."""
    for station, to in used_links:  # noqa: SIM110 - a generator costs more where this is compiled
        if links.get(station, OFF) != to:
            return False
    return True


def cells_of(setup: Setup, steps: Iterable[PlacedStep]) -> frozenset[int]:
    """Return the cells where these steps act. Steps that act in all cells are left out."""
    marks = 0
    for _, _, mark in steps:
        marks |= mark & ~EVERYWHERE
    return frozenset([cell for cell, concern in enumerate(setup.concerns) if concern & marks])


def _blank(solo: SoloEngine, node: int, virtual: bool) -> RobotState:
    robot_state = placed(solo.start, node >> 2, node & 3)
    return robot_state._replace(virtual=True) if virtual else robot_state


def _explorer(setup: Setup, links: Mapping[int, int]) -> SoloEngine:
    """Return an engine with a robot that ignores checkpoints, on a ship without hull damage."""
    ship = setup.starship
    cell = next(iter(ship.hull), ship.cell(0, 0))
    robot = Robot(0, "", cell, 0, cell, LIVES, next=0, start=cell)
    return SoloEngine(
        setup, State(1, [robot], dict.fromkeys(ship.hull_damage, 0), dict(links), set(links)), 0
    )
