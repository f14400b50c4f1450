"""API of tournaments, ladders, seasons and matching."""

from typing import Annotated, Any, Final, TypedDict

from django.utils import timezone
from rest_framework.request import Request

from games.competitions.inputs import Challenge, Entry, MyPlace, NewTournament, TournamentsQuery, Wish
from games.competitions.models import Tournament
from games.competitions.selectors.ladders import LadderFacts, LadderView, ladder_view, ladders
from games.competitions.selectors.matching import TicketView, ticket_of, ticket_view
from games.competitions.selectors.seasons import SeasonFacts, SeasonView, season_view, seasons
from games.competitions.selectors.tournaments import (
    RoundView,
    TournamentFacts,
    TournamentView,
    round_of,
    tournament_facts,
    tournament_view,
    tournaments,
)
from games.competitions.services import (
    ladders as ladder_services,
    seasons as season_services,
    tournaments as tournament_services,
)
from games.competitions.services.matching import find_game, stop_seeking
from games.errors import refuse_guests
from games.play.game_view import GameView
from games.web.api import Answered, Values, call, person, view_of
from games.web.queries import SeasonQuery

# --- Tournaments --------------------------------------------------------------------------------------------


TOURNAMENTS_LISTED: Final = 100
"""The maximum number of tournaments in a response."""


class TournamentsView(TypedDict):
    """A list of tournaments, latest start first."""

    results: list[TournamentFacts]


@call("GET", "List tournaments", TournamentsView, query=TournamentsQuery, strangers=True, group="tournaments")
def list_tournaments(request: Request, asked: Values) -> Answered:
    """Returns up to 100 tournaments, latest start first.

    Drafts are visible only to their hosts and to staff.
    """
    status = asked.get("status")
    found = tournaments(viewer=request.user, statuses=[status] if status else [])
    return {"results": [tournament_facts(each) for each in found[:TOURNAMENTS_LISTED]]}


@call(
    "POST",
    "Create a tournament",
    TournamentView,
    404,
    409,
    422,
    status=201,
    takes=NewTournament,
    guests=False,
    example={
        "name": "Autumn Cup",
        "kind": "swiss",
        "starts_at": "2026-12-01T18:00:00Z",
        "starships": [1, 2, 3],
    },
    group="tournaments",
)
def create_tournament(request: Request, asked: Values) -> Answered:
    """Creates a tournament as a draft.

    403 if you may not host it. For a club's tournament, you must be the club's captain or an officer. For any
    other tournament, you need at least 5 rated games and a reliability of at least 80 %.
    """
    made = tournament_services.create_tournament(user=person(request), terms=asked, now=timezone.now())
    return _tournament_of(request, made.pk)


@call("GET", "Get a tournament", TournamentView, strangers=True, group="tournaments")
def get_tournament(request: Request, tournament_id: int) -> Answered:
    """Returns the rules, the standings and the latest round of a tournament."""
    return _tournament_of(request, tournament_id)


@call("DELETE", "Cancel a tournament", TournamentsView, 409, group="tournaments")
def delete_tournament(request: Request, tournament_id: int) -> Answered:
    """Cancels your tournament before it starts, or deletes your draft.

    Staff can cancel any tournament until it is over. Returns the remaining open tournaments.
    """
    tournament_services.cancel_tournament(
        user=person(request), tournament_id=tournament_id, now=timezone.now()
    )
    left = tournaments(viewer=request.user, statuses=[Tournament.Status.OPEN])
    return {"results": [tournament_facts(each) for each in left[:TOURNAMENTS_LISTED]]}


@call("POST", "Open a tournament", TournamentView, 409, group="tournaments")
def open_tournament(request: Request, tournament_id: int) -> Answered:
    """Opens your draft, so that players can enter the tournament. Its rules can't change after that."""
    tournament_services.open_tournament(user=person(request), tournament_id=tournament_id, now=timezone.now())
    return _tournament_of(request, tournament_id)


@call(
    "PUT",
    "Enter a tournament",
    TournamentView,
    409,
    422,
    takes=Entry,
    example={"banned": None},
    group="tournaments",
)
def join_tournament(request: Request, tournament_id: int, asked: Values) -> Answered:
    """Enters you in a tournament. 409 if you are already in it, it is full, or it is too late to enter."""
    tournament_services.join_tournament(
        user=person(request), tournament_id=tournament_id, now=timezone.now(), **asked
    )
    return _tournament_of(request, tournament_id)


@call("DELETE", "Leave a tournament", TournamentView, 409, group="tournaments")
def leave_tournament(request: Request, tournament_id: int) -> Answered:
    """Takes you out of a tournament. You keep your results. 409 once the tournament is over."""
    tournament_services.leave_tournament(
        user=person(request), tournament_id=tournament_id, now=timezone.now()
    )
    return _tournament_of(request, tournament_id)


@call("POST", "Confirm the next round", TournamentView, group="tournaments")
def confirm_entry(request: Request, tournament_id: int) -> Answered:
    """Confirms that you will play in the next round.

    After a round with missed turns, you play on only if you confirm.
    """
    tournament_services.confirm_entry(user=person(request), tournament_id=tournament_id, now=timezone.now())
    return _tournament_of(request, tournament_id)


@call("GET", "Get a round of a tournament", RoundView, strangers=True, group="tournaments")
def get_round(request: Request, tournament_id: int, number: int) -> Answered:
    """Returns all tables of a round, and how players were paired."""
    return round_of(viewer=request.user, tournament_id=tournament_id, number=number)


