"""How many games a person has: one definition, for My Room, a player's page and the API.

Games with people or computers count that are under way or were played to the end. Solo flights and training
missions are counted apart, and neither test flights nor games that were called off are counted.
"""

from typing import Annotated, TypedDict, cast

from django.db.models import Case, Count, F, Q, QuerySet, When

from accounts.models import User
from games.absence.selectors import played_by
from games.lobby.selectors.rooms import waiting_count
from games.people.selectors.audiences import Audiences
from games.play.models import Game, Seat
from games.play.selectors.classes import COMPUTERS, PEOPLE, SOLO, class_of_seat
from games.play.selectors.naming import seat_name

WON = Q(game__winner=Case(When(squad="", then=seat_name()), default=F("squad")))
"""Seats of those who won, by name or by squad."""


class GameNumbersView(TypedDict):
    """How many games a person has; solo flights and games that were called off do not count."""

    open: int
    running: int
    over: int
    won: int
    missions: Annotated[int, "Solo flights and training missions, under way or over."]
    waiting: Annotated[int, "Running ones that wait for this person's orders."]


def game_numbers(*, user: User) -> GameNumbersView:
    counted = _numbers(user, Seat.objects.filter(played_by(user)))
    return cast("GameNumbersView", {**counted, "waiting": waiting_count(user=user)})


class ShownNumbersView(TypedDict):
    """How many games a player's page shows; solo flights and games that were called off do not count."""

    running: Annotated[int | None, "Null where they keep them to themselves."]
    over: int
    won: int
    tested: Annotated[int, "Prototypes of others on which they have won a game with other people."]


def shown_numbers(audiences: Audiences, *, tested: int) -> ShownNumbersView:
    """Return how many games a player's page shows its viewer: under way, over, and won.

    ``running`` is None where the player keeps to themselves what they play. ``tested`` are prototypes.
    """
    person = audiences.person
    counted = _numbers(person, Seat.objects.filter(played_by(person), game__in=audiences.games()))
    running = counted["running"] if audiences.sees(audiences.person.shows_games) else None
    return {"running": running, "over": counted["over"], "won": counted["won"], "tested": tested}


def _numbers(person: User, seats: QuerySet[Seat]) -> dict[str, int]:
    """Count a person's seats; with those that they gave up, whose games are lost once they are over."""
    kept, among_others = Q(user=person), Q(kind__in=(PEOPLE, COMPUTERS))
    over = Q(game__status=Game.Status.OVER)
    started = over | Q(game__status=Game.Status.RUNNING)
    counts = {
        "open": kept & Q(game__status=Game.Status.OPEN),
        "running": kept & Q(game__status=Game.Status.RUNNING) & among_others,
        "over": over & among_others,
        "won": kept & over & among_others & WON,
        "missions": kept & started & Q(kind=SOLO),
    }
    rows: dict[str, int] = (
        seats.annotate(kind=class_of_seat())
        .order_by()
        .aggregate(**{name: Count("pk", filter=which) for name, which in counts.items()})
    )
    return rows
