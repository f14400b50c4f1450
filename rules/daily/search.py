"""Play a position with known programs, and prove the best score of all programs of its hands.

The search follows all programs at once, phase by phase, with the engine itself. Chips of one kind are
interchangeable, because ranks decide the move order, so their orders are counted and not played. Runs that
have come to equal states with equal memos and equal chips left go on together. Nothing is cut off: the counts
add up to all orders of all hands.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import perm
from typing import Final, NamedTuple

from rules import events as ev
from rules.chance import Chance
from rules.daily.tasks import ME, Memo, Phase, Task, is_better, score_of
from rules.dealing import Hand
from rules.engine import Outcome, begin_phase, fold, play, run_where_needed
from rules.events import read_log
from rules.grid import PHASES
from rules.orders import HAND, REGISTERS, Chip
from rules.resolution import Resolution
from rules.rulesets import ROBO_RUNNER, ruleset
from rules.setup import Ruleset, Setup
from rules.starship import Starship
from rules.state import State
from rules.steps import turn_end


def ruleset_of(version: int | None = None) -> Ruleset:
    """Return the ruleset of daily runs: the phases of this version of Robo Runner, or of the newest one.

    No robot comes back, reboots or changes its rank, and nobody wins.
    """
    return replace(ruleset(ROBO_RUNNER.key, version), end=(turn_end.repair,), verdict=())


PROGRAMS: Final = perm(HAND, REGISTERS)
"""The number of programs of one hand: 15,120."""

Program = tuple[Chip | None, ...]


@dataclass(frozen=True)
class Position:
    """A board with robots, the programs of the other robots, and the player's hands, turn by turn.

    Hands never change: damage takes no chips and locks no registers.
    """

    setup: Setup
    state: State
    programs: tuple[Mapping[int, Program], ...]
    hands: tuple[Hand, ...]

    @property
    def turns(self) -> int:
        return len(self.hands)

    def registers(self, turn: int, mine: Program) -> dict[int, list[Chip | None]]:
        """Return the chips of all robots in a turn, counted from 1."""
        others = self.programs[turn - 1]
        none: Program = (None,) * REGISTERS
        return {
            robot.index: list(mine if robot.index == ME else others.get(robot.index, none))
            for robot in self.state.robots
        }

    def resolve(self, state: State, mine: Program) -> Outcome:
        """Play a turn with the player's program. The state is the one at the turn's start."""
        state = state.copy()
        turn = Resolution(
            self.setup, state, {}, self.registers(state.turn, mine), Chance("daily", state.turn)
        )
        play(turn)
        state.turn += 1
        return Outcome(state, read_log(turn.log))


class Run(NamedTuple):
    """A played run: the outcome of each turn, and the score if it is finished (None if it failed)."""

    outcomes: tuple[Outcome, ...]
    finished: bool
    score: int | None


def run(position: Position, task: Task, programs: Sequence[Program]) -> Run:
    """Play programs, one for each turn so far, and score them. A destroyed robot has finished its run."""
    state, ship = position.state, position.setup.starship
    memo = task.kind.first(state)
    outcomes: list[Outcome] = []
    for program in programs:
        outcome = position.resolve(state, program)
        outcomes.append(outcome)
        for phase in _phases(state, outcome, ship):
            memo = task.kind.after(task, memo, phase)
        state = outcome.state
    finished = len(outcomes) == position.turns or not state.robots[ME].alive
    return Run(tuple(outcomes), finished, score_of(task, memo, state, ship) if finished else None)


def _phases(state: State, outcome: Outcome, ship: Starship) -> Iterator[Phase]:
    """Split a turn into its phases, with the state after each."""
    for number in PHASES:
        events = [event for event in outcome.events if event.phase == number]
        state = fold(state, events)
        yield Phase((state.turn - 1) * REGISTERS + number, events, state, ship)


Key = tuple[object, ...]
LOST: Final = -1
"""The number of all states after the player's robot was destroyed."""


class Best(NamedTuple):
    """The proof of an optimum: the best score, and the number of programs for each score.

    ``solution`` has the programs of one best run. Its chips are those of the hands. ``scores`` counts the
    programs of all turns together; ``failed`` is the number of programs without a score.
    """

    par: int
    reaching: int
    programs: int
    scores: dict[int, int]
    failed: int
    solution: tuple[Program, ...]

    @property
    def share(self) -> float:
        return self.reaching / self.programs


