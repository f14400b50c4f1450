"""Previews of a player's orders: their effect if no other robot gets in the way."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Annotated, Any, NamedTuple, TypedDict

from django.utils.safestring import SafeString
from django.utils.translation import gettext

import rules
from games.errors import Forbidden
from games.play import stored
from games.play.game_view import BoardRobot, Events, can_preview
from games.play.models import Game, Seat
from games.play.orders import check_orders, read_orders, turn_under_way
from games.play.viewers import Viewer, check_screen, no_seat, played_seat, seat_of
from games.wording import direction_name, sentence_of
from rules.drawing import CELL, ghost
from rules.events import Destroyed
from rules.grid import AFTER, PHASES

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Ghost:
    """A robot's cell (column and row) and heading at the end of a phase, for a preview.

    If ``lost``, the robot was destroyed there, and this is the last ghost of the preview.
    """

    phase: int
    at: Cell
    heading: int | None
    lost: bool = False


SILENT_EVENTS = frozenset({"phase", "rank"})
"""The types of events without a sentence in previews.

The panel already shows the chip of each phase, and the move order changes only at the end of a turn.
"""


@dataclass(frozen=True, slots=True)
class ForeseenTurn:
    """The effect of orders, phase by phase, up to the last filled register.

    ``look`` is the number of the robot's picture. ``size`` is the width and height of the board, in cells.
    ``path`` lists the cells that the robot crosses, and ``positions`` its cell and heading at the end of each
    phase.
    """

    look: int
    size: Cell
    path: tuple[Cell, ...]
    positions: tuple[Ghost, ...]
    sentences: tuple[str, ...]

    @property
    def drawing(self) -> SafeString:
        """The path and the ghosts as an SVG group, with the last ghost on top."""
        points = [f"{_middle(x)} {_middle(y)}" for x, y in self.path]
        parts = [f'<path class="outlook-way" d="M{"L".join(points)}"/>'] if len(points) > 1 else []
        parts += _ghosts(self.look, self.positions, self.size)
        return SafeString(f'<g class="outlook" aria-hidden="true">{"".join(parts)}</g>')

    @property
    def summary(self) -> str:
        """A sentence about the robot's final cell and heading.

        Empty if no chip was chosen, or if there is a warning.
        """
        if not self.positions or self.warning:
            return ""
        end = self.positions[-1]
        place = {"phase": end.phase, "column": end.at[0] + 1, "row": end.at[1] + 1}
        if end.heading is None:
            said = gettext(
                "If no other robot gets in the way, you are in column {column}, row {row} after phase"
                " {phase}."
            )
            return said.format(**place)
        said = gettext(
            "If no other robot gets in the way, you are in column {column}, row {row} after phase"
            " {phase}, facing {way}."
        )
        return said.format(**place, way=direction_name(rules.LETTERS[end.heading]))

    @property
    def warning(self) -> str:
        """A sentence about the phase and the cell of the robot's destruction. Empty if the robot survives."""
        lost = next((position for position in self.positions if position.lost), None)
        if lost is None:
            return ""
        where = self._inside(lost.at)
        if where == lost.at:
            said = gettext(
                "If no other robot gets in the way, you are destroyed in phase {phase}, in column"
                " {column}, row {row}."
            )
        else:
            said = gettext(
                "If no other robot gets in the way, you drive off the edge at column {column}, row"
                " {row} and are destroyed in phase {phase}."
            )
        return said.format(phase=lost.phase, column=where[0] + 1, row=where[1] + 1)

    def _inside(self, at: Cell) -> Cell:
        x, y = (min(max(place, 0), length - 1) for place, length in zip(at, self.size, strict=True))
        return x, y


class PreviewView(TypedDict):
    """The effect of your orders if no other robot gets in the way."""

    events: Events
    robot: BoardRobot
    drawing: Annotated[
        str, "The robot's path, and its position after each phase, as part of an SVG document."
    ]
    summary: Annotated[
        str, "The robot's final position, as a sentence. Empty without chips, or with a `warning`."
    ]
    warning: Annotated[str, "The place where the robot is destroyed, as a sentence. Empty if it survives."]


def preview(
    *, viewer: Viewer, game: Game, turn_number: int, document: object, screen: int | None = None
) -> PreviewView:
    """Return the effect of the viewer's orders if no other robot gets in the way. Nothing is saved.

    Empty registers do nothing. Transporters that no robot has used yet lead nowhere. In a game on one screen,
    ``screen`` is the seat that the orders are for.

    Raises Forbidden if the viewer has no seat or the game has no programming aid, and Malformed for an
    unreadable document. Raises Conflict if the turn is not under way, the hand is face down, or the player is
    not at the screen; and Invalid with all problems of the orders.
    """
    trial = _try(viewer, game, turn_number, document, screen)
    robot: Any = rules.robot_to_json(trial.terms, trial.outcome.state.robots[trial.seat.number - 1])
    foreseen = _foreseen(trial)
    return {
        "events": rules.events_to_json(trial.terms, trial.outcome.events),
        "robot": robot,
        "drawing": foreseen.drawing,
        "summary": foreseen.summary,
        "warning": foreseen.warning,
    }


