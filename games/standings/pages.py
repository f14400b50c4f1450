"""Pages of ratings and awards, with rating graphs and tabs for the pools."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from types import SimpleNamespace
from typing import Any, Final

from django.conf import settings
from django.db.models import Field
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

import rules
from accounts.models import User
from games.errors import NotFound
from games.play.models import Game
from games.play.pages.console import PageContext
from games.reading import allow_replica
from games.standings.awards import AWARDS, POINTS_BY_PLACE, RANKS, AwardDefinition, month_of, read_month
from games.standings.models import OVERALL, Award, PlayerMonth
from games.standings.selectors.awards import (
    LEADERS_SHOWN,
    BoardLine,
    awards_of_month,
    closed_months,
    player_awards,
    top,
)
from games.standings.selectors.ratings import POOLS, Step, best_players, changes_by, missing_of, ratings_of
from games.web.pages import viewer_of

# --- Ratings ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab to choose a rating pool."""

    name: str
    query: str
    current: bool


def pool_in(request: HttpRequest) -> str:
    """Return the key of the pool in a request: its ruleset, or the overall pool."""
    key = request.GET.get("rules", "")
    return key if key in rules.RULESETS else OVERALL


def pool_name(key: str | None) -> str:
    """Return the name of a rating pool.

    >>> pool_name("robo-runner"), pool_name(None)
    ('Robo Runner', 'All rulesets')
    """
    return rules.RULESETS[key].name if key in rules.RULESETS else _("All rulesets")


def tabs_of(keys: Iterable[str], chosen: str) -> list[Tab]:
    return [
        Tab(pool_name(key), "?" if key == OVERALL else f"?rules={key}", current=key == chosen) for key in keys
    ]


@require_safe
@allow_replica()
def best_players_page(request: HttpRequest) -> HttpResponse:
    """Show the best players of a ruleset, or overall, and the reader's own rating."""
    pool, now, viewer = pool_in(request), timezone.now(), viewer_of(request)
    mine = None
    if isinstance(viewer, User) and not viewer.is_guest:
        asked = None if pool == OVERALL else pool
        mine = next((each for each in ratings_of(user=viewer, now=now) if each["ruleset"] == asked), None)
    context = {
        "pool": pool,
        "tabs": tabs_of(POOLS, pool),
        "players": best_players(pool=pool, now=now),
        "mine": mine,
        "missing": missing_of(mine) if mine else None,
    }
    return render(request, "standings/best.html", context)


WIDTH, HEIGHT = 1000, 300
GRID_LINES = 8
"""The approximate number of horizontal grid lines in a rating graph."""


@dataclass(frozen=True, slots=True)
class Graph:
    """A rating graph: its drawing, the ratings at its top, middle and bottom, and its period."""

    drawing: SafeString
    top: int
    middle: int
    bottom: int
    first: datetime
    last: datetime


