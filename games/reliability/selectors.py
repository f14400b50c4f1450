"""How reliable players are: what everybody may see of it."""

from collections.abc import Iterable
from typing import Annotated, TypedDict

from accounts.models import User
from games.reliability.figures import figure
from games.reliability.models import Reliability


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


def percents_of(people: Iterable[User]) -> dict[int, int]:
    """Return the figures of some people in percent, by their keys; guests have none."""
    kept = {user.pk: getattr(user, "reliability", None) for user in people if not user.is_guest}
    return {key: figure(found.recent if found else "") for key, found in kept.items()}