def foresee(
    *, viewer: Viewer, game: Game, turn_number: int, document: object, screen: int | None = None
) -> ForeseenTurn:
    """Return the viewer's robot at the end of each phase. Raises the errors of `preview`.

    The result ends at the last filled register if others are still empty. Later locked registers are left
    out, because their outcome would depend on the empty ones.
    """
    return _foreseen(_try(viewer, game, turn_number, document, screen))


class _Trial(NamedTuple):
    ship: rules.Starship
    state: rules.State
    seat: Seat
    orders: rules.Orders
    outcome: rules.Outcome

    @property
    def terms(self) -> rules.Vocabulary:
        return stored.vocabulary_of(self.ship, self.state)


def _try(viewer: Viewer, game: Game, turn_number: int, document: object, screen: int | None) -> _Trial:
    if seat_of(viewer=viewer, game=game):
        check_screen(game=game, screen=screen)
    seat = played_seat(viewer=viewer, game=game)
    if seat is None:
        raise no_seat()
    if not can_preview(game):
        detail = gettext("This game has no programming aid, so you cannot preview orders.")
        raise Forbidden("no-aid", detail)
    orders = read_orders(document)
    turn = turn_under_way(game, turn_number)
    setup = stored.setup_of(game)
    state = stored.start_of(turn, setup.starship)
    hand = turn.hands.filter(seat=seat).first()
    check_orders(setup, state, seat, hand, orders, unfinished=True)
    outcome = rules.preview(setup, state, seat.number - 1, orders)
    return _Trial(setup.starship, state, seat, orders, outcome)


def _foreseen(trial: _Trial) -> ForeseenTurn:
    robot = trial.state.robots[trial.seat.number - 1]
    last = _last_phase(robot, trial.orders)
    events = [event for event in trial.outcome.events if event.phase <= last]
    mine = [event for event in rules.events_to_json(trial.terms, events) if event.get("robot") == robot.name]
    return ForeseenTurn(
        look=trial.seat.look,
        size=(trial.ship.width, trial.ship.height),
        path=tuple(_path(mine, _position(trial.ship, robot))),
        positions=tuple(_positions(trial, events)),
        sentences=tuple(sentence_of(event) for event in mine if _is_shown(event)),
    )


def _last_phase(robot: rules.Robot, orders: rules.Orders) -> int:
    """Return the phase of the last filled register, or `AFTER` if all unlocked registers are filled."""
    free = [register for register in range(rules.REGISTERS) if register not in robot.locked]
    filled = [register for register in free if orders.registers and orders.registers[register]]
    if len(filled) == len(free):
        return AFTER
    return filled[-1] + 1 if filled else 0


def _positions(trial: _Trial, events: list[rules.Event]) -> list[Ghost]:
    """Return the robot's ghosts, one for each phase, until the robot is destroyed or the events end."""
    positions: list[Ghost] = []
    state = trial.state
    for phase, group in groupby(events, key=lambda event: event.phase):
        happening = list(group)
        state = rules.fold(state, happening)
        robot = state.robots[trial.seat.number - 1]
        fall = next((event for event in happening if isinstance(event, Destroyed)), None)
        if fall:
            if phase == AFTER and positions:
                positions.pop()
            positions.append(Ghost(min(phase, PHASES[-1]), trial.ship.pos(fall.at), robot.heading, lost=True))
        place = _position(trial.ship, robot)
        if fall or place is None or phase == AFTER:
            break
        if phase:
            positions.append(Ghost(phase, place, robot.heading))
    return positions


def _position(ship: rules.Starship, robot: rules.Robot) -> Cell | None:
    return ship.pos(robot.cell) if ship.inside(robot.cell) else None


def _path(mine: Sequence[Mapping[str, Any]], origin: Cell | None) -> Iterator[Cell]:
    """Yield the cells on a robot's path, starting at ``origin``, until the robot is destroyed."""
    if origin:
        yield origin
    for event in mine:
        match event["type"]:
            case "move":
                yield event["to"][0], event["to"][1]
            case "enter":
                yield event["at"][0], event["at"][1]
            case "destroyed":
                return


def _ghosts(look: int, positions: Sequence[Ghost], size: Cell) -> Iterator[str]:
    """Draw one ghost for each cell that holds the robot at the end of a phase, with the phases' numbers.

    If a robot is destroyed beyond the edge of the board, its ghost is drawn half on the board.
    """
    cells: dict[Cell, list[Ghost]] = {}
    for position in positions:
        cells.setdefault(position.at, []).append(position)
    last = positions[-1].at if positions else None
    for at, there in sorted(cells.items(), key=lambda item: (item[0] == last, item[1][-1].phase)):
        end = there[-1]
        phases = [position.phase for position in there]
        drawn = ghost(look, at, end.heading, phases, lost=end.lost, last=at == last)
        x, y = (_inwards(place, length) for place, length in zip(at, size, strict=True))
        yield f'<g transform="translate({x} {y})">{drawn}</g>' if (x, y) != (0, 0) else drawn


def _inwards(place: int, length: int) -> int:
    """Return the shift of a ghost along one axis, in pixels. It is 0 for a ghost on the board.

    A ghost beyond the edge moves halfway onto the board.
    """
    return CELL // 2 if place < 0 else -CELL // 2 if place >= length else 0


def _is_shown(event: Mapping[str, Any]) -> bool:
    return event["type"] not in SILENT_EVENTS and (event["type"] != "shot" or event["hit"] is not None)


def _middle(number: int) -> int:
    return number * CELL + CELL // 2
