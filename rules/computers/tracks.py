"""Tables of each chip's effect from each cell of a ship, made by the engine.

A node is 4 × cell + heading. The engine plays rails, shafts, beams, twisters, bays, arms, thrusters, oil and
known transporters.
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
    """The state of a robot between two phases, with changes to its ship.

    ``hull`` lists the repairs left at damaged checkpoints, in order. ``crystal`` is the cell of the power
    crystal. ``over`` is true if the game has ended, and ``won`` if the robot won it.
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
        """Whether the robot executes no more chips this turn."""
        return self.over or self.won or not self.alive


def placed(robot_state: RobotState, cell: int, heading: int) -> RobotState:
    """Return the state with another cell and heading, 3 times as fast as `_replace`."""
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
"""A chip of each kind."""


class SoloEngine:
    """The engine with one robot, without equipment; with the power crystal (RC-3)."""

    def __init__(self, setup: Setup, state: State, index: int) -> None:
        self.setup = setup
        self.ship = setup.starship
        names = [name for name, _, _ in setup.phase]
        split = names.index("chips") + 1 if "chips" in names else 0
        # A single robot has no ranks. With the crystal, ranks order the two.
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
        """Return the state after a phase with a chip of this kind ("" for none)."""
        self._begin(phase, robot_state, kind)
        run_where_needed(self.turn, self.turn.setup.phase)
        return self._verdict()

    def execute(self, phase: int, robot_state: RobotState, kind: str) -> RobotState:
        """Return the state after a robot's chip, before the ship acts."""
        self._begin(phase, robot_state, kind)
        run_where_needed(self.turn, self.first_steps)
        return robot_state_of(self.turn.state, self.robot)

    def entered(self) -> tuple[int, ...]:
        """Return the cells entered by the robot since the last start of a phase."""
        return tuple([entry[5] for entry in self.turn.log if entry[0] is ev.Move and entry[3] == 0])

    def fired(self) -> bool:
        """Return whether the robot has fired since the last start of a phase."""
        return any(entry[0] is ev.Shot and entry[3] == 0 for entry in self.turn.log)

    def end(self, robot_state: RobotState, *, power_down: bool) -> RobotState:
        """Return the state at the start of the next turn."""
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
    """Return for each phase, from 1, the first phase with the same working elements."""
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
"""The index of an empty register, after all KINDS."""

LIVES: Final = 9
"""The lives of the exploring robot."""

OFFSET: Final = 4
"""Added to nodes in rows. Lower numbers are the headings of robots off the board."""
DAMAGE: Final = 20
"""The first bit of the robot's damage in a number of a row."""
NODE: Final = (1 << DAMAGE) - 1
UNKNOWN: Final = -1
"""A result in a row that depends on more than the node."""

Row = tuple[int, ...]
"""Results from a node by kind of chip (last: none): node plus OFFSET, and damage."""
UNKNOWN_ROW: Final[Row] = (UNKNOWN,) * (NOTHING + 1)
"""The row of an unexplored node."""

Key = tuple[int, int, str, bool]
"""A phase, a node, the kind of move ("" for none), and True for a virtual robot."""
Hops = list[tuple[int, int]]
"""Transporters entered on a track, with their targets (OFF if unknown)."""


class Track:
    """The effect of a phase: the new node (as in a row), cells entered, and damage.

    It is ``plain`` if it is the same for all robots. Then it involves no element that depends on the robot's
    checkpoint or archive. If it destroys the robot, then not by damage, and before any shot at damaged hull.
    """

    __slots__ = ("damage", "entered", "node", "plain")

    def __init__(self, node: int, damage: int, entered: tuple[int, ...], plain: bool) -> None:
        self.node, self.damage, self.entered, self.plain = node, damage, entered, plain

    def turned(self, quarters: int) -> Track:
        """Return the track for another heading, if the heading makes no difference."""
        return Track(self.node & ~3 | (self.node + quarters) & 3, self.damage, self.entered, self.plain)

    @property
    def lead(self) -> int:
        """The node, OFF for destruction."""
        return self.node - OFFSET if self.node >= OFFSET else OFF

    @property
    def packed(self) -> int:
        return self.node | self.damage << DAMAGE if self.plain else UNKNOWN


class Fan:
    """The effects of each chip from a cell, by heading, for these transporter targets."""

    __slots__ = ("hops", "leads", "rows", "through")

    def __init__(self, hops: Hops, tracks: list[list[Track]]) -> None:
        self.hops = hops
        self.rows = [tuple([track.packed for track in chips]) for chips in tracks]
        self.leads = [tuple([track.lead for track in chips[:NOTHING]]) for chips in tracks]
        self.through = [tuple([track.entered for track in chips[:NOTHING]]) for chips in tracks]


