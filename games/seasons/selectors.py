"""Seasons as they are shown."""

from datetime import datetime
from typing import Annotated, Any, Final, TypedDict

from django.db.models import Count
from django.utils.translation import gettext as _

from accounts.models import User
from games.errors import NotFound
from games.seasons.models import Season
from games.tournaments.selectors.tournaments import EntrantView, table_view

MOST: Final = 100
"""Seasons in a list."""


class SeasonFacts(TypedDict):
    """A season, as lists show it."""

    id: int
    ruleset: str
    status: Annotated[str, Season.Status]
    starts_at: datetime
    ends_at: datetime
    players: Annotated[int, "Who has joined it."]
    joined: Annotated[bool, "I have."]


class DivisionView(TypedDict):
    """A division of a season."""

    number: Annotated[int, "The first is the highest."]
    tournament: Annotated[int, "The `id` of the tournament as which it is played."]
    table: Annotated[list[EntrantView], "Best first. Computers that fill it up are left out."]


class SeasonView(SeasonFacts):
    """A season with its divisions, and who has joined it."""

    divisions: list[DivisionView]
    entrants: Annotated[list[str], "Who has joined it, while it is open."]


def seasons(*, viewer: Any) -> list[SeasonFacts]:
    """Return seasons, the last to start first."""
    found = list(Season.objects.annotate(players=Count("entries")).order_by("-starts_at", "ruleset")[:MOST])
    mine = _joined(viewer)
    return [_facts(each, each.players, each.pk in mine) for each in found]


def season_view(*, viewer: Any, season_id: int) -> SeasonView:
    """Return a season; raises NotFound where there is none."""
    season = Season.objects.filter(pk=season_id).first()
    if season is None:
        raise NotFound("no-season", _("There is no such season."))
    entrants = list(season.entries.values_list("user__robo_name", flat=True))
    divisions = season.divisions.select_related("tournament").order_by("number")
    return {
        **_facts(season, len(entrants), season.pk in _joined(viewer)),
        "divisions": [
            {
                "number": each.number,
                "tournament": each.tournament_id,
                "table": table_view(each.tournament),
            }
            for each in divisions
        ],
        "entrants": entrants if season.status == Season.Status.OPEN else [],
    }


def _joined(viewer: Any) -> set[int]:
    if not isinstance(viewer, User):
        return set()
    return set(viewer.season_entries.values_list("season", flat=True))


def _facts(season: Season, players: int, joined: bool) -> SeasonFacts:
    return {
        "id": season.pk,
        "ruleset": season.ruleset,
        "status": season.status,
        "starts_at": season.starts_at,
        "ends_at": season.ends_at,
        "players": players,
        "joined": joined,
    }
