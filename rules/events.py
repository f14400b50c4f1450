"""The types of events in a turn, as a closed union.

The log of events is the only record of a turn. Replays, statistics, ranks and texts derive from it. Each
event starts with the phase (0 before phase 1, 6 at the end of the turn) and the ruleset's step. Events refer
to robots by index and to cells by number. `codec` writes both as ``events`` in the documented vocabulary.
``winner`` is a robot's index, a squad, or None.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple, cast

from rules.orders import Chip

Winner = int | str | None


class Phase(NamedTuple):
    """A phase begins. ``chips`` are the chips executed in it, by robot."""

    phase: int
    step: str
    chips: dict[int, Chip]


class Move(NamedTuple):
    """A robot moves to another cell, by chip, push, beam, arm, oil or transporter."""

    phase: int
    step: str
    robot: int
    origin: int
    to: int
    by: str
    pusher: int | None = None


class Turn(NamedTuple):
    """A robot turns, by chip, beam, twister or order.

    ``origin`` is None for its first heading.
    """

    phase: int
    step: str
    robot: int
    origin: int | None
    to: int
    by: str


class Blocked(NamedTuple):
    """A rail, hull, robot or clamps stop a robot's step from ``at``."""

    phase: int
    step: str
    robot: int
    at: int
    heading: int
    by: str


class Shot(NamedTuple):
    """A robot fires, or a board laser at ``emitter``.

    ``hit`` is the robot that stops the shot, ``"hull"`` or None. ``damage`` is the damage to that robot, or
    to the shooter if the shot was ``reflected``.
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
    """A robot takes damage, by laser, board-laser, coupling or thruster.

    ``source`` is the robot that fired the laser.
    """

    phase: int
    step: str
    robot: int
    amount: int
    by: str
    source: int | None = None


class Weld(NamedTuple):
    """A robot's shot repairs hull damage at a checkpoint; ``left`` repairs remain."""

    phase: int
    step: str
    robot: int
    checkpoint: int
    left: int


class Repair(NamedTuple):
    """A robot is repaired, by depot, checkpoint, reboot or another rule.

    ``freed`` are the registers, from 1, that its player chose to unlock (AM-5.3).
    """

    phase: int
    step: str
    robot: int
    amount: int
    by: str
    freed: tuple[int, ...] = ()


class Destroyed(NamedTuple):
    """A robot is destroyed, by shaft, space, bay, crusher, damage or implosion.

    ``killers`` are the robots that get the kill, and ``how`` is shot or push. If the robot is out of the game
    and the order matters (G-10.3), ``out`` numbers the moments in which robots went out.
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
    """A robot sets its archive in a cell."""

    phase: int
    step: str
    robot: int
    at: int


class Power(NamedTuple):
    """A robot switches off (reboots, powers down) or on.

    After switching on, with ``may_stay_down``, its player may order it to stay off next turn (AM-5.2).
    """

    phase: int
    step: str
    robot: int
    down: bool
    may_stay_down: bool = False


class Reload(NamedTuple):
    """A robot uses one ammunition, or refills all."""

    phase: int
    step: str
    robot: int
    ammo: int


class Enter(NamedTuple):
    """A robot comes onto the board."""

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
    """The ranks for the next turn and the weights behind them, by robot."""

    phase: int
    step: str
    ranks: dict[int, int]
    weights: dict[int, int]


class Finish(NamedTuple):
    """A robot takes a place, and may leave the board with it (FA-4)."""

    phase: int
    step: str
    robot: int | None
    squad: str | None
    place: int
    leaves: bool = False


class Over(NamedTuple):
    """The game is over.

    ``reason`` is ``finished``, ``last standing``, ``all out``, ``lost`` or ``crystal``. ``locked`` are
    the chips in locked registers that were not executed, by robot and register from 1 (G-7.3).
    """

    phase: int
    step: str
    winner: Winner
    reason: str
    locked: dict[int, dict[int, Chip]] | None = None


new: Final = tuple.__new__
"""Makes an event from a type and its fields, in half the time of calling the type."""

Entry = tuple[Any, ...]
"""An entry in the log of the current turn: an event, or its type and its fields."""


def read_log(log: Iterable[Entry]) -> tuple[Event, ...]:
    """Return the events of a log.

    Moves, turns and shots are most of the log, and cost half as much when logged as plain tuples.
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
