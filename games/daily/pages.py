"""Pages of the daily run: a day with its board, hand, film and table, the archive, and shared results."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

import rules
from accounts import guests, limits
from accounts.models import User
from games.daily.models import DailyResult, DailyRun
from games.daily.selectors import (
    SQUARES,
    day_from,
    day_in,
    end_of,
    filled_squares,
    number_of,
    past_runs,
    place_of,
    played,
    result_of,
    run_of,
    score_in_words,
    share_beaten,
    share_line,
    squares_of,
    streak_of,
    table_of,
    task_in_words,
    today_of,
)
from games.daily.services import lay_program
from games.daily.shared import Share, shared_day, shared_result
from games.errors import NotFound, ServiceError, number_in
from games.films.film import Film, film_of_events
from games.fleet.pictures import board_at, lay_over, legend_of
from games.sharing.drawing import share_picture
from games.sharing.pages import PICTURE_SECONDS, embedded, for_other_sites, ways_between
from games.web.pages import handle_missing, page_of, viewer_of
from games.wording import WORDS
from rules.daily.days import NAMES, Day
from rules.daily.search import Run
from rules.daily.tasks import ME
from rules.drawing import CELL
from rules.engine import Outcome

LOOKS: Final = {index: index + 1 for index in range(len(NAMES))}
"""The pictures of the robots. Each robot's name is the letter of its picture."""

REGISTERS: Final = range(1, rules.REGISTERS + 1)


@dataclass(frozen=True, slots=True)
class Robot:
    """Another robot of a day, with the kinds of its chips in each turn. Without chips, it is switched off."""

    name: str
    look: int
    chips: Sequence[Sequence[str]]


@require_safe
@never_cache
def today(request: HttpRequest) -> HttpResponse:
    """Show today's daily run. Until a worker has made it, say so."""
    now = timezone.now()
    try:
        run = run_of(day=today_of(now), now=now)
    except NotFound:
        return render(request, "daily/missing.html")
    return _page(request, run, now)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@handle_missing
def one_day(request: HttpRequest, day: str) -> HttpResponse:
    """Show the daily run of a date. On POST, play a program. People without an account play as guests."""
    now = timezone.now()
    run = run_of(day=day_from(day), now=now)
    return _play(request, run, now) if request.method == "POST" else _page(request, run, now)


@require_safe
@handle_missing
def archive(request: HttpRequest) -> HttpResponse:
    """Show the daily runs of past days, with the reader's results."""
    now, viewer = timezone.now(), viewer_of(request)
    shown = page_of(request, past_runs(now=now))
    results: dict[date, DailyResult] = {}
    if isinstance(viewer, User):
        results = {
            each.run_id: each
            for each in DailyResult.objects.filter(user=viewer, run__in=[*shown], tries__gt=0)
        }
    rows = []
    for run in shown:
        day, result = day_in(run), results.get(run.date)
        rows.append(
            {
                "date": run.date,
                "address": address_of(run),
                "number": number_of(run.date),
                "task": task_in_words(day),
                "par": score_in_words(day, day.best.par),
                "squares": squares_of(day, result.first_score) if result else "",
                "score": score_in_words(day, result.first_score) if result else "",
                "counts": bool(result and result.counts),
            }
        )
    return render(request, "daily/archive.html", {"days": shown, "rows": rows})


@require_safe
@handle_missing
def picture(request: HttpRequest, day: str) -> HttpResponse:
    """Return the picture for previews of a daily run, as PNG: the board at the start."""
    return _picture(day_in(run_of(day=day_from(day), now=timezone.now())))


def _play(request: HttpRequest, run: DailyRun, now: datetime) -> HttpResponse:
    player = guests.player_or_guest(request)
    if isinstance(player, HttpResponse):
        return player
    if wait := limits.consume_request(limits.DAILY_PROGRAMS, request):
        return limits.too_many_requests(request, wait)
    turn = number_in(request.POST.get("turn")) or 0
    registers = chosen_registers(request)
    try:
        lay_program(user=player, day=run.date, turn_number=turn, registers=registers, now=now)
    except NotFound:
        raise
    except ServiceError as refusal:
        return _page(request, run, now, refusal=refusal, chosen=registers)
    return redirect(f"{address_of(run)}#film")


def address_of(run: DailyRun) -> str:
    return reverse("daily:day", args=[run.date.isoformat()])


