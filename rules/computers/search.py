"""Explore all programs of a hand, phase by phase, ignoring other robots.

The state of a robot (`RobotState`) is written as one number. Its low bits hold the node (4 × cell + heading).
Its high bits are an index for everything else, such as damage and lives, which rarely changes. Playing a
phase is therefore usually one addition. Chips of the same kind are tried once. If several programs lead to
the same state, the search continues with one of them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from rules.computers.chart import NEVER, Chart, Evaluator, PartialValue, chart_of
from rules.computers.effects import (
    DAMAGE,
    KINDS,
    LIVES,
    NODE,
    NOTHING,
    OFFSET,
    UNKNOWN,
    UNKNOWN_ROW,
    RobotState,
    Row,
    SoloEngine,
    placed,
)
from rules.grid import OFF, PHASES
from rules.orders import MOVES, PAUSE, REGISTERS, Chip
from rules.programming import must_move_first
from rules.setup import Setup
from rules.state import LAZYBOT, State

KIND_INDEX: Final = {kind: index for index, kind in enumerate(KINDS)} | {"": NOTHING}
"""The position of each kind of chip, and of an empty register, in a row of results (`Row`)."""

REAL_ROWS: Final = 0
VIRTUAL_ROWS: Final = 1
GUARDED_ROWS: Final = 2
"""The value in `SoloSimulator.row_source` for a real robot on a ship with damaged hull."""
NO_ROWS: Final = 3
"""The value in `SoloSimulator.row_source` for states without prepared results.

