"""Explore all programs of a hand, phase by phase, ignoring other robots.

A robot's state (a `Stand`) is one number here. The high bits number the parts that rarely change between
phases, and the low bits hold the node (4 × cell + heading). So playing a phase is usually an addition. Chips
of the same kind count once, and so do programs that lead to the same stand.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from rules.computers.chart import NEVER, Aim, Chart, Worth, chart_of
from rules.computers.tracks import (
    DAMAGE,
    DARK,
    KINDS,
    LIVES,
    NODE,
    NOTHING,
    OFFSET,
    UNKNOWN,
    Alone,
    Row,
    Stand,
    placed,
)
from rules.grid import OFF, PHASES
from rules.orders import MOVES, PAUSE, REGISTERS, Chip
from rules.programming import must_move_first
from rules.setup import Setup
from rules.state import LAZYBOT, State

PLACE: Final = {kind: place for place, kind in enumerate(KINDS)} | {"": NOTHING}
"""The index of each kind of chip in a row, and of an empty register."""

REAL: Final = 0
VIRTUAL: Final = 1
BY_HULL: Final = 2
"""A real robot, on a ship with damaged hull."""
ODD: Final = 3
"""Stands without a row: off, off the board, or with a crystal in the game."""


class Lane:
    """The phases of a single robot on its ship, with stands as numbers."""

    def __init__(self, setup: Setup, state: State, index: int) -> None:
        self.alone = Alone(setup, state, index)
        self.chart: Chart = chart_of(setup, self.alone.turn.state.links)
        self.classes = self.chart.classes
        self.limit = setup.ruleset.damage_limit
        self.bits = (self.chart.nodes + OFFSET).bit_length()
        self.mask = (1 << self.bits) - 1
        self.done: list[bool] = []
        """By the high bits of a stand: whether the turn is done."""
        self.manner: list[int] = []
        """By the high bits of a stand: the kind of rows to use."""
        self._rests: list[Stand] = []
        self._wins: list[bool] = []
        self._damaged: list[frozenset[int]] = []
        self._numbers: dict[Stand, int] = {}
        self._hurt: dict[tuple[int, int, bool], int] = {}
        self._known: list[dict[int, int]] = [{} for _ in self.classes]
        self._ends: tuple[dict[int, int], dict[int, int]] = {}, {}
        self._typical: tuple[dict[int, int], dict[int, int]] = {}, {}
        self.start = self.alone.start
        self.origin = self.number(self.start)

    # Stands and their numbers

    def number(self, stand: Stand) -> int:
        rest = placed(stand, OFF, 0)
        number = self._numbers.get(rest)
        if number is None:
            number = self._numbers[rest] = len(self._rests)
            self._rests.append(rest)
            self.done.append(stand.done)
            self._wins.append(stand.won)
            self.manner.append(self._manner(stand))
            self._damaged.append(self._damaged_hull(stand))
        node = (stand.cell << 2 | stand.heading) + OFFSET
        return number << self.bits | node

    def stand(self, number: int) -> Stand:
        node = (number & self.mask) - OFFSET
        return placed(self._rests[number >> self.bits], node >> 2, node & 3)

    def turned(self, number: int, heading: int) -> int:
        """Return the same stand with another heading."""
        return number & ~3 | heading

    def _manner(self, stand: Stand) -> int:
        if stand.down or not stand.alive or self.alone.crystal:
            return ODD
        if stand.virtual:
            return VIRTUAL
        return BY_HULL if any(stand.hull) else REAL

    def won(self, number: int) -> bool:
        """Return whether the robot has won in this stand."""
        return self._wins[number >> self.bits]

    def _damaged_hull(self, stand: Stand) -> frozenset[int]:
        ship, numbers = self.alone.ship, self.alone.damaged_numbers
        left_at = zip(numbers, stand.hull, strict=True)
        return frozenset([ship.checkpoints[number] for number, left in left_at if left])

    # Phases

    def row(self, phase: int, stand: int) -> Row:
        """Return a stand's targets by chip. If a target is UNKNOWN, `after` can find it."""
        node = stand & self.mask
        manner = self.manner[stand >> self.bits]
        if manner == ODD or node < OFFSET:
            return DARK
        if manner == REAL:
            return self.chart.rows[phase][node]
        if manner == VIRTUAL:
            return self.chart.ghost(phase, node)
        return self.chart.guarded(phase, node, self._damaged[stand >> self.bits])

    def after(self, phase: int, stand: int, place: int) -> int:
        """Return the stand after a phase, given the index in KINDS of the executed chip."""
        known = self._known[self.classes[phase]]
        key = stand << 4 | place
        found = known.get(key)
        if found is None:
            found = known[key] = self._after(phase, stand, place)
        return found

    def _after(self, phase: int, stand: int, place: int) -> int:
        to = self.row(phase, stand)[place]
        if to != UNKNOWN:
            node, damage = to & NODE, to >> DAMAGE
            rest = stand >> self.bits
            if not damage and node >= OFFSET:
                return rest << self.bits | node
            if damage + self._rests[rest].damage < self.limit:
                return self._changed(rest, damage, node < OFFSET) << self.bits | node
        return self.number(self._met(phase, stand, place))

    def _met(self, phase: int, number: int, place: int) -> Stand:
        """Return the stand after a phase without a general result.

        Earlier damage makes no difference to the phase, unless the robot is destroyed or repaired. So results
        are shared between stands with different damage.
        """
        stand, kind = self.stand(number), "" if place == NOTHING else KINDS[place]
        if self.manner[number >> self.bits] != ODD and stand.cell != OFF:
            suffered = 0 if self.chart.mends else stand.damage
            fresh = stand._replace(damage=stand.damage - suffered, lives=LIVES)
            key = self.classes[phase], place, fresh
            met = self.chart.met.get(key)
            if met is None:
                met = self.chart.met[key] = self.alone.play(phase, fresh, kind)
            if suffered + met.damage < self.limit:
                lives = max(0, stand.lives - LIVES + met.lives)
                return met._replace(damage=suffered + met.damage, lives=lives)
        return self.alone.play(phase, stand, kind)

    def _changed(self, rest: int, damage: int, lost: bool) -> int:
        """Return the high bits of a stand after the robot was damaged or destroyed."""
        key = rest, damage, lost
        if key not in self._hurt:
            before = self._rests[rest]
            after = before._replace(damage=before.damage + damage)
            if lost:
                after = after._replace(alive=False, lives=max(0, before.lives - 1))
            self._hurt[key] = self.number(after) >> self.bits
        return self._hurt[key]

    # The end of a turn

    def end(self, stand: int, *, power_down: bool = False) -> int:
        """Return the robot's stand at the start of the next turn."""
        known = self._ends[power_down]
        node, after = stand & self.mask, self._typical[power_down].get(stand >> self.bits)
        if after is not None and not self.chart.ends_apart[node >> 2]:
            return after << self.bits | node
        found = known.get(stand)
        if found is None:
            found = known[stand] = self._end(stand, power_down)
        return found

    def _end(self, stand: int, power_down: bool) -> int:
        """Play the end of a turn, unless an equivalent stand has been played.

        The heading makes no difference, and cells differ only if a step concerns them.
        """
        rest, node = self._rests[stand >> self.bits], stand & self.mask
        if rest.over or rest.won:
            return stand
        if self.alone.crystal:
            return self._played(stand, power_down)
        if node & 3:
            return self.end(stand & ~3, power_down=power_down) | node & 3
        if not rest.alive or node < OFFSET or self.chart.ends_apart[node >> 2]:
            return self._played(stand, power_down)
        number = stand >> self.bits
        known = self._typical[power_down]
        if number not in known:
            after = self._played(stand, power_down)
            if after & self.mask != node:
                return after
            known[number] = after >> self.bits
        return known[number] << self.bits | node

    def _played(self, stand: int, power_down: bool) -> int:
        return self.number(self.alone.end(self.stand(stand), power_down=power_down))


