"""Seasons as players see them."""

from datetime import datetime
from typing import Annotated, Any, Final, TypedDict

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from games.competitions.models import Division, Season, SeasonEntry
from games.competitions.selectors.tournaments import EntrantView, table_view
from games.errors import NotFound

SEASONS_LISTED: Final = 100
"""The maximum number of seasons to list."""

DIVISIONS_PER_PAGE: Final = 5
"""The number of divisions on one page of a season."""

ENTRANTS_NAMED: Final = 100
"""The maximum number of players to name on the page of an open season."""


class SeasonFacts(TypedDict):
    """A season in a list."""

    id: int
    ruleset: str
    status: Annotated[str, Season.Status]
    starts_at: datetime
    ends_at: datetime
    players: Annotated[int, "Number of players who joined."]
    joined: Annotated[bool, "Whether you joined."]


class DivisionView(TypedDict):
    """A division of a season."""

    number: Annotated[int, "The first is the highest."]
    tournament: Annotated[int, "The `id` of the division's tournament."]
    table: Annotated[list[EntrantView], "Best first, without computers."]


class WaitView(TypedDict):
    """An unfinished division that delays a season."""

    season: Annotated[int, "The `id` of the season."]
    number: int
    tournament: int
    round: Annotated[int, "The current round. 0 before the first."]
    rounds: int | None
    tables: Annotated[int, "Number of tables without a result."]
    until: Annotated[
        datetime | None, "When the round ends at the latest. Unfinished tables are then scored as they stand."
    ]


class SeasonView(SeasonFacts):
    """A season with its divisions, and its latest entrants."""

    pages: Annotated[int, f"Number of pages, with {DIVISIONS_PER_PAGE} divisions on each."]
    page: Annotated[int, "The number of this page."]
    my_division: Annotated[int | None, "The number of your division. Null if you play in none."]
    divisions: Annotated[list[DivisionView], "The divisions on this page."]
    entrants: Annotated[
        list[str], f"The last {ENTRANTS_NAMED} players who joined, latest first, while the season is open."
    ]
    waits_for: Annotated[
        list[WaitView], "Unfinished divisions that delay the start or the end of the season."
    ]


def seasons(*, viewer: Any) -> list[SeasonFacts]:
    """Return the latest `SEASONS_LISTED` seasons, latest start first."""
    mine = _joined(viewer)
    return [
        _facts(each, each.pk in mine)
        for each in Season.objects.order_by("-starts_at", "ruleset")[:SEASONS_LISTED]
    ]


def season_view(*, viewer: Any, season_id: int, page: int | None = None, now: datetime) -> SeasonView:
    """Return a season with one page of its divisions. Raises NotFound if there is no such season.

    The default page is the one with the viewer's division, or else the first page. If the page number is too
    large, returns the last page.
    """
    season = Season.objects.filter(pk=season_id).first()
    if season is None:
        raise NotFound("no-season", _("There is no such season."))
    lowest = season.divisions.order_by("-number").values_list("number", flat=True).first() or 0
    mine = _division_of(viewer, season)
    pages = max(1, -(-lowest // DIVISIONS_PER_PAGE))
    page = min(max(page or -(-(mine or 1) // DIVISIONS_PER_PAGE), 1), pages)
    numbers = (DIVISIONS_PER_PAGE * (page - 1) + 1, DIVISIONS_PER_PAGE * page)
    divisions = season.divisions.filter(number__range=numbers).select_related("tournament").order_by("number")
    return {
        **_facts(season, season.pk in _joined(viewer)),
        "pages": pages,
        "page": page,
        "my_division": mine,
        "divisions": [
            {"number": each.number, "tournament": each.tournament_id, "table": table_view(each.tournament)}
            for each in divisions
        ],
        "entrants": [name for name, _look in latest_entrants(season_id=season.pk)]
        if season.status == Season.Status.OPEN
        else [],
        "waits_for": _waits_for(season, now),
    }


def unfinished_before(season: Season) -> QuerySet[Season]:
    """Return the ruleset's unfinished earlier seasons, oldest first. These delay the start of this season."""
    before = Season.objects.filter(ruleset=season.ruleset, starts_at__lt=season.starts_at)
    return before.exclude(status=Season.Status.FINISHED).order_by("starts_at")


def _waits_for(season: Season, now: datetime) -> list[WaitView]:
    """Return the unfinished divisions that delay the start or end of a season at this time.

    Returns an empty list if the season's start or end is not due yet.
    """
    match season.status:
        case Season.Status.OPEN if season.starts_at <= now:
            late = unfinished_before(season)
        case Season.Status.RUNNING if season.ends_at <= now:
            late = Season.objects.filter(pk=season.pk)
        case _:
            return []
    divisions = Division.objects.filter(season__in=late, tournament__ended_at=None)
    open_tables = Count("tables", filter=Q(tables__scored_at=None))
    waits: list[WaitView] = []
    for each in divisions.select_related("tournament").order_by("season", "number")[:DIVISIONS_PER_PAGE]:
        last = each.tournament.all_rounds.annotate(open=open_tables).order_by("-number").first()
        waits.append(
            {
                "season": each.season_id,
                "number": each.number,
                "tournament": each.tournament_id,
                "round": last.number if last else 0,
                "rounds": each.tournament.rounds,
                "tables": last.open if last else 0,
                "until": last.ends_at if last and last.closed_at is None else each.tournament.due_at,
            }
        )
    return waits


def _joined(viewer: Any) -> set[int]:
    if not isinstance(viewer, User):
        return set()
    return set(viewer.season_entries.values_list("season", flat=True))


def _division_of(viewer: Any, season: Season) -> int | None:
    if not isinstance(viewer, User):
        return None
    mine = Division.objects.filter(season=season, tournament__entrants__user=viewer)
    return mine.values_list("number", flat=True).first()


def latest_entrants(*, season_id: int) -> list[tuple[str, int | None]]:
    """Return the Robo Names and favourite robots of a season's latest entrants."""
    latest = SeasonEntry.objects.filter(season=season_id).order_by("-joined_at", "-pk")
    return list(latest.values_list("user__robo_name", "user__look")[:ENTRANTS_NAMED])


def _facts(season: Season, joined: bool) -> SeasonFacts:
    return {
        "id": season.pk,
        "ruleset": season.ruleset,
        "status": season.status,
        "starts_at": season.starts_at,
        "ends_at": season.ends_at,
        "players": season.players,
        "joined": joined,
    }
