"""Ladders as players see them."""

from datetime import datetime
from typing import Annotated, Any, Final, TypedDict

from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from games.competitions.formats import highest
from games.competitions.models import LadderGame, Rung
from games.errors import NotFound
from games.standings.selectors.results import RATED_RULESETS

TOP_PLACES: Final = 50
"""The number of places to show from the top of a ladder."""

PLACES_BELOW: Final = 5
"""The number of places to show below the viewer's place.

Above the viewer's place, all places within reach are shown.
"""

CHALLENGES_SHOWN: Final = 10
"""The number of latest challenges to show."""


class LadderFacts(TypedDict):
    """A ladder in a list."""

    ruleset: str
    players: int
    first: Annotated[str | None, "The player at the top. Null if the ladder is empty."]


class RungView(TypedDict):
    """A player on a ladder."""

    place: int
    robo_name: str
    look: int | None
    resting: bool
    protected_until: datetime | None
    busy: Annotated[bool, "Whether a challenge to this player is not over."]
    in_reach: Annotated[bool, "Whether this place is within your reach."]


class LadderGameView(TypedDict):
    """A challenge on a ladder, and its game."""

    game: int
    challenger: str
    challenged: str
    made_at: datetime
    settled_at: datetime | None
    outcome: Annotated[str | None, LadderGame.Outcome, "Null until the challenge is settled."]


class LadderView(LadderFacts):
    """A ladder: its top, the places around yours, and the latest challenges."""

    rungs: list[RungView]
    mine: Annotated[RungView | None, "Null if you are not on the ladder."]
    may_rest_from: Annotated[
        datetime | None, "When you can rest again. Null if you can rest now, or are not on the ladder."
    ]
    games: list[LadderGameView]


def rung_of(*, user: User, ruleset: str) -> Rung:
    """Return a player's place on a ladder. Raises NotFound if they are not on it."""
    rung = Rung.objects.select_related("user").filter(user=user, ladder=ruleset).first()
    if rung is None:
        raise NotFound("not-on-it", _("{player} is not on this ladder.").format(player=user.robo_name))
    return rung


def size_of(ruleset: str) -> int:
    """Return the number of players on a ladder. This is the lowest place, since places have no gaps."""
    lowest = Rung.objects.filter(ladder=ruleset).order_by("-place").values_list("place", flat=True).first()
    return lowest or 0


def ladders() -> list[LadderFacts]:
    first = dict(
        Rung.objects.filter(ladder__in=RATED_RULESETS, place=1).values_list("ladder", "user__robo_name")
    )
    return [{"ruleset": key, "players": size_of(key), "first": first.get(key)} for key in RATED_RULESETS]


def ladder_view(*, viewer: Any, ruleset: str, now: datetime) -> LadderView:
    """Return a ladder as a viewer sees it. Raises NotFound if the ruleset has no ladder."""
    if ruleset not in RATED_RULESETS:
        raise NotFound("no-ladder", _("There is no such ladder."))
    every = Rung.objects.filter(ladder=ruleset).select_related("user")
    size = size_of(ruleset)
    mine = every.filter(user=viewer).first() if isinstance(viewer, User) else None
    wanted, top = Q(place__lte=TOP_PLACES), 0
    games = LadderGame.objects.filter(ladder=ruleset)
    if mine:
        first = not games.filter(challenger=mine.user_id).exists()
        top = highest(mine.place, size, first=first)
        wanted |= Q(place__gte=top, place__lte=mine.place + PLACES_BELOW)
    rungs = list(every.filter(wanted).order_by("place"))
    shown_users = [rung.user_id for rung in rungs]
    challenges = games.filter(settled_at=None, challenged__in=shown_users)
    busy = set(challenges.values_list("challenged", flat=True))
    shown = [_rung(rung, mine, top, busy) for rung in rungs]
    again = mine.may_rest_from if mine else None
    latest = games.select_related("challenger", "challenged").order_by("-made_at", "-pk")[:CHALLENGES_SHOWN]
    return {
        "ruleset": ruleset,
        "players": size,
        "first": shown[0]["robo_name"] if shown else None,
        "rungs": shown,
        "mine": _rung(mine, None, 0, busy) if mine else None,
        "may_rest_from": again if again and again > now else None,
        "games": [_game(row) for row in latest],
    }


def places_of(user: User) -> list[tuple[str, int]]:
    """Return a player's ladders and their place on each, best place first.

    Leaves out ladders on which the player rests.
    """
    rungs = Rung.objects.filter(user=user, resting_since=None).order_by("place")
    return list(rungs.values_list("ladder", "place"))


def _rung(rung: Rung, mine: Rung | None, top: int, busy: set[int]) -> RungView:
    return {
        "place": rung.place,
        "robo_name": rung.user.robo_name,
        "look": rung.user.look,
        "resting": rung.resting_since is not None,
        "protected_until": rung.protected_until,
        "busy": rung.user_id in busy,
        "in_reach": mine is not None and top <= rung.place < mine.place,
    }


def _game(row: LadderGame) -> LadderGameView:
    return {
        "game": row.game_id,
        "challenger": row.challenger.robo_name,
        "challenged": row.challenged.robo_name,
        "made_at": row.made_at,
        "settled_at": row.settled_at,
        "outcome": row.outcome or None,
    }