In these states, the robot is switched off or off the board, or the game has a crystal.
"""


class SoloSimulator:
    """Plays phases with one robot on a ship without other robots. States are written as numbers."""

    def __init__(self, setup: Setup, state: State, index: int) -> None:
        self.solo = SoloEngine(setup, state, index)
        self.chart: Chart = chart_of(setup, self.solo.turn.state.links)
        self.classes = self.chart.classes
        self.limit = setup.ruleset.damage_limit
        self.bits = (self.chart.nodes + OFFSET).bit_length()
        self.mask = (1 << self.bits) - 1
        self.done: list[bool] = []
        """Whether the robot executes no more chips this turn.

        The index is the high bits of the state's number.
        """
        self.row_source: list[int] = []
        """The rows with the results of a state: REAL_ROWS, VIRTUAL_ROWS, GUARDED_ROWS or NO_ROWS.

        The index is the high bits of the state's number.
        """
        self._rests: list[RobotState] = []
        self._wins: list[bool] = []
        self._damaged: list[frozenset[int]] = []
        self._numbers: dict[RobotState, int] = {}
        self._hurt: dict[tuple[int, int, bool], int] = {}
        self._known: list[dict[int, int]] = [{} for _ in self.classes]
        self._ends: tuple[dict[int, int], dict[int, int]] = {}, {}
        self._typical: tuple[dict[int, int], dict[int, int]] = {}, {}
        self.start = self.solo.start
        self.origin = self.number(self.start)

    # States and their numbers

    def number(self, robot_state: RobotState) -> int:
        rest = placed(robot_state, OFF, 0)
        number = self._numbers.get(rest)
        if number is None:
            number = self._numbers[rest] = len(self._rests)
            self._rests.append(rest)
            self.done.append(robot_state.done)
            self._wins.append(robot_state.won)
            self.row_source.append(self._row_source(robot_state))
            self._damaged.append(self._damaged_hull(robot_state))
        node = (robot_state.cell << 2 | robot_state.heading) + OFFSET
        return number << self.bits | node

    def robot_state(self, number: int) -> RobotState:
        node = (number & self.mask) - OFFSET
        return placed(self._rests[number >> self.bits], node >> 2, node & 3)

    def turned(self, number: int, heading: int) -> int:
        """Return the number of a state that differs from the given one only in the heading."""
        return number & ~3 | heading

    def _row_source(self, robot_state: RobotState) -> int:
        if robot_state.down or not robot_state.alive or self.solo.crystal:
            return NO_ROWS
        if robot_state.virtual:
            return VIRTUAL_ROWS
        return GUARDED_ROWS if any(robot_state.hull) else REAL_ROWS

    def won(self, number: int) -> bool:
        """Return whether the robot has won in this state."""
        return self._wins[number >> self.bits]

    def _damaged_hull(self, robot_state: RobotState) -> frozenset[int]:
        ship, numbers = self.solo.ship, self.solo.damaged_numbers
        left_at = zip(numbers, robot_state.hull, strict=True)
        return frozenset([ship.checkpoints[number] for number, left in left_at if left])

    # Phases

    def row(self, phase: int, robot_state: int) -> Row:
        """Return the results of each kind of chip in a state. If a result is UNKNOWN, `after` can find it."""
        node = robot_state & self.mask
        row_source = self.row_source[robot_state >> self.bits]
        if row_source == NO_ROWS or node < OFFSET:
            return UNKNOWN_ROW
        if row_source == REAL_ROWS:
            return self.chart.rows[phase][node]
        if row_source == VIRTUAL_ROWS:
            return self.chart.virtual_row(phase, node)
        return self.chart.guarded(phase, node, self._damaged[robot_state >> self.bits])

    def after(self, phase: int, robot_state: int, kind_index: int) -> int:
        """Return the number of the state after a phase. ``kind_index`` is the chip's index in `KINDS`."""
        known = self._known[self.classes[phase]]
        key = robot_state << 4 | kind_index
        found = known.get(key)
        if found is None:
            found = known[key] = self._after(phase, robot_state, kind_index)
        return found

    def _after(self, phase: int, robot_state: int, kind_index: int) -> int:
        to = self.row(phase, robot_state)[kind_index]
        if to != UNKNOWN:
            node, damage = to & NODE, to >> DAMAGE
            rest = robot_state >> self.bits
            if not damage and node >= OFFSET:
                return rest << self.bits | node
            if damage + self._rests[rest].damage < self.limit:
                return self._changed(rest, damage, node < OFFSET) << self.bits | node
        return self.number(self._met(phase, robot_state, kind_index))

    def _met(self, phase: int, number: int, kind_index: int) -> RobotState:
        """Play a phase whose result is not in the effect tables, and return the state after the phase.

        Earlier damage makes no difference to a phase, unless the robot is destroyed or repaired in it. States
        that differ only in damage therefore share the result.
        """
        robot_state, kind = self.robot_state(number), "" if kind_index == NOTHING else KINDS[kind_index]
        if self.row_source[number >> self.bits] != NO_ROWS and robot_state.cell != OFF:
            suffered = 0 if self.chart.mends else robot_state.damage
            fresh = robot_state._replace(damage=robot_state.damage - suffered, lives=LIVES)
            key = self.classes[phase], kind_index, fresh
            met = self.chart.met.get(key)
            if met is None:
                met = self.chart.met[key] = self.solo.play(phase, fresh, kind)
            if suffered + met.damage < self.limit:
                lives = max(0, robot_state.lives - LIVES + met.lives)
                return met._replace(damage=suffered + met.damage, lives=lives)
        return self.solo.play(phase, robot_state, kind)

    def _changed(self, rest: int, damage: int, lost: bool) -> int:
        """Return the high bits of the robot's state after it takes damage or, if ``lost``, is destroyed."""
        key = rest, damage, lost
        if key not in self._hurt:
            before = self._rests[rest]
            after = before._replace(damage=before.damage + damage)
            if lost:
                after = after._replace(alive=False, lives=max(0, before.lives - 1))
            self._hurt[key] = self.number(after) >> self.bits
        return self._hurt[key]

    # The end of a turn

    def end(self, robot_state: int, *, power_down: bool = False) -> int:
        """Return the robot's state at the start of the next turn."""
        known = self._ends[power_down]
        node, after = robot_state & self.mask, self._typical[power_down].get(robot_state >> self.bits)
        if after is not None and not self.chart.ends_apart[node >> 2]:
            return after << self.bits | node
        found = known.get(robot_state)
        if found is None:
            found = known[robot_state] = self._end(robot_state, power_down)
        return found

    def _end(self, robot_state: int, power_down: bool) -> int:
        """Return the state at the start of the next turn.

        The end of the turn is played only once for similar states. Similar states differ only in heading, or
        in cells where the end of a turn has no effect.
        """
        rest, node = self._rests[robot_state >> self.bits], robot_state & self.mask
        if rest.over or rest.won:
            return robot_state
        if self.solo.crystal:
            return self._played(robot_state, power_down)
        if node & 3:
            return self.end(robot_state & ~3, power_down=power_down) | node & 3
        if not rest.alive or node < OFFSET or self.chart.ends_apart[node >> 2]:
            return self._played(robot_state, power_down)
        number = robot_state >> self.bits
        known = self._typical[power_down]
        if number not in known:
            after = self._played(robot_state, power_down)
            if after & self.mask != node:
                return after
            known[number] = after >> self.bits
        return known[number] << self.bits | node

    def _played(self, robot_state: int, power_down: bool) -> int:
        return self.number(self.solo.end(self.robot_state(robot_state), power_down=power_down))


