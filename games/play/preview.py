"""What orders would do."""

from dataclasses import dataclass
from itertools import groupby
from typing import Any, TypedDict

from django.utils.translation import gettext as _

import rules
from games.errors import Forbidden
from games.play import stored
from games.play.game_view import BoardRobot, Events, can_preview
from games.play.models import Game
from games.play.orders import check_orders, read_orders, turn_under_way
from games.play.viewers import Viewer, seat_of
from rules.events import Destroyed
from rules.grid import PHASES

AFTER = PHASES[-1] + 1
"""The end of the turn, as events number it."""


@dataclass(frozen=True, slots=True)
class Ghost:
    """Where a robot is at the end of a phase, as column and row, and which way it faces.

    ``lost`` says that it was destroyed there; there is no stand for later phases then.
    """

    phase: int
    at: tuple[int, int]
    heading: int | None
    lost: bool = False


@dataclass(frozen=True, slots=True)
class ForeseenTurn:
    """What orders would do, phase by phase, as far as registers are filled.

    ``look`` is the robot's, ``size`` the board's width and height in cells, ``origin`` where the robot
    starts if it is on the board, ``documents`` are the events.
    """

    name: str
    look: int
    size: tuple[int, int]
    origin: tuple[int, int] | None
    stands: tuple[Ghost, ...]
    documents: tuple[dict[str, Any], ...]

    @property
    def is_fatal(self) -> bool:
        """Whether the robot would be destroyed."""
        return any(stand.lost for stand in self.stands)


class PreviewView(TypedDict):
    """What orders would do if no other robot were there."""

    events: Events
    robot: BoardRobot


def preview(*, viewer: Viewer, game: Game, turn_number: int, document: object) -> PreviewView:
    """Return what the viewer's orders would do if no other robot were there; nothing is kept.

    Empty registers do nothing. Transporters that no one has used lead nowhere. Raises Forbidden
    without a seat and in games without programming aid, Malformed, Conflict for a turn that is not
    under way, and Invalid.
    """
    trial = _try(viewer, game, turn_number, document)
    robot: Any = rules.robot_to_json(trial.terms, trial.outcome.state.robots[trial.index])
    return {"events": rules.events_to_json(trial.terms, trial.outcome.events), "robot": robot}


def foresee(*, viewer: Viewer, game: Game, turn_number: int, document: object) -> ForeseenTurn:
    """Return where the viewer's robot would be at the end of each phase; raises as `preview` does.

    It goes as far as the last register that was filled: what lies in locked ones beyond it still
    depends on what is to come before.
    """
    trial = _try(viewer, game, turn_number, document)
    robot = trial.state.robots[trial.index]
    last = _last_phase(robot, trial.orders)
    events = [event for event in trial.outcome.events if event.phase <= last]
    return ForeseenTurn(
        name=robot.name,
        look=trial.look,
        size=(trial.ship.width, trial.ship.height),
        origin=_place(trial.ship, robot),
        stands=tuple(_stands(trial, events)),
        documents=tuple(rules.events_to_json(trial.terms, events)),
    )


@dataclass(frozen=True, slots=True)
class _Trial:
    ship: rules.Starship
    state: rules.State
    index: int
    look: int
    orders: rules.Orders
    outcome: rules.Outcome

    @property
    def terms(self) -> rules.Vocabulary:
        return stored.vocabulary_of(self.ship, self.state)


def _try(viewer: Viewer, game: Game, turn_number: int, document: object) -> _Trial:
    seat = seat_of(viewer=viewer, game=game)
    if seat is None:
        raise Forbidden("no-seat", _("You have no seat in this game."))
    if not can_preview(game):
        detail = _("This game is played without programming aid: you see what a program does when it runs.")
        raise Forbidden("no-aid", detail)
    orders = read_orders(document)
    turn = turn_under_way(game, turn_number)
    setup = stored.setup_of(game)
    state = stored.start_of(turn, setup.starship)
    index = seat.number - 1
    hand = turn.hands.filter(seat=seat).first()
    check_orders(setup, state, seat, hand, orders, unfinished=True)
    return _Trial(setup.starship, state, index, seat.look, orders, rules.preview(setup, state, index, orders))


def _last_phase(robot: rules.Robot, orders: rules.Orders) -> int:
    """Return the phase up to which a program is laid; the end of the turn, where it is complete."""
    free = [register for register in range(rules.REGISTERS) if register not in robot.locked]
    filled = [register for register in free if orders.registers and orders.registers[register]]
    if len(filled) == len(free):
        return AFTER
    return filled[-1] + 1 if filled else 0


def _stands(trial: _Trial, events: list[rules.Event]) -> list[Ghost]:
    """Fold the events phase by phase, as far as the robot gets."""
    stands: list[Ghost] = []
    state = trial.state
    for phase, group in groupby(events, key=lambda event: event.phase):
        happening = list(group)
        state = rules.fold(state, happening)
        robot = state.robots[trial.index]
        fall = next((event for event in happening if isinstance(event, Destroyed)), None)
        if fall:
            if phase == AFTER and stands:
                stands.pop()
            stands.append(Ghost(min(phase, PHASES[-1]), trial.ship.pos(fall.at), robot.heading, lost=True))
        place = _place(trial.ship, robot)
        if fall or place is None or phase == AFTER:
            break
        if phase:
            stands.append(Ghost(phase, place, robot.heading))
    return stands


def _place(ship: rules.Starship, robot: rules.Robot) -> tuple[int, int] | None:
    return ship.pos(robot.cell) if ship.inside(robot.cell) else None
