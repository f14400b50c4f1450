"""What robots are called, in queries: as `Seat.robo_name` says of a row."""

from django.db.models import F, Value
from django.db.models.functions import Coalesce, NullIf


def seat_name(path: str = "") -> Coalesce:
    """Return the name of a seat's robot as an expression; ``path`` leads to the seat: ``"seat__"``."""
    return Coalesce(
        NullIf(F(f"{path}robot"), Value("")),
        F(f"{path}user__robo_name"),
        NullIf(F(f"{path}name"), Value("")),
    )
