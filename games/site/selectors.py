"""The home of members: their games, and news about them, their clubs and their competitions."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Exists, OuterRef, Q
from django.utils.functional import Promise

from accounts.models import User
from games.clubs.selectors import clubs_of, clubs_that_wait_for
from games.competitions.models import Entrant, Round, Season, SeasonEntry, Tournament
from games.competitions.selectors.ladders import places_of
from games.competitions.selectors.matching import search_of
from games.competitions.selectors.tournaments import entries_of, tournaments
from games.lobby.lists import ListedGame, games_to_join, my_games
from games.lobby.practice import offered_mission
from games.lobby.selectors import invitations_for
from games.news.kinds import KINDS
from games.news.models import Notice
from games.news.timing import REMINDERS
from games.people.selectors.records import game_numbers
from games.play.models import Game
from games.play.viewers import visible_games

GAMES_SHOWN: Final = 5
NEWS_SHOWN: Final = 6
CLUB_ROWS: Final = 4
"""The maximum numbers of games, news, and games or tournaments of clubs at home. My Room has all games."""

NEWS_AGE: Final = timedelta(days=30)
"""The maximum age of news at home."""


@dataclass(frozen=True, slots=True)
class NewsItem:
    """Something that happened: the kind of notification, its topic and page, and whether it is new."""

    label: str | Promise
    heading: str
    path: str
    at: datetime
    is_new: bool


@dataclass(frozen=True, slots=True)
class CupItem:
    """A player's entry in an unfinished tournament, with the tournament's current round, if any."""

    entry: Entrant
    round: Round | None


def home_of(*, user: User, since: datetime | None, now: datetime) -> dict[str, Any]:
    """Return the context of a member's home. ``since`` is the time of the last visit, if known."""
    going_on = my_games(user=user).filter(status__in=(Game.Status.OPEN, Game.Status.RUNNING))
    games = list(going_on[:GAMES_SHOWN])
    return {
        "games": games,
        "next": next((game for game in games if game.waits_for_me), None),
        "numbers": game_numbers(user=user),
        "invitations": list(invitations_for(user=user)),
        "search": search_of(user=user, now=now),
        "flight": None if games else offered_mission(user=user),
        "news": recent_news(user=user, since=since, now=now),
        "clubs": clubs_that_wait_for(user=user),
        "club_games": games_of_my_clubs(user=user),
        "club_tournaments": tournaments_of_my_clubs(user=user),
        "cups": cups_of(user=user),
        "seasons": seasons_before_start(user=user),
        "ladders": places_of(user),
    }


def recent_news(*, user: User, since: datetime | None, now: datetime) -> list[NewsItem]:
    """Return a person's latest notifications, newest first, sent or not.

    Leaves out notifications about games that wait for the person, as the games say so themselves, and about
    games that the person can no longer see; outdated ones; and the kinds that the person has switched off.
    """
    left_out = {*REMINDERS, *user.silenced}
    kinds = [kind.name for kind in KINDS.values() if not kind.game_waits and kind.name not in left_out]
    # The mail channel has each notification exactly once.
    notices = Notice.objects.filter(
        Q(game=None) | Q(game__in=visible_games(viewer=user)),
        user=user,
        channel="mail",
        kind__in=kinds,
        created_at__range=(now - NEWS_AGE, now),
    ).exclude(status=Notice.Status.OUTDATED)
    latest = notices.select_related("game", "starship", "user").order_by("-created_at", "-pk")[:NEWS_SHOWN]
    return [item for notice in latest if (item := _item(notice, since))]


def _item(notice: Notice, since: datetime | None) -> NewsItem | None:
    try:
        heading, path = notice.heading, notice.path
    except ObjectDoesNotExist:  # its topic was deleted
        return None
    kind, is_new = KINDS[notice.kind], since is not None and notice.created_at > since
    label = kind.label_of(notice) if kind.label_of else kind.label
    if kind.label_when_settled and kind.settled(notice):
        label = kind.label_when_settled
    return NewsItem(label, heading, path, notice.created_at, is_new)


def games_of_my_clubs(*, user: User) -> Sequence[ListedGame]:
    """Return the games in a player's clubs that they can join, the newest first."""
    games = games_to_join(viewer=user).filter(club_game__club__in=clubs_of(user))
    return list(games.select_related("club_game__club").prefetch_related(None)[:CLUB_ROWS])


def tournaments_of_my_clubs(*, user: User) -> list[Tournament]:
    """Return the open tournaments of a player's clubs that they have not entered, the next first."""
    entered = Entrant.objects.filter(tournament=OuterRef("pk"), user=user)
    found = tournaments(viewer=user, statuses=[Tournament.Status.OPEN])
    mine = found.filter(~Exists(entered), club__in=clubs_of(user))
    return list(mine.order_by("starts_at", "pk")[:CLUB_ROWS])


def cups_of(*, user: User) -> list[CupItem]:
    """Return a player's entries in unfinished tournaments, and in divisions of seasons."""
    entries = entries_of(user)
    current = Round.objects.filter(tournament__in=[each.tournament_id for each in entries], closed_at=None)
    rounds = {each.tournament_id: each for each in current.order_by("number")} if entries else {}
    return [CupItem(each, rounds.get(each.tournament_id)) for each in entries]


def seasons_before_start(*, user: User) -> list[Season]:
    """Return the seasons that a player has joined and that have not started yet."""
    joined = SeasonEntry.objects.filter(user=user, season__status=Season.Status.OPEN)
    return [each.season for each in joined.select_related("season").order_by("season__starts_at")]
