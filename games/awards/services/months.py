"""Counting games for the months in which they ended, each once, and counting all of them again.

A game is noted in the transaction in which it ends. The sweeper counts it once its result was rated. Like
results, games are counted one after the other: the pool of all ratings is held meanwhile.
"""

from datetime import date, datetime
from typing import Final

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from games import jobs
from games.awards.models import PendingMonth, PlayerMonth
from games.awards.selectors.figures import FIGURES, figures_of
from games.play.models import Game
from games.ratings.models import PendingResult, Result
from games.ratings.services.changes import hold_all

MOST: Final = 200
"""Games that one pass of the sweeper counts; the next one goes on."""

AT_ONCE: Final = 500


def note_ended(*, game: Game) -> None:
    """Note that a game, whose row is held, is over, if it may count for a month."""
    if game.status == Game.Status.OVER and game.mission_id is None and not game.is_test_flight:
        PendingMonth.objects.bulk_create([PendingMonth(game=game)], ignore_conflicts=True)


def count_months(*, now: datetime) -> int:
    """Count games that are over, were rated, and were not counted; return how many."""
    return jobs.each("months", _rated().order_by("pk"), count_game, most=MOST, now=now)


def _rated() -> QuerySet[PendingMonth]:
    """Return games that can be counted, since their results were looked at."""
    return PendingMonth.objects.filter(~Exists(PendingResult.objects.filter(game=OuterRef("game"))))


def count_game(game_id: int) -> int:
    """Count a game that was noted; while another worker counts or recounts, it waits for the next pass."""
    pending = PendingMonth.objects.select_for_update(skip_locked=True).filter(pk=game_id).first()
    if pending is None:
        return 0
    rows = figures_of(Game.objects.select_related("revision", "course").get(pk=game_id))
    if hold_all(wait=False) is None:
        return 0
    PlayerMonth.objects.bulk_create(
        [PlayerMonth(user_id=person, month=row.month) for person, row in sorted(rows.items())],
        ignore_conflicts=True,
    )
    for person, row in sorted(rows.items()):
        added = {name: F(name) + getattr(row, name) for name in FIGURES if getattr(row, name)}
        PlayerMonth.objects.filter(user=person, month=row.month).update(**added)
    pending.delete()
    return 1


def recount_months() -> int:
    """Make all months again from the games; return how many rows were put right. Awards stay as they were.

    The logs are read first. Games that were counted meanwhile are added while the pool of all is held.
    """
    found: dict[tuple[int, date], PlayerMonth] = {}
    read = _add_figures(_games(), found)
    with transaction.atomic():
        hold_all(wait=True)
        noted = set(PendingMonth.objects.values_list("pk", flat=True))
        counted = [key for key in _games().values_list("pk", flat=True) if key not in read | noted]
        _add_figures(_games().filter(pk__in=counted), found)
        _rated().filter(pk__in=noted & read).delete()
        return _put_right(found)


def _add_figures(games: QuerySet[Game], found: dict[tuple[int, date], PlayerMonth]) -> set[int]:
    """Add the figures of games to the months that were found; return the numbers of the games."""
    read: set[int] = set()
    for game in games.select_related("revision", "course").iterator(chunk_size=AT_ONCE):
        read.add(game.pk)
        for person, row in figures_of(game).items():
            total = found.setdefault((person, row.month), PlayerMonth(user_id=person, month=row.month))
            for name in FIGURES:
                setattr(total, name, getattr(total, name) + getattr(row, name))
    return read


def _games() -> QuerySet[Game]:
    """Return all games that may have been counted: rated ones, and those on prototypes."""
    rated = Result.objects.filter(of_game=OuterRef("pk"))
    over = Game.objects.filter(Q(Exists(rated)) | Q(revision__prototype=True), status=Game.Status.OVER)
    return over.order_by("pk")


def _put_right(found: dict[tuple[int, date], PlayerMonth]) -> int:
    wrong: list[PlayerMonth] = []
    strays: list[int] = []
    for row in PlayerMonth.objects.iterator(chunk_size=AT_ONCE):
        total = found.pop((row.user_id, row.month), None)
        if total is None:
            strays.append(row.pk)
        elif any(getattr(row, name) != getattr(total, name) for name in FIGURES):
            wrong.append(total)
    wrong += found.values()
    PlayerMonth.objects.filter(pk__in=strays).delete()
    PlayerMonth.objects.bulk_create(
        wrong,
        update_conflicts=True,
        unique_fields=["user", "month"],
        update_fields=FIGURES,
        batch_size=AT_ONCE,
    )
    return len(wrong) + len(strays)