FIELD: Final = 4
"""The number of bits for each kind of chip in a packed hand, and for each phase in a path."""
HAND_BITS: Final = FIELD * len(KINDS)
HAND_MASK: Final = (1 << HAND_BITS) - 1
ONE: Final = tuple(1 << FIELD * kind_index for kind_index in range(len(KINDS)))
"""For each kind of chip, the number that stands for one such chip in a packed hand.

A packed hand is a number with 4 bits for each kind.
"""
ANY: Final = sum(ONE)
MOVING: Final = tuple(index for index, kind in enumerate(KINDS) if kind in MOVES)

KIND_INDEXES: Final = {
    sum(ONE[kind_index] for kind_index in range(len(KINDS)) if mask >> kind_index & 1): tuple(
        kind_index for kind_index in range(len(KINDS)) if mask >> kind_index & 1
    )
    for mask in range(1 << len(KINDS))
}
"""For each set of kinds of chip, their indexes in `KINDS`. A set is the sum of its kinds' `ONE` numbers."""

Path = int
"""A program as one number: a mark for the heading, then a kind of chip for each phase.

A kind is given by its index in `KINDS` plus 1.
"""
START: Final = 1 << FIELD - 1
"""The mark for an unchanged heading. The mark for a chosen heading is START + 1 + heading."""


class Plan(NamedTuple):
    """A program: the heading to start with (None to keep it), and the kinds of chips by phase."""

    heading: int | None
    kinds: str


def plan_of(path: Path) -> Plan:
    """Return the program that a path stands for, with “-” for an empty register."""
    kinds = []
    while path >= START << FIELD:
        kind_index = (path & 15) - 1
        kinds.append("-" if kind_index == NOTHING else KINDS[kind_index])
        path >>= FIELD
    heading = path - START - 1
    return Plan(None if heading < 0 else heading, "".join(reversed(kinds)))


def length_of(path: Path) -> int:
    """Return the number of phases in a program, given as a path."""
    return (path.bit_length() - 1) // FIELD


class ProgramConstraints(NamedTuple):
    """The choices for a robot's program.

    ``chips`` has the number of chips of each kind, ``locked`` the kinds of chips in locked registers, and
    ``headings`` the possible headings to start with. With ``moves_first``, the first chip must move the
    robot.
    """

    chips: tuple[int, ...]
    locked: Mapping[int, str]
    headings: Sequence[int | None]
    moves_first: bool

    @property
    def packed(self) -> int:
        """The number of chips of each kind, packed into one number for `choices`."""
        return sum(count << FIELD * kind_index for kind_index, count in enumerate(self.chips))


def constraints_of(setup: Setup, state: State, index: int, hand: Sequence[Chip]) -> ProgramConstraints:
    """Return the choices that a robot has for its program in this turn."""
    robot = state.robots[index]
    count = Counter([chip.kind for chip in hand])
    if robot.model == LAZYBOT:
        count[PAUSE.kind] += 1
    locked = {register: chip.kind if (chip := robot.registers[register]) else "" for register in robot.locked}
    choice = robot.returned and "heading" in setup.ruleset.orders
    return ProgramConstraints(
        tuple([count[kind] for kind in KINDS]),
        locked,
        (0, 1, 2, 3) if choice else (None,),
        must_move_first(setup, state, hand) and 0 not in locked,
    )


def search(
    simulator: SoloSimulator, constraints: ProgramConstraints, origin: int | None = None
) -> dict[int, Path]:
    """Return all states that a robot can reach at the end of phase 5, each with a program that leads to it.

    The search starts from ``origin``, or from the robot's current state. If the robot is destroyed or the
    game ends, the program has fewer than five phases.
    """
    ends: dict[int, Path] = {}
    level: dict[int, Path] = {}
    begin = simulator.origin if origin is None else origin
    for heading in constraints.headings:
        robot_state = begin if heading is None else simulator.turned(begin, heading)
        level[robot_state << HAND_BITS | constraints.packed] = (
            START if heading is None else START + 1 + heading
        )
    for phase in PHASES:
        locked = constraints.locked.get(phase - 1)
        if locked is not None:
            level = _forced(simulator, phase, KIND_INDEX[locked], level, ends)
        else:
            level = _advance(simulator, phase, phase == 1 and constraints.moves_first, level, ends)
    return ends


