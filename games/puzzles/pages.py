"""Pages of puzzles: the next puzzle, one puzzle with its result, and the player's history."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

import rules
from accounts import guests, limits
from accounts.models import User
from games.daily.pages import chosen_registers, trial_form
from games.errors import NotFound, ServiceError
from games.films.film import Film, film_of_events
from games.fleet.pictures import board_at, legend_of
from games.puzzles.models import Puzzle, PuzzleTry
from games.puzzles.selectors import (
    chips_of,
    explain,
    next_puzzle,
    percent,
    position_of,
    puzzle_of,
    rating_view,
    tries_of,
    try_of,
)
from games.puzzles.services import try_puzzle
from games.standings.ratings import points
from games.web.pages import handle_missing, page_of, viewer_of
from rules.engine import Outcome, programs_of
from rules.puzzles.documents import LETTERS, Try, try_program
from rules.puzzles.mining import Puzzle as Position
from rules.state import Robot


@dataclass(frozen=True, slots=True)
class Row:
    """A robot of a puzzle, with the kinds of the chips of its program."""

    robot: Robot
    look: int
    mine: bool
    chips: Sequence[str]


@require_safe
@never_cache
def next_one(request: HttpRequest) -> HttpResponse:
    """Show the puzzle nearest to the reader's rating that they have not tried."""
    puzzle = next_puzzle(viewer=viewer_of(request))
    return _page(request, puzzle) if puzzle else render(request, "puzzles/missing.html")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@handle_missing
def one_puzzle(request: HttpRequest, puzzle_id: int) -> HttpResponse:
    """Show a puzzle. On POST, try a program. People without an account play as guests."""
    puzzle = puzzle_of(puzzle_id=puzzle_id)
    return _try(request, puzzle) if request.method == "POST" else _page(request, puzzle)


@require_safe
@never_cache
@login_required
def history(request: HttpRequest) -> HttpResponse:
    """Show the reader's rating, and the puzzles that they have tried. Only they see it."""
    assert isinstance(request.user, User)
    shown = page_of(request, tries_of(user=request.user))
    rows = [
        {
            "tried": each,
            "address": address_of(each.puzzle),
            "ship": each.puzzle.revision.document["name"],
            "rating": points(each.puzzle.mu),
        }
        for each in shown
    ]
    context = {"shown": shown, "rows": rows, "mine": rating_view(user=request.user)}
    return render(request, "puzzles/history.html", context)


def _try(request: HttpRequest, puzzle: Puzzle) -> HttpResponse:
    player = guests.player_or_guest(request)
    if isinstance(player, HttpResponse):
        return player
    if wait := limits.consume_request(limits.PUZZLE_TRIES, request):
        return limits.too_many_requests(request, wait)
    registers = chosen_registers(request)
    try:
        try_puzzle(user=player, puzzle_id=puzzle.pk, registers=registers, now=timezone.now())
    except NotFound:
        raise
    except ServiceError as refusal:
        return _page(request, puzzle, refusal=refusal, chosen=registers)
    return redirect(f"{address_of(puzzle)}#film")


def address_of(puzzle: Puzzle) -> str:
    return reverse("puzzles:puzzle", args=[puzzle.pk])


def _page(
    request: HttpRequest,
    puzzle: Puzzle,
    refusal: ServiceError | None = None,
    chosen: Sequence[int | None] = (),
) -> HttpResponse:
    viewer, position = viewer_of(request), position_of(puzzle)
    result = try_of(viewer=viewer, puzzle=puzzle)
    again = "again" in request.GET or refusal is not None
    looks = {
        robot.index: LETTERS.index(robot.name) + 1 for robot in position.state.robots if robot.name in LETTERS
    }
    ship = position.setup.starship
    context: dict[str, Any] = {
        "puzzle": puzzle,
        "here": address_of(puzzle),
        "result": result,
        "finished": result is not None and not again,
        "refusal": refusal,
        "rows": _rows(position, looks),
        "legend": legend_of(ship, position.setup.ruleset),
        "ship": ship,
        "ruleset": position.setup.ruleset,
        "films": [],
        "board": _board(position, looks, position.state),
    }
    if context["finished"] and result:
        context |= _result(request, position, puzzle, result, looks)
    else:
        context |= trial_form(sorted(position.hand), refusal, chosen)
    if isinstance(viewer, User) and not viewer.is_guest:
        context["mine"] = rating_view(user=viewer)
    return render(request, "puzzles/puzzle.html", context, status=refusal.status if refusal else 200)


def _result(
    request: HttpRequest, position: Position, puzzle: Puzzle, result: PuzzleTry, looks: Mapping[int, int]
) -> dict[str, Any]:
    """Return the result of the last try, with the film of the try or of the solution."""
    mine = try_program(position, chips_of(result.last_program))
    best = try_program(position, position.solution)
    shows_solution = "solution" in request.GET and not mine.right
    shown: Try = best if shows_solution else mine
    tried, solved = explain(position, mine), explain(position, best)
    document, film = _film(position, shown.outcome, looks)
    return {
        "right": mine.right,
        "first": result.program == result.last_program,
        "tried": tried,
        "best": solved,
        # Sentences that are true of both explain nothing.
        "why_tried": [each for each in tried.sentences if each not in solved.sentences],
        "why_best": [each for each in solved.sentences if mine.right or each not in tried.sentences],
        "next_best": percent(position.best.next_shown),
        "solution": [chip.kind for chip in position.solution],
        "program": [chip.kind for chip in chips_of(result.last_program)],
        "shows_solution": shows_solution,
        "rating": points(puzzle.mu),
        "share": round(100 * puzzle.solved / puzzle.tries) if puzzle.tries else None,
        "films": [document],
        "logs": [film],
        "board": _board(position, looks, shown.outcome.state),
    }


def _rows(position: Position, looks: Mapping[int, int]) -> list[Row]:
    """Return the robots on the board, in move order."""
    programs = programs_of(position.state, dict(position.programs))
    return [
        Row(
            robot,
            looks[robot.index],
            robot.index == position.robot,
            ()
            if robot.down or robot.index == position.robot
            else [chip.kind for chip in programs[robot.index] if chip],
        )
        for robot in sorted(position.state.robots, key=lambda robot: robot.rank)
        if robot.on_board
    ]


def _goal(position: Position) -> int | None:
    return max(position.setup.starship.checkpoints, default=None)


def _board(position: Position, looks: Mapping[int, int], state: rules.State) -> SafeString:
    me = LETTERS[0]
    seen = rules.view(state)
    return board_at(seen, position.setup.starship, looks=looks, robot=me, own=me, goal=_goal(position))


def _film(position: Position, outcome: Outcome, looks: Mapping[int, int]) -> tuple[dict[str, Any], Film]:
    return film_of_events(
        turn=position.state.turn,
        ship=position.setup.starship,
        start=position.state,
        events=outcome.events,
        looks=looks,
        mine=position.robot,
        goal=_goal(position),
    )
