"""The level Ace: tries its best programs against the other robots' likely orders.

It guesses the other robots' hands from the chips that it cannot see. It judges states by the expected
distance to the goal, and looks one turn ahead. It uses optional equipment (RR-10) if the gain in its chance
to win is worth more than the ammunition.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import exp, inf
from typing import Final

from rules.chance import Chance
from rules.computers.chart import DETOUR, Evaluator, expected_phases
from rules.computers.effects import KINDS, RobotState, robot_state_of
from rules.computers.pilot import Level, Task, best_heading, choose_as_pilot, ranked, wants_faster_hand
from rules.computers.search import ProgramConstraints, TurnEndEvaluator, length_of, plan_of, search
from rules.engine import play, programs_of
from rules.grid import HEADINGS, PHASES
from rules.orders import DECK, HAND, Chip, Orders, hand_size, locked_registers
from rules.programming import complete, program
from rules.resolution import Resolution
from rules.setup import Setup
from rules.state import Robot, State
from rules.steps.lasers import HAND_EQUIPMENT

SPREAD: Final = 2.0
"""The lead, in phases, that makes a robot near the goal about three times as likely to win as to lose."""
GROWTH: Final = 0.1
"""The number of phases to add to `SPREAD` for each phase that the robot still needs to reach the goal."""


SLOWDOWN: Final[tuple[float, ...]] = (0.0, 0.05, 0.2, 0.45, 1.2, 2.7)
"""The additional phases that damage costs a robot, as a share of its phases to the goal.

The index is the damage. Damage of more than 5 counts as 5. The values were measured in races without rivals,
at constant damage.
"""
REPAIR_COST: Final = 5.5
"""The cost of repairing all damage, in phases. It doubles in rulesets without power-down."""
RISK_COST: Final[tuple[float, ...]] = (0.0, 0.0, 0.0, 0.2, 0.5, 1.0, 1.8, 3.0, 5.0, 8.0)
"""The cost of the risk that damage leads to destruction, in phases.

The index is the damage in tenths of the damage limit.
"""


class ExpectedEvaluator(Evaluator):
    """Judges states by the expected number of phases to the goal, instead of the smallest possible number."""

    detour = DETOUR
    idle = 5.0

    def damage_cost(self, damage: int, left: float) -> float:
        cure = REPAIR_COST if "power_down" in self.setup.ruleset.orders else 2 * REPAIR_COST
        slower = min(cure, left * SLOWDOWN[min(damage, len(SLOWDOWN) - 1)])
        return slower + RISK_COST[min(len(RISK_COST) - 1, damage * 10 // self.limit)]

    def _table(self, cell: int) -> Sequence[Sequence[float]]:
        return expected_phases(self.chart, cell)


class WinEstimator:
    """Estimates a robot's chance to win from the state after a turn."""

    def __init__(self, setup: Setup, state: State, index: int) -> None:
        me = state.robots[index]
        self.index = index
        self.lives = {robot.index: robot.lives for robot in state.robots}
        self.mine = ExpectedEvaluator(setup, state, index)
        self.rivals = {
            robot.index: ExpectedEvaluator(setup, state, robot.index)
            for robot in state.robots
            if not (robot.scanner or robot.crystal or robot.index == index or robot.place or robot.out)
            and not (robot.squad and robot.squad == me.squad)
        }

        self._known: dict[int, dict[RobotState, float]] = {index: {} for index in self.rivals}

    def chance(self, state: State, mine: float | None = None) -> float:
        """Return the robot's chance to win, from 0 to 1.

        ``mine`` is the value of the robot's own state. If it is not given, it is calculated.
        """
        robot = state.robots[self.index]
        if state.over:
            return 1.0 if state.winner is not None and state.winner in (robot.index, robot.squad) else 0.0
        if mine is None:
            mine = self.mine.value_of(robot_state_of(state, robot), self.lives[self.index])
        chance = 1.0
        for index, evaluator in self.rivals.items():
            rival = state.robots[index]
            if rival.out:
                continue
            there = robot_state_of(state, rival)
            known = self._known[index]
            theirs = known.get(there)
            if theirs is None:
                theirs = known[there] = evaluator.value_of(there, self.lives[index])
            spread = SPREAD + GROWTH * min(100.0, max(0.0, -max(mine, theirs)))
            chance *= 1 / (1 + exp(max(-50, min(50, (theirs - mine) / spread))))
        return chance