class Tracks:
    """The effects of each chip from each cell and heading of a ship, in each phase.

    ``leads[phase][node]`` has the resulting node of each of KINDS, or OFF for destruction. ``through[phase]``
    has the cells entered, in rulesets with steps for entering. ``rows[phase]`` has, by node plus OFFSET, the
    results for real, switched-on, undisturbed robots. Phases that work alike share their tables.
    """

    def __init__(self, setup: Setup, links: Mapping[int, int], base: Tracks | None) -> None:
        """Explore the ship. A ``base`` is the same ship without links, and is reused."""
        self.ship = ship = setup.starship
        self.classes = phase_classes(ship)
        self.alike = len(set(self.classes[1:])) == 1
        self.passing = bool(setup.ruleset.entering)
        self.nodes = ship.size * 4
        self.leads: list[list[Row | None]] = [[] for _ in range(len(PHASES) + 1)]
        self.through: list[dict[int, tuple[tuple[int, ...], ...]]] = [{} for _ in range(len(PHASES) + 1)]
        self.rows: list[list[Row]] = [[] for _ in range(len(PHASES) + 1)]
        self._ghosts: list[dict[int, Row]] = [{} for _ in range(len(PHASES) + 1)]
        self._guarded: dict[tuple[int, frozenset[int]], dict[int, Row]] = {}
        self._faced: dict[tuple[int, frozenset[int]], frozenset[int]] = {}
        self._base, self._links = base, links
        self._kept: dict[Key, list[tuple[Hops, Track]]] = base._kept if base else {}
        self._fans: dict[Key, list[Fan]] = base._fans if base else {}
        self._over: list[dict[int, set[int]]] = [{} for _ in range(2 * len(PHASES) + 2)]
        self._stations = frozenset(cell for cells in ship.networks.values() for cell in cells)
        self._slippery = self._stations | ship.oil
        acted_on = cells_of(setup, setup.phase)
        fields = [cell for cell in ship.depots if self.passing or cell in acted_on]
        self.mends = not acted_on.isdisjoint(ship.depots)
        """Whether a robot may be repaired before the end of the turn."""
        self._special = frozenset(ship.checkpoint_at) | frozenset(fields)
        apart = cells_of(setup, setup.end).union(ship.airlocks, ship.checkpoint_at, ship.depots, ship.bays)
        self.ends_apart = [True] + [cell in apart for cell in range(ship.size)]
        """Whether the end of a turn acts on a cell, by cell plus one (0: off the board)."""
        self._wary = self.passing or bool(ship.hull_damage)
        self.met: dict[tuple[int, int, RobotState], RobotState] = {}
        """Results of phases without a general result, for `SoloSimulator`."""
        self._setup = setup
        self.redrawn: list[set[int]] = [set() for _ in range(len(PHASES) + 1)]
        """The nodes with other results than in the base, by phase."""
        solo = _explorer(setup, links)
        for phase in PHASES:
            known = self.classes[phase]
            if known == phase:
                self._explore(solo, phase)
            else:
                self.leads[phase], self.through[phase] = self.leads[known], self.through[known]
                self.rows[phase], self._ghosts[phase] = self.rows[known], self._ghosts[known]

    def ghost(self, phase: int, node: int) -> Row:
        """Return the row of a node for a virtual robot."""
        known = self._ghosts[phase]
        row = known.get(node)
        if row is None:
            cell, drawn, base = node - OFFSET >> 2, self.classes[phase], self._base
            row = base.ghost(phase, node) if base else UNKNOWN_ROW
            if base and cell not in base._beamed(drawn, self._links, virtual=True):
                known[node] = row
            else:
                solo = _explorer(self._setup, self._links)
                for heading, to in enumerate(self._fan(solo, drawn, cell, virtual=True).rows):
                    known[(cell << 2 | heading) + OFFSET] = to
            row = known[node]
        return row

    def entered(self, phase: int, node: int, kind: str) -> tuple[int, ...]:
        """Return the cells entered in a phase by a robot with a chip of this kind."""
        solo = _explorer(self._setup, self._links)
        solo.play(phase, _blank(solo, node, virtual=False), kind)
        return solo.entered()

    def guarded(self, phase: int, node: int, damaged: frozenset[int]) -> Row:
        """Return a row with UNKNOWN results if a shot may hit damaged hull (RR-7.2)."""
        known = self._guarded.setdefault((self.classes[phase], damaged), {})
        if node not in known:
            facing = self._facing(phase, damaged)
            row = self.rows[phase][node]
            known[node] = tuple([UNKNOWN if to & NODE in facing else to for to in row])
        return known[node]

    def _facing(self, phase: int, damaged: frozenset[int]) -> frozenset[int]:
        """Return the nodes (plus OFFSET) with one of these cells in the line of fire."""
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
            fan = self._fan(solo, phase, cell, virtual=False)
            for heading, to in enumerate(fan.leads):
                node = cell << 2 | heading
                rows[node + OFFSET] = fan.rows[heading]
                if to != leads[node]:
                    leads[node] = to
                    self.redrawn[phase].add(node)
                if self.passing:
                    self.through[phase][node] = fan.through[heading]

    def _beamed(self, phase: int, links: Mapping[int, int], *, virtual: bool) -> set[int]:
        """Return the cells with a move onto a linked transporter."""
        over = self._over[phase << 1 | virtual]
        return {cell for origin in links for cell in over.get(origin, ())}

    def _fan(self, solo: SoloEngine, phase: int, cell: int, *, virtual: bool) -> Fan:
        """Return the results from a cell, for each of KINDS and an empty register.

        After the move, the ship treats all headings alike.
        """
        key = phase, cell << 2, "", virtual
        for fan in self._fans.get(key, ()):
            if _holds(fan.hops, self._links):
                return fan
        rest = self._recalled(solo, key)
        drives = [
            [self._recalled(solo, (phase, cell << 2 | heading, kind, virtual)) for kind in DRIVES]
            for heading in HEADINGS
        ]
        hops: Hops = []
        if self._stations:
            ways = [track.entered for tracks in drives for track in tracks]
            hops = self._hops({*rest.entered}.union(*ways))
        found = []
        for heading in HEADINGS:
            # A step back is a step forward by a robot facing the other way.
            back = drives[opposite(heading)][0].turned(2)
            turns = [rest.turned(heading + QUARTERS[kind]) for kind in "LRU"]
            still = rest.turned(heading)
            found.append([*drives[heading], back, *turns, still, still])
        fan = Fan(hops, found)
        if hops:
            self._fans.setdefault(key, []).append(fan)
        if not self._base:
            for station, _ in hops:
                self._over[phase << 1 | virtual].setdefault(station, set()).add(cell)
        return fan

    def _hops(self, cells: Iterable[int]) -> Hops:
        return [(cell, self._links.get(cell, OFF)) for cell in self._stations.intersection(cells)]

    def _recalled(self, solo: SoloEngine, key: Key) -> Track:
        """Return the track of a moving or waiting robot. The first call plays it.

        Links only matter to tracks that enter a transporter.
        """
        for hops, track in self._kept.get(key, ()):
            if _holds(hops, self._links):
                return track
        phase, node, kind, virtual = key
        if kind:
            track = self._drive(solo, phase, _blank(solo, node, virtual), kind)
        else:
            track = self._rest(solo, phase, _blank(solo, node, virtual))
        met = self._hops(track.entered) if self._stations else []
        # Other tracks are used only once.
        if met or self._links or not kind:
            self._kept.setdefault(key, []).append((met, track))
        return track

    def _drive(self, solo: SoloEngine, phase: int, blank: RobotState, kind: str) -> Track:
        """Move a robot by a chip. After the move, the ship treats all robots alike."""
        ahead = solo.execute(phase, blank, kind)
        way = solo.entered()
        if placed(ahead, blank.cell, ahead.heading) != blank or (way and ahead.cell in self._slippery):
            after = solo.play(phase, blank, kind)
            return self._track(solo, after, solo.entered() if way else (blank.cell, *solo.entered()))
        rest = self._recalled(solo, (phase, ahead.cell << 2, "", blank.virtual)).turned(blank.heading)
        plain = rest.plain and not (self._wary and not self._special.isdisjoint(way))
        return Track(rest.node, rest.damage, way + rest.entered, plain)

    def _rest(self, solo: SoloEngine, phase: int, blank: RobotState) -> Track:
        """Return the ship's effect on a robot in a cell."""
        after = solo.play(phase, blank, "P")
        track = self._track(solo, after, (blank.cell, *solo.entered()))
        track.entered = track.entered[1:]
        return track

    def _track(self, solo: SoloEngine, after: RobotState, visited: tuple[int, ...]) -> Track:
        """Return the track of the phase just played; the robot acted from these cells."""
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
        return Track(node, after.damage, visited, plain)


