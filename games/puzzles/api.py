"""API calls for puzzles."""

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request

from games.daily.api import DailyProgramSerializer
from games.errors import NotFound
from games.puzzles.selectors import (
    PuzzleRatingView,
    PuzzleView,
    next_puzzle,
    puzzle_of,
    puzzle_view,
    rating_view,
)
from games.puzzles.services import try_puzzle
from games.web.answers import PuzzleTries
from games.web.api import Answered, Values, call, person


class PuzzleTrySerializer(DailyProgramSerializer):
    """Your program for a puzzle."""


@call("GET", "Get your next puzzle", PuzzleView, 404, strangers=True)
def get_next_puzzle(request: Request) -> Answered:
    """Returns the [puzzle](/docs/puzzles/) nearest to your rating that you have not tried."""
    found = next_puzzle(viewer=request.user)
    if found is None:
        raise NotFound("no-puzzle", _("You have tried all puzzles."))
    return puzzle_view(viewer=request.user, puzzle=found)


@call("GET", "Get a puzzle", PuzzleView, strangers=True)
def get_puzzle(request: Request, puzzle_id: int) -> Answered:
    """Returns a puzzle. After your first try, it has a `solution` and its figures."""
    return puzzle_view(viewer=request.user, puzzle=puzzle_of(puzzle_id=puzzle_id))


@call(
    "POST",
    "Try a puzzle",
    PuzzleView,
    422,
    takes=PuzzleTrySerializer,
    example={"registers": [490, 80, 670, 70, 500]},
    throttle_classes=(PuzzleTries,),
)
def submit_puzzle_program(request: Request, puzzle_id: int, asked: Values) -> Answered:
    """Tries a program. Your first try counts for both ratings: yours, and the puzzle's."""
    user = person(request)
    try_puzzle(user=user, puzzle_id=puzzle_id, registers=asked["registers"], now=timezone.now())
    return puzzle_view(viewer=user, puzzle=puzzle_of(puzzle_id=puzzle_id))


@call("GET", "Get your rating at puzzles", PuzzleRatingView)
def get_puzzle_rating(request: Request) -> Answered:
    """Returns your rating at puzzles. Only you see it."""
    return rating_view(user=person(request))
