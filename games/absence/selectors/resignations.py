"""What comes of it when a player resigns from a game or leaves it, for those who think about it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from games.play.models import Game, Replacement, Seat
from games.play.selectors.sides import contenders, people_playing, was_begun, winner_by

COUNTS_AS_LOST: Final = (
    Replacement.Reason.RESIGNED,
    Replacement.Reason.LEFT,
    Replacement.Reason.MISSED,
    Replacement.Reason.VOTED,
)
"""Why a player may have been replaced who has lost the game, if they have no seat in it in the end.

Staff may have any reason, so no one loses by that.
"""


@dataclass(frozen=True, slots=True)
class Aftermath:
    """The consequences of a departure: whether the game ``ends``, and its winner: a robot, a squad or "".

    It counts, except for a flight without others that ends before its first turn is played.
    """

    ends: bool
    winner: str
    counts: bool


def why_not_resign(*, game: Game, seat: Seat) -> str:
    """Return why a player cannot resign from a game or leave it, as a sentence; empty where they can."""
    match game.status:
        case Game.Status.OPEN:
            return _("This game has not started. Leave it in its lobby.")
        case Game.Status.OVER | Game.Status.CANCELLED:
            return _("This game is over, so there is nothing to resign.")
    if seat.place is not None:
        return _("Your robot has finished, so there is nothing to resign. No player waits for you.")
    if seat.out and _others_playing(game, seat):
        return _("Your robot is out of the game, so there is nothing to resign. No player waits for you.")
    return ""


def outcome_of(*, game: Game, seat: Seat, resigns: bool) -> Aftermath:
    """Return the consequences if a player resigns, or else leaves."""
    counts = was_begun(game) or not (game.is_practice or game.seats == 1)
    standing = [other for other in contenders(game) if other.pk != seat.pk and not _same(other, seat)]
    if not _others_playing(game, seat):
        # As in the result order: a robot whose player left earlier ranks behind, so it does not win.
        winner = _only(other for other in standing if other.place == 1 or not _was_left(other))
        return Aftermath(ends=True, winner=winner if counts else "", counts=counts)
    winner = _only(other for other in standing if other.place == 1 or not _resigned(other))
    alone = resigns and winner != "" and not _squadmates(game, seat)
    return Aftermath(ends=alone, winner=winner if alone else "", counts=True)


def given_up_by(person: User) -> QuerySet[Seat]:
    """Return the seats that a person has given up for good, in games where they have no other: lost games."""
    later = Replacement.objects.filter(was=person, seat__game=OuterRef("seat__game"), pk__gt=OuterRef("pk"))
    last = Replacement.objects.filter(~Exists(later), was=person, reason__in=COUNTS_AS_LOST)
    back = Seat.objects.filter(game=OuterRef("game"), user=person)
    return Seat.objects.filter(~Exists(back), pk__in=last.values("seat"))


def played_by(person: User) -> Q:
    """Return the condition on seats that a person has them, or has given them up for good."""
    kept = Seat.objects.filter(user=person).order_by().values("pk")
    # A union, since Postgres would read all seats to find those for which either of two conditions holds.
    return Q(pk__in=kept.union(given_up_by(person).order_by().values("pk")))


def _others_playing(game: Game, seat: Seat) -> tuple[Seat, ...]:
    return tuple(other for other in people_playing(game) if other.pk != seat.pk)


def _only(seats: Iterable[Seat]) -> str:
    """Return the winner if all these seats are of one side, a robot or a squad; else nothing."""
    sides = {winner_by(seat) for seat in seats}
    return sides.pop() if len(sides) == 1 else ""


def _same(other: Seat, seat: Seat) -> bool:
    return bool(seat.squad) and other.squad == seat.squad


def _squadmates(game: Game, seat: Seat) -> Iterable[Seat]:
    return [other for other in _others_playing(game, seat) if _same(other, seat)]


def _was_left(seat: Seat) -> bool:
    return seat.user_id is None and seat.replacements.exists()


def _resigned(seat: Seat) -> bool:
    last = seat.replacements.last()
    return seat.user_id is None and last is not None and last.reason == Replacement.Reason.RESIGNED