def _tournament_of(request: Request, tournament_id: int) -> Any:
    return tournament_view(viewer=request.user, tournament_id=tournament_id)


# --- Ladders ------------------------------------------------------------------------------------------------


class LaddersView(TypedDict):
    """All ladders."""

    results: list[LadderFacts]


@call("GET", "List ladders", LaddersView, strangers=True, group="ladders")
def list_ladders(request: Request) -> Answered:
    """Returns the ladders: one for each ruleset without squads."""
    return {"results": ladders()}


@call("GET", "Get a ladder", LadderView, strangers=True, group="ladders")
def get_ladder(request: Request, slug: str) -> Answered:
    """Returns a ladder: its top 50 places, the places around yours, and the latest challenges."""
    return _ladder_of(request, slug)


@call("PUT", "Join a ladder", LadderView, 409, takes=MyPlace, example={"resting": False}, group="ladders")
def set_my_rung(request: Request, slug: str, asked: Values) -> Answered:
    """Adds you to a ladder at the bottom, or starts or ends your rest from this ladder.

    409 if you want to join or come back, but you are already on the ladder and not resting. 409 if you want
    to rest, but your last rest ended less than 60 days ago.
    """
    act = ladder_services.rest if asked.get("resting") else ladder_services.join_ladder
    act(user=person(request), ruleset=slug, now=timezone.now())
    return _ladder_of(request, slug)


@call("DELETE", "Leave a ladder", LadderView, group="ladders")
def delete_my_rung(request: Request, slug: str) -> Answered:
    """Takes you off a ladder. All players below you move up."""
    ladder_services.leave_ladder(user=person(request), ruleset=slug)
    return _ladder_of(request, slug)


@call(
    "POST",
    "Challenge a player on a ladder",
    GameView,
    409,
    status=201,
    takes=Challenge,
    example={"robo_name": "Bob"},
    group="ladders",
)
def create_challenge(request: Request, slug: str, asked: Values) -> Answered:
    """Challenges a player on a ladder. The game starts at once.

    409 if you may not challenge this player now. The error gives the reason.
    """
    game = ladder_services.challenge(user=person(request), ruleset=slug, now=timezone.now(), **asked)
    return view_of(request, game)


def _ladder_of(request: Request, slug: str) -> LadderView:
    return ladder_view(viewer=request.user, ruleset=slug, now=timezone.now())


# --- Seasons ------------------------------------------------------------------------------------------------


class SeasonsView(TypedDict):
    """A list of seasons, latest start first."""

    results: list[SeasonFacts]


@call("GET", "List seasons", SeasonsView, strangers=True, group="seasons")
def list_seasons(request: Request) -> Answered:
    """Returns the latest 100 seasons. Each ruleset without squads has a season every quarter."""
    return {"results": seasons(viewer=request.user)}


@call("GET", "Get a season", SeasonView, query=SeasonQuery, strangers=True, group="seasons")
def get_season(request: Request, season_id: int, asked: Values) -> Answered:
    """Returns a season and one page of its divisions. Each division is a tournament."""
    page = asked.get("page")
    return season_view(viewer=request.user, season_id=season_id, page=page, now=timezone.now())


@call("PUT", "Join a season", SeasonView, 409, group="seasons")
def join_season(request: Request, season_id: int) -> Answered:
    """Enters you in a season. 409 once it has started."""
    now = timezone.now()
    season_services.join_season(user=person(request), season_id=season_id, now=now)
    return season_view(viewer=request.user, season_id=season_id, now=now)


@call("DELETE", "Leave a season", SeasonView, 409, group="seasons")
def leave_season(request: Request, season_id: int) -> Answered:
    """Takes you out of a season before it starts.

    409 once it has started: leave the tournament of your division instead.
    """
    season_services.leave_season(user=person(request), season_id=season_id)
    return season_view(viewer=request.user, season_id=season_id, now=timezone.now())


# --- Finding a game -----------------------------------------------------------------------------------------


class MyTicketView(TypedDict):
    """Your ticket in the queue, or null if you are not waiting for a game."""

    ticket: TicketView | None


class SearchView(MyTicketView):
    """Your ticket in the queue, or null if a game was found at once."""

    game: Annotated[int | None, "The ID of the game that was found at once, or null."]


@call("GET", "Get your search for a game", MyTicketView, group="matching")
def get_ticket(request: Request) -> Answered:
    """Returns your ticket in the queue for a game.

    It is null if you are not waiting, or if a game was found.
    """
    user = person(request)
    refuse_guests(user)
    ticket = ticket_of(user=user)
    return {"ticket": ticket_view(ticket) if ticket else None}


@call(
    "PUT",
    "Look for a game",
    SearchView,
    422,
    takes=Wish,
    guests=False,
    example={"pace": "day", "most": 4},
    group="matching",
)
def set_ticket(request: Request, asked: Values) -> Answered:
    """Looks for a game for you.

    If an open game or waiting players fit, you get a game at once, and ``game`` has its ID. Otherwise, you
    join the queue. A second call changes your preferences, and you keep your place in the queue.
    """
    user = person(request)
    game = find_game(user=user, wish=asked, now=timezone.now())
    ticket = None if game else ticket_of(user=user)
    return {"ticket": ticket_view(ticket) if ticket else None, "game": game and game.pk}


@call("DELETE", "Stop looking for a game", MyTicketView, group="matching")
def delete_ticket(request: Request) -> Answered:
    """Takes you out of the queue for a game."""
    user = person(request)
    refuse_guests(user)
    stop_seeking(user=user)
    return {"ticket": None}
