"""The tournaments of a club, and its news."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db.models import Q, QuerySet

from games.clubs.models import Club
from games.competitions.models import Entrant, Tournament
from games.competitions.selectors.tournaments import tournaments
from games.play.models import Game
from games.play.selectors import winner_name
from games.play.viewers import visible_games

Status = Tournament.Status

CURRENT_SHOWN: Final = 20
OVER_SHOWN: Final = 5

NEWS_SHOWN: Final = 8
"""The maximum number of news items on a club's page."""


class ClubNews(NamedTuple):
    """An event in a club. The template `clubs/news.html` has a sentence for each ``kind``.

    ``who`` is a Robo Name or the name of a winning squad, or "" if the event has neither.
    """

    at: datetime
    kind: str
    who: str = ""
    about: Game | Tournament | None = None
    look: int | None = None


def tournaments_of_club(*, viewer: Any, club: Club) -> list[Tournament]:
    """Return the tournaments of a club as a viewer sees them: drafts, open and running, then ended ones."""
    found = tournaments(viewer=viewer).filter(club=club)
    over = found.filter(ended_at__isnull=False).order_by("-ended_at", "-pk")
    current = found.filter(ended_at=None).order_by("starts_at", "pk")
    return [*current[:CURRENT_SHOWN], *over[:OVER_SHOWN]]


def club_news(*, viewer: Any, club: Club) -> list[ClubNews]:
    """Return the latest news of a club as a viewer may see it, newest first."""
    news = [ClubNews(club.created_at, "founded")]
    joined = club.memberships.filter(since__gt=club.created_at).select_related("user").order_by("-since")
    news += [
        ClubNews(each.since, "joined", each.user.robo_name, look=each.user.look)
        for each in joined[:NEWS_SHOWN]
    ]
    news += _news_of_games(visible_games(viewer=viewer).filter(club_game__club=club))
    news += _news_of_tournaments(tournaments(viewer=viewer).filter(club=club).exclude(status=Status.DRAFT))
    return sorted(news, key=lambda each: each.at, reverse=True)[:NEWS_SHOWN]


def _news_of_games(games: QuerySet[Game]) -> Iterator[ClubNews]:
    made = games.exclude(status=Game.Status.CANCELLED).select_related("host").order_by("-created_at", "-pk")
    for game in made[:NEWS_SHOWN]:
        yield ClubNews(game.created_at, "game-new", game.host.robo_name, game, game.host.look)
    for game in games.filter(status=Game.Status.OVER).order_by("-ended_at", "-pk")[:NEWS_SHOWN]:
        assert game.ended_at
        yield ClubNews(game.ended_at, "game-over", winner_name(game), game)


def _news_of_tournaments(found: QuerySet[Tournament]) -> Iterator[ClubNews]:
    latest = list(found.order_by("-starts_at", "-pk")[:NEWS_SHOWN])
    won = Q(tournament__in=latest, place=1, left_at=None)
    winners = {
        each.tournament_id: (each.user.robo_name, each.user.look)
        for each in Entrant.objects.filter(won).select_related("user")
    }
    for each in latest:
        if each.status == Status.OPEN:
            yield ClubNews(each.opened_at or each.created_at, "tournament-new", "", each)
        elif each.status != Status.CANCELLED:
            yield ClubNews(each.starts_at, "tournament-started", "", each)
        if each.ended_at:
            kind = "tournament-cancelled" if each.status == Status.CANCELLED else "tournament-over"
            name, look = winners.get(each.pk, ("", None))
            yield ClubNews(each.ended_at, kind, name, each, look)
