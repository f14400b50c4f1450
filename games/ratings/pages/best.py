"""The best players, by ruleset and together."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.models import User
from games.pages import viewer_of
from games.ratings.models import ALL
from games.ratings.pages.pools import pool_in, tabs_of
from games.ratings.selectors.standings import POOLS, best_players, missing_of, ratings_of
from games.replicas import may_be_old


@require_safe
@may_be_old()
def best(request: HttpRequest) -> HttpResponse:
    """Show the best players of a ruleset, or of all, and where the reader stands."""
    pool, now, viewer = pool_in(request), timezone.now(), viewer_of(request)
    mine = None
    if isinstance(viewer, User) and not viewer.is_guest:
        asked = None if pool == ALL else pool
        mine = next((each for each in ratings_of(user=viewer, now=now) if each["ruleset"] == asked), None)
    context = {
        "pool": pool,
        "tabs": tabs_of(POOLS, pool),
        "players": best_players(pool=pool, now=now),
        "mine": mine,
        "missing": missing_of(mine) if mine else None,
    }
    return render(request, "ratings/best.html", context)
