"""Counts what a flight shows, turn by turn, from the events of its log."""

from collections.abc import Iterable, Sequence
from typing import Final

from rules import events as ev
from rules.computers.chart import NEVER, Chart, chart_of
from rules.grid import HEADINGS, PHASES, Pos
from rules.setup import Setup
from rules.state import Robot, State
from rules.tunnel.certainty import ranks
from rules.tunnel.flight import Counts, Flight, Leg
from rules.tunnel.standings import OUT

NEAR: Final = 2
"""How many steps from its own start a robot is near it."""
TRAPS: Final = frozenset({"shaft", "space", "bay", "crusher"})
"""What destroys a robot by where it is."""
LEAD: Final = 1.0
"""By how many phases another robot must lead before the lead has changed."""


class Counter:
    """Follows one game, and fills its `Flight`."""

    def __init__(self, setup: Setup, state: State, flight: Flight) -> None:
        self.setup, self.ship, self.flight = setup, setup.starship, flight
        self.players = list(state.players)
        flight.starts = tuple(self.ship.pos(robot.start) for robot in self.players)
        self._cells = [robot.cell for robot in self.players]
        self._since = [0] * len(self.players)
        self._leg_starts = [robot.start for robot in self.players]
        self._lasted = [0] * len(self.players)
        self._lacks: list[list[float]] = []
        self._leaders: list[int | None] = []

    def turn(self, turn: int, events: Iterable[ev.Event], state: State) -> None:
        """Count what happened in a turn; ``state`` is the one after it."""
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

    def stand(self, lacks: Sequence[float]) -> None:
        """Note how robots stand after a turn (see `standings`); of those that are out, the last is best."""
        lasted = self._lasted
        for index, lack in enumerate(lacks):
            if lack < OUT / 2:
                lasted[index] = len(self._lacks) + 1
        lacks = [lack if lack < OUT / 2 else lack - lasted[index] for index, lack in enumerate(lacks)]
        self._lacks.append(lacks)
        before, leader = self._leaders[-1] if self._leaders else None, _leader(lacks)
        if before is not None and (leader is None or lacks[before] - lacks[leader] < LEAD):
            leader = before
        elif before is not None and self._side(leader) != self._side(before):
            self.flight.lead_changes += 1
        self._leaders.append(leader)

    def finish(self, state: State) -> None:
        """Fill in what only the whole game shows: places, and how the winner came to win."""
        flight, lacks = self.flight, self._lacks[-1]
        flight.over, flight.places = state.over, tuple(ranks(lacks))
        if not state.over or state.winner is None or len(lacks) < 2:
            return
        winner = next(robot for robot in state.players if state.winner in (robot.index, robot.squad))
        behind = [sum(lack < each[winner.index] for lack in each) for each in self._lacks[:-1]]
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
            self.flight.near += abs(x - start_x) + abs(y - start_y) <= NEAR
        # A robot that leaves the board counts in the cell that it left.
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


def _leader(lacks: Sequence[float]) -> int | None:
    """Return the robot that leads, the first one of equals; None where all are equal."""
    least = min(lacks)
    return lacks.index(least) if lacks.count(least) < len(lacks) else None


def best_way(setup: Setup, origin: int, goal: int) -> float | None:
    """Return the phases from one cell to another with any chip to hand, in the mean of all headings.

    None where no way leads there that needs no transporter.
    """
    return mean_way(chart_of(setup, {}), origin, goal)


def mean_way(chart: Chart, origin: int, goal: int) -> float | None:
    """Return the same by a chart that knows no transporters."""
    ways = chart.to_cell(goal)[1]
    mean = sum(ways[origin << 2 | heading] for heading in HEADINGS) / len(HEADINGS)
    return mean if mean < NEVER else None
