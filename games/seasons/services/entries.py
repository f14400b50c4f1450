"""Joining a season that has not started, and leaving it."""

from datetime import datetime

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from accounts.models import User
from games.errors import Conflict, NotFound, refuse_guests
from games.sanctions.selectors import refuse_barred
from games.seasons.models import Season, SeasonEntry


def join_season(*, user: User, season_id: int, now: datetime) -> SeasonEntry:
    """Join a season before it starts; who has joined it stays in it.

    Raises NotFound, Forbidden for guests and players who are barred, and Conflict once it has started.
    """
    refuse_guests(user)
    refuse_barred(user=user, now=now)
    with transaction.atomic():
        season = _open(season_id)
        entry, made = SeasonEntry.objects.get_or_create(season=season, user=user, defaults={"joined_at": now})
        if made:
            _count(season, 1)
    return entry


def leave_season(*, user: User, season_id: int) -> None:
    """Leave a season before it starts; later one leaves its tournament. Raises as `join_season` does."""
    refuse_guests(user)
    with transaction.atomic():
        _leave(_open(season_id), user)


def leave_all(*, user: User) -> None:
    """Leave all seasons that have not started, in the caller's transaction."""
    there = Season.objects.filter(status=Season.Status.OPEN, pk__in=user.season_entries.values("season"))
    for season in there.select_for_update(no_key=True).order_by("pk"):
        _leave(season, user)


def _leave(season: Season, user: User) -> None:
    left, _rows = SeasonEntry.objects.filter(season=season, user=user).delete()
    _count(season, -left)


def _count(season: Season, more: int) -> None:
    Season.objects.filter(pk=season.pk).update(players=F("players") + more)


def _open(season_id: int) -> Season:
    season = Season.objects.select_for_update(no_key=True).filter(pk=season_id).first()
    if season is None:
        raise NotFound("no-season", _("There is no such season."))
    if season.status != Season.Status.OPEN:
        raise Conflict("started", _("This season has started. Join the next one."))
    return season
