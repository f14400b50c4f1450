"""The engine: new games, and turns as a pure function of what they are given (G-2.4)."""

from collections.abc import Iterable, Mapping, Sequence

from rules.apply import apply
from rules.chance import Chance, Seed
from rules.dealing import Deal, Hand, deal
from rules.events import Event, read_log
from rules.launch import launch
from rules.orders import Orders
from rules.play import play
from rules.programming import needs_orders
from rules.resolution import Resolution
from rules.scanners import scanner_orders
from rules.setup import Setup
from rules.solo import Outcome, play_alone, programs_of
from rules.state import State


def new_game(
    setup: Setup, names: Sequence[str], seed: Seed, squads: Sequence[str] = (), models: Sequence[str] = ()
) -> State:
    """Start a game: the state of turn 0, players' robots in seat order, then scanners.

    ``squads`` and ``models`` are those of the players, where the ruleset has them; raises SetupError.
    """
    return launch(setup, names, Chance(seed, 0), squads, models)


def begin(
    setup: Setup, names: Sequence[str], seed: Seed, squads: Sequence[str] = (), models: Sequence[str] = ()
) -> Deal:
    """Start a game, and make its first turn ready: turn 0, or without an opening turn 1 with its hands."""
    state = new_game(setup, names, seed, squads, models)
    return Deal(state, {}) if setup.ruleset.opening else deal(setup, state, seed)


def resolve_turn(
    setup: Setup, state: State, hands: Mapping[int, Hand], orders: Mapping[int, Orders], seed: Seed
) -> Outcome:
    """Resolve the turn under way; the state given is not changed.

    ``orders`` are those of the players, allowed and complete; robots that need none have none.
    ``hands`` are what was dealt: the engine programs the scanners from theirs.
    """
    turn = _played(setup, state, hands, orders, seed, logs=True)
    return Outcome(turn.state, read_log(turn.log))


def state_after(
    setup: Setup, state: State, hands: Mapping[int, Hand], orders: Mapping[int, Orders], seed: Seed
) -> State:
    """Return the state after the turn under way, as `resolve_turn` does, without the cost of a log."""
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
    """Return what orders would do if no other robot were there; transporters not yet used do nothing."""
    return play_alone(setup, state, index, orders)


def fold(state: State, events: Iterable[Event]) -> State:
    """Replay: return the state that the events lead to, without running a rule."""
    state = state.copy()
    for event in events:
        apply(state, event)
    return state
