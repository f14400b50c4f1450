"""Find puzzles in played turns.

A puzzle is the position of one robot at the start of a turn: the board, all robots, the programs of the other
robots, and a hand. One program is better than all others by `LEAST_MARGIN` of the chance to win, against the
shown programs and over a review's guesses at the other orders. So the solution is right for a
player who knows the programs, and was right for the player who did not.

A puzzle must be clear to people who see only one turn: all robots on the board are real, the robot has all
five registers free, and only chips are left to decide.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from rules.codec import Json
from rules.computers.pilot import Task, ranked
from rules.computers.search import plan_of
from rules.dealing import Hand
from rules.orders import REGISTERS, Chip, Orders
from rules.puzzles.search import LEAST_MARGIN, Best, Judge, Program, World, only_best, without_ranks
from rules.review.chances import Chances
from rules.review.credit import Played, public
from rules.review.worlds import Worlds
from rules.rulesets import ROBO_RUNNER
from rules.setup import Setup
from rules.state import Robot, State

SEED: Final = "puzzle"
"""The seed of all chance in puzzles."""

CANDIDATES: Final = 24
"""The number of programs to try before the exact search. They are the best ones without rivals."""

TRIVIAL: Final = 0.2
"""A position is too easy for a puzzle if this share of its programs or more are the solution."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with one best program.

    ``robot`` is the index of the robot to program, and ``programs`` are the orders of the other robots.
    ``direct`` is true if the solution is also the best program on an empty board.
    """

    setup: Setup
    state: State
    robot: int
    hand: Hand
    programs: Mapping[int, Orders]
    best: Best
    direct: bool

    @property
    def solution(self) -> tuple[Chip, ...]:
        """The chips of one best program."""
        return chips_of(self.hand, self.best.kinds)

    def world(self) -> World:
        """Return the turn with the shown programs, to try programs in."""
        return World(without_ranks(self.setup), self.state, self.robot, self.programs, SEED)


def puzzles_in(setup: Setup, played: Played, reviewed: Json | None = None) -> Iterator[Puzzle]:
    """Yield the puzzles of a played turn, in the order of the robots.

    ``reviewed`` is the turn's review (`turn_to_json`), if there is one. A robot whose orders were worse than
    the best ones, but by less than `LEAST_MARGIN`, has no puzzle, so it is not searched.
    """
    if not _is_plain(setup, played):
        return
    decisions = {} if reviewed is None else _decisions(reviewed)
    worlds: Worlds | None = None
    chances: Chances | None = None
    trial = without_ranks(setup)
    for robot in played.state.players:
        hand = tuple(played.hands.get(robot.index, ()))
        if not _is_free(robot, hand) or -LEAST_MARGIN < decisions.get(robot.index, 0.0) < 0:
            continue
        state = played.state.copy()
        programs = {index: orders for index, orders in played.orders.items() if index != robot.index}
        shown = World(trial, state, robot.index, programs, SEED)
        chances = chances or Chances(trial, state)
        if robot.index not in chances.evaluators:
            continue
        tried = _tried(shown, chances, hand)
        judge = Judge([shown], chances)
        if not _is_promising(judge, tried) or only_best(judge.all(hand)) is None:
            continue
        worlds = worlds or Worlds(setup, public(setup, state))
        guessed = [
            World(trial, state, robot.index, given, f"{worlds.seed}/{number}")
            for number, given in enumerate(_without(worlds.worlds, robot.index))
        ]
        judge = Judge([shown, *guessed], chances)
        best = only_best(judge.all(hand)) if _is_promising(judge, tried) else None
        if best and best.orders < TRIVIAL * best.programs:
            direct = shown.after(tried[0].program) == shown.after(chips_of(hand, best.kinds))
            yield Puzzle(setup, state, robot.index, hand, programs, best, direct)


def _decisions(reviewed: Json) -> dict[int, float]:
    return {figures["robot"] - 1: figures["decision"] for figures in reviewed["figures"]}


def _without(worlds: list[dict[int, Orders]], index: int) -> list[dict[int, Orders]]:
    return [{other: orders for other, orders in world.items() if other != index} for world in worlds]


def _is_plain(setup: Setup, played: Played) -> bool:
    """Return whether a turn has nothing that a puzzle does not show."""
    ruleset, state = setup.ruleset, played.state
    if ruleset.key != ROBO_RUNNER.key or not ruleset.ranks or state.turn == 0 or state.over or state.links:
        return False
    on_board = [robot for robot in state.robots if robot.on_board]
    plain = all(
        not (robot.virtual or robot.returned or robot.scanner or robot.equipment or robot.place)
        for robot in on_board
    )
    orders = [played.orders.get(robot.index, Orders()) for robot in on_board]
    chips_only = all(
        not (each.heading is not None or each.power_down or each.stay_down or each.equipment or each.engaged)
        for each in orders
    )
    moving = [robot for robot in on_board if not robot.down]
    return plain and chips_only and len(on_board) > 1 and len(moving) > 1


def _is_free(robot: Robot, hand: Hand) -> bool:
    return robot.on_board and not robot.down and not robot.locked and len(hand) >= REGISTERS


class Tried(NamedTuple):
    """A program to try before the exact search, and whether the robot powers down after it."""

    program: Program
    off: bool


def _tried(shown: World, chances: Chances, hand: Hand) -> list[Tried]:
    """Return the best programs of a hand without rivals, best first, also with a power-down after them."""
    task = Task(shown.setup, shown.state(shown.start), shown.index, hand, SEED)
    task.evaluate_with(chances.evaluators[shown.index])
    found = [Tried(task.orders_for(plan_of(path)).registers, off) for _, path, off in ranked(task)]
    first = next(place for place, tried in enumerate(found) if not tried.off)
    return [found[first], *found[:first], *found[first + 1 : CANDIDATES]]


def _is_promising(judge: Judge, tried: Sequence[Tried]) -> bool:
    """Return whether one of these programs is better than the others, so that an exact search is worth it.

    No program may be better with a power-down after it, because puzzles are about chips only.
    """
    found = [judge.one(each.program) for each in tried if not each.off]
    best = only_best(found)
    return best is not None and all(
        _switched_off(judge, each.program) <= best.shown for each in tried if each.off
    )


def _switched_off(judge: Judge, program: Program) -> float:
    shown = judge.worlds[0]
    orders = {**shown.orders, shown.index: Orders(registers=program, power_down=True)}
    off = World(shown.setup, shown.state(shown.start), shown.index, orders, SEED)
    return judge.chances.of(off.state(off.after(program)))[judge.place]


def chips_of(hand: Hand, kinds: str) -> tuple[Chip, ...]:
    """Return chips of a hand with these kinds, in order."""
    left, chips = sorted(hand), []
    for kind in kinds:
        chip = next(each for each in left if each.kind == kind)
        left.remove(chip)
        chips.append(chip)
    return tuple(chips)
