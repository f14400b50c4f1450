"""What someone's feeds tell: what they were told last, and by when games wait for them."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from django.db.models import QuerySet
from django.db.models.functions import Coalesce

from accounts.models import User
from games.news.models import Notice
from games.play.models import Game, Hand, Seat, Turn
from games.play.played import kept_of
from games.reading import read_safely

NEWEST: Final = 30
"""How many notifications a feed holds."""

Events = Mapping[tuple[int, int], Sequence[dict[str, Any]] | None]


def newest_notifications(*, user: User) -> list[Notice]:
    """Return what someone was told last, the newest first, whether or not it went out.

    Each is told once, by however many channels: all that there is to tell is left for the mail as well.
    """
    notices = Notice.objects.filter(user=user, channel="mail").select_related("game", "starship")
    return list(notices.order_by("-created_at", "-pk")[:NEWEST])


def robots_of(*, user: User, games: set[int]) -> dict[int, str]:
    """Return what someone's robot is called in each of these games in which they have one."""
    seats = Seat.objects.filter(user=user, game__in=games).select_related("user")
    return {seat.game_id: seat.robo_name for seat in seats}


def events_of(*, turns: set[tuple[int, int]], types: frozenset[str]) -> Events:
    """Return the events of some types in turns, which are named by the numbers of game and turn.

    Of turns that cannot be read there are None.
    """
    found: dict[tuple[int, int], list[dict[str, Any]] | None] = {}
    rows = Turn.objects.filter(game__in={game for game, _ in turns}, number__in={turn for _, turn in turns})
    keys = {pk: (game, turn) for pk, game, turn in rows.values_list("pk", "game", "number")}
    wanted = [pk for pk, key in keys.items() if key in turns]
    for turn in Turn.objects.filter(pk__in=wanted, status=Turn.Status.RESOLVED):
        found[keys[turn.pk]] = read_safely(partial(_events_in, turn, types), turn.game_id)
    return found


def turns_with_pictures(*, turns: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return which of these turns were played in public games: anyone may see the board after them."""
    played = Turn.objects.filter(
        game__in={game for game, _ in turns},
        number__in={turn for _, turn in turns},
        status=Turn.Status.RESOLVED,
        game__private=False,
    )
    return turns & set(played.values_list("game", "number"))


def _events_in(turn: Turn, types: frozenset[str]) -> list[dict[str, Any]]:
    return [event for event in kept_of(turn).events if event["type"] in types]


def waiting_hands(*, user: User) -> QuerySet[Hand]:
    """Return the hands that wait for a player's orders, the most urgent first.

    ``due`` is the deadline, None while there is none.
    """
    waiting = Hand.objects.filter(
        seat__user=user, program=None, turn__status=Turn.Status.OPEN, turn__game__status=Game.Status.RUNNING
    )
    due = waiting.annotate(due=Coalesce("deadline", "turn__deadline"))
    return due.select_related("turn__game").order_by("due", "pk")
