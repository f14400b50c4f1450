"""The engine: new games, and turns as a pure function of their arguments (G-2.4).

A turn runs the ruleset's steps in order (G-2). A preview plays a turn with a single robot. The engine
also plays such turns to program scanners, which should cover many cells and not be destroyed (RR-11.3).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rules import events as ev
from rules.apply import apply, clear_arrivals
from rules.chance import Chance, Seed
from rules.dealing import Deal, Hand, deal
from rules.events import Event, read_log
from rules.grid import AFTER, OFF, PHASES
from rules.launch import launch
from rules.orders import Chip, Orders
from rules.programming import complete, needs_orders, program
from rules.resolution import Resolution
from rules.setup import EVERYWHERE, PlacedStep, Setup
from rules.state import State

PHASE: Final = ev.Phase


def play(turn: Resolution, phases: int = len(PHASES)) -> None:
    """Play the first ``phases`` phases of a turn, and the end of the turn after phase 5 (G-2.1, G-2.2).

    Turn 0 has no phases. It only runs the ruleset's opening (RR-1.3).
    """
    ruleset = turn.setup.ruleset
    if turn.state.turn == 0:
        turn.run(ruleset.opening)
        return
    turn.run(ruleset.before)
    for phase in PHASES[:phases]:
        if turn.state.over:
            return
        begin_phase(turn, phase)
        run_where_needed(turn, turn.setup.phase)
        if turn.departed or ruleset.crystal:
            turn.run(ruleset.verdict)
    if phases == len(PHASES) and not turn.state.over:
        turn.phase = AFTER
        turn.ways = turn.ship.ways[AFTER]
        turn.falls = turn.ship.falls[AFTER]
        run_where_needed(turn, turn.setup.end)
        if turn.departed or ruleset.crystal:
            turn.run(ruleset.verdict)


def run_where_needed(turn: Resolution, steps: tuple[PlacedStep, ...]) -> None:
    """Run steps in order, but skip each step that affects only cells without robots."""
    state, robots, concerns = turn.state, turn.robots, turn.setup.concerns
    concerned = turn.concerned
    for name, rule, mark in steps:
        if concerned & mark:
            if state.over:
                return
            turn.step = name
            rule(turn)
            if turn.moved:
                # Positions only need checking again after a step that moved a robot.
                turn.moved = False
                concerned = EVERYWHERE
                for robot in robots:
                    concerned |= concerns[robot.cell]
                turn.concerned = concerned


def begin_phase(turn: Resolution, phase: int) -> None:
    """Begin a phase: reveal the chips of its register, and set the move order (G-4.5).

    Also sets the rails, lines of sight and bay doors that apply in the phase.
    """
    turn.phase = phase
    turn.step = step = "chips revealed"
    turn.ways = turn.ship.ways[phase]
    turn.sights = turn.ship.sights[phase]
    turn.phase_begins = len(turn.log)
    turn.engaged.clear()
    log_enabled, robots, register = turn.log_enabled, turn.robots, phase - 1
    chips: list[Chip | None] = [None] * len(robots)
    revealed: dict[int, Chip] = {}
    for robot, registers in turn.acting:
        chip = registers[register]
        if chip is not None:
            index = robot.index
            chips[index] = robot.registers[register] = chip
            if log_enabled:
                revealed[index] = chip
    turn.chips = chips
    turn.sequence = turn.setup.ruleset.sequence(turn)
    if log_enabled:
        turn.log.append((PHASE, phase, step, revealed))
    if phase == 1:
        clear_arrivals(robots)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a turn: the new state, and the log of events."""

    state: State
    events: tuple[Event, ...]


def play_alone(setup: Setup, state: State, index: int, orders: Orders) -> Outcome:
    """Play a turn with this robot as the only one. Unused transporters lead nowhere (RR-1.4)."""
    state = state.copy()
    state.links = {origin: to for origin, to in state.links.items() if origin in state.known}
    for robot in state.robots:
        if robot.index != index and not robot.crystal:
            robot.cell = OFF
            robot.alive = False
            robot.lives = 0
    given = {index: orders}
    chance = Chance("alone", state.turn)
    turn = Resolution(setup, state, given, programs_of(state, given), chance, alone=True)
    play(turn)
    return Outcome(state, read_log(turn.log))


