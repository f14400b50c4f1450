"""Prototypes that people have tested: all that is counted of games on them.

As in the original, a person has tested a prototype once they have won a game on it.
"""

from datetime import datetime
from typing import NamedTuple

from django.db.models import Exists, F, OuterRef, QuerySet

from games.people.selectors.numbers import WON
from games.people.selectors.turns import in_order
from games.play.models import Game, Seat, Turn


class Tested(NamedTuple):
    """A prototype, by its starship, and the last turn of the first game by which a person has tested it."""

    starship: int
    game: int
    turn: int
    at: datetime


def tested_prototypes(*, person: int, games: QuerySet[Game] | None = None) -> list[Tested]:
    """Return the prototypes that a person has tested, in the order in which they did, each once.

    They have won a game on it that was over by its rules, that another person had a seat in to its end, and
    whose ship is not their own. It does not matter which version it was played on. Guests test nothing. With
    ``games`` only these are looked at.
    """
    others = Seat.objects.filter(game=OuterRef("game"), user__is_guest=False).exclude(user=person)
    seats = Seat.objects.filter(
        WON,
        Exists(others),
        user=person,
        user__is_guest=False,
        game__status=Game.Status.OVER,
        game__ending="",
        game__revision__prototype=True,
    ).exclude(game__revision__starship__owner=person)
    if games is not None:
        seats = seats.filter(game__in=games)
    won = list(seats.values_list("game", flat=True))  # with a join Postgres would read all games
    last = Turn.objects.filter(game__in=won, number=F("game__turn"))
    told = last.values_list("game__revision__starship", "game", "number", "resolved_at")
    found: dict[int, Tested] = {}
    for starship, *where, _ in in_order(told):
        found.setdefault(starship, Tested(starship, *where))
    return list(found.values())
