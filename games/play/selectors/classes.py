"""What games count as: statistics keep people and computers apart.

They leave out solo missions, test flights, and games on prototypes.
"""

from collections.abc import Iterable
from typing import Final

from django.db.models import Case, CharField, Exists, OuterRef, Value, When

from games.play.models import Game, Seat

PEOPLE: Final = "people"
COMPUTERS: Final = "computers"
SOLO: Final = "solo"
TEST: Final = "test"
PROTOTYPE: Final = "prototype"


def class_of(game: Game, seats: Iterable[Seat]) -> str:
    """Return how a game counts.

    That is among ``people``, with ``computers``, ``solo``, on a ``prototype``, or as a ``test`` flight.

    A computer that steers a person's robot in their absence makes no other game of it.
    """
    if game.is_test_flight:
        return TEST
    if game.prototype_version:
        return PROTOTYPE
    if any(seat.computer and not seat.robot for seat in seats):
        return COMPUTERS
    return SOLO if game.seats == 1 else PEOPLE


def class_of_seat() -> Case:
    """Return the same as an expression for rows of seats."""
    computers = Seat.objects.filter(game=OuterRef("game")).filter(robot="").exclude(computer="")
    return Case(
        When(game__revision=None, then=Value(TEST)),
        When(game__revision__prototype=True, then=Value(PROTOTYPE)),
        When(Exists(computers), then=Value(COMPUTERS)),
        When(game__seats=1, then=Value(SOLO)),
        default=Value(PEOPLE),
        output_field=CharField(),
    )