def programs_of(state: State, orders: dict[int, Orders]) -> dict[int, list[Chip | None]]:
    return {robot.index: program(robot, orders.get(robot.index)) for robot in state.robots}


SAMPLES: Final = 24
"""The number of random programs tried for each scanner in a turn."""


def scanner_orders(setup: Setup, state: State, index: int, hand: Hand, seed: Seed) -> Orders:
    """Return the best of several random programs for a scanner (RR-11.3).

    Programs that do not destroy the scanner come first. Of these, the best one covers the most cells.
    """

    def sample(number: int) -> Orders:
        return complete(setup, state, index, hand, None, f"{seed}/scanner/{number}")

    return max(
        (sample(number) for number in range(SAMPLES)), key=lambda orders: _merit(setup, state, index, orders)
    )


def _merit(setup: Setup, state: State, index: int, orders: Orders) -> tuple[bool, int]:
    log = play_alone(setup, state, index, orders).events
    survived = not any(isinstance(event, ev.Destroyed) for event in log)
    covered = {event.to for event in log if isinstance(event, ev.Move)} - {state.robots[index].cell}
    return survived, len(covered)


def new_game(
    setup: Setup, names: Sequence[str], seed: Seed, squads: Sequence[str] = (), models: Sequence[str] = ()
) -> State:
    """Start a game: return the state of turn 0, with the players' robots in seat order, then scanners.

    ``squads`` and ``models`` have one entry for each player, if the ruleset has squads or models. Raises
    SetupError if they do not suit the ruleset.
    """
    return launch(setup, names, Chance(seed, 0), squads, models)


def begin(
    setup: Setup, names: Sequence[str], seed: Seed, squads: Sequence[str] = (), models: Sequence[str] = ()
) -> Deal:
    """Start a game, and prepare turn 0. In rulesets without an opening, deal the hands of turn 1.

    The arguments and errors are the same as for `new_game`.
    """
    state = new_game(setup, names, seed, squads, models)
    return Deal(state, {}) if setup.ruleset.opening else deal(setup, state, seed)


def resolve_turn(
    setup: Setup, state: State, hands: Mapping[int, Hand], orders: Mapping[int, Orders], seed: Seed
) -> Outcome:
    """Resolve the current turn, without changing the given state.

    ``orders`` are the players' valid and complete orders, by robot index. Robots that take no orders may be
    missing. ``hands`` are the dealt hands. The engine uses the scanners' hands to program them. Raises
    ValueError if orders are missing, or if the game is over.
    """
    turn = _played(setup, state, hands, orders, seed, logs=True)
    return Outcome(turn.state, read_log(turn.log))


def state_after(
    setup: Setup, state: State, hands: Mapping[int, Hand], orders: Mapping[int, Orders], seed: Seed
) -> State:
    """Return the state after the current turn.

    This is `resolve_turn` without a log, which is faster.
    """
    return _played(setup, state, hands, orders, seed, logs=False).state


def _played(
    setup: Setup,
    state: State,
    hands: Mapping[int, Hand],
    orders: Mapping[int, Orders],
    seed: Seed,
    *,
    logs: bool,
) -> Resolution:
    if state.over:
        raise ValueError("the game is over")
    given = dict(orders)
    if missing := [robot.name for robot in state.players if _unordered(setup, state, robot.index, given)]:
        raise ValueError(f"orders are missing of {', '.join(missing)}")
    state = state.copy()
    if state.turn > 0:
        for robot in state.robots:
            if robot.scanner and robot.index in hands:
                given[robot.index] = scanner_orders(setup, state, robot.index, hands[robot.index], seed)
    chance = Chance(seed, state.turn)
    turn = Resolution(setup, state, given, programs_of(state, given), chance, logs=logs)
    play(turn)
    return turn


def _unordered(setup: Setup, state: State, index: int, orders: Mapping[int, Orders]) -> bool:
    return index not in orders and needs_orders(setup, state, index)


def preview(setup: Setup, state: State, index: int, orders: Orders) -> Outcome:
    """Return the outcome of a robot's orders on a board without other robots.

    Transporters that no robot has used lead nowhere.
    """
    return play_alone(setup, state, index, orders)


def fold(state: State, events: Iterable[Event]) -> State:
    """Replay events: return the state after them, without running the rules."""
    state = state.copy()
    for event in events:
        apply(state, event)
    return state
