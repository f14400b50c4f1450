"""Judge all programs of a hand exactly, against known programs and against guesses at the others' orders.

The search follows all programs at once, phase by phase, with the engine itself. In each **world**, the orders
of the other robots are fixed: the first world has the orders that the puzzle shows, and the others have the
guesses of a review (`rules.review.worlds`). Chips of one kind are interchangeable, because ranks decide the
move order, so their orders are counted and not played. Programs that have come to equal states in all worlds,
with equal chips left, go on together. Nothing is cut off.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import perm
from typing import Final, NamedTuple

from rules.chance import Chance
from rules.dealing import Hand
from rules.engine import begin_phase, programs_of, run_where_needed
from rules.grid import AFTER, PHASES
from rules.orders import REGISTERS, Chip, Orders
from rules.resolution import Resolution
from rules.review.chances import Chances
from rules.setup import Setup
from rules.state import State

Key = tuple[object, ...]
Program = tuple[Chip | None, ...]


def without_ranks(setup: Setup) -> Setup:
    """Return the setup without the calculation of the next turn's ranks, which do not change any worth."""
    return replace(setup, ruleset=setup.ruleset.without("ranks"))


class World:
    """A turn with one robot's program still open. Each phase is played once for each state and kind.

    ``setup`` is `without_ranks`, ``orders`` are the orders of all other robots, and ``seed`` decides all
    chance.
    """

    def __init__(
        self, setup: Setup, state: State, index: int, orders: Mapping[int, Orders], seed: str
    ) -> None:
        self.setup, self.index, self.orders = setup, index, dict(orders)
        self.chance = Chance(seed, state.turn)
        self.programs = programs_of(state, self.orders)
        self.states: list[tuple[State, tuple[int, ...]]] = []
        self._numbers: dict[Key, int] = {}
        self._played: dict[tuple[int, int, str], int] = {}
        self._ended: dict[int, int] = {}
        self.start = self._number(state, ())

    def phase(self, number: int, phase: int, kind: str) -> int:
        """Return the number of the state after a phase with a kind of chip."""
        key = number, phase, kind
        found = self._played.get(key)
        if found is None:
            found = self._played[key] = self._phase(number, phase, kind)
        return found

    def end(self, number: int) -> int:
        """Return the number of the state at the end of the turn."""
        found = self._ended.get(number)
        if found is None:
            found = self._ended[number] = self._end(number)
        return found

    def after(self, program: Program) -> int:
        """Return the number of the state at the end of the turn with a program."""
        number = self.start
        for phase, chip in zip(PHASES, program, strict=True):
            number = self.phase(number, phase, chip.kind if chip else "")
        return self.end(number)

    def state(self, number: int) -> State:
        return self.states[number][0]

    def _phase(self, number: int, phase: int, kind: str) -> int:
        if self.state(number).over:
            return number
        turn = self._resolution(number, Chip(1, kind), phase)
        begin_phase(turn, phase)
        run_where_needed(turn, self.setup.phase)
        return self._judged(turn)

    def _end(self, number: int) -> int:
        if self.state(number).over:
            return number
        turn = self._resolution(number, None, 1)
        turn.phase = AFTER
        turn.ways, turn.falls = turn.ship.ways[AFTER], turn.ship.falls[AFTER]
        run_where_needed(turn, self.setup.end)
        return self._judged(turn)

    def _judged(self, turn: Resolution) -> int:
        if turn.departed:
            turn.run(self.setup.ruleset.verdict)
        return self._number(turn.state, tuple(robot.index for robot in turn.destroyed))

    def _resolution(self, number: int, chip: Chip | None, phase: int) -> Resolution:
        state, destroyed = self.states[number]
        state = state.copy()
        mine: list[Chip | None] = [None] * REGISTERS
        mine[phase - 1] = chip
        programs = {**self.programs, self.index: mine}
        turn = Resolution(self.setup, state, self.orders, programs, self.chance, logs=False)
        turn.destroyed += [state.robots[index] for index in destroyed]
        return turn

    def _number(self, state: State, destroyed: tuple[int, ...]) -> int:
        key = (*position_key(state), *destroyed)
        number = self._numbers.setdefault(key, len(self.states))
        if number == len(self.states):
            self.states.append((state, destroyed))
        return number


def position_key(state: State) -> Key:
    """Return a value that is equal for states that go on in the same way, apart from ranks and chips."""
    robots = [
        (
            *(robot.cell, robot.heading, robot.archive, robot.lives, robot.damage, robot.next),
            *(robot.alive, robot.virtual, robot.down, robot.returned, robot.place),
        )
        for robot in state.robots
    ]
    return (*robots, *state.hull.values(), state.over, state.winner)


class Line(NamedTuple):
    """Programs that lead to equal states in all worlds.

    ``ends`` has the number of the state in each world. ``orders`` is the number of the programs, and
    ``kinds`` are the kinds of chips of one of them.
    """

    ends: tuple[int, ...]
    orders: int
    kinds: str


