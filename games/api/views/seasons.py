"""Seasons, and the caller's place in them."""

from typing import TypedDict

from django.utils import timezone
from rest_framework.request import Request

from games.api.queries import SeasonQuery
from games.api.views.base import Answered, Values, call, person
from games.seasons.selectors import SeasonFacts, SeasonView, season_view, seasons
from games.seasons.services import entries


class SeasonsView(TypedDict):
    """Seasons, the last to start first."""

    results: list[SeasonFacts]


@call("GET", "List seasons", SeasonsView, strangers=True)
def list_seasons(request: Request) -> Answered:
    """The last 100. There is one for each quarter of a year, for each ruleset without squads."""
    return {"results": seasons(viewer=request.user)}


@call("GET", "Get a season", SeasonView, query=SeasonQuery, strangers=True)
def get_season(request: Request, season_id: int, asked: Values) -> Answered:
    """With a page of its divisions, each played as a tournament."""
    page = asked.get("page")
    return season_view(viewer=request.user, season_id=season_id, page=page, now=timezone.now())


@call("PUT", "Join a season", SeasonView, 409)
def join_season(request: Request, season_id: int) -> Answered:
    """409 once it has started."""
    now = timezone.now()
    entries.join_season(user=person(request), season_id=season_id, now=now)
    return season_view(viewer=request.user, season_id=season_id, now=now)


@call("DELETE", "Leave a season", SeasonView, 409)
def leave_season(request: Request, season_id: int) -> Answered:
    """409 once it has started: then I leave the tournament of my division."""
    entries.leave_season(user=person(request), season_id=season_id)
    return season_view(viewer=request.user, season_id=season_id, now=timezone.now())
