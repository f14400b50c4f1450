"""What was played while a player was away, and what of it they missed."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.play.models import Game, Seat
from games.play.selectors.missed_turns import lost_in_words


@dataclass(frozen=True, slots=True)
class Missed:
    """Turns that were played while their player was away, the first to the last."""

    first: int
    last: int

    def __str__(self) -> str:
        if self.first == self.last:
            return _("Turn {number} was played while you were away.").format(number=self.last)
        turns = _("Turns {first} to {last} were played while you were away.")
        return turns.format(first=self.first, last=self.last)


def missed_by(seat: Seat | None, last: int | None) -> Missed | None:
    """Return what a player has not seen of the turns up to the ``last`` that was played.

    The choice of headings, which is turn 0, has nothing to see.
    """
    if seat is None or last is None:
        return None
    first = 1 if seat.seen_turn is None else max(1, seat.seen_turn + 1)
    return Missed(first, last) if first <= last else None


def lost_by(seat: Seat | None, last: int, given: Mapping[int, str]) -> str:
    """Tell a player whose time for the ``last`` turn ran out what was played for them, and what that costs.

    ``given`` says who gave orders for the robots whose time ran out, by robot index. Returns an empty string
    for other viewers, for a player who has the seat since then, and once the game is over.
    """
    by = given.get(seat.number - 1) if seat and seat.game.status == Game.Status.RUNNING else None
    if seat is None or by is None or seat.replacements.filter(became=seat.user_id, turn__gt=last).exists():
        return ""
    return lost_in_words(seat=seat, turn=last, by=by)
