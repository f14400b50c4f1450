"""The working area of one turn: the state so far, the orders, chance, and the log being written."""

from collections.abc import Iterable, Mapping

from rules import events as ev
from rules.apply import apply
from rules.chance import Chance
from rules.chips import Chip
from rules.grid import BEFORE
from rules.orders import Orders
from rules.ruleset import Setup, Step
from rules.state import Robot, State

NO_ORDERS = Orders()


class Resolution:
    """One turn under way.

    ``sequence`` is the order in which robots act (G-1.7); ``programs`` are the chips in the
    registers, by robot; ``moved`` the robots that changed their cell in this phase; ``falls`` says
    what destroys a robot in each cell just now (bay doors open and close); ``engaged`` the robots
    whose equipment works in this phase, ``engaged_all_turn`` through the turn; ``remaining`` the
    players' robots that are still in the game. Where the other robots were only put aside (``alone``),
    nobody is the last one standing.
    """

    __slots__ = (
        "_real",
        "alone",
        "chance",
        "engaged",
        "engaged_all_turn",
        "falls",
        "log",
        "moved",
        "orders",
        "phase",
        "programs",
        "remaining",
        "robots",
        "sequence",
        "setup",
        "ship",
        "state",
        "step",
    )

    def __init__(
        self,
        setup: Setup,
        state: State,
        orders: Mapping[int, Orders],
        programs: Mapping[int, list[Chip | None]],
        chance: Chance,
        *,
        alone: bool = False,
    ) -> None:
        self.alone = alone
        self.setup = setup
        self.ship = setup.starship
        self.state = state
        self.robots = state.robots
        self.orders = orders
        self.programs = programs
        self.chance = chance
        self.log: list[ev.Event] = []
        self.phase = BEFORE
        self.step = ""
        self.falls = self.ship.falls[BEFORE]
        self.moved: set[int] = set()
        self.engaged: set[int] = set()
        self.engaged_all_turn: set[int] = set()
        self._real: dict[int, Robot] | None = None
        self.sequence: list[Robot] = []
        self.sequence = setup.ruleset.sequence(self)
        self.remaining: set[int] = {robot.index for robot in state.players if not robot.out}

    def run(self, steps: Iterable[Step]) -> None:
        """Run steps in order, until the game is over (G-2.6)."""
        for step in steps:
            if self.state.over:
                return
            self.step = step.name
            step.rule(self)

    # What steps ask

    def orders_of(self, robot: Robot) -> Orders:
        return self.orders.get(robot.index, NO_ORDERS)

    def chip(self, robot: Robot) -> Chip | None:
        """Return the chip that a robot executes in this phase: none if it is down or off the board."""
        if robot.down or not robot.on_board:
            return None
        return self.programs[robot.index][self.phase - 1]

    @property
    def on_board(self) -> list[Robot]:
        """The robots on the board, in the order in which they act."""
        return [robot for robot in self.sequence if robot.on_board]

    def real_at(self, cell: int) -> Robot | None:
        """Return the real robot in a cell (G-1.6)."""
        if self._real is None:
            self._real = {robot.cell: robot for robot in self.robots if robot.on_board and not robot.virtual}
        return self._real.get(cell)

    def railed(self, cell: int, heading: int) -> bool:
        """Return whether a rail bars the way out of a cell in this phase (G-1.3, RR-3.2)."""
        return bool(self.ship.rails[self.phase][cell] >> heading & 1)

    def damaged(self, cell: int) -> bool:
        """Return whether the cell is damaged hull (RR-7.2)."""
        number = self.ship.checkpoint_at.get(cell)
        return number is not None and self.state.hull.get(number, 0) > 0

    def uses(self, robot: Robot, item: str) -> bool:
        """Return whether that equipment of the robot is effective just now (RR-10)."""
        if robot.equipment != item or robot.virtual or robot.down:
            return False
        return robot.index in self.engaged or robot.index in self.engaged_all_turn

    def in_order(self, robots: Iterable[Robot]) -> list[Robot]:
        """Return the robots in the order in which they act (G-1.7)."""
        chosen = {robot.index for robot in robots}
        return [robot for robot in self.sequence if robot.index in chosen]

    # What steps make happen: the only ways to change the state

    def emit(self, event: ev.Event) -> None:
        """Apply an event to the state, and log it."""
        apply(self.state, event)
        self.log.append(event)
        if isinstance(event, ev.Move | ev.Destroyed | ev.Enter | ev.Real | ev.Virtual):
            self._real = None

    def move(self, robot: Robot, to: int, by: str, pusher: Robot | None = None) -> None:
        pushed_by = pusher.index if pusher else None
        self.emit(ev.Move(self.phase, self.step, robot.index, robot.cell, to, by, pushed_by))
        self.moved.add(robot.index)

    def turn(self, robot: Robot, heading: int, by: str) -> None:
        self.emit(ev.Turn(self.phase, self.step, robot.index, robot.heading, heading, by))

    def blocked(self, robot: Robot, heading: int, by: str) -> None:
        self.emit(ev.Blocked(self.phase, self.step, robot.index, robot.cell, heading, by))

    def hurt(self, robot: Robot, amount: int, by: str, source: Robot | None = None) -> None:
        """Deal damage; whether it destroys is for `destroy_wrecks` to say, once all has been dealt."""
        cause = source.index if source else None
        self.emit(ev.Damage(self.phase, self.step, robot.index, amount, by, cause))

    def destroy(self, robot: Robot, by: str, killers: Iterable[Robot] = (), how: str | None = None) -> None:
        by_whom = tuple(killer.index for killer in killers)
        self.emit(
            ev.Destroyed(
                self.phase, self.step, robot.index, robot.cell, by, by_whom, how if by_whom else None
            )
        )

    def destroy_wrecks(self, robots: Iterable[Robot]) -> None:
        """Destroy those of the robots whose damage has reached the limit (G-7.1)."""
        for robot in robots:
            if robot.on_board and robot.damage >= self.setup.ruleset.damage_limit:
                self.destroy(robot, "damage")

    def make_virtual(self, robot: Robot) -> None:
        self.emit(ev.Virtual(self.phase, self.step, robot.index))

    def repair(self, robot: Robot, most: int, by: str) -> None:
        """Repair up to so much damage (G-7.5)."""
        if amount := min(most, robot.damage):
            self.emit(ev.Repair(self.phase, self.step, robot.index, amount, by))

    def reload(self, robot: Robot, ammo: int) -> None:
        self.emit(ev.Reload(self.phase, self.step, robot.index, ammo))

    def power(self, robot: Robot, down: bool) -> None:
        self.emit(ev.Power(self.phase, self.step, robot.index, down))

    def finish(self, robot: Robot) -> None:
        """Give a robot the first place that is free (G-10.1)."""
        place = 1 + sum(other.place is not None for other in self.robots)
        self.emit(ev.Finish(self.phase, self.step, robot.index, None, place))

    def end_game(self, winner: ev.Winner, reason: str) -> None:
        self.emit(ev.Over(self.phase, self.step, winner, reason))