def lines_of(worlds: Sequence[World], hand: Hand) -> list[Line]:
    """Return the lines of all programs of a hand. Their ``orders`` add up to the number of all programs."""
    counts = Counter(chip.kind for chip in hand)
    kinds = tuple(sorted(counts))
    start = tuple(world.start for world in worlds)
    level: dict[tuple[tuple[int, ...], tuple[int, ...]], tuple[int, str]] = {
        (start, tuple(counts[kind] for kind in kinds)): (1, "")
    }
    for phase in PHASES:
        ahead: dict[tuple[tuple[int, ...], tuple[int, ...]], tuple[int, str]] = {}
        for (numbers, left), (orders, path) in level.items():
            for place, kind in enumerate(kinds):
                if not left[place]:
                    continue
                after = tuple(
                    [world.phase(number, phase, kind) for world, number in zip(worlds, numbers, strict=True)]
                )
                key = after, (*left[:place], left[place] - 1, *left[place + 1 :])
                more = orders * left[place]
                old = ahead.get(key)
                ahead[key] = (old[0] + more, old[1]) if old else (more, path + kind)
        level = ahead
    ended: dict[tuple[int, ...], tuple[int, str]] = {}
    for (numbers, _), (orders, path) in level.items():
        ends = tuple([world.end(number) for world, number in zip(worlds, numbers, strict=True)])
        old = ended.get(ends)
        ended[ends] = (old[0] + orders, old[1]) if old else (orders, path)
    found = [Line(ends, orders, path) for ends, (orders, path) in ended.items()]
    assert sum(line.orders for line in found) == perm(len(hand), REGISTERS)
    return found


class Judged(NamedTuple):
    """A line with its worth: ``shown`` against the shown programs, and ``guessed`` over the guesses.

    Both are chances to win. ``end`` is the number of the state in the first world.
    """

    shown: float
    guessed: float
    end: int
    orders: int
    kinds: str


class Judge:
    """Judges programs in worlds. The first world has the shown programs, and all others are guesses.

    If there are no guesses, a program's ``guessed`` worth is that against the shown programs.
    """

    def __init__(self, worlds: Sequence[World], chances: Chances) -> None:
        self.worlds, self.chances = worlds, chances
        self.place = chances.players.index(worlds[0].index)
        self._known: list[dict[int, float]] = [{} for _ in worlds]

    def all(self, hand: Hand) -> list[Judged]:
        """Return all programs of a hand with their worth, as lines."""
        return [self.line(line) for line in lines_of(self.worlds, hand)]

    def one(self, program: Program) -> Judged:
        """Return a program with its worth."""
        kinds = "".join(chip.kind if chip else "-" for chip in program)
        return self.line(Line(tuple([world.after(program) for world in self.worlds]), 1, kinds))

    def line(self, line: Line) -> Judged:
        worths = [self.chance(number, end) for number, end in enumerate(line.ends)]
        guessed = worths[1:] or worths
        return Judged(worths[0], sum(guessed) / len(guessed), line.ends[0], line.orders, line.kinds)

    def chance(self, number: int, end: int) -> float:
        """Return the robot's chance to win in a state of the world with this number."""
        known = self._known[number]
        found = known.get(end)
        if found is None:
            found = known[end] = self.chances.of(self.worlds[number].state(end))[self.place]
        return found


LEAST_MARGIN: Final = 0.10
"""The least difference between the chance to win of the best program and of all others."""


class Best(NamedTuple):
    """The only best program of a hand.

    ``shown`` and ``guessed`` are its chances to win, and ``next_shown`` and ``next_guessed`` the best ones of
    all other programs. Programs that end the shown turn in the same state count as one program: ``orders`` is
    their number, of ``programs`` in all.
    """

    kinds: str
    shown: float
    next_shown: float
    guessed: float
    next_guessed: float
    orders: int
    programs: int


def only_best(judged: Sequence[Judged]) -> Best | None:
    """Return the program that is better than all others by `LEAST_MARGIN`, or None if there is none.

    It must be better in both ways: against the shown programs, and on average over the guesses.
    """
    best = max(judged, key=lambda line: (line.guessed, line.shown))
    same = [line for line in judged if line.end == best.end]
    rest = [line for line in judged if line.end != best.end]
    next_shown = max((line.shown for line in rest), default=best.shown)
    next_guessed = max((line.guessed for line in rest), default=best.guessed)
    if best.shown - next_shown < LEAST_MARGIN or best.guessed - next_guessed < LEAST_MARGIN:
        return None
    return Best(
        best.kinds,
        best.shown,
        next_shown,
        best.guessed,
        next_guessed,
        sum(line.orders for line in same),
        sum(line.orders for line in judged),
    )
