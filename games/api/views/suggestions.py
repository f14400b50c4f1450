"""Starships that I ask the generator for."""

from typing import TypedDict

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.fields import Choice, Strict, Text, WholeNumber
from games.api.views.base import Answered, Values, call, person
from games.shipyard.models import MOST_PLAYERS, ShipSuggestion
from games.shipyard.selectors import StarshipDraftView, draft_view
from games.shipyard.services import suggestions
from games.shipyard.services.suggestions import LARGEST, Order
from games.shipyard.suggestions import (
    SYMMETRIES,
    THEMES,
    ShipSuggestionFacts,
    ShipSuggestionView,
    mark_of,
    suggestion_facts,
    suggestion_for,
    suggestion_view,
    suggestions_of,
)
from rules.design.proposal import SMALLEST

USUAL = Order()


class ShipSuggestionsView(TypedDict):
    """The ships that I have asked for, the last one first."""

    results: list[ShipSuggestionFacts]


class ShipOrderSerializer(Strict):
    """The ship that I ask for: without anything, one for four, of any theme."""

    may_be_missing = True

    ruleset = Text(default=USUAL.ruleset, help_text="A key of `GET rulesets`.")
    width = WholeNumber(default=USUAL.width, min_value=SMALLEST, max_value=LARGEST)
    height = WholeNumber(default=USUAL.height, min_value=SMALLEST, max_value=LARGEST)
    players = WholeNumber(
        required=False,
        min_value=2,
        max_value=MOST_PLAYERS,
        help_text="Without it, 4, or as many as there is room for.",
    )
    theme = Choice(["", *THEMES], default="", help_text="Empty for any.")
    symmetry = Choice(["", *SYMMETRIES], default="", help_text="Empty for any that suits the theme.")
    seed = Text(
        default="",
        allow_blank=True,
        help_text="The same order with the same seed comes to the same ship. Empty for a new one.",
    )


def _told(suggestion: ShipSuggestion, status: int = 200) -> Response:
    """Answer with a suggestion, and with what differs whenever something of it does as the ETag."""
    headers = {"ETag": f'"{mark_of(suggestion)}"', "Cache-Control": "private, no-cache"}
    return Response(suggestion_view(suggestion), status=status, headers=headers)


@call(
    "POST",
    "Ask for a starship",
    ShipSuggestionView,
    409,
    422,
    status=201,
    takes=ShipOrderSerializer,
    example={"ruleset": "robo-runner", "width": 12, "height": 12, "players": 4, "theme": "ring"},
)
def create_suggestion(request: Request, asked: Values) -> Answered:
    """Have the generator look for a starship. That takes some minutes.

    If I have asked for the same with the same seed, that is answered. 409 `under-way` while another one is
    being looked for; 429 after 10 within a day.
    """
    made = suggestions.ask_for_ship(user=person(request), order=Order(**asked), now=timezone.now())
    return _told(made, 201)


@call("GET", "List my suggestions", ShipSuggestionsView)
def list_suggestions(request: Request) -> Answered:
    """The ships that I have asked for, the last one first."""
    return {"results": [suggestion_facts(each) for each in suggestions_of(user=person(request))]}


@call("GET", "Get a suggestion", ShipSuggestionView)
def get_suggestion(request: Request, suggestion_id: int) -> Answered:
    """How far the search is, and the ship once it is found. Ask every two seconds, with `If-None-Match`."""
    response = _told(suggestion_for(viewer=request.user, suggestion_id=suggestion_id))
    if request.headers.get("If-None-Match") == response.headers["ETag"]:
        return Response(status=304, headers=response.headers)
    return response


@call("DELETE", "Cancel a search", ShipSuggestionView, 409)
def cancel_suggestion(request: Request, suggestion_id: int) -> Answered:
    """Stop looking for a ship. 409 `over` if the search has ended."""
    now = timezone.now()
    return suggestion_view(
        suggestions.cancel_search(user=person(request), suggestion_id=suggestion_id, now=now)
    )


@call("POST", "Draw on with a suggestion", StarshipDraftView, 409, status=201)
def create_draft_of_suggestion(request: Request, suggestion_id: int) -> Answered:
    """Begin a draft with the ship that was found. 409 `no-ship` before that, `too-many` without room."""
    draft = suggestions.draw_on(user=person(request), suggestion_id=suggestion_id, now=timezone.now())
    return Response(draft_view(draft), status=201, headers={"ETag": f'"{draft.version}"'})
