"""How reliable players are: what everybody may see of it."""

from typing import Annotated, TypedDict

from accounts.models import User
from games.absence.models import Reliability
from games.play.models import Seat


def reliability_of(user: User) -> Reliability:
    """Return how reliable someone is; who has played no turn that counts has missed none."""
    found: Reliability | None = getattr(user, "reliability", None)
    return found or Reliability(user=user)


class ReliabilityView(TypedDict):
    """How reliable a player is."""

    percent: Annotated[int, "The last turns weigh more; 100 where none was missed."]
    turns: Annotated[int, "Turns that others waited for."]
    missed: Annotated[int, "Those of them that they missed."]


def reliability_view(user: User) -> ReliabilityView:
    """Return someone's figure in percent, with how many turns it is made of and how many they missed."""
    kept = reliability_of(user)
    return {"percent": kept.percent, "turns": kept.turns, "missed": kept.missed}


def percent_of(seat: Seat) -> int | None:
    """Return the figure of the player of a seat; None for a computer, and for a guest."""
    return None if seat.user is None or seat.user.is_guest else reliability_of(seat.user).percent