class Guesses:
    """Guesses at the orders of the other robots. ``evaluators`` judge their states, by robot index."""

    def __init__(self, task: Task, evaluators: Mapping[int, Evaluator] | None = None) -> None:
        self.task = task
        state = task.state
        self.others = [
            robot
            for robot in state.robots
            if robot.index != task.index and robot.alive and not (robot.crystal or robot.finished)
        ]
        self._tasks = {
            robot.index: Task(task.setup, state, robot.index, (), task.seed) for robot in self.others
        }
        for index, evaluator in (evaluators or {}).items():
            if index in self._tasks:
                self._tasks[index].evaluate_with(evaluator)

    def guess(self, number: int) -> dict[int, Orders]:
        """Return guessed orders of all other robots. The same ``number`` always gives the same orders."""
        return self.orders(self.hands(number), number)

    def orders(self, hands: dict[int, tuple[Chip, ...]], number: int) -> dict[int, Orders]:
        """Return the orders of the robots with these guessed hands."""
        return {
            index: self._orders(index, hand, f"{self.task.seed}/guess/{number}")
            for index, hand in hands.items()
        }

    def hands(self, number: int) -> dict[int, tuple[Chip, ...]]:
        """Deal a possible hand to each of the other robots (G-3.3).

        If the robots share a deck, the hands are drawn from the chips that this computer cannot see.
        Otherwise, each hand is drawn from the chips outside the robot's own locked registers.
        """
        stream = self.task.chance(f"guess/{number}")
        shared = self.task.setup.ruleset.shared_deck
        everyone = self.task.state.robots
        kept = _locked(everyone) | set(self.task.hand)
        deck = stream.shuffled(chip for chip in DECK if chip not in kept)
        hands = {}
        for robot in self.others:
            if not shared:
                kept = _locked([robot])
                deck = stream.shuffled(chip for chip in DECK if chip not in kept)
            size = 0 if robot.down else hand_size(robot.damage)
            hands[robot.index] = tuple(deck.pop() for _ in range(min(size, len(deck))))
        return hands

    def _orders(self, index: int, hand: tuple[Chip, ...], seed: str) -> Orders:
        task = self._tasks[index]
        robot = task.robot
        if robot.scanner:
            return complete(task.setup, task.state, index, hand, None, seed) if hand else Orders()
        if robot.down:
            return task.while_off()
        return choose_as_pilot(task.with_hand(hand))


def _locked(robots: Sequence[Robot]) -> set[Chip]:
    return {chip for robot in robots for register in robot.locked if (chip := robot.registers[register])}


AMMUNITION: Final = 0.004
"""The value of one unit of ammunition, as a gain in the chance to win (0 to 1)."""

Judge = Callable[[Orders], float]


def equip(task: Task, orders: Orders, judge: Judge) -> tuple[float, Orders]:
    """Add equipment to orders if it raises the chance to win by more than its ammunition is worth.

    Returns the chance to win minus the value of the ammunition, and the orders. If the equipment is used in
    single phases, these phases are added one by one, the most useful phase first.
    """
    robot = task.robot
    best = judge(orders), orders
    ammo = robot.ammo or 0
    if not ammo or robot.virtual or robot.equipment is None:
        return best
    if robot.equipment in HAND_EQUIPMENT:
        engaged = replace(orders, engaged=True)
        return max(best, (judge(engaged) - AMMUNITION, engaged), key=_chance_to_win)
    gains: list[tuple[float, int]] = []
    for phase in PHASES:
        gain = judge(replace(orders, equipment=frozenset([phase]))) - best[0] - AMMUNITION
        if gain > 0:
            gains.append((gain, phase))
    phases: frozenset[int] = frozenset()
    for _, phase in sorted(gains, key=lambda gain: -gain[0])[:ammo]:
        wider = replace(orders, equipment=phases | {phase})
        chance = judge(wider) - AMMUNITION * len(wider.equipment)
        if chance > best[0]:
            best, phases = (chance, wider), wider.equipment
    return best


def _chance_to_win(found: tuple[float, Orders]) -> float:
    return found[0]


HANDS: Final = 5
"""The number of random hands to try for the next turn."""


class NextTurnEvaluator:
    """Judges states by the best programs of the next turn, averaged over a few random hands."""

    def __init__(self, task: Task, hands: int = HANDS) -> None:
        self.task = task
        self._hands = [
            task.chance(f"hand of the turn after/{number}").shuffled(DECK)[:HAND] for number in range(hands)
        ]
        self._by_lives = {task.robot.lives: task.turn_end}
        self._known: dict[tuple[RobotState, tuple[str, ...]], float] = {}

    def value_of(self, robot_state: RobotState, registers: Sequence[Chip | None]) -> float:
        """Return the value of a state between two turns.

        ``registers`` are the chips of the turn that just ended. Locked registers keep their chips.
        """
        robot = self.task.robot
        if robot_state.done or robot_state.down or robot_state.lives <= 0:
            return self.task.judge(robot_state)
        locked = locked_registers(robot_state.damage) if robot_state.lives == robot.lives else ()
        kinds = tuple(chip.kind if (chip := registers[place]) else "" for place in locked)
        key = robot_state, kinds
        if key not in self._known:
            values = [
                self._best(robot_state, hand, dict(zip(locked, kinds, strict=True))) for hand in self._hands
            ]
            self._known[key] = sum(values) / len(values)
        return self._known[key]

    def _best(self, robot_state: RobotState, hand: Sequence[Chip], locked: dict[int, str]) -> float:
        count = Counter(chip.kind for chip in hand[: hand_size(robot_state.damage)])
        returned = robot_state.lives < self.task.robot.lives
        headings = HEADINGS if returned else (None,)
        constraints = ProgramConstraints(
            tuple(count[kind] for kind in KINDS), locked, headings, moves_first=False
        )
        simulator, turn_end = self.task.simulator, self._turn_end(robot_state.lives)
        best = -inf
        for after, path in search(simulator, constraints, simulator.number(robot_state)).items():
            value = -length_of(path) if simulator.won(after) else turn_end.value_of(after) - len(PHASES)
            best = max(best, value)
        return best

    def _turn_end(self, lives: int) -> TurnEndEvaluator:
        if lives not in self._by_lives:
            self._by_lives[lives] = TurnEndEvaluator(self.task.simulator, self.task.evaluator, lives)
        return self._by_lives[lives]


