"""Who had a seat in which turns."""

from typing import NamedTuple

from games.play.models import Seat


class Term(NamedTuple):
    """Turns in which one player had a seat: from the ``first`` on, and not beyond ``until``.

    ``user`` is the key of the person, None for a computer; ``until`` is the first turn of the next player,
    and None for the one who has the seat.
    """

    user: int | None
    first: int
    until: int | None

    def has(self, turn: int) -> bool:
        return self.first <= turn and (self.until is None or turn < self.until)


def terms_of(seat: Seat) -> list[Term]:
    """Return who had a seat when, in order; a seat that never passed on has had one player.

    Several may have had it in one turn: it was played by the last of them.
    """
    terms: list[Term] = []
    first, user = 0, seat.user_id
    for replacement in sorted(seat.replacements.all(), key=lambda row: row.pk):
        terms.append(Term(replacement.was_id, first, replacement.turn))
        first, user = replacement.turn, replacement.became_id
    return [*terms, Term(user, first, None)]