def _page(
    request: HttpRequest,
    run: DailyRun,
    now: datetime,
    refusal: ServiceError | None = None,
    chosen: Sequence[int | None] = (),
) -> HttpResponse:
    day, viewer = day_in(run), viewer_of(request)
    result = result_of(viewer=viewer, run=run)
    again = "again" in request.GET or (refusal is not None and request.POST.get("turn") == "1")
    shown = played(day, result.programs) if result else Run((), finished=False, score=None)
    if shown.finished and again:
        shown = Run((), finished=False, score=None)
    turn = len(shown.outcomes) + 1
    films = _films(day, shown, ME)
    over = run.date < today_of(now)
    tried = result if result and result.tries else None
    context = _about(day, run, now) | {
        "page": Share(run, day, over).page,
        "share": Share(run, day, over, tried if shown.finished else None).page,
        "turn": turn,
        "board": _board(day, shown, mine=True),
        "films": [document for document, _film in films],
        "logs": [film for _document, film in films],
        "others": _others(day),
        "legend": legend_of(day.ship, day.position.setup.ruleset),
        "reaching": day.best.reaching,
        "reaching_in_figures": WORDS.number(day.best.reaching),
        "programs": WORDS.number(day.best.programs),
        "result": tried,
        "finished": shown.finished,
        "refusal": refusal,
    }
    if not shown.finished:
        hand, *later = day.position.hands[turn - 1 :]
        context |= trial_form(hand, refusal, chosen)
        context["later"] = [[chip.kind for chip in each] for each in later]
    if result and result.tries:
        context |= {
            "score": score_in_words(day, shown.score) if shown.finished else "",
            "is_par": shown.finished and shown.score == day.best.par,
            "beaten": int(1000 * share_beaten(day, shown.score)) / 10 if shown.finished else 0,
            "first": score_in_words(day, result.first_score),
            "best": score_in_words(day, result.best_score),
            "squares": squares_of(day, result.first_score),
            "line": share_line(day, result),
            "place": place_of(run=run, result=result),
        }
    if isinstance(viewer, User):
        context["streak"] = streak_of(user=viewer, now=now)
    context["table"] = [{**row, "score": score_in_words(day, row["score"])} for row in table_of(run=run)]
    if over:
        context["solution"] = [[chip.kind for chip in program if chip] for program in day.best.solution]
    return render(request, "daily/day.html", context, status=refusal.status if refusal else 200)


def _about(day: Day, run: DailyRun, now: datetime) -> dict[str, Any]:
    """Return the part of the context that is the same for everyone."""
    today = today_of(now)
    return {
        "day": run.date,
        "here": address_of(run),
        "number": number_of(run.date),
        "is_today": run.date == today,
        "over": run.date < today,
        "ends_at": end_of(run.date),
        "task": task_in_words(day),
        "turns": day.position.turns,
        "par": score_in_words(day, day.best.par),
        "ship": day.ship,
        "ruleset": day.position.setup.ruleset,
    }


def chosen_registers(request: HttpRequest) -> list[int | None]:
    """Return the numbers of the chips in a form's registers, None for an empty or unreadable one."""
    return [number_in(request.POST.get(f"register-{number}", "")) for number in REGISTERS]


def trial_form(
    hand: Iterable[rules.Chip], refusal: ServiceError | None, chosen: Sequence[int | None]
) -> dict[str, Any]:
    """Return the context of the form for a program outside of games (``play/trial_orders.html``)."""
    problems = refusal.problems if refusal else []
    wrong = {problem["register"] for problem in problems if "register" in problem}
    kept = dict(zip(REGISTERS, chosen, strict=False))
    return {
        "hand": [{"value": chip.number, "kind": chip.kind, "number": ""} for chip in hand],
        "registers": [
            {"number": number, "chosen": kept.get(number), "wrong": number in wrong} for number in REGISTERS
        ],
        "problems": list(dict.fromkeys(problem["detail"] for problem in problems)),
    }


def _others(day: Day) -> list[Robot]:
    return [
        Robot(
            robot.name,
            LOOKS[robot.index],
            []
            if robot.down
            else [[chip.kind for chip in turn[robot.index] if chip] for turn in day.position.programs],
        )
        for robot in day.position.state.robots
        if robot.index != ME
    ]


def _goal(day: Day) -> int | None:
    return max(day.ship.checkpoints, default=None)


def _board(day: Day, shown: Run, *, mine: bool = False) -> SafeString:
    """Draw the board as it is after the last turn. Mark the cell of a task about a cell."""
    state = shown.outcomes[-1].state if shown.outcomes else day.position.state
    own = NAMES[ME] if mine else None
    board = board_at(rules.view(state), day.ship, looks=LOOKS, robot=NAMES[ME], own=own, goal=_goal(day))
    if day.task.at is None:
        return board
    x, y = day.ship.pos(day.task.at)
    return lay_over(
        board,
        f'<rect class="daily-goal" x="{x * CELL + 2}" y="{y * CELL + 2}" width="{CELL - 4}"'
        f' height="{CELL - 4}" rx="4"/>',
    )


