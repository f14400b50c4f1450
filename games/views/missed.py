"""What a player has missed since they last looked."""

from dataclasses import dataclass

from games.models import Seat


@dataclass(frozen=True, slots=True)
class Missed:
    """Turns that were played while their player was away, the first to the last."""

    first: int
    last: int

    def __str__(self) -> str:
        if self.first == self.last:
            return f"Turn {self.last} was played while you were away."
        return f"You missed turns {self.first} to {self.last}."


def missed_by(seat: Seat | None, last: int | None) -> Missed | None:
    """Return what somebody at a seat has missed of the turns up to the ``last`` that was played.

    The choice of headings, which is turn 0, shows nothing that one could miss.
    """
    if seat is None or last is None:
        return None
    first = 1 if seat.seen_turn is None else max(1, seat.seen_turn + 1)
    return Missed(first, last) if first <= last else None
