"""What was played while a player was away, and what of it they missed."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.play.models import Game, Seat
from games.play.selectors.missed_turns import lost_in_words


@dataclass(frozen=True, slots=True)
class Missed:
    """Turns that were played while their player was away, the first to the last.

    ``lost`` says what was played for them in the last one, and what that costs, if their time had run out.
    """

    first: int
    last: int
    lost: str = ""

    def __str__(self) -> str:
        if self.first == self.last:
            return _("Turn {number} was played while you were away.").format(number=self.last)
        turns = _("Turns {first} to {last} were played while you were away.")
        return turns.format(first=self.first, last=self.last)


def missed_by(seat: Seat | None, last: int | None, given: Mapping[int, str]) -> Missed | None:
    """Return what someone at a seat has missed of the turns up to the ``last`` that was played.

    ``given`` says who gave orders for those whose time had run out in that one, by robot index.
    The choice of headings, which is turn 0, shows nothing that one could miss.
    """
    if seat is None or last is None:
        return None
    first = 1 if seat.seen_turn is None else max(1, seat.seen_turn + 1)
    if first > last:
        return None
    by = given.get(seat.number - 1) if seat.game.status == Game.Status.RUNNING else None
    return Missed(first, last, lost_in_words(seat=seat, turn=last, by=by) if by else "")
