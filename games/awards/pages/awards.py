"""Awards: the front runners of a month, the best at each, and what a player has done and won."""

from dataclasses import dataclass
from datetime import date
from types import SimpleNamespace
from typing import Any, Final

from django.conf import settings
from django.db.models import Field
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.awards.definitions import AWARDS, POINTS, RANKS, Definition
from games.awards.models import Award, PlayerMonth
from games.awards.months import month_of, read_month
from games.awards.selectors.boards import AHEAD, BoardLine, awards_of_month, closed_months, top
from games.awards.selectors.ranks import player_awards
from games.errors import NotFound
from games.pages import viewer_of
from games.replicas import may_be_old

SHOWN: Final = ("games", "won", "turns", "checkpoints", "in_time", "tested", "gained")
"""Figures that no counter of robots has."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """An award with those who have won it, or who are ahead."""

    award: Definition
    lines: list[BoardLine]


@require_safe
@may_be_old()
def awards(request: HttpRequest) -> HttpResponse:
    """Show who is ahead in the running month, or who has won the awards of one that is over."""
    running, month, months = _months(request)
    won = awards_of_month(month)
    shown = [
        Ahead(each, _won(won.get(key, [])) if month in months else top(key=key, month=month, most=AHEAD))
        for key, each in AWARDS.items()
    ]
    context = {
        "shown": shown,
        "month": month,
        "months": [each for each in months if each != running],
        "running": running,
        "closed": month in months,
        "least": settings.AWARD_GAMES,
        "points": POINTS,
        "ranks": RANKS,
    }
    return render(request, "awards/awards.html", context)


@require_safe
@may_be_old()
def award(request: HttpRequest, key: str) -> HttpResponse:
    """Show the best at one thing in a month."""
    if key not in AWARDS:
        raise Http404(_("There is no such award."))
    running, month, months = _months(request)
    context = {
        "award": AWARDS[key],
        "lines": top(key=key, month=month),
        "month": month,
        "months": [each for each in months if each != running],
        "running": running,
        "least": settings.AWARD_GAMES,
    }
    return render(request, "awards/award.html", context)


@require_safe
@may_be_old()
def player(request: HttpRequest, robo_name: str) -> HttpResponse:
    """Show a player's rank and awards, and what they did in a month, or in all."""
    try:
        found = player_awards(viewer=viewer_of(request), robo_name=robo_name)
    except NotFound as error:
        return render(request, "people/unknown.html", {"detail": error.detail}, status=error.status)
    asked = read_month(request.GET.get("month", ""))
    months = found["months"] or []
    chosen = next((each for each in months if each["month"] == asked), months[0] if months else None)
    context = {
        "found": found,
        "chosen": chosen,
        "months": [each["month"] for each in months if each["month"]],
        "figures": _figures(chosen) if chosen else [],
        "won": [(AWARDS[each["key"]], each) for each in found["awards"]],
    }
    return render(request, "awards/player.html", context)


def _months(request: HttpRequest) -> tuple[date, date, list[date]]:
    """Return the running month, the one that is asked for, and those that have awards."""
    running, months = month_of(timezone.now()), closed_months()
    asked = read_month(request.GET.get("month", ""))
    return running, asked if asked in months else running, months


def _won(awards: list[Award]) -> list[BoardLine]:
    return [
        BoardLine(each.place, each.user_id, each.user.robo_name, each.user.look, each.value, 0)
        for each in awards
    ]


def _figures(chosen: Any) -> list[tuple[str, int, float | None]]:
    """Return each figure by name: the sum, and that of one game where it makes sense."""
    row = SimpleNamespace(games=chosen["games"], **chosen["figures"])
    told = []
    for name, number in (("games", row.games), *chosen["figures"].items()):
        field = PlayerMonth._meta.get_field(name)
        assert isinstance(field, Field)
        each = number / row.games if row.games and name not in SHOWN else None
        told.append((capfirst(str(field.verbose_name)), number, each))
    return told
