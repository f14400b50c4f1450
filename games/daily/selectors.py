"""Daily runs as players see them: the day, the table, results, streaks and the archive."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Annotated, Any, Final, NotRequired, TypedDict

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db.models import F, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

import rules
from accounts.models import User
from games.daily.models import DailyResult, DailyRun
from games.errors import DeadLink, NotFound, Shape
from games.play.game_view import Cell, ChipView, Heading
from games.play.viewers import Viewer
from games.wording import translate
from rules.codec import read_chip
from rules.daily.days import Day, read_day
from rules.daily.search import Run, run as play
from rules.daily.tasks import is_better, sentence_of

FIRST_DAY: Final = date(2026, 1, 1)
"""The day with the number 1. Numbers are for sharing."""

TABLE_SIZE: Final = 50
"""The number of players in the table of a day."""

DAYS_KEPT: Final = 64
"""The number of days that each process keeps in memory."""


def today_of(now: datetime) -> date:
    """Return the date of the daily run at a time. Days begin at 00:00 UTC."""
    return now.astimezone(UTC).date()


def end_of(day: date) -> datetime:
    """Return the time at which a day ends, and the next daily run begins."""
    return datetime.combine(day + timedelta(1), datetime.min.time(), UTC)


def day_from(text: str) -> date:
    """Return the date in an address, such as “2027-01-31”. Raises NotFound if it is not a date."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise _no_run() from None
    if day.isoformat() != text:
        raise _no_run()
    return day


def _no_run() -> NotFound:
    return NotFound("no-daily-run", _("There is no daily run for this day."))


def number_of(day: date) -> int:
    return (day - FIRST_DAY).days + 1


def run_of(*, day: date, now: datetime) -> DailyRun:
    """Return the daily run of a date. Raises NotFound if there is none, and for all coming days."""
    found = DailyRun.objects.filter(date=day).first() if day <= today_of(now) else None
    if found is None:
        raise _no_run()
    return found


def day_in(run: DailyRun) -> Day:
    """Return the day in a daily run's document, from a cache."""
    return _read(json.dumps(run.document))


@lru_cache(maxsize=DAYS_KEPT)
def _read(document: str) -> Day:
    return read_day(json.loads(document))


def chips_of(programs: Sequence[Sequence[str]]) -> list[tuple[rules.Chip, ...]]:
    return [tuple(map(read_chip, chips)) for chips in programs]


def played(day: Day, programs: Sequence[Sequence[str]]) -> Run:
    """Return the run of these programs, as they are stored."""
    return play(day.position, day.task, chips_of(programs))


def task_in_words(day: Day) -> str:
    return translate(sentence_of(day.task, day.ship))


def score_in_words(day: Day, score: int | None) -> str:
    """Return a score with its unit: “9 cells”. Without a score, return a word for a failed run."""
    return _("failed") if score is None else translate(day.task.kind.scored(score))


def result_of(*, viewer: Viewer, run: DailyRun) -> DailyResult | None:
    """Return a viewer's result of a day, or None if they have not begun it."""
    if not isinstance(viewer, User):
        return None
    return DailyResult.objects.filter(run=run, user=viewer).first()


_SIGNER: Final = Signer(salt="games.daily.result")


def result_url(result: DailyResult) -> str:
    """Return the secret address of a finished result. Only its player gets it, to share it."""
    key = _SIGNER.sign(str(result.pk)).replace(":", "-", 1)
    return settings.BASE_URL + reverse("daily:result", args=[key])


def result_of_key(key: str) -> DailyResult:
    """Return the finished result with the last part of a `result_url`. Raises DeadLink if there is none."""
    number, _dash, signature = key.partition("-")
    try:
        pk = int(_SIGNER.unsign(f"{number}:{signature}"))
    except BadSignature:
        raise DeadLink("no-daily-result") from None
    found = DailyResult.objects.filter(pk=pk, tries__gt=0).select_related("run").first()
    if found is None:
        raise DeadLink("no-daily-result")
    return found


def share_beaten(day: Day, score: int | None) -> float:
    """Return the share of all programs with a worse result than this score."""
    if score is None:
        return 0.0
    worse = sum(count for other, count in day.best.scores.items() if is_better(day.task.kind, score, other))
    return (worse + day.best.failed) / day.best.programs


SQUARES: Final = 5


def filled_squares(day: Day, score: int | None) -> int:
    """Return the number of filled squares of a result, of `SQUARES`. All are filled for par.

    The other results fill one square for each of 50, 80, 95 and 99 % of all programs that are worse.
    """
    if score == day.best.par:
        return SQUARES
    beaten = share_beaten(day, score)
    return sum(beaten >= share for share in (0.5, 0.8, 0.95, 0.99))


def squares_of(day: Day, score: int | None) -> str:
    """Return the squares of a result as text."""
    filled = filled_squares(day, score)
    return "■" * filled + "□" * (SQUARES - filled)


def share_line(day: Day, result: DailyResult) -> str:
    """Return a result as one line of text for sharing: day, squares, score, par and its secret address."""
    line = (
        _("Robo Runner, daily run {number}: {squares} {score} (par: {par}) {address}")
        if result.counts
        else _("Robo Runner, daily run {number}, played later: {squares} {score} (par: {par}) {address}")
    )
    return line.format(
        number=number_of(day.date),
        squares=squares_of(day, result.first_score),
        score=score_in_words(day, result.first_score),
        par=score_in_words(day, day.best.par),
        address=result_url(result),
    )


# --- Streaks and tables -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Streak:
    """The number of days in a row on which a player's first try counted: now, and at most."""

    now: int
    longest: int


