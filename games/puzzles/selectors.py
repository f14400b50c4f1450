"""Puzzles as players see them: the next puzzle, the result of a try, the rating and the history."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Final, NotRequired, TypedDict

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

import rules
from accounts.models import User
from games.errors import NotFound, Shape
from games.fleet.boards import starship_of
from games.play.game_view import Cell, ChipView, Heading, Hull
from games.play.viewers import Viewer
from games.puzzles.models import Puzzle, PuzzleRating, PuzzleTry
from games.standings.ratings import MU, margin_of_error, points
from rules import events as ev
from rules.codec import read_chip
from rules.grid import LETTERS as HEADINGS
from rules.puzzles.documents import Try, read_puzzle, try_program
from rules.puzzles.mining import Puzzle as Position

REGISTERS: Final = rules.REGISTERS


def listed() -> QuerySet[Puzzle]:
    """Return all puzzles, except those on ships that staff have taken down."""
    return Puzzle.objects.filter(revision__starship__taken_down_at=None)


def puzzle_of(*, puzzle_id: int) -> Puzzle:
    """Return a puzzle. Raises NotFound if it does not exist."""
    found = listed().select_related("revision").filter(pk=puzzle_id).first()
    if found is None:
        raise no_puzzle()
    return found


def no_puzzle() -> NotFound:
    return NotFound("no-puzzle", _("There is no puzzle with this number."))


def position_of(puzzle: Puzzle) -> Position:
    """Return the position in a puzzle's document."""
    return read_puzzle(puzzle.document, starship_of(puzzle.revision))


def next_puzzle(*, viewer: Viewer) -> Puzzle | None:
    """Return the puzzle nearest to the viewer's rating that they have not tried, or None if there is none.

    Strangers and guests have the rating of a newcomer.
    """
    puzzles, mu = listed().select_related("revision"), MU
    if isinstance(viewer, User):
        puzzles = puzzles.filter(~Exists(PuzzleTry.objects.filter(user=viewer, puzzle=OuterRef("pk"))))
        if rating := rating_of(user=viewer):
            mu = rating.mu
    above = puzzles.filter(mu__gte=mu).order_by("mu", "pk").first()
    below = puzzles.filter(mu__lt=mu).order_by("-mu", "-pk").first()
    near = [puzzle for puzzle in (above, below) if puzzle]
    return min(near, key=lambda puzzle: abs(puzzle.mu - mu)) if near else None


def try_of(*, viewer: Viewer, puzzle: Puzzle) -> PuzzleTry | None:
    """Return the viewer's tries at a puzzle, or None if they have not tried it."""
    if not isinstance(viewer, User):
        return None
    return PuzzleTry.objects.filter(puzzle=puzzle, user=viewer).first()


def chips_of(program: Sequence[str]) -> tuple[rules.Chip, ...]:
    return tuple(map(read_chip, program))


def rating_of(*, user: User) -> PuzzleRating | None:
    return PuzzleRating.objects.filter(user=user).first()


def tries_of(*, user: User) -> QuerySet[PuzzleTry]:
    """Return a player's tries at puzzles that are `listed`, the latest first."""
    return (
        PuzzleTry.objects.filter(user=user, puzzle__in=listed())
        .select_related("puzzle__revision")
        .order_by("-tried_at", "-pk")
    )


# --- Explanations -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Explanation:
    """The effects of a program: the chance to win in percent, and sentences about the events."""

    chance: int
    sentences: Sequence[str]


def explain(position: Position, tried: Try) -> Explanation:
    """Return the effects of a program on the robot to program."""
    return Explanation(percent(tried.chance), _sentences(position, tried.outcome.events))


def percent(chance: float) -> int:
    return round(100 * chance)


def _sentences(position: Position, events: Sequence[rules.Event]) -> list[str]:
    mine, robots = position.robot, position.state.robots
    found, damage = [], 0
    for event in events:
        if isinstance(event, ev.Inspect) and event.robot == mine:
            found.append(_("Robot A inspects checkpoint {number}.").format(number=event.checkpoint))
        elif isinstance(event, ev.Destroyed) and event.robot == mine:
            found.append(_("Robot A is destroyed in phase {phase}.").format(phase=event.phase))
        elif isinstance(event, ev.Destroyed):
            form = (
                _("Robot A destroys robot {other}.")
                if mine in event.killers
                else _("Robot {other} is destroyed.")
            )
            found.append(form.format(other=robots[event.robot].name))
        elif isinstance(event, ev.Inspect):
            form = _("Robot {other} inspects checkpoint {number}.")
            found.append(form.format(other=robots[event.robot].name, number=event.checkpoint))
        elif isinstance(event, ev.Damage) and event.robot == mine:
            damage += event.amount
    if damage:
        found.append(_("Robot A takes {amount} damage.").format(amount=damage))
    return found


