"""What happens in a turn: the closed union of event types.

The log of events is the only record of a turn; replay, statistics, ranks and every text are
derived from it. Each event begins with the phase (0 before phase 1, 6 at the end of the turn) and
the ruleset's step. Robots are named by their index, cells by their number; `codec` writes both as
``events`` of the documented vocabulary. ``winner`` is a robot's index, a squad, or None.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple, cast

from rules.orders import Chip

Winner = int | str | None


class Phase(NamedTuple):
    """A phase begins: the chips that the robots execute in it, by robot."""

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
    """A robot turns, by chip, beam, twister or order; ``origin`` is None for its first heading."""

    phase: int
    step: str
    robot: int
    origin: int | None
    to: int
    by: str


class Blocked(NamedTuple):
    """A robot's step from ``at`` does not happen, because of a rail, hull, robot or clamps ahead."""

    phase: int
    step: str
    robot: int
    at: int
    heading: int
    by: str


class Shot(NamedTuple):
    """A laser fires: a robot's, or the board's (``emitter`` is its cell).

    ``hit`` is the robot that stops it, ``"hull"`` or None; ``damage`` what it does to the robot that is
    hurt by it: the shooter, where it was ``reflected``.
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
    """A robot is hurt, by laser (of the ``source`` robot), board-laser, coupling or thruster."""

    phase: int
    step: str
    robot: int
    amount: int
    by: str
    source: int | None = None


class Weld(NamedTuple):
    """A robot's shot repairs hull damage; some are left at that checkpoint."""

    phase: int
    step: str
    robot: int
    checkpoint: int
    left: int


class Repair(NamedTuple):
    """A robot's damage is repaired, by depot, checkpoint, reboot or what else the ruleset has.

    ``freed`` are the registers, from 1, that its player has chosen to be freed (AM-5.3).
    """

    phase: int
    step: str
    robot: int
    amount: int
    by: str
    freed: tuple[int, ...] = ()


class Destroyed(NamedTuple):
    """A robot is destroyed, by shaft, space, bay, crusher, damage or implosion.

    ``killers`` are the robots that get the kill, and ``how`` they did it: shot or push. ``out`` says that the
    robot is out of the game, where it matters who was so last (G-10.3): in the how many-th instant in which
    robots went out.
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
    """A robot's archive is laid in a cell."""

    phase: int
    step: str
    robot: int
    at: int


class Power(NamedTuple):
    """A robot goes down (reboots, is switched off), or comes up again.

    After coming up it may be one that ``may_stay_down``: its player orders that for the next turn (AM-5.2).
    """

    phase: int
    step: str
    robot: int
    down: bool
    may_stay_down: bool = False


class Reload(NamedTuple):
    """A robot's ammunition changes: one is used, or all is refilled."""

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
    """The ranks of the next turn, and the weights that they follow from, by robot."""

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
    """The game is over: ``finished``, ``last standing``, ``all out``, ``lost`` or ``crystal``.

    ``locked`` are the chips of registers that had locked but were not executed yet, by robot and register
    from 1 on (G-7.3).
    """

    phase: int
    step: str
    winner: Winner
    reason: str
    locked: dict[int, dict[int, Chip]] | None = None


new: Final = tuple.__new__
"""Makes an event of a type and its fields, in half the time that calling the type takes."""

Entry = tuple[Any, ...]
"""What stands in the log of a turn under way: an event, or its type and its fields (`read_log`)."""


def read_log(log: Iterable[Entry]) -> tuple[Event, ...]:
    """Return the events of a log.

    Moves, turns and shots are most of what happens, and cost half when they are logged as plain tuples.
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
