"""A player's ratings: how they stand, how that came, and with whom they do best and worst."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from games.errors import NotFound
from games.people.selectors.ratings import person_ratings
from games.reading import may_be_old
from games.standings.models import ALL
from games.standings.pages import graph_of, pool_in, tabs_of
from games.standings.selectors.ratings import missing_of
from games.web.pages import viewer_of

LATEST: Final = 20
"""Games that are listed below the graph."""


@require_safe
@may_be_old()
def ratings(request: HttpRequest, robo_name: str) -> HttpResponse:
    """Show how good a player is, in one ruleset or in all, and as far as they show it, how that came."""
    pool, now = pool_in(request), timezone.now()
    try:
        found = person_ratings(viewer=viewer_of(request), robo_name=robo_name, pool=pool, now=now)
    except NotFound as error:
        return render(request, "people/unknown.html", {"detail": error.detail}, status=error.status)
    keys = [each["ruleset"] or ALL for each in found.ratings]
    context = {
        "found": found,
        "tabs": tabs_of(keys, pool) if pool in keys else tabs_of([*keys, pool], pool),
        "graph": graph_of(found.steps, now) if found.steps is not None else None,
        "latest": [(step, found.games.get(step.game)) for step in reversed(found.steps or [])][:LATEST],
        "missing": missing_of(found.rating) if found.rating else None,
    }
    return render(request, "people/ratings.html", context)
