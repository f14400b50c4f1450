"""The queue of waiting players: everyone's wishes, and a player's own entry."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Annotated, Any, Final, TypedDict

from accounts.models import User
from games.absence.models import percents_of
from games.clocks.clock import Live, Pace, PerTurn
from games.competitions.matching import ANY, Seeker, Wish
from games.competitions.models import Ticket
from games.errors import view_of_row
from games.people.contacts import housemates_of
from games.people.models import Block
from games.standings.models import OVERALL, PlayerRating
from games.standings.ratings import NEWCOMER_POINTS

PACES: Final[dict[str, Pace]] = {"live": Live(5), "fast": PerTurn(4), "day": PerTurn(24), "slow": PerTurn(48)}
"""The paces to choose from, by the keys of `games.lobby.lists.PACES`."""

USUAL_PACE: Final = "day"
"""The default pace of a matched game."""


class TicketView(TypedDict):
    """Your preferences for a game."""

    ruleset: Annotated[str, "Empty for any ruleset."]
    pace: Annotated[str, (*PACES, ""), "Empty for any pace except `live`."]
    size: Annotated[str, "`small`, `medium` or `large`. Empty for any size."]
    least: Annotated[int, "Minimum number of players."]
    most: Annotated[int, "Maximum number of players."]
    spread: Annotated[
        int | None, "Maximum difference in rating. Null for a limit that only widens while you wait."
    ]
    least_reliability: Annotated[int, "Minimum reliability of other players, in percent. 0 for any."]
    computers_after: Annotated[int | None, "Hours until computers fill empty seats. Null for never."]
    created_at: datetime


def ticket_of(*, user: User) -> Ticket | None:
    """Return a player's ticket, or None if they are not waiting."""
    return Ticket.objects.filter(user=user).first()


def ticket_view(ticket: Ticket) -> TicketView:
    return view_of_row(TicketView, ticket)


def seekers_of(tickets: Iterable[Ticket]) -> list[Seeker]:
    """Return tickets as waiting players, in the same order."""
    every = list(tickets)
    people = [ticket.user_id for ticket in every]
    pools = {OVERALL, *(ticket.ruleset for ticket in every)}
    rows = PlayerRating.objects.filter(user__in=people, pool__in=pools).select_related("pool")
    ratings = {(row.user_id, row.pool_id): row.points for row in rows}
    percents = percents_of(ticket.user for ticket in every)
    shuns: dict[int, set[int]] = {}
    for user, blocked in Block.objects.filter(user__in=people).values_list("user", "blocked"):
        shuns.setdefault(user, set()).add(blocked)
    for one, other in housemates_of(people):
        shuns.setdefault(one, set()).add(other)
    return [
        Seeker(
            user=ticket.user_id,
            wish=wish_of(ticket),
            since=ticket.created_at,
            rating=ratings.get((ticket.user_id, ticket.ruleset or OVERALL), NEWCOMER_POINTS),
            reliability=percents[ticket.user_id],
            spread=ticket.spread,
            least_reliability=ticket.least_reliability,
            computers_after=None
            if ticket.computers_after is None
            else timedelta(hours=ticket.computers_after),
            shuns=frozenset(shuns.get(ticket.user_id, ())),
        )
        for ticket in every
    ]


def wish_of(ticket: Ticket) -> Wish:
    names: dict[str, Any] = {name: getattr(ticket, name) or ANY for name in ("ruleset", "pace", "size")}
    return Wish(**names, least=ticket.least, most=ticket.most)
