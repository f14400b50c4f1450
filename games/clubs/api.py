"""The API of clubs: their list, their members, and the caller's membership."""

from typing import TypedDict

from django.utils import timezone
from rest_framework.request import Request

from accounts.models import User
from games.clubs import selectors, services
from games.clubs.inputs import INVITED, ClubChanges, ClubsQuery, NewClub, Role
from games.clubs.selectors import ClubFacts, ClubView
from games.standings.selectors.ratings import ClubLineView, club_table
from games.web.api import Answered, Values, call, person


class ClubsView(TypedDict):
    """Clubs, by name."""

    results: list[ClubFacts]


class ClubTableView(TypedDict):
    """How the members of a club do in its rated games of the last twelve months."""

    results: list[ClubLineView]


@call("GET", "List clubs", ClubsView, query=ClubsQuery, strangers=True)
def list_clubs(request: Request, asked: Values) -> Answered:
    """The first 50, by name."""
    return {"results": selectors.clubs(text=asked["name"], robo_name=asked["player"])}


@call(
    "POST",
    "Found a club",
    ClubView,
    409,
    422,
    status=201,
    takes=NewClub,
    guests=False,
    example={"name": "Tin Can Club"},
)
def create_club(request: Request, asked: Values) -> Answered:
    """I am its captain. 409 for a name that another club has, and where I am captain of three."""
    user = person(request)
    return _seen(user, services.create_club(user=user, **asked, now=timezone.now()).slug)


@call("GET", "Get a club", ClubView, strangers=True)
def get_club(request: Request, slug: str) -> Answered:
    """With its members. Officers also see who waits to be admitted, and who is invited."""
    return selectors.club_view(viewer=request.user, slug=slug)


@call(
    "PATCH",
    "Change a club",
    ClubView,
    409,
    422,
    takes=ClubChanges,
    guests=False,
    example={"entry": "request"},
)
def update_club(request: Request, slug: str, asked: Values) -> Answered:
    """For its captain. 409 for a name that another club has."""
    user = person(request)
    return _seen(user, services.change_club(user=user, slug=slug, now=timezone.now(), **asked).slug)


@call("DELETE", "Close a club", ClubsView)
def delete_club(request: Request, slug: str) -> Answered:
    """For its captain, and for good. Its games go on. Answers with my other clubs."""
    services.close_club(user=person(request), slug=slug, now=timezone.now())
    return _mine(request)


@call("GET", "Get the table of a club", ClubTableView, strangers=True)
def get_club_table(request: Request, slug: str) -> Answered:
    """Most points first. Each game gives the share of opponents whom a player has beaten."""
    return {"results": club_table(club=selectors.club_named(slug), now=timezone.now())}


@call("PUT", "Join a club", ClubView, 409)
def join_club(request: Request, slug: str) -> Answered:
    """Or ask to be admitted, or accept an invitation. 409 where I am a member, or where there is no room."""
    user = person(request)
    services.join_club(user=user, slug=slug, now=timezone.now())
    return _seen(user, slug)


@call("DELETE", "Leave a club", ClubsView)
def leave_club(request: Request, slug: str) -> Answered:
    """Or decline an invitation, or withdraw what I asked.

    The captain's part goes to another; the last member closes the club. Answers with my other clubs.
    """
    services.leave_club(user=person(request), slug=slug, now=timezone.now())
    return _mine(request)


@call(
    "PUT", "Invite a player to a club, or set a role", ClubView, 409, takes=Role, example={"role": "officer"}
)
def set_club_member(request: Request, slug: str, robo_name: str, asked: Values) -> Answered:
    """Officers invite and admit; the captain gives roles. 409 where there is no such member, or no room."""
    user = person(request)
    if asked["role"] == INVITED:
        services.invite_to_club(user=user, slug=slug, robo_name=robo_name, now=timezone.now())
    else:
        services.set_role(user=user, slug=slug, robo_name=robo_name, role=asked["role"])
    return _seen(user, slug)


@call("DELETE", "Remove a member from a club", ClubView)
def remove_club_member(request: Request, slug: str, robo_name: str) -> Answered:
    """Also who asked, and who is invited. 403 for a member whose role is not below mine."""
    user = person(request)
    services.remove_from_club(user=user, slug=slug, robo_name=robo_name, now=timezone.now())
    return _seen(user, slug)


def _mine(request: Request) -> ClubsView:
    return {"results": selectors.clubs(robo_name=person(request).robo_name)}


def _seen(user: User, slug: str) -> ClubView:
    return selectors.club_view(viewer=user, slug=slug)