# --- Documents ----------------------------------------------------------------------------------------------


class PuzzleRobot(TypedDict):
    """A robot at the start of a puzzle."""

    name: Annotated[str, "A letter. Robot A is yours."]
    at: Cell
    heading: Heading
    next: Annotated[int, "The number of its next checkpoint."]
    damage: int
    lives: int
    rank: Annotated[int, "Its place in the move order, from 1."]
    down: Annotated[bool, "Whether it is switched off."]


class MyPuzzleView(TypedDict):
    """Your tries at a puzzle."""

    tried_at: datetime
    program: Annotated[list[str], "The program of your first try."]
    solved: Annotated[bool, "Whether your first try was right."]
    change: Annotated[int | None, "Its effect on your rating, in points; null if it was not rated."]
    last_program: Annotated[list[str], "The program of your last try."]
    last_right: bool


class PuzzleView(TypedDict):
    """A puzzle. The solution and its figures are secret until you have tried it."""

    id: int
    starship: Annotated[dict[str, Any], Shape({"type": "object"}), "The board, as a `starship/1` document."]
    hull: Hull
    robots: list[PuzzleRobot]
    hand: list[ChipView]
    known: Annotated[dict[str, list[str | None]], "The programs of the other robots, by their letters."]
    me: MyPuzzleView | None
    solution: NotRequired[list[str]]
    best: NotRequired[Annotated[float, "The chance to win after the solution."]]
    next_best: NotRequired[Annotated[float, "The chance to win after the best other program."]]
    rating: NotRequired[Annotated[int, "The rating of the puzzle, in points."]]
    tries: NotRequired[Annotated[int, "The number of rated tries, of which `solved` were right."]]
    solved: NotRequired[int]


def puzzle_view(*, viewer: Viewer, puzzle: Puzzle) -> PuzzleView:
    """Return a puzzle as a viewer may see it."""
    document, result = puzzle.document, try_of(viewer=viewer, puzzle=puzzle)
    position = position_of(puzzle)
    ship = position.setup.starship
    view: PuzzleView = {
        "id": puzzle.pk,
        "starship": rules.write_starship(ship),
        "hull": {str(number): left for number, left in position.state.hull.items()},
        "robots": [
            {
                "name": robot.name,
                "at": list(ship.pos(robot.cell)),
                "heading": HEADINGS[robot.heading or 0],
                "next": robot.next,
                "damage": robot.damage,
                "lives": robot.lives,
                "rank": robot.rank,
                "down": robot.down,
            }
            for robot in position.state.robots
            if robot.on_board
        ],
        "hand": [{"number": chip.number, "kind": chip.kind} for chip in position.hand],
        "known": document["programs"],
        "me": None,
    }
    if result:
        view["me"] = {
            "tried_at": result.tried_at,
            "program": result.program,
            "solved": result.solved,
            "change": result.change,
            "last_program": result.last_program,
            "last_right": try_program(position, chips_of(result.last_program)).right,
        }
        view["solution"] = document["solution"]
        view["best"], view["next_best"] = document["chances"]["best"], document["chances"]["next"]
        view["rating"], view["tries"], view["solved"] = points(puzzle.mu), puzzle.tries, puzzle.solved
    return view


class PuzzleRatingView(TypedDict):
    """Your rating at puzzles. Only you see it."""

    rating: int
    margin: Annotated[int, "In 19 of 20 cases, the true rating is at most this far away."]
    tries: Annotated[int, "The number of rated first tries, of which `solved` were right."]
    solved: int


def rating_view(*, user: User) -> PuzzleRatingView:
    """Return a player's rating. A player without a rated try has the rating of a newcomer."""
    rating = rating_of(user=user) or PuzzleRating(user=user)
    return {
        "rating": points(rating.mu),
        "margin": margin_of_error(rating.sigma),
        "tries": rating.tries,
        "solved": rating.solved,
    }
