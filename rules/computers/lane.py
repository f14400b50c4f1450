"""A robot's ways through a turn as if it were alone: each phase played once, and all programs of a hand.

A stand is a number here: the number of everything that rarely changes from phase to phase, with the node
(a cell times four plus a heading) in the lower bits. So most phases are an addition. Chips of one kind
are alike, and so are ways that meet.
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
"""The place of each kind of chip in a row, and that of an empty register."""

REAL: Final = 0
VIRTUAL: Final = 1
BY_HULL: Final = 2
"""Real, on a ship whose hull is damaged."""
ODD: Final = 3
"""How a robot stands that no row is made for: off, off the board, or with the crystal about."""


class Lane:
    """The phases of a single robot on its ship, by stands that are numbers."""

    def __init__(self, setup: Setup, state: State, index: int) -> None:
        self.alone = Alone(setup, state, index)
        self.chart: Chart = chart_of(setup, self.alone.turn.state.links)
        self.classes = self.chart.classes
        self.limit = setup.ruleset.damage_limit
        self.bits = (self.chart.nodes + OFFSET).bit_length()
        self.mask = (1 << self.bits) - 1
        self.done: list[bool] = []
        """By what stays the same: whether nothing more is executed."""
        self.manner: list[int] = []
        """By what stays the same: which rows it goes by."""
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
        """Return the number of a stand."""
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
        """Return the stand of a number."""
        node = (number & self.mask) - OFFSET
        return placed(self._rests[number >> self.bits], node >> 2, node & 3)

    def turned(self, number: int, heading: int) -> int:
        """Return the number of the same stand in another heading."""
        return number & ~3 | heading

    def _manner(self, stand: Stand) -> int:
        if stand.down or not stand.alive or self.alone.crystal:
            return ODD
        if stand.virtual:
            return VIRTUAL
        return BY_HULL if any(stand.hull) else REAL

    def won(self, number: int) -> bool:
        """Return whether the robot that stands so has won."""
        return self._wins[number >> self.bits]

    def _damaged_hull(self, stand: Stand) -> frozenset[int]:
        """Return the cells of damaged hull."""
        ship, numbers = self.alone.ship, self.alone.damaged_numbers
        left_at = zip(numbers, stand.hull, strict=True)
        return frozenset([ship.checkpoints[number] for number, left in left_at if left])

    # Phases

    def row(self, phase: int, stand: int) -> Row:
        """Return the target of each chip from a stand. `after` can find those that are UNKNOWN."""
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
        """Return how the robot stands after a phase in which it executes the chip of a place in KINDS."""
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
        """Return how the robot stands after a phase that meets something which is not the same for all.

        What it had suffered before makes no difference to that, as long as it survives and is not repaired.
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
        """Return the number of what stays the same, after a robot was damaged, or lost."""
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
        """Return how the robot stands when the next turn begins."""
        known = self._ends[power_down]
        node, after = stand & self.mask, self._typical[power_down].get(stand >> self.bits)
        if after is not None and not self.chart.ends_apart[node >> 2]:
            return after << self.bits | node
        found = known.get(stand)
        if found is None:
            found = known[stand] = self._end(stand, power_down)
        return found

    def _end(self, stand: int, power_down: bool) -> int:
        """Play the end of a turn, unless it was played for an equivalent stand.

        It ignores the heading, and treats all cells alike except those that concern it.
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
"""Bits in which the chips left of one kind are counted, and a phase of a path is written."""
HAND_BITS: Final = FIELD * len(KINDS)
HAND_MASK: Final = (1 << HAND_BITS) - 1
ONE: Final = tuple(1 << FIELD * place for place in range(len(KINDS)))
"""One chip of each kind, as chips are counted."""
ANY: Final = sum(ONE)
MOVING: Final = tuple(place for place, kind in enumerate(KINDS) if kind in MOVES)

PLACES: Final = {
    sum(ONE[place] for place in range(len(KINDS)) if mask >> place & 1): tuple(
        place for place in range(len(KINDS)) if mask >> place & 1
    )
    for mask in range(1 << len(KINDS))
}
"""The places of the kinds that a hand has, by their sum in ONE."""

Path = int
"""A program: a mark with the heading to begin with, then for each phase the place of a kind, plus one."""
START: Final = 1 << FIELD - 1
"""The mark of a path that begins in the heading as it is; with another it is that much more, plus one."""


class Plan(NamedTuple):
    """The heading to begin with (None: as it is), and the kinds of the chips, phase by phase."""

    heading: int | None
    kinds: str


def plan_of(path: Path) -> Plan:
    """Return the program of a path; “-” stands for an empty register."""
    kinds = []
    while path >= START << FIELD:
        place = (path & 15) - 1
        kinds.append("-" if place == NOTHING else KINDS[place])
        path >>= FIELD
    heading = path - START - 1
    return Plan(None if heading < 0 else heading, "".join(reversed(kinds)))


def length_of(path: Path) -> int:
    """Return how many phases a path has."""
    return (path.bit_length() - 1) // FIELD


class Means(NamedTuple):
    """What a robot can program with: how many chips it has of each kind, and what is locked, by register."""

    chips: tuple[int, ...]
    locked: Mapping[int, str]
    headings: Sequence[int | None]
    moves_first: bool

    @property
    def packed(self) -> int:
        """The counts of the chips in one number, as `choices` takes it."""
        return sum(count << FIELD * place for place, count in enumerate(self.chips))


def means_of(setup: Setup, state: State, index: int, hand: Sequence[Chip]) -> Means:
    """Return what a robot can program with this turn."""
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
    """Return every stand that a robot may have after phase 5, with a program that leads there.

    It starts from its present stand, or from another ``origin``. Programs that end early, by destruction or
    at the end of the game, are shorter than five.
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
    """Play one phase of all programs; what is over, and all after the last phase, goes to the ends."""
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
    """Play one phase of all programs, in which a locked register leaves no choice."""
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
    """Yield what a phase can execute: a place of KINDS, the chips left then, and how many there were of it.

    A locked register leaves no choice.
    """
    if (locked := means.locked.get(phase - 1)) is not None:
        yield PLACE[locked], chips, 1
        return
    for place, kind in enumerate(KINDS):
        copies = chips >> FIELD * place & 15
        if copies and not (phase == 1 and means.moves_first and kind not in MOVES):
            yield place, chips - (1 << FIELD * place), copies


class Prospects:
    """The value of a stand after phase 5 for a robot with a number of lives before."""

    def __init__(self, lane: Lane, worth: Worth, lives: int) -> None:
        self.lane, self.worth, self.lives = lane, worth, lives
        self._known: tuple[dict[int, float], dict[int, float]] = {}, {}
        self._aims: dict[int, Aim | None] = {}

    def of(self, stand: int, *, power_down: bool = False) -> float:
        """Return what a stand after phase 5 is worth: by that to which the end of the turn leads."""
        known = self._known[power_down]
        found = known.get(stand)
        if found is None:
            found = known[stand] = self._between(self.lane.end(stand, power_down=power_down))
        return found

    def _between(self, end: int) -> float:
        """Return what it is worth to stand so between two turns."""
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