def _holds(hops: Hops, links: Mapping[int, int]) -> bool:
    """Return whether transporters have the targets in the hops."""
    for station, to in hops:  # noqa: SIM110 - a generator costs more where this is compiled
        if links.get(station, OFF) != to:
            return False
    return True


def cells_of(setup: Setup, steps: Iterable[PlacedStep]) -> frozenset[int]:
    """Return the cells of all steps limited to certain cells."""
    marks = 0
    for _, _, mark in steps:
        marks |= mark & ~EVERYWHERE
    return frozenset([cell for cell, concern in enumerate(setup.concerns) if concern & marks])


def _blank(solo: SoloEngine, node: int, virtual: bool) -> RobotState:
    robot_state = placed(solo.start, node >> 2, node & 3)
    return robot_state._replace(virtual=True) if virtual else robot_state


def _explorer(setup: Setup, links: Mapping[int, int]) -> SoloEngine:
    """Return an engine for a robot unaffected by checkpoints, on an undamaged ship."""
    ship = setup.starship
    cell = next(iter(ship.hull), ship.cell(0, 0))
    robot = Robot(0, "", cell, 0, cell, LIVES, next=0, start=cell)
    return SoloEngine(
        setup, State(1, [robot], dict.fromkeys(ship.hull_damage, 0), dict(links), set(links)), 0
    )
