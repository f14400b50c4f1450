"""The types of events in a turn, as a closed union.

The log of events is the only record of a turn. Replays, statistics, ranks and texts use nothing else. Each
event starts with the phase (0 before phase 1, 6 at the end of the turn) and the name of the ruleset's step.
Events refer to robots by index and to cells by number. `codec` converts both to names and coordinates in
JSON. ``winner`` is a robot's index, a squad, or None.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple, cast

from rules.orders import Chip

Winner = int | str | None


class Phase(NamedTuple):
    """A phase begins. ``chips`` has the chip that each robot executes in this phase."""

    phase: int
    step: str
    chips: dict[int, Chip]


class Move(NamedTuple):
    """A robot moves to another cell. ``by`` is the cause: a chip, push, beam, arm, oil or transporter."""

    phase: int
    step: str
    robot: int
    origin: int
    to: int
    by: str
    pusher: int | None = None


class Turn(NamedTuple):
    """A robot turns. ``by`` is the cause: a chip, beam, twister or order.

    The old heading is None when the robot gets its first heading.
    """

    phase: int
    step: str
    robot: int
    origin: int | None
    to: int
    by: str


class Blocked(NamedTuple):
    """A robot cannot leave the cell ``at``. ``by`` is the obstacle: rail, damaged hull, robot or clamps."""

    phase: int
    step: str
    robot: int
    at: int
    heading: int
    by: str


class Shot(NamedTuple):
    """A robot fires a shot, or a board laser does. ``emitter`` is the cell of the board laser.

    ``hit`` is the robot that stops the shot, ``"hull"`` for damaged hull, or None. ``damage`` is the damage
    to the robot that is hit. If the shot was ``reflected``, it is the damage to the robot that fired.
    """

    phase: int
    step: str
    robot: int | None
    emitter: int | None
    origin: int
    to: int
    hit: int | str | None
    damage: int
    reflected: bool


class Damage(NamedTuple):
    """A robot takes damage. ``by`` is the cause: laser, board-laser, coupling or thruster.

    ``source`` is the robot that fired the laser, or the robot that reflected the shot.
    """

    phase: int
    step: str
    robot: int
    amount: int
    by: str
    source: int | None = None


class Weld(NamedTuple):
    """A robot's shot repairs the hull damage at a checkpoint by 1. ``left`` more repairs are needed."""

    phase: int
    step: str
    robot: int
    checkpoint: int
    left: int


class Repair(NamedTuple):
    """A robot is repaired. ``by`` is the cause, such as a depot, a checkpoint or a reboot.

    ``freed`` lists the registers, counted from 1, that unlock because the player chose them (AM-5.3).
    """

    phase: int
    step: str
    robot: int
    amount: int
    by: str
    freed: tuple[int, ...] = ()


class Destroyed(NamedTuple):
    """A robot is destroyed. ``by`` is the cause: shaft, space, bay, crusher, damage or implosion.

    ``killers`` are the robots that earn the kill, and ``how`` says whether it was by shot or by push.
    ``out`` is the number of the moment when the robot goes out of the game. Robots that go out at the same
    moment have the same number. ``out`` is None if the robot is not out, or if the ruleset does not number
    these moments (G-10.3).
    """

    phase: int
    step: str
    robot: int
    at: int
    by: str
    killers: tuple[int, ...] = ()
    how: str | None = None
    out: int | None = None


class Inspect(NamedTuple):
    """A robot inspects (touches, passes) its next checkpoint."""

    phase: int
    step: str
    robot: int
    checkpoint: int


class Archive(NamedTuple):
    """A robot sets its archive in the cell ``at``."""

    phase: int
    step: str
    robot: int
    at: int


class Power(NamedTuple):
    """A robot switches off (reboots, powers down) or on. ``down`` is true if the robot is off.

    With ``may_stay_down``, the player of a robot that was off may order it to stay off next turn (AM-5.2).
    """

    phase: int
    step: str
    robot: int
    down: bool
    may_stay_down: bool = False


class Reload(NamedTuple):
    """A robot uses one unit of ammunition, or refills all. ``ammo`` is the number of units now."""

    phase: int
    step: str
    robot: int
    ammo: int


class Enter(NamedTuple):
    """A robot is placed on the board: when it first enters, comes back, or must leave an airlock (RA-2)."""

    phase: int
    step: str
    robot: int
    at: int
    heading: int | None
    virtual: bool


class Real(NamedTuple):
    """A virtual robot becomes real."""

    phase: int
    step: str
    robot: int


class Virtual(NamedTuple):
    """A real robot becomes virtual."""

    phase: int
    step: str
    robot: int


class Rank(NamedTuple):
    """The ranks of robots for the next turn, and the weights that decided them."""

    phase: int
    step: str
    ranks: dict[int, int]
    weights: dict[int, int]


class Finish(NamedTuple):
    """A robot takes a place in the result of the game. It may leave the board at the same time (FA-4)."""

    phase: int
    step: str
    robot: int | None
    squad: str | None
    place: int
    leaves: bool = False


class Over(NamedTuple):
    """The game is over.

    ``reason`` is ``finished``, ``last standing``, ``all out``, ``lost`` or ``crystal``. ``locked`` reveals
    the chips in locked registers that were not executed, by robot and register number, from 1 (G-7.3).
    """

    phase: int
    step: str
    winner: Winner
    reason: str
    locked: dict[int, dict[int, Chip]] | None = None


new: Final = tuple.__new__
"""Make an event from its type and a tuple of its fields. This is twice as fast as calling the type."""

Entry = tuple[Any, ...]
"""An entry in the log of the current turn: an event, or a tuple of an event type and its fields."""


def read_log(log: Iterable[Entry]) -> tuple[Event, ...]:
    """Return the events of the current turn's log, made from its entries.

    Moves, turns and shots are most of the log. Logging them as plain tuples takes half the time.
    """
    events = [new(entry[0], entry[1:]) if type(entry) is tuple else entry for entry in log]
    return cast("tuple[Event, ...]", tuple(events))


Event = (
    Phase
    | Move
    | Turn
    | Blocked
    | Shot
    | Damage
    | Weld
    | Repair
    | Destroyed
    | Inspect
    | Archive
    | Power
    | Reload
    | Enter
    | Real
    | Virtual
    | Rank
    | Finish
    | Over
)
