"""All programs of a hand, each played alone: chips of one kind are alike, and so are ways that meet."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rules.chips import MOVES, PAUSE, REGISTERS, Chip
from rules.computers.lane import Lane, Stand
from rules.grid import PHASES
from rules.models import LAZYBOT
from rules.programming import must_move_first
from rules.setup import Setup
from rules.state import State

KINDS = ("1", "2", "3", "B", "L", "R", "U", "P")
FIELD = 4
"""Bits in which the chips left of one kind are counted."""


class Plan(NamedTuple):
    """The heading to begin with (None: as it is), and the kinds of the chips, phase by phase."""

    heading: int | None
    kinds: str


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
    count = Counter(chip.kind for chip in hand)
    if robot.model == LAZYBOT:
        count[PAUSE.kind] += 1
    locked = {register: chip.kind if (chip := robot.registers[register]) else "" for register in robot.locked}
    choice = robot.returned and "heading" in setup.ruleset.orders
    return Means(
        tuple(count[kind] for kind in KINDS),
        locked,
        (0, 1, 2, 3) if choice else (None,),
        must_move_first(setup, state, hand) and 0 not in locked,
    )


def search(lane: Lane, means: Means, origin: Stand | None = None) -> dict[Stand, Plan]:
    """Return every way in which a robot may stand after phase 5, with a program that leads there.

    It starts from where it stands now, or from another ``origin``.

    Programs that end early, by destruction or at the end of the game, are shorter than five.
    """
    ends: dict[Stand, Plan] = {}
    level: dict[tuple[Stand, int], Plan] = {}
    for heading in means.headings:
        start = origin or lane.start
        if heading is not None:
            start = start._replace(heading=heading)
        level[start, means.packed] = Plan(heading, "")
    for phase in PHASES:
        level = _advance(lane, means, phase, level, ends)
    return ends


def _advance(
    lane: Lane,
    means: Means,
    phase: int,
    level: dict[tuple[Stand, int], Plan],
    ends: dict[Stand, Plan],
) -> dict[tuple[Stand, int], Plan]:
    """Play one phase of all programs; what is over, and all after the last phase, goes to the ends."""
    ahead: dict[tuple[Stand, int], Plan] = {}
    step, last = lane.step, phase == REGISTERS
    for (stand, chips), plan in level.items():
        for kind, left, _ in choices(means, phase, chips):
            after = step(phase, stand, kind)
            if last or not after.alive or after.over or after.won:
                if after not in ends:
                    ends[after] = Plan(plan.heading, plan.kinds + (kind or "-"))
            elif (after, left) not in ahead:
                ahead[after, left] = Plan(plan.heading, plan.kinds + (kind or "-"))
    return ahead


def choices(means: Means, phase: int, chips: int) -> Iterator[tuple[str, int, int]]:
    """Yield what a phase can execute: a kind, the chips left then, and how many chips of that kind there are.

    A locked register leaves no choice.
    """
    if (locked := means.locked.get(phase - 1)) is not None:
        yield locked, chips, 1
        return
    for place, kind in enumerate(KINDS):
        copies = chips >> FIELD * place & 15
        if copies and not (phase == 1 and means.moves_first and kind not in MOVES):
            yield kind, chips - (1 << FIELD * place), copies
