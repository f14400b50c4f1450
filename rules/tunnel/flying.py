"""Flies a starship once, with computers in all seats."""

from collections.abc import Sequence
from typing import Final

from rules.chance import Seed, mood
from rules.computers import choose, stays_off, wants_redeal
from rules.dealing import Hand, deal, redeal, switch_on
from rules.engine import begin, resolve_turn
from rules.orders import Orders
from rules.programming import needs_orders
from rules.setup import Ruleset, Setup
from rules.starship import Starship
from rules.state import State
from rules.tunnel.counting import Counter
from rules.tunnel.flight import Flight
from rules.tunnel.schedule import level_of, seed_of
from rules.tunnel.standings import races, standings
from rules.view import view

LONGEST: Final = 60
"""Turns after which a flight is given up."""
LONGEST_ARENA: Final = 120
"""The same in rulesets without a goal to race to or a crystal to bring home: in Robo Arena."""


def longest(ruleset: Ruleset) -> int:
    """Return after how many turns a flight is given up."""
    return LONGEST if races(ruleset) or ruleset.crystal else LONGEST_ARENA


def fly(setup: Setup, players: int, run: Seed, number: int) -> Flight:
    """Fly the flight of that number, from 0, of a run with that seed, and return what is counted of it.

    The same arguments give the same flight. It never raises an error: a flight in which a computer or the
    engine fails has a `Flight.failure`.
    """
    flight = Flight(number, level_of(number), seed_of(run, number))
    try:
        _play(setup, players, flight)
    except Exception as error:
        flight.failure = f"{type(error).__name__}: {error}"
    return flight


def _play(setup: Setup, players: int, flight: Flight) -> None:
    names = [f"robot{seat}" for seat in range(1, players + 1)]
    dealt = begin(setup, names, flight.seed, *_crew(setup.ruleset, players, flight.number))
    state, hands = dealt.state, dict(dealt.hands)
    counter, most = Counter(setup, state, flight), longest(setup.ruleset)
    while True:
        flight.turns = state.turn
        orders: dict[int, Orders] = {}
        for robot in list(state.players):
            if needs_orders(setup, state, robot.index):
                state, orders[robot.index] = _orders(setup, state, hands, robot.index, flight)
        turn, outcome = state.turn, resolve_turn(setup, state, hands, orders, flight.seed)
        state = outcome.state
        counter.turn(turn, outcome.events, state)
        counter.stand(standings(setup, state))
        if state.over or turn >= most:
            break
        dealt = deal(setup, state, flight.seed)
        state, hands = dealt.state, dict(dealt.hands)
    counter.finish(state)


def _crew(ruleset: Ruleset, players: int, number: int) -> tuple[Sequence[str], Sequence[str]]:
    """Return squads and models by seat; models go round, so that none always has the same start."""
    models = ruleset.models
    shared_out = [models[(seat + number) % len(models)] for seat in range(players)] if models else []
    return squads_of(ruleset, players), shared_out


def squads_of(ruleset: Ruleset, players: int) -> list[str]:
    """Return the squad of each seat, by turns; none in rulesets without squads."""
    return [ruleset.squads[seat % len(ruleset.squads)] for seat in range(players)] if ruleset.squads else []


def start_cells(ruleset: Ruleset, ship: Starship, players: int) -> list[int]:
    """Return the cells in which so many robots start, row by row; those that a ship lacks are left out."""
    squads: list[str | None] = [*squads_of(ruleset, players)] or [None] * players
    seats = [squads[:seat].count(squad) if squad else seat for seat, squad in enumerate(squads)]
    cells = {ruleset.start.cell(ship, seat, squad) for seat, squad in zip(seats, squads, strict=True)}
    return sorted(cell for cell in cells if cell is not None)


def _orders(
    setup: Setup, state: State, hands: dict[int, Hand], index: int, flight: Flight
) -> tuple[State, Orders]:
    """Return a computer's orders and the state: its robot may be switched on first, or its hand redrawn."""
    seen, seed = view(state), mood(flight.seed, state.turn, index + 1)
    if stays_off(setup, seen, index):
        return state, Orders(stay_down=True)
    if state.robots[index].was_down and index not in hands:
        state, hands[index] = switch_on(setup, state, hands, index, flight.seed)
        seen = view(state, index)
    times = 0
    while wants_redeal(setup, seen, index, hands.get(index, ()), flight.level, seed, times):
        hands[index] = redeal(setup, state, hands, index, flight.seed, times)
        times += 1
    return state, choose(setup, seen, index, hands.get(index, ()), flight.level, seed)
