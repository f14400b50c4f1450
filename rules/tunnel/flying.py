"""Fly a starship once: play a game with computers in all seats, and count its events.

The number of a flight determines its seed and the computers' level. So flights can be flown in any order, in
batches, in several processes, and again after a process has died, with the same result.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Final

from rules import events as ev
from rules.chance import Seed, computer_seed
from rules.computers import choose, stays_off, wants_redeal
from rules.computers.chart import NEVER, Chart, Evaluator, chart_of
from rules.computers.choosing import state_from_view
from rules.computers.effects import robot_state_of
from rules.dealing import Hand, deal, redeal, switch_on
from rules.engine import begin, resolve_turn
from rules.grid import HEADINGS, OFF, PHASES, Pos
from rules.orders import Orders
from rules.programming import needs_orders
from rules.setup import Ruleset, Setup
from rules.starship import Starship
from rules.state import Robot, State
from rules.tunnel.figures import Counts, Flight, Leg, ranks
from rules.view import view

LEVEL_MIX: Final = (
    *("pilot", "rookie", "pilot", "pilot", "pilot", "rookie", "pilot", "pilot", "ace", "pilot"),
    *("pilot", "rookie", "pilot", "pilot", "rookie", "pilot", "pilot", "pilot", "rookie", "pilot"),
)
"""The computers' levels in 20 successive flights: 14 of Pilots, 5 of Rookies, 1 of Aces."""

FLIGHTS: Final = 200
"""The default number of flights in a run. `MAX_FLIGHTS` is the maximum."""
MAX_FLIGHTS: Final = 1000

INTERIM_FLIGHTS: Final = (40, 100)
"""The numbers of flights after which a longer run is judged and may stop early."""


def level_of(number: int) -> str:
    """Return the level of all computers in a flight. The first flight has the number 0.

    >>> from collections import Counter
    >>> Counter(level_of(number) for number in range(200)) == {"pilot": 140, "rookie": 50, "ace": 10}
    True
    """
    return LEVEL_MIX[number % len(LEVEL_MIX)]


def seed_of(run: Seed, number: int) -> str:
    """Return the seed of a flight. It depends only on the seed of the run and the flight's number.

    >>> seed_of(1, 0) != seed_of(1, 1) == seed_of("1", 1)
    True
    """
    return sha256(f"tunnel {run} {number}".encode()).hexdigest()[:16]


def judged_after(flights: int) -> tuple[int, ...]:
    """Return the numbers of flights after which a run of ``flights`` flights is judged.

    The last one is ``flights``.

    >>> judged_after(200), judged_after(60), judged_after(12)
    ((40, 100, 200), (40, 60), (12,))
    """
    return (*(look for look in INTERIM_FLIGHTS if look < flights), flights)


OUT_DEFICIT: Final = 1_000_000.0
"""The deficit of a robot out of the game (`deficits_of`). Each checkpoint reached reduces it by 1,000."""
LIFE_VALUE: Final = 100.0
"""The value of a life in Robo Arena, in points of damage."""


def races(ruleset: Ruleset) -> bool:
    """Return whether robots race to checkpoints. They do in all rulesets except Robo Arena and Robo Recon."""
    return ruleset.has("inspection") or not ruleset.ranks


def deficits_of(setup: Setup, state: State) -> list[float]:
    """Return the deficit of each player's robot, in seat order. The robot with the lowest deficit leads.

    In a race, the deficit is the number of phases that the robot still needs (`Evaluator.phases_left`), or
    negative if it has finished. In Robo Recon, it is the squad's distance from bringing the crystal home, so
    it is the same for all robots of a squad. In Robo Arena, it depends on lives first, then on damage.
    """
    known = state_from_view(setup, view(state))  # like computers, it knows only used transporters
    players = list(known.players)
    deficits = [_deficit(setup, known, robot) for robot in players]
    if not setup.ruleset.squads:
        return deficits
    return [
        min(deficit for deficit, other in zip(deficits, players, strict=True) if other.squad == robot.squad)
        for robot in players
    ]


def _deficit(setup: Setup, state: State, robot: Robot) -> float:
    if state.over and state.winner is not None and state.winner in (robot.index, robot.squad):
        return -OUT_DEFICIT
    if robot.place is not None:
        return robot.place - OUT_DEFICIT
    if robot.out:
        return OUT_DEFICIT - 1000.0 * robot.next
    if not (races(setup.ruleset) or setup.ruleset.crystal):
        return robot.damage - LIFE_VALUE * robot.lives
    robot_state = robot_state_of(state, robot)
    anyhow = robot.returned or robot.heading is None
    if robot.cell == OFF:
        robot_state, anyhow = robot_state._replace(cell=robot.archive), True
    return Evaluator(setup, state, robot.index).phases_left(robot_state, anyhow=anyhow)


