"""Tournaments, and the caller's place in them."""

from typing import Any, Final, TypedDict

from django.utils import timezone
from rest_framework.request import Request

from games.api.fields import LARGEST_ID, Choice, Instant, Items, Strict, Text, WholeNumber
from games.api.views.base import Answered, Values, call, person
from games.tournaments.models import LONGEST_NAME, LONGEST_TEXT, Tournament
from games.tournaments.selectors.tournaments import (
    RoundView,
    TournamentFacts,
    TournamentView,
    round_of,
    tournament_facts,
    tournament_view,
    tournaments,
)
from games.tournaments.services import creation, entries
from games.tournaments.terms import MOST_ENTRANTS, MOST_ROUNDS, MOST_SHIPS, PACES, TournamentTerms

MOST: Final = 100
"""Tournaments in an answer."""


class TournamentsView(TypedDict):
    """Tournaments, those that start last first."""

    results: list[TournamentFacts]


class TournamentsQuery(Strict):
    """Which tournaments."""

    status = Choice(Tournament.Status.choices, required=False, help_text="Only these.")


class NewTournamentSerializer(Strict):
    """The rules of a tournament. They stay as they are once it is open."""

    name = Text(help_text=f"At most {LONGEST_NAME} characters.")
    kind = Choice(Tournament.Kind.choices, help_text="How it is played.")
    starts_at = Instant(help_text="When it starts, within 90 days.")
    text = Text(
        default="", allow_blank=True, trim_whitespace=False, help_text=f"At most {LONGEST_TEXT} characters."
    )
    club = Text(
        default="",
        allow_blank=True,
        help_text="The `slug` of a club whose officer I am.",
    )
    ruleset = Text(
        default="robo-runner",
        allow_blank=True,
        help_text="The `key` of a ruleset; empty for any, in a marathon.",
    )
    size = WholeNumber(default=4, help_text="Players at a table, 2 to 8.")
    rounds = WholeNumber(default=5, help_text=f"Of a Swiss system, 1 to {MOST_ROUNDS}.")
    starships = Items(
        child=WholeNumber(min_value=1, max_value=LARGEST_ID),
        default=list,
        help_text=f"Their `id`s, 1 to {MOST_SHIPS}; none in a marathon.",
    )
    ship_choice = Choice(
        Tournament.ShipChoice.choices,
        default=Tournament.ShipChoice.FIXED.value,
        help_text="On which of them a table plays.",
    )
    hours = WholeNumber(default=24, help_text=f"For each turn: {', '.join(map(str, PACES))}.")
    least = WholeNumber(default=2, help_text="With fewer entrants it is called off.")
    most = WholeNumber(default=64, help_text=f"Entrants, at most {MOST_ENTRANTS}.")


class EntrySerializer(Strict):
    """How I enter."""

    may_be_missing = True

    banned = WholeNumber(
        default=None,
        allow_null=True,
        help_text="The `id` of a starship that I ban.",
    )


@call("GET", "List tournaments", TournamentsView, query=TournamentsQuery, strangers=True)
def list_tournaments(request: Request, asked: Values) -> Answered:
    """The last 100. Drafts are told to their hosts and staff alone."""
    status = asked.get("status")
    found = tournaments(viewer=request.user, statuses=[status] if status else [])
    return {"results": [tournament_facts(each) for each in found[:MOST]]}


@call(
    "POST",
    "Make a tournament",
    TournamentView,
    404,
    409,
    422,
    status=201,
    takes=NewTournamentSerializer,
    example={
        "name": "Autumn Cup",
        "kind": "swiss",
        "starts_at": "2026-12-01T18:00:00Z",
        "starships": [1, 2, 3],
    },
)
def create_tournament(request: Request, asked: Values) -> Answered:
    """Make it as a draft. 403 for those who are neither staff nor players of standing."""
    made = creation.create_tournament(
        user=person(request), terms=TournamentTerms(**asked), now=timezone.now()
    )
    return _seen(request, made.pk)


@call("GET", "Get a tournament", TournamentView, strangers=True)
def get_tournament(request: Request, tournament_id: int) -> Answered:
    """With its rules, its table and its last round."""
    return _seen(request, tournament_id)


@call("DELETE", "Call a tournament off", TournamentsView, 409)
def delete_tournament(request: Request, tournament_id: int) -> Answered:
    """For its host before it starts, and for staff. Drafts are deleted. Answers with those that are open."""
    creation.cancel_tournament(user=person(request), tournament_id=tournament_id, now=timezone.now())
    left = tournaments(viewer=request.user, statuses=[Tournament.Status.OPEN])
    return {"results": [tournament_facts(each) for each in left[:MOST]]}


@call("POST", "Open a tournament", TournamentView, 409)
def open_tournament(request: Request, tournament_id: int) -> Answered:
    """Open a draft of mine to entrants."""
    creation.open_tournament(user=person(request), tournament_id=tournament_id, now=timezone.now())
    return _seen(request, tournament_id)


@call("PUT", "Enter a tournament", TournamentView, 409, 422, takes=EntrySerializer, example={"banned": None})
def join_tournament(request: Request, tournament_id: int, asked: Values) -> Answered:
    """409 where I am in it, where it is full, and where it is too late."""
    entries.join_tournament(user=person(request), tournament_id=tournament_id, now=timezone.now(), **asked)
    return _seen(request, tournament_id)


@call("DELETE", "Leave a tournament", TournamentView, 409)
def leave_tournament(request: Request, tournament_id: int) -> Answered:
    """What I have scored stays. 409 once it is over."""
    entries.leave_tournament(user=person(request), tournament_id=tournament_id, now=timezone.now())
    return _seen(request, tournament_id)


@call("POST", "Confirm the next round", TournamentView)
def confirm_entry(request: Request, tournament_id: int) -> Answered:
    """Say that I play on, after I missed turns."""
    entries.confirm_entry(user=person(request), tournament_id=tournament_id, now=timezone.now())
    return _seen(request, tournament_id)


@call("GET", "Get a round of a tournament", RoundView, strangers=True)
def get_round(request: Request, tournament_id: int, number: int) -> Answered:
    """All its tables, and how they were made."""
    return round_of(viewer=request.user, tournament_id=tournament_id, number=number)


def _seen(request: Request, tournament_id: int) -> Any:
    return tournament_view(viewer=request.user, tournament_id=tournament_id)