def _films(day: Day, shown: Run, mine: int | None = None) -> list[tuple[dict[str, Any], Film]]:
    """Return the films of the turns of a run, each as a document for the script and for its text.

    Captions say “you” for the robot with index ``mine``.
    """
    films = []
    state = day.position.state
    for number, outcome in enumerate(shown.outcomes, 1):
        films.append(_film(day, number, state, outcome, mine))
        state = outcome.state
    return films


def _film(
    day: Day, number: int, start: rules.State, outcome: Outcome, mine: int | None
) -> tuple[dict[str, Any], Film]:
    return film_of_events(
        turn=number,
        ship=day.ship,
        start=start,
        events=outcome.events,
        looks=LOOKS,
        mine=mine,
        goal=_goal(day),
    )


# --- Shared days and results --------------------------------------------------------------------------------


@require_safe
@never_cache
@handle_missing
def result(request: HttpRequest, result_key: str) -> HttpResponse:
    """Show a result to the people with its address: task and score, and its film once the day is over."""
    now = timezone.now()
    share = shared_result(result_key, now=now)
    assert share.result
    run, score = share.run, share.result.first_score
    films = _films(share.day, run)
    context = _about(share.day, share.row, now) | {
        "page": share.page,
        "share": share.page,
        "board": _board(share.day, run),
        "films": [document for document, _film in films],
        "logs": [film for _document, film in films],
        "score": score_in_words(share.day, score),
        "is_par": score == share.day.best.par,
        "squares": squares_of(share.day, score),
        "beaten": int(1000 * share_beaten(share.day, score)) / 10,
        "counts": share.result.counts,
    }
    response = render(request, "daily/shared.html", context)
    response.headers["X-Robots-Tag"] = "noindex"
    return response


@require_safe
@handle_missing
def result_picture(request: HttpRequest, result_key: str) -> HttpResponse:
    """Return the picture for previews of a result, as PNG: the board at the start, and the squares."""
    share = shared_result(result_key, now=timezone.now())
    assert share.result
    filled = filled_squares(share.day, share.result.first_score)
    return _picture(share.day, [number < filled for number in range(SQUARES)])


def _picture(day: Day, squares: Sequence[bool] = ()) -> HttpResponse:
    made = share_picture(day.ship, rules.view(day.position.state), looks=LOOKS, squares=squares)
    return for_other_sites(HttpResponse(made, content_type="image/png"), PICTURE_SECONDS)


@require_safe
@never_cache
@handle_missing
def day_text(request: HttpRequest, day: str) -> HttpResponse:
    """Return a day as plain text, with a best run once the day is over."""
    return _text(shared_day(day, now=timezone.now()))


@require_safe
@never_cache
@handle_missing
def result_text(request: HttpRequest, result_key: str) -> HttpResponse:
    """Return a result as plain text, with the run once the day is over."""
    return _text(shared_result(result_key, now=timezone.now()))


def _text(share: Share) -> HttpResponse:
    response = HttpResponse("\n".join(share.lines()) + "\n", content_type="text/plain; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="daily-run-{share.row.date}.txt"'
    return response


@embedded
def embed_day(request: HttpRequest, day: str, number: int | None = None) -> HttpResponse:
    """Show the player of a day: its task, and a turn of a best run once the day is over."""
    share = shared_day(day, now=timezone.now())
    return _embed(request, share, number, lambda to: reverse("sharing:embed_day_turn", args=[day, to]))


@embedded
def embed_result(request: HttpRequest, result_key: str, number: int | None = None) -> HttpResponse:
    """Show the player of a result: the task, and a turn of the run once the day is over."""
    share = shared_result(result_key, now=timezone.now())
    return _embed(
        request, share, number, lambda to: reverse("sharing:embed_result_turn", args=[result_key, to])
    )


def _embed(
    request: HttpRequest, share: Share, number: int | None, address_of_turn: Callable[[int], str]
) -> HttpResponse:
    """Show a player, by default with turn 1. Raises NotFound for a turn that was not played or is secret."""
    day, run = share.day, share.run
    last, turn = len(run.outcomes), number or 1
    if number is not None and not 1 <= number <= last:
        raise NotFound("no-turn", gettext("This turn does not exist."))
    context: dict[str, Any] = {"heading": share.title, "page": share.page, "task": task_in_words(day)}
    if run.outcomes:
        until = Run(run.outcomes[:turn], finished=turn == last, score=None)
        document, film = _films(day, until)[-1]
        result = gettext("Result: {score}.").format(score=score_in_words(day, run.score))
        context |= {
            "turn": turn,
            "last": last,
            "result": result if turn == last else "",
            "board": _board(day, until),
            "film": film,
            "document": document,
        }
        context |= ways_between(turn, 1, last, address_of_turn)
    else:
        note = gettext("The run is shown here when the day is over, at 00:00 UTC.")
        context |= {"board": _board(day, run), "note": note}
    return render(request, "sharing/embed.html", context)
