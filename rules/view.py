"""The view of a state for one viewer, copied from an allow-list of fields.

Pages and API responses get a view, never a state. The secrets of a state are unused transporter links
(RR-1.4), and the chips that a robot draws when it is switched on (AM-5.2). Hands, orders and the seed are not
part of a state.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any

from rules.apply import apply
from rules.codec import Vocabulary
from rules.events import Event, Winner
from rules.grid import OFF
from rules.orders import REGISTERS, Chip
from rules.starship import Starship
from rules.state import Robot, State, VisibleRobot


@dataclass(slots=True)
class RobotView(VisibleRobot):
    """The public view of a robot. ``registers`` has only revealed chips and locked chips."""


@dataclass(slots=True)
class View:
    """The view of a state for one viewer. ``links`` has only the transporter links that robots have used."""

    turn: int
    robots: list[RobotView]
    hull: dict[int, int]
    links: dict[int, int]
    return_damage: int
    scanner_damage: int | None
    over: bool
    winner: Winner

    def learn_link(self, origin: int, to: int) -> None:
        self.links[origin] = to

    @property
    def crystal(self) -> int | None:
        """The cell of the power crystal, or None if it is not on the board (RC-3)."""
        last = self.robots[-1]
        return last.cell if last.crystal and last.cell != OFF else None


def view(state: State, own: int | None = None) -> View:
    """Return the public view of a state, or the view for the player of the robot with index ``own``.

    Only its player sees the chips that a robot drew when it was switched on (AM-5.2).
    """
    return View(
        turn=state.turn,
        robots=[_robot(robot, known=robot.index == own or not robot.was_down) for robot in state.robots],
        hull=dict(state.hull),
        links={origin: to for origin, to in state.links.items() if origin in state.known},
        return_damage=state.return_damage,
        scanner_damage=state.scanner_damage,
        over=state.over,
        winner=state.winner,
    )


VIEW_FIELDS = tuple(field.name for field in fields(RobotView))
"""The names of the public fields of a robot."""

_view_fields_of = attrgetter(*VIEW_FIELDS)


def _robot(robot: Robot, *, known: bool) -> RobotView:
    seen = RobotView(*_view_fields_of(robot))
    seen.registers = list(robot.registers) if known else [None] * REGISTERS
    return seen


def update_view(seen: View, event: Event) -> None:
    """Update a viewer's view with an event that the viewer may see."""
    apply(seen, event)


def view_to_json(ship: Starship, seen: View) -> dict[str, Any]:
    """Write a view as JSON for the API."""
    terms = Vocabulary(ship, [robot.name for robot in seen.robots])
    return {
        "turn": seen.turn,
        "robots": [robot_to_json(terms, robot) for robot in seen.robots if not robot.crystal],
        "hull": {str(number): left for number, left in seen.hull.items()},
        "links": [[terms.cell(origin), terms.cell(to)] for origin, to in sorted(seen.links.items())],
        "crystal": None if seen.crystal is None else terms.cell(seen.crystal),
        "winner": terms.robot_or_word(seen.winner),
    }


def robot_to_json(
    terms: Vocabulary, robot: VisibleRobot, program: Sequence[Chip | None] | None = None
) -> dict[str, Any]:
    """Write the public data of a robot as JSON.

    Its locked chips come from ``program``, if given, and otherwise from its registers.
    """
    registers = robot.registers if program is None else program
    return {
        "name": robot.name,
        "seat": robot.index + 1,
        "at": terms.cell(robot.cell),
        "heading": terms.heading(robot.heading),
        "damage": robot.damage,
        "lives": robot.shown_lives,
        "alive": robot.alive,
        "virtual": robot.virtual,
        "down": robot.down,
        "was_down": robot.was_down,
        "next": robot.next,
        "archive": terms.cell(robot.archive),
        "locked": {
            str(register + 1): chip.kind if (chip := registers[register]) else None
            for register in (robot.locked if robot.alive else ())
        },
        "rank": None if robot.out else robot.rank or None,
        "squad": robot.squad,
        "model": robot.model,
        "equipment": robot.equipment,
        "ammo": robot.ammo,
        "scanner": robot.scanner,
        "returned": robot.returned,
        "place": robot.place,
    }