FIELD: Final = 4
"""Bits per kind in a count of chips, and per phase in a path."""
HAND_BITS: Final = FIELD * len(KINDS)
HAND_MASK: Final = (1 << HAND_BITS) - 1
ONE: Final = tuple(1 << FIELD * place for place in range(len(KINDS)))
"""One chip of each kind, in packed counts."""
ANY: Final = sum(ONE)
MOVING: Final = tuple(place for place, kind in enumerate(KINDS) if kind in MOVES)

PLACES: Final = {
    sum(ONE[place] for place in range(len(KINDS)) if mask >> place & 1): tuple(
        place for place in range(len(KINDS)) if mask >> place & 1
    )
    for mask in range(1 << len(KINDS))
}
"""The indexes of the kinds in a hand, by the sum of their entries in ONE."""

Path = int
"""A program: a mark for the heading, then a kind for each phase (its index plus 1)."""
START: Final = 1 << FIELD - 1
"""The mark for an unchanged heading. A chosen one is START + 1 + heading."""


class Plan(NamedTuple):
    """The heading to start with (None: unchanged) and the kinds of the chips by phase."""

    heading: int | None
    kinds: str


def plan_of(path: Path) -> Plan:
    """Return the program of a path; “-” is an empty register."""
    kinds = []
    while path >= START << FIELD:
        place = (path & 15) - 1
        kinds.append("-" if place == NOTHING else KINDS[place])
        path >>= FIELD
    heading = path - START - 1
    return Plan(None if heading < 0 else heading, "".join(reversed(kinds)))


def length_of(path: Path) -> int:
    """Return the number of phases in a path."""
    return (path.bit_length() - 1) // FIELD


class Means(NamedTuple):
    """A robot's options for a program: chips by kind, and locked chips by register."""

    chips: tuple[int, ...]
    locked: Mapping[int, str]
    headings: Sequence[int | None]
    moves_first: bool

    @property
    def packed(self) -> int:
        """The counts of chips in one number, as for `choices`."""
        return sum(count << FIELD * place for place, count in enumerate(self.chips))