NEAR_START_STEPS: Final = 2
"""The maximum number of steps from a robot's start to a cell that counts as near the start."""
TRAPS: Final = frozenset({"shaft", "space", "bay", "crusher"})
"""Causes of death that are an element of the cell itself, such as a shaft."""
MIN_LEAD: Final = 1.0
"""The lead, in phases, that a robot needs over the previous leader to count as the new leader."""


class Counter:
    """Counts the events of one flight."""

    def __init__(self, setup: Setup, state: State, flight: Flight) -> None:
        self.setup, self.ship, self.flight = setup, setup.starship, flight
        self.players = list(state.players)
        flight.starts = tuple(self.ship.pos(robot.start) for robot in self.players)
        self._cells = [robot.cell for robot in self.players]
        self._since = [0] * len(self.players)
        self._leg_starts = [robot.start for robot in self.players]
        self._lasted = [0] * len(self.players)
        self._deficits: list[list[float]] = []
        self._leaders: list[int | None] = []

    def count_turn(self, turn: int, events: Iterable[ev.Event], state: State) -> None:
        """Count the events of a turn. ``state`` is the state after the turn."""
        for event in events:
            match event:
                case ev.Move(robot=robot, to=to) if robot < len(self._cells):
                    self._stands(robot, to)
                case ev.Enter(robot=robot, at=at) if robot < len(self._cells):
                    self._stands(robot, at)
                case ev.Destroyed(robot=robot, at=at, by=by) if robot < len(self._cells):
                    self._dies(robot, at, by)
                case ev.Damage(robot=robot, by="board-laser", amount=amount) if robot < len(self._cells):
                    _add(self.flight.burnt, self.ship.pos(self._cells[robot]), amount)
                case ev.Inspect(robot=robot, checkpoint=number) if robot < len(self._cells):
                    self._inspects(robot, number, len(PHASES) * (turn - 1) + event.phase)
                case _:
                    pass
        if turn:
            playing = [robot for robot in state.players if not robot.out and robot.place is None]
            self.flight.robot_turns += len(playing)
            self.flight.virtual_turns += sum(robot.virtual for robot in playing)

    def record_deficits(self, deficits: Sequence[float]) -> None:
        """Record the robots' deficits and the leader after a turn.

        Of robots that went out after the same number of checkpoints, the one that went out last is ahead.
        """
        lasted = self._lasted
        for index, deficit in enumerate(deficits):
            if deficit < OUT_DEFICIT / 2:
                lasted[index] = len(self._deficits) + 1
        deficits = [
            deficit if deficit < OUT_DEFICIT / 2 else deficit - lasted[index]
            for index, deficit in enumerate(deficits)
        ]
        self._deficits.append(deficits)
        before, leader = self._leaders[-1] if self._leaders else None, _leader(deficits)
        if before is not None and (leader is None or deficits[before] - deficits[leader] < MIN_LEAD):
            leader = before
        elif before is not None and self._side(leader) != self._side(before):
            self.flight.lead_changes += 1
        self._leaders.append(leader)

    def finish(self, state: State) -> None:
        """Add the results of the whole game to the flight: places, and figures about the lead."""
        flight, deficits = self.flight, self._deficits[-1]
        flight.over, flight.places = state.over, tuple(ranks(deficits))
        if not state.over or state.winner is None or len(deficits) < 2:
            return
        winner = next(robot for robot in state.players if state.winner in (robot.index, robot.squad))
        behind = [sum(deficit < each[winner.index] for deficit in each) for each in self._deficits[:-1]]
        rivals = sum(robot.squad is None or robot.squad != winner.squad for robot in state.players)
        rivals -= winner.squad is None
        if behind:
            flight.drama = sum(behind) / len(behind) / max(1, rivals)
            flight.half_time = self._led(len(behind) // 2, winner)
            flight.last_turn = self._led(len(behind) - 1, winner)

    def _led(self, turn: int, winner: Robot) -> bool | None:
        leader = self._leaders[turn]
        return None if leader is None else self._side(leader) == self._side(winner.index)

    def _side(self, index: int | None) -> int | str | None:
        return index if index is None else self.players[index].squad or index

    def _stands(self, robot: int, cell: int) -> None:
        self._cells[robot] = cell
        if self.ship.inside(cell):
            _add(self.flight.entered, self.ship.pos(cell))

    def _dies(self, robot: int, at: int, by: str) -> None:
        x, y = self.ship.pos(at)
        start_x, start_y = self.flight.starts[robot]
        if by in TRAPS and self.ship.inside(at):
            self.flight.near += abs(x - start_x) + abs(y - start_y) <= NEAR_START_STEPS
        # A robot that drives off the board counts in its last cell.
        pos = min(max(x, 0), self.ship.width - 1), min(max(y, 0), self.ship.height - 1)
        self.flight.deaths[pos, by] = self.flight.deaths.get((pos, by), 0) + 1

    def _inspects(self, robot: int, number: int, now: int) -> None:
        goal = self.ship.checkpoints[number]
        best = best_way(self.setup, self._leg_starts[robot], goal)
        if best is not None:
            leg = self.flight.legs.setdefault(number, Leg())
            leg.robots += 1
            leg.phases += now - self._since[robot]
            leg.best += best
        self._since[robot], self._leg_starts[robot] = now, goal


def _add(counts: Counts, pos: Pos, amount: int = 1) -> None:
    counts[pos] = counts.get(pos, 0) + amount


def _leader(deficits: Sequence[float]) -> int | None:
    """Return the index of the leading robot, or None if all deficits are equal.

    If several robots share the lead, it is the first of them.
    """
    least = min(deficits)
    return deficits.index(least) if deficits.count(least) < len(deficits) else None


def best_way(setup: Setup, origin: int, goal: int) -> float | None:
    """Return the fewest possible phases between two cells with any chips, averaged over all headings.

    Returns None if every way needs transporters.
    """
    return mean_way(chart_of(setup, {}), origin, goal)


def mean_way(chart: Chart, origin: int, goal: int) -> float | None:
    """Return the same as `best_way`, but from a given chart. The chart must have no transporter links."""
    ways = chart.to_cell(goal)[1]
    mean = sum(ways[origin << 2 | heading] for heading in HEADINGS) / len(HEADINGS)
    return mean if mean < NEVER else None


MAX_TURNS: Final = 60
"""The maximum number of turns of a flight."""
MAX_ARENA_TURNS: Final = 120
"""The maximum number of turns of a flight without a race or a crystal, as in Robo Arena."""


def max_turns(ruleset: Ruleset) -> int:
    return MAX_TURNS if races(ruleset) or ruleset.crystal else MAX_ARENA_TURNS


def fly(setup: Setup, players: int, run: Seed, number: int) -> Flight:
    """Fly one flight of a run, and return its figures. ``number`` counts from 0.

    The same arguments give the same flight. Raises no errors: if a computer or the engine fails, the flight
    has a `Flight.failure`.
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
    counter, most = Counter(setup, state, flight), max_turns(setup.ruleset)
    while True:
        flight.turns = state.turn
        orders: dict[int, Orders] = {}
        for robot in list(state.players):
            if needs_orders(setup, state, robot.index):
                state, orders[robot.index] = _orders(setup, state, hands, robot.index, flight)
        turn, outcome = state.turn, resolve_turn(setup, state, hands, orders, flight.seed)
        state = outcome.state
        counter.count_turn(turn, outcome.events, state)
        counter.record_deficits(deficits_of(setup, state))
        if state.over or turn >= most:
            break
        dealt = deal(setup, state, flight.seed)
        state, hands = dealt.state, dict(dealt.hands)
    counter.finish(state)


def _crew(ruleset: Ruleset, players: int, number: int) -> tuple[Sequence[str], Sequence[str]]:
    """Return the squads and the robot models by seat.

    Models rotate with the flight's number, so that each model starts in different seats.
    """
    models = ruleset.models
    shared_out = [models[(seat + number) % len(models)] for seat in range(players)] if models else []
    return squads_of(ruleset, players), shared_out


def squads_of(ruleset: Ruleset, players: int) -> list[str]:
    """Return the squad of each seat, in rotation. The list is empty in rulesets without squads."""
    return [ruleset.squads[seat % len(ruleset.squads)] for seat in range(players)] if ruleset.squads else []


def start_cells(ruleset: Ruleset, ship: Starship, players: int) -> list[int]:
    """Return the start cells of the robots, row by row and without repeats.

    If the ship has no start cell for a seat, the seat is left out.
    """
    squads: list[str | None] = [*squads_of(ruleset, players)] or [None] * players
    seats = [squads[:seat].count(squad) if squad else seat for seat, squad in enumerate(squads)]
    cells = {ruleset.start.cell(ship, seat, squad) for seat, squad in zip(seats, squads, strict=True)}
    return sorted(cell for cell in cells if cell is not None)


def _orders(
    setup: Setup, state: State, hands: dict[int, Hand], index: int, flight: Flight
) -> tuple[State, Orders]:
    """Return the game's state and a computer's orders for a turn.

    The returned state differs from the given one if the computer switches its robot on. Hands that the
    computer draws or redraws are put into ``hands``.
    """
    seen, seed = view(state), computer_seed(flight.seed, state.turn, index + 1)
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
