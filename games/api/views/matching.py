"""Finding a game for the caller."""

from typing import Final, TypedDict

from django.utils import timezone
from rest_framework.request import Request

from games.api.fields import Strict, Text, WholeNumber
from games.api.views.base import Answered, Values, call, person
from games.errors import refuse_guests
from games.matching.selectors import TicketView, ticket_of, ticket_view
from games.matching.services.tickets import seek_game, stop_seeking
from games.matching.wishes import MOST_SEATS

ANY: Final = "; empty for any."


class MyTicketView(TypedDict):
    """What I wait for; null where I wait for no game."""

    ticket: TicketView | None


class WishSerializer(Strict):
    """What the game is to be like."""

    ruleset = Text(default="", allow_blank=True, help_text=f"The `key` of a ruleset{ANY}")
    pace = Text(default="", allow_blank=True, help_text="live, fast, day, slow; empty for any but live.")
    size = Text(default="", allow_blank=True, help_text=f"small, medium, large{ANY}")
    least = WholeNumber(default=2, help_text="Players, at least.")
    most = WholeNumber(default=MOST_SEATS, help_text="Players, at most.")
    spread = WholeNumber(
        default=None,
        allow_null=True,
        help_text="How far others' ratings may be from mine; null for any near.",
    )
    least_reliability = WholeNumber(
        default=0, help_text="How reliable the others have to be, in percent; 0 for any."
    )
    computers_after = WholeNumber(
        default=None,
        allow_null=True,
        help_text="After how many hours computers fill the game up; null for never.",
    )


@call("GET", "Get what game I wait for", MyTicketView)
def get_ticket(request: Request) -> Answered:
    """Null where I wait for none, or where a game was found."""
    user = person(request)
    refuse_guests(user)
    ticket = ticket_of(user=user)
    return {"ticket": ticket_view(ticket) if ticket else None}


@call("PUT", "Find me a game", MyTicketView, 422, takes=WishSerializer, example={"pace": "day", "most": 4})
def set_ticket(request: Request, asked: Values) -> Answered:
    """Wait for a game. Who waits already waits for this one instead, and keeps their place."""
    return {"ticket": ticket_view(seek_game(user=person(request), **asked, now=timezone.now()))}


@call("DELETE", "Stop looking for a game", MyTicketView)
def delete_ticket(request: Request) -> Answered:
    """Wait no more."""
    user = person(request)
    refuse_guests(user)
    stop_seeking(user=user)
    return {"ticket": None}