class Search:
    """Plays the phases of a position. Each phase is played once for each state and kind of chip."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.states: list[State] = []
        self.numbers: dict[Key, int] = {}
        self.played: dict[tuple[int, int, str], tuple[int, tuple[ev.Event, ...]]] = {}
        self.ended: dict[int, int] = {}
        self.start = self.number(position.state)

    def number(self, state: State) -> int:
        """Return the number of a state. States that go on in the same way have the same number."""
        if not state.robots[ME].alive:
            return LOST
        robots = [
            (robot.cell, robot.heading, robot.damage, robot.next, robot.alive, robot.down, robot.place)
            for robot in state.robots
        ]
        key = (state.turn, *robots, *state.hull.values())
        if key not in self.numbers:
            self.numbers[key] = len(self.states)
            self.states.append(state)
        return self.numbers[key]

    def phase(self, number: int, phase: int, kind: str) -> tuple[int, tuple[ev.Event, ...]]:
        """Play a phase with a kind of chip. Return the number of the state after it, and its events."""
        key = number, phase, kind
        if key not in self.played:
            state = self.states[number].copy()
            mine: list[Chip | None] = [None] * REGISTERS
            mine[phase - 1] = Chip(1, kind)
            turn = self._resolution(state, tuple(mine))
            begin_phase(turn, phase)
            run_where_needed(turn, self.position.setup.phase)
            self.played[key] = self.number(state), read_log(turn.log)
        return self.played[key]

    def end(self, number: int) -> int:
        """Return the number of the state at the start of the next turn."""
        if number not in self.ended:
            state = self.states[number].copy()
            turn = self._resolution(state, (None,) * REGISTERS)
            turn.phase = REGISTERS + 1
            turn.ways, turn.falls = turn.ship.ways[turn.phase], turn.ship.falls[turn.phase]
            run_where_needed(turn, self.position.setup.end)
            state.turn += 1
            self.ended[number] = self.number(state)
        return self.ended[number]

    def _resolution(self, state: State, mine: Program) -> Resolution:
        registers = self.position.registers(state.turn, mine)
        return Resolution(self.position.setup, state, {}, registers, Chance("daily", state.turn))


Level = dict[tuple[int, Memo], tuple[int, str]]
"""Runs together: by state and memo, the number of programs and the kinds of one of them."""


def best(search: Search, task: Task) -> Best | None:
    """Return the best score of all programs, with its proof. Return None if every program fails."""
    position = search.position
    level: Level = {(search.start, task.kind.first(position.state)): (1, "")}
    lost = 0
    for turn in range(1, position.turns + 1):
        level, destroyed = _turn(search, task, turn, level)
        lost += destroyed * PROGRAMS ** (position.turns - turn)
    scores: Counter[int] = Counter()
    found: tuple[int, str] | None = None
    ship = position.setup.starship
    failed = lost
    for (number, memo), (ways, kinds) in level.items():
        score = score_of(task, memo, search.states[number], ship)
        if score is None:
            failed += ways
            continue
        scores[score] += ways
        if found is None or is_better(task.kind, score, found[0]):
            found = score, kinds
    if found is None:
        return None
    programs = PROGRAMS**position.turns
    assert sum(scores.values()) + failed == programs
    par, kinds = found
    return Best(
        par, scores[par], programs, dict(sorted(scores.items())), failed, _chips(position.hands, kinds)
    )


def _turn(search: Search, task: Task, turn: int, level: Level) -> tuple[Level, int]:
    """Play a turn of all runs. Return them at its end, and the number of programs that destroy the robot."""
    counts = Counter(chip.kind for chip in search.position.hands[turn - 1])
    kinds = tuple(sorted(counts))
    ahead = {
        (number, memo, tuple(counts[kind] for kind in kinds)): runs for (number, memo), runs in level.items()
    }
    destroyed = 0
    for phase in PHASES:
        before, ahead = ahead, {}
        rest = perm(HAND - phase, REGISTERS - phase)
        moment = (turn - 1) * REGISTERS + phase
        for (number, memo, left), (ways, path) in before.items():
            for place, kind in enumerate(kinds):
                if not left[place]:
                    continue
                after, events = search.phase(number, phase, kind)
                orders = ways * left[place]
                if after == LOST:
                    destroyed += orders * rest
                    continue
                played = Phase(moment, events, search.states[after], search.position.setup.starship)
                key = (
                    after,
                    task.kind.after(task, memo, played),
                    (*left[:place], left[place] - 1, *left[place + 1 :]),
                )
                old = ahead.get(key)
                ahead[key] = (old[0] + orders, old[1]) if old else (orders, path + kind)
    ended: Level = {}
    for (number, memo, _), (ways, path) in ahead.items():
        end = search.end(number)
        old = ended.get((end, memo))
        ended[end, memo] = (old[0] + ways, old[1]) if old else (ways, path)
    return ended, destroyed


def _chips(hands: Sequence[Hand], kinds: str) -> tuple[Program, ...]:
    """Return programs of these kinds, with chips of the hands."""
    programs: list[Program] = []
    for turn, hand in enumerate(hands):
        left = sorted(hand)
        chips: list[Chip] = []
        for kind in kinds[turn * REGISTERS : (turn + 1) * REGISTERS]:
            chip = next(each for each in left if each.kind == kind)
            left.remove(chip)
            chips.append(chip)
        programs.append(tuple(chips))
    return tuple(programs)