CANDIDATES: Final = 24
"""The number of best programs that are tried against guessed orders."""
FINALISTS: Final = 8
"""The number of best candidates that are tried again, with equipment and with lower-numbered chips."""
GUESSES: Final = 12
"""The number of guesses at the other robots' orders."""
CROWD: Final = 3
"""The minimum number of other robots at which an Ace makes only half of `GUESSES` guesses.

Each guess has orders for all other robots, so with many robots fewer guesses give enough variety.
"""

World = dict[int, Orders]
"""A guess at the orders of all other robots, by robot index."""


def best_heading_as_ace(task: Task) -> int:
    task.evaluate_with(ExpectedEvaluator(task.setup, task.state, task.index))
    return best_heading(task)


def choose_as_ace(task: Task) -> Orders:
    """Return the orders that give the best chance to win."""
    estimator = WinEstimator(task.setup, task.state, task.index)
    task.evaluate_with(estimator.mine)
    guesses = Guesses(task)
    many = GUESSES if len(guesses.others) < CROWD else GUESSES // 2
    trials = Trials(task, estimator.chance, guesses, many, NextTurnEvaluator(task))
    return max(weighed(task, trials, CANDIDATES, FINALISTS), key=_chance_to_win)[1]


def weighed(task: Task, trials: "Trials", candidates: int, finalists: int) -> list[tuple[float, Orders]]:
    """Return the best orders of a hand with their chances to win, minus the value of their ammunition.

    The ``candidates`` are the best programs without rivals. The best of them on trial are the ``finalists``,
    which are judged again, one turn ahead.
    """
    tried = [task.orders_for(plan_of(path), power_down=off) for _, path, off in ranked(task)[:candidates]]
    best = sorted(tried, key=trials.judge, reverse=True)[:finalists]
    if not task.setup.ruleset.ranks:
        best += [task.slower(orders) for orders in best]
    return [equip(task, orders, trials.judge_well) for orders in best]


class Trials:
    """Turns played on trial with this robot's orders, one for each guess at the other robots' orders.

    ``chance`` returns the chance to win in a state after the turn. Its second argument is the value of the
    robot's own state, or None. ``many`` is the number of guesses.
    """

    def __init__(
        self,
        task: Task,
        chance: Callable[[State, float | None], float],
        guesses: Guesses,
        many: int,
        next_turn: NextTurnEvaluator,
    ) -> None:
        self.task, self.chance, self.next_turn = task, chance, next_turn
        self.worlds = [guesses.guess(number) for number in range(many if guesses.others else 1)]
        # The ranks of the next turn do not change the value of a state, so they are not calculated.
        ruleset = task.setup.ruleset
        plain = ruleset.has("ranks") and not ruleset.crystal
        self.setup = replace(task.setup, ruleset=ruleset.without("ranks")) if plain else task.setup
        self._played: dict[Orders, list[State]] = {}

    def judge(self, orders: Orders) -> float:
        """Return the average chance to win with these orders, judged by the states after the turn."""
        chances = [self.chance(state, None) for state in self.after(orders)]
        return sum(chances) / len(chances)

    def judge_well(self, orders: Orders) -> float:
        """Return the average chance to win with these orders, judged one turn ahead."""
        registers = program(self.task.robot, orders)
        chances = []
        for state in self.after(orders):
            value = self.next_turn.value_of(robot_state_of(state, state.robots[self.task.index]), registers)
            chances.append(self.chance(state, value))
        return sum(chances) / len(chances)

    def after(self, orders: Orders) -> list[State]:
        """Return the states after the turn with these orders, one for each guess."""
        if orders not in self._played:
            self._played[orders] = [
                self._play(world, orders, number) for number, world in enumerate(self.worlds)
            ]
        return self._played[orders]

    def _play(self, world: World, orders: Orders, number: int) -> State:
        task = self.task
        state = task.state.copy()
        given = {**world, task.index: orders}
        chance = Chance(f"{task.seed}/guess/{number}", state.turn)
        play(Resolution(self.setup, state, given, programs_of(state, given), chance, logs=False))
        return state


def wants_better_hand(task: Task) -> bool:
    """Return whether the hand is so poor that the computer wants another one.

    The hand is poor if even its best program improves the robot's state by fewer expected phases than
    `MIN_HAND_GAIN`.
    """
    task.evaluate_with(ExpectedEvaluator(task.setup, task.state, task.index))
    return wants_faster_hand(task)


ACE: Final = Level(best_heading_as_ace, choose_as_ace, wants_better_hand)