def graph_of(steps: Sequence[Step], now: datetime) -> Graph | None:
    """Draw a graph of a rating up to now. Return None if the rating has changed fewer than two times."""
    if len(steps) < 2:
        return None
    low = min(min(step.before, step.rating - step.uncertainty) for step in steps)
    high = max(max(step.before, step.rating + step.uncertainty) for step in steps)
    grid = 100 * (1 + (high - low) // (100 * GRID_LINES))
    bottom, top = low // (2 * grid) * 2 * grid, -(-high // (2 * grid)) * 2 * grid
    first = steps[0].at
    length = max((now - first).total_seconds(), 1.0)

    def x(at: datetime) -> int:
        return round(WIDTH * (at - first).total_seconds() / length)

    def y(rating: int) -> int:
        return round(HEIGHT * (top - rating) / (top - bottom))

    places = [x(step.at) for step in steps]
    ends = [*places[1:], WIDTH]
    line = _step_points(places, ends, [y(step.rating) for step in steps])
    upper = _step_points(places, ends, [y(step.rating + step.uncertainty) for step in steps])
    lower = _step_points(places, ends, [y(step.rating - step.uncertainty) for step in steps])
    band = "M" + "L".join([*upper, *reversed(lower)]) + "Z"
    lines = "".join(f"M0,{y(each)}H{WIDTH}" for each in range(bottom, top + 1, grid))
    drawing = SafeString(
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" aria-hidden="true">'
        f'<path class="graph-grid" d="{lines}"/><path class="graph-band" d="{band}"/>'
        f'<path class="graph-line" d="M{"L".join(line)}"/></svg>'
    )
    return Graph(drawing, top, (top + bottom) // 2, bottom, first, now)


def _step_points(places: Sequence[int], ends: Sequence[int], heights: Sequence[int]) -> list[str]:
    """Return the corners of a stepped line for an SVG path."""
    return [
        f"{at},{height}"
        for place, end, height in zip(places, ends, heights, strict=True)
        for at in (place, end)
    ]


def ratings_panel(page: PageContext) -> dict[str, Any]:
    """Return the template context for a game's rating changes. It is empty unless the game is over."""
    if page.game.status != Game.Status.OVER:
        return {}
    return {"rating_changes": changes_by(game=page.game)}


# --- Awards -------------------------------------------------------------------------------------------------


TOTALS: Final = ("games", "won", "turns", "checkpoints", "in_time", "tested", "gained")
"""A player's monthly figures shown only as totals, without a value per game."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """An award and its best players: the winners of a past month, or the leaders of the current month."""

    award: AwardDefinition
    lines: list[BoardLine]


@require_safe
@allow_replica()
def awards_page(request: HttpRequest) -> HttpResponse:
    """Show the leaders of the current month, or the award winners of an earlier one."""
    running, month, months = _months(request)
    won = awards_of_month(month)
    shown = [
        Ahead(
            each, _won(won.get(key, [])) if month in months else top(key=key, month=month, most=LEADERS_SHOWN)
        )
        for key, each in AWARDS.items()
    ]
    context = {
        "shown": shown,
        "any_lines": any(each.lines for each in shown),
        "month": month,
        "months": [each for each in months if each != running],
        "running": running,
        "closed": month in months,
        "least": settings.AWARD_GAMES,
        "points": POINTS_BY_PLACE,
        "ranks": RANKS,
    }
    return render(request, "standings/awards.html", context)


@require_safe
@allow_replica()
def award_page(request: HttpRequest, key: str) -> HttpResponse:
    """Show the leaders of an award in a month."""
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
    return render(request, "standings/award.html", context)


@require_safe
@allow_replica()
def player_awards_page(request: HttpRequest, robo_name: str) -> HttpResponse:
    """Show a player's rank, awards, and figures for a month or overall."""
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
    return render(request, "standings/player_awards.html", context)


def _months(request: HttpRequest) -> tuple[date, date, list[date]]:
    """Return the current month, the requested month, and all months whose awards have been given."""
    running, months = month_of(timezone.now()), closed_months()
    asked = read_month(request.GET.get("month", ""))
    return running, asked if asked in months else running, months


def _won(awards: list[Award]) -> list[BoardLine]:
    return [
        BoardLine(each.place, each.user_id, each.user.robo_name, each.user.look, each.value, 0)
        for each in awards
    ]


def _figures(chosen: Any) -> list[tuple[str, int, float | None]]:
    """Return each of a player's monthly figures: its name, its sum, and its value per game.

    The value per game is None for `TOTALS`.
    """
    row = SimpleNamespace(games=chosen["games"], **chosen["figures"])
    figures = []
    for name, number in (("games", row.games), *chosen["figures"].items()):
        field = PlayerMonth._meta.get_field(name)
        assert isinstance(field, Field)
        each = number / row.games if row.games and name not in TOTALS else None
        figures.append((capfirst(str(field.verbose_name)), number, each))
    return figures