def _advance(
    simulator: SoloSimulator, phase: int, moves_first: bool, level: dict[int, Path], ends: dict[int, Path]
) -> dict[int, Path]:
    """Play one phase of all programs in ``level``, and return the programs with further phases.

    Finished programs are added to ``ends``.
    """
    ahead: dict[int, Path] = {}
    last = phase == REGISTERS
    bits, mask, done, sources = simulator.bits, simulator.mask, simulator.done, simulator.row_source
    rows = simulator.chart.rows[phase]
    for key, path in level.items():
        robot_state, chips = key >> HAND_BITS, key & HAND_MASK
        node = robot_state & mask
        base = robot_state - node
        row = rows[node] if sources[robot_state >> bits] == REAL_ROWS else simulator.row(phase, robot_state)
        kinds = (chips | chips >> 1 | chips >> 2 | chips >> 3) & ANY
        path <<= FIELD
        for kind_index in MOVING if moves_first else KIND_INDEXES[kinds]:
            if moves_first and not kinds & ONE[kind_index]:
                continue
            to = row[kind_index]
            if 4 <= to <= NODE:
                after, over = base + to, last
            else:
                after = simulator.after(phase, robot_state, kind_index)
                over = last or done[after >> bits]
            if over:
                ends.setdefault(after, path + kind_index + 1)
            else:
                ahead.setdefault((after << HAND_BITS) + chips - ONE[kind_index], path + kind_index + 1)
    return ahead


def _forced(
    simulator: SoloSimulator, phase: int, kind_index: int, level: dict[int, Path], ends: dict[int, Path]
) -> dict[int, Path]:
    """Play one phase with a locked register, for all programs in ``level``.

    ``kind_index`` is the locked chip's index in `KINDS`. The result is the same as for `_advance`.
    """
    ahead: dict[int, Path] = {}
    last = phase == REGISTERS
    for key, path in level.items():
        after = simulator.after(phase, key >> HAND_BITS, kind_index)
        path = (path << FIELD) + kind_index + 1
        if last or simulator.done[after >> simulator.bits]:
            if after not in ends:
                ends[after] = path
        else:
            left = after << HAND_BITS | key & HAND_MASK
            if left not in ahead:
                ahead[left] = path
    return ahead


def choices(constraints: ProgramConstraints, phase: int, chips: int) -> Iterator[tuple[int, int, int]]:
    """Yield the kinds of chip that can be played in a phase.

    For each kind, yields its index in `KINDS`, the packed hand without one such chip, and the number of such
    chips in the hand. A locked register allows only its own chip.
    """
    if (locked := constraints.locked.get(phase - 1)) is not None:
        yield KIND_INDEX[locked], chips, 1
        return
    for kind_index, kind in enumerate(KINDS):
        copies = chips >> FIELD * kind_index & 15
        if copies and not (phase == 1 and constraints.moves_first and kind not in MOVES):
            yield kind_index, chips - (1 << FIELD * kind_index), copies


class TurnEndEvaluator:
    """Judges states after phase 5. ``lives`` are the robot's lives before the turn."""

    def __init__(self, simulator: SoloSimulator, evaluator: Evaluator, lives: int) -> None:
        self.simulator, self.evaluator, self.lives = simulator, evaluator, lives
        self._known: tuple[dict[int, float], dict[int, float]] = {}, {}
        self._partial_values: dict[int, PartialValue | None] = {}

    def value_of(self, robot_state: int, *, power_down: bool = False) -> float:
        """Return the value of a state after phase 5, judged once the end of the turn is played."""
        known = self._known[power_down]
        found = known.get(robot_state)
        if found is None:
            found = known[robot_state] = self._between(self.simulator.end(robot_state, power_down=power_down))
        return found

    def _between(self, end: int) -> float:
        """Return the value of a state between two turns, in phases."""
        simulator, partial_values = self.simulator, self._partial_values
        number, node = end >> simulator.bits, (end & simulator.mask) - OFFSET
        if number not in partial_values:
            partial_values[number] = self.evaluator.partial_value(simulator.robot_state(end), self.lives)
        partial_value = partial_values[number]
        if partial_value is not None and node >= 0:
            way = float(partial_value.ways[node])
            if way < NEVER:
                return self.evaluator.value_at_distance(partial_value, way)
        return self.evaluator.value_of(simulator.robot_state(end), self.lives)
