"""Apply events to states: one function for each type of event.

No other module changes a state. The functions work on the true `State` and on a `View`. Applying the events
that a viewer sees therefore keeps the viewer's view up to date.
"""

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from typing import Any, Protocol

from rules import events as ev
from rules.grid import OFF
from rules.orders import REGISTERS, locked_registers, locks
from rules.state import VisibleRobot


class StateLike(Protocol):
    """The parts of a state or a view that events change."""

    @property
    def robots(self) -> Sequence[VisibleRobot]: ...
    @property
    def hull(self) -> MutableMapping[int, int]: ...

    return_damage: int
    scanner_damage: int | None
    over: bool
    winner: ev.Winner

    def learn_link(self, origin: int, to: int) -> None: ...


def apply(state: StateLike, event: ev.Event) -> None:
    """Change a state or a view by one event."""
    APPLY[type(event)](state, event)


def clear_arrivals(robots: Sequence[VisibleRobot]) -> None:
    """Reset ``returned`` and ``was_down`` of all robots, because phase 1 begins."""
    for robot in robots:
        robot.returned = robot.was_down = False


def _phase(state: StateLike, event: ev.Phase) -> None:
    for index, chip in event.chips.items():
        state.robots[index].registers[event.phase - 1] = chip
    if event.phase == 1:
        clear_arrivals(state.robots)


def learn_link(state: StateLike, origin: int, to: int) -> None:
    """Record that a robot used a transporter, so that the transporter's destination is public (RR-1.4)."""
    state.learn_link(origin, to)


def _move(state: StateLike, event: ev.Move) -> None:
    state.robots[event.robot].cell = event.to
    if event.by == "transporter":
        learn_link(state, event.origin, event.to)


def _turn(state: StateLike, event: ev.Turn) -> None:
    state.robots[event.robot].heading = event.to


def _ignore(state: StateLike, event: ev.Blocked | ev.Shot) -> None:
    pass


def damage_robot(robot: VisibleRobot, amount: int) -> None:
    """Add damage to a robot, and lock its registers from the fifth leftwards (G-7.2)."""
    robot.damage = damage = robot.damage + amount
    if damage > 4 and (new := locks(damage) - len(robot.locked)):
        open_ones = [register for register in range(REGISTERS) if register not in robot.locked]
        robot.locked = tuple(sorted(robot.locked + tuple(open_ones[-new:])))


def _damage(state: StateLike, event: ev.Damage) -> None:
    damage_robot(state.robots[event.robot], event.amount)


def _weld(state: StateLike, event: ev.Weld) -> None:
    state.hull[event.checkpoint] = event.left


def _repair(state: StateLike, event: ev.Repair) -> None:
    """Repair damage. The registers that the player chose unlock first, then the leftmost (G-7.4, AM-5.3)."""
    robot = state.robots[event.robot]
    robot.damage -= event.amount
    if freed := len(robot.locked) - locks(robot.damage):
        chosen = [number - 1 for number in event.freed]
        rest = [register for register in robot.locked if register not in chosen]
        robot.locked = tuple(rest[freed - len(chosen) :])


def destroy_robot(robot: VisibleRobot, out: int | None = None) -> None:
    """Take a destroyed robot off the board. The robot loses a life, unless it is a scanner.

    ``out`` is the number of the moment when the robot goes out of the game (G-10.3). Robots that go out at
    the same moment have the same number. ``out`` is None if the robot does not go out, or if the ruleset does
    not number these moments.
    """
    robot.cell = OFF
    robot.alive = False
    robot.registers[:] = [None] * REGISTERS
    if not robot.scanner:
        robot.lives = max(0, robot.lives - 1)
    if out is not None:
        robot.fell = out


def _destroyed(state: StateLike, event: ev.Destroyed) -> None:
    destroy_robot(state.robots[event.robot], event.out)


def _inspect(state: StateLike, event: ev.Inspect) -> None:
    state.robots[event.robot].next = event.checkpoint + 1


def set_archive(robots: Sequence[VisibleRobot], robot: VisibleRobot, cell: int) -> None:
    """Set a robot's archive, and mark it as the archive set most recently (AM-6.2)."""
    robot.archive = cell
    last = 0
    for other in robots:
        if other.laid > last:
            last = other.laid
    robot.laid = last + 1


def _archive(state: StateLike, event: ev.Archive) -> None:
    set_archive(state.robots, state.robots[event.robot], event.at)


def _power(state: StateLike, event: ev.Power) -> None:
    robot = state.robots[event.robot]
    robot.down, robot.was_down = event.down, event.may_stay_down


def _reload(state: StateLike, event: ev.Reload) -> None:
    state.robots[event.robot].ammo = event.ammo


def place_robot(state: StateLike, robot: VisibleRobot, cell: int, virtual: bool) -> None:
    """Place a robot on the board (G-9).

    If the robot was destroyed, it comes back with the damage that the ruleset sets.
    """
    robot.cell = cell
    robot.virtual = virtual
    if not robot.alive:
        robot.alive = True
        robot.down = robot.was_down = False
        robot.returned = not robot.crystal
        robot.damage = 0 if robot.crystal else state.return_damage
        if robot.scanner and state.scanner_damage is not None:
            robot.damage = state.scanner_damage
        robot.locked = locked_registers(robot.damage)


def _enter(state: StateLike, event: ev.Enter) -> None:
    robot = state.robots[event.robot]
    robot.heading = event.heading
    place_robot(state, robot, event.at, event.virtual)


def _real(state: StateLike, event: ev.Real) -> None:
    state.robots[event.robot].virtual = False


def _virtual(state: StateLike, event: ev.Virtual) -> None:
    state.robots[event.robot].virtual = True


def _rank(state: StateLike, event: ev.Rank) -> None:
    for index, rank in event.ranks.items():
        state.robots[index].rank = rank


def _finish(state: StateLike, event: ev.Finish) -> None:
    if event.robot is None:
        return
    robot = state.robots[event.robot]
    robot.place = event.place
    if event.leaves:
        robot.cell = OFF
        robot.registers[:] = [None] * REGISTERS


def _over(state: StateLike, event: ev.Over) -> None:
    state.over = True
    state.winner = event.winner
    for index, chips in (event.locked or {}).items():
        for number, chip in chips.items():
            state.robots[index].registers[number - 1] = chip


APPLY: Mapping[type[Any], Callable[[Any, Any], None]] = {
    ev.Phase: _phase,
    ev.Move: _move,
    ev.Turn: _turn,
    ev.Blocked: _ignore,
    ev.Shot: _ignore,
    ev.Damage: _damage,
    ev.Weld: _weld,
    ev.Repair: _repair,
    ev.Destroyed: _destroyed,
    ev.Inspect: _inspect,
    ev.Archive: _archive,
    ev.Power: _power,
    ev.Reload: _reload,
    ev.Enter: _enter,
    ev.Real: _real,
    ev.Virtual: _virtual,
    ev.Rank: _rank,
    ev.Finish: _finish,
    ev.Over: _over,
}
