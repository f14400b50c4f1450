"""All programs of a hand, each played alone: chips of one kind are alike, and so are ways that meet."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from rules.chips import MOVES, PAUSE, REGISTERS, Chip
from rules.computers.lane import PLACE, REAL, Lane
from rules.computers.tracks import KINDS, NODE, NOTHING
from rules.grid import PHASES
from rules.models import LAZYBOT
from rules.programming import must_move_first
from rules.setup import Setup
from rules.state import State

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
    """Return every way in which a robot may stand after phase 5, with a program that leads there.

    It starts from where it stands now, or from another ``origin``.

    Programs that end early, by destruction or at the end of the game, are shorter than five.
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