def means_of(setup: Setup, state: State, index: int, hand: Sequence[Chip]) -> Means:
    """Return a robot's options for this turn's program."""
    robot = state.robots[index]
    count = Counter([chip.kind for chip in hand])
    if robot.model == LAZYBOT:
        count[PAUSE.kind] += 1
    locked = {register: chip.kind if (chip := robot.registers[register]) else "" for register in robot.locked}
    choice = robot.returned and "heading" in setup.ruleset.orders
    return Means(
        tuple([count[kind] for kind in KINDS]),
        locked,
        (0, 1, 2, 3) if choice else (None,),
        must_move_first(setup, state, hand) and 0 not in locked,
    )


def search(lane: Lane, means: Means, origin: int | None = None) -> dict[int, Path]:
    """Return all reachable stands after phase 5, each with a program for it.

    The search starts at ``origin``, by default the robot's present stand. Programs that end early, because
    the robot is destroyed or the game ends, have fewer than five phases.
    """
    ends: dict[int, Path] = {}
    level: dict[int, Path] = {}
    begin = lane.origin if origin is None else origin
    for heading in means.headings:
        stand = begin if heading is None else lane.turned(begin, heading)
        level[stand << HAND_BITS | means.packed] = START if heading is None else START + 1 + heading
    for phase in PHASES:
        locked = means.locked.get(phase - 1)
        if locked is not None:
            level = _forced(lane, phase, PLACE[locked], level, ends)
        else:
            level = _advance(lane, phase, phase == 1 and means.moves_first, level, ends)
    return ends


def _advance(
    lane: Lane, phase: int, moves_first: bool, level: dict[int, Path], ends: dict[int, Path]
) -> dict[int, Path]:
    """Play one phase of all programs. Finished programs go to ``ends``."""
    ahead: dict[int, Path] = {}
    last = phase == REGISTERS
    bits, mask, done, manner = lane.bits, lane.mask, lane.done, lane.manner
    rows = lane.chart.rows[phase]
    for key, path in level.items():
        stand, chips = key >> HAND_BITS, key & HAND_MASK
        node = stand & mask
        base = stand - node
        row = rows[node] if manner[stand >> bits] == REAL else lane.row(phase, stand)
        kinds = (chips | chips >> 1 | chips >> 2 | chips >> 3) & ANY
        path <<= FIELD
        for place in MOVING if moves_first else PLACES[kinds]:
            if moves_first and not kinds & ONE[place]:
                continue
            to = row[place]
            if 4 <= to <= NODE:
                after, over = base + to, last
            else:
                after = lane.after(phase, stand, place)
                over = last or done[after >> bits]
            if over:
                ends.setdefault(after, path + place + 1)
            else:
                ahead.setdefault((after << HAND_BITS) + chips - ONE[place], path + place + 1)
    return ahead


def _forced(
    lane: Lane, phase: int, place: int, level: dict[int, Path], ends: dict[int, Path]
) -> dict[int, Path]:
    """Play one phase of all programs with a locked register."""
    ahead: dict[int, Path] = {}
    last = phase == REGISTERS
    for key, path in level.items():
        after = lane.after(phase, key >> HAND_BITS, place)
        path = (path << FIELD) + place + 1
        if last or lane.done[after >> lane.bits]:
            if after not in ends:
                ends[after] = path
        else:
            left = after << HAND_BITS | key & HAND_MASK
            if left not in ahead:
                ahead[left] = path
    return ahead


def choices(means: Means, phase: int, chips: int) -> Iterator[tuple[int, int, int]]:
    """Yield the chips possible in a phase: index in KINDS, chips left, copies.

    A locked register allows only one.
    """
    if (locked := means.locked.get(phase - 1)) is not None:
        yield PLACE[locked], chips, 1
        return
    for place, kind in enumerate(KINDS):
        copies = chips >> FIELD * place & 15
        if copies and not (phase == 1 and means.moves_first and kind not in MOVES):
            yield place, chips - (1 << FIELD * place), copies


class Prospects:
    """The value of stands after phase 5, given the lives before."""

    def __init__(self, lane: Lane, worth: Worth, lives: int) -> None:
        self.lane, self.worth, self.lives = lane, worth, lives
        self._known: tuple[dict[int, float], dict[int, float]] = {}, {}
        self._aims: dict[int, Aim | None] = {}

    def of(self, stand: int, *, power_down: bool = False) -> float:
        """Return the value of a stand after phase 5, judged at the end of the turn."""
        known = self._known[power_down]
        found = known.get(stand)
        if found is None:
            found = known[stand] = self._between(self.lane.end(stand, power_down=power_down))
        return found

    def _between(self, end: int) -> float:
        """Return the value of a stand between two turns."""
        lane, aims = self.lane, self._aims
        number, node = end >> lane.bits, (end & lane.mask) - OFFSET
        if number not in aims:
            aims[number] = self.worth.aim(lane.stand(end), self.lives)
        aim = aims[number]
        if aim is not None and node >= 0:
            way = float(aim.ways[node])
            if way < NEVER:
                return self.worth.along(aim, way)
        return self.worth.of(lane.stand(end), self.lives)