def streak_of(*, user: User, now: datetime) -> Streak:
    """Return a player's streak. It lasts until the end of the first day that the player misses."""
    days = (
        DailyResult.objects.filter(user=user, counts=True).order_by("run_id").values_list("run_id", flat=True)
    )
    length = longest = 0
    last: date | None = None
    for day in days:
        length = length + 1 if last == day - timedelta(1) else 1
        longest, last = max(longest, length), day
    current = last is not None and last >= today_of(now) - timedelta(1)
    return Streak(length if current else 0, longest)


class DailyPlaceView(TypedDict):
    """A player in the table of a day."""

    place: int
    robo_name: str
    look: int | None
    score: Annotated[int | None, "Null if the run failed."]


def table_of(*, run: DailyRun) -> list[DailyPlaceView]:
    """Return the table of a day: the players with an account whose first try counts, best first.

    Players with equal results share a place, and are listed by the time of their result.
    """
    found: list[DailyPlaceView] = []
    for number, row in enumerate(_ranked(run).select_related("user")[:TABLE_SIZE], 1):
        same = found and found[-1]["score"] == row.first_score
        found.append(
            {
                "place": found[-1]["place"] if same else number,
                "robo_name": row.user.robo_name,
                "look": row.user.look,
                "score": row.first_score,
            }
        )
    return found


def _counted(run: DailyRun) -> QuerySet[DailyResult]:
    return DailyResult.objects.filter(run=run, counts=True, user__in=User.objects.players())


def _ranked(run: DailyRun) -> QuerySet[DailyResult]:
    score = F("first_score")
    more = day_in(run).task.kind.more
    order = score.desc(nulls_last=True) if more else score.asc(nulls_last=True)
    return _counted(run).order_by(order, "first_at", "pk")


def place_of(*, run: DailyRun, result: DailyResult | None) -> tuple[int, int] | None:
    """Return the place of a counted result, and the number of players. Return None if it has no place."""
    players = _counted(run)
    if result is None or not players.filter(pk=result.pk).exists():
        return None
    better = ~Q(first_score=None)
    if result.first_score is not None:
        more = day_in(run).task.kind.more
        better = Q(**{f"first_score__{'gt' if more else 'lt'}": result.first_score})
    return players.filter(better).count() + 1, players.count()


# --- Archive ------------------------------------------------------------------------------------------------


def past_runs(*, now: datetime) -> QuerySet[DailyRun]:
    """Return the daily runs of past days, the newest first."""
    return DailyRun.objects.filter(date__lt=today_of(now)).order_by("-date")


# --- Documents ----------------------------------------------------------------------------------------------


class DailyRobot(TypedDict):
    """A robot at the start of a daily run."""

    name: Annotated[str, "The letter of its picture. Robot A is yours."]
    at: Cell
    heading: Heading
    down: Annotated[bool, "Whether it is switched off for the whole run."]


class MyDailyView(TypedDict):
    """Your result of a daily run."""

    programs: Annotated[list[list[str]], "The programs of your current try, turn by turn."]
    turn: Annotated[int | None, "The turn of the next program; null if the try is finished."]
    tries: Annotated[int, "The number of finished tries."]
    first_score: Annotated[int | None, "The score of your first try; null if it failed or is not finished."]
    best_score: Annotated[int | None, "The best score of all tries; null if all have failed."]
    counts: Annotated[bool, "Whether the first try was finished on its day."]
    url: Annotated[str | None, "The address of your result, to share; null before the first try is finished."]


class DailyView(TypedDict):
    """A daily run."""

    date: date
    number: int
    ends_at: datetime
    kind: Annotated[str, "The kind of task."]
    task: Annotated[str, "The task, as a sentence."]
    more: Annotated[bool, "Whether higher scores are better."]
    starship: Annotated[dict[str, Any], Shape({"type": "object"}), "The board, as a `starship/1` document."]
    robots: list[DailyRobot]
    hands: Annotated[list[list[ChipView]], "Your hands, turn by turn."]
    known: Annotated[list[dict[str, list[str]]], "The programs of the other robots, turn by turn."]
    par: Annotated[int, "The best score that any programs reach."]
    reaching: Annotated[int, "The number of programs that reach par, of `programs`."]
    programs: int
    table: list[DailyPlaceView]
    me: MyDailyView | None
    solution: NotRequired[Annotated[list[list[str]], "Programs that reach par. Only for past days."]]


def daily_view(*, viewer: Viewer, run: DailyRun, now: datetime) -> DailyView:
    """Return a daily run as a viewer may see it. The solution is secret until the day is over."""
    day, result = day_in(run), result_of(viewer=viewer, run=run)
    document = run.document
    view: DailyView = {
        "date": run.date,
        "number": number_of(run.date),
        "ends_at": end_of(run.date),
        "kind": day.task.kind.key,
        "task": task_in_words(day),
        "more": day.task.kind.more,
        "starship": document["starship"],
        "robots": document["robots"],
        "hands": [
            [{"number": chip.number, "kind": chip.kind} for chip in hand] for hand in day.position.hands
        ],
        "known": document["programs"],
        "par": day.best.par,
        "reaching": day.best.reaching,
        "programs": day.best.programs,
        "table": table_of(run=run),
        "me": _mine(day, result) if result else None,
    }
    if run.date < today_of(now):
        view["solution"] = document["solution"]
    return view


def _mine(day: Day, result: DailyResult) -> MyDailyView:
    finished = bool(result.programs) and played(day, result.programs).finished
    return {
        "programs": result.programs,
        "turn": None if finished else len(result.programs) + 1,
        "tries": result.tries,
        "first_score": result.first_score,
        "best_score": result.best_score,
        "counts": result.counts,
        "url": result_url(result) if result.tries else None,
    }
