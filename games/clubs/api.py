"""The API of clubs, their members and the caller's membership."""

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
    """Clubs by name."""

    results: list[ClubFacts]


class ClubTableView(TypedDict):
    """Club standings in rated games of the last 12 months."""

    results: list[ClubLineView]


@call("GET", "List clubs", ClubsView, query=ClubsQuery, strangers=True)
def list_clubs(request: Request, asked: Values) -> Answered:
    """Returns the first 50 clubs, by name."""
    return {"results": selectors.clubs(text=asked["name"], robo_name=asked["player"])}


@call(
    "POST",
    "Create a club",
    ClubView,
    409,
    422,
    status=201,
    takes=NewClub,
    guests=False,
    example={"name": "Tin Can Club"},
)
def create_club(request: Request, asked: Values) -> Answered:
    """Creates a club, with you as its captain.

    409 if another club has the name, or you are in too many.
    """
    user = person(request)
    return _seen(user, services.create_club(user=user, **asked, now=timezone.now()).slug)


@call("GET", "Get a club", ClubView, strangers=True)
def get_club(request: Request, slug: str) -> Answered:
    """Returns a club with its members. Officers also see requests and invitations."""
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
    """Changes a club. Only for the captain. 409 if another club has the name."""
    user = person(request)
    return _seen(user, services.change_club(user=user, slug=slug, now=timezone.now(), **asked).slug)


@call("DELETE", "Close a club", ClubsView)
def delete_club(request: Request, slug: str) -> Answered:
    """Closes a club for good, for its captain. Returns your other clubs.

    The games of the club continue.
    """
    services.close_club(user=person(request), slug=slug, now=timezone.now())
    return _mine(request)


@call("GET", "Get the standings of a club", ClubTableView, strangers=True)
def get_club_table(request: Request, slug: str) -> Answered:
    """Returns the members with the most points first.

    A game gives the share of opponents that the player beat.
    """
    return {"results": club_table(club=selectors.club_named(slug), now=timezone.now())}


@call("PUT", "Join a club", ClubView, 409)
def join_club(request: Request, slug: str) -> Answered:
    """Joins, asks to join, or accepts an invitation. 409 for members and full clubs."""
    user = person(request)
    services.join_club(user=user, slug=slug, now=timezone.now())
    return _seen(user, slug)


@call("DELETE", "Leave a club", ClubsView)
def leave_club(request: Request, slug: str) -> Answered:
    """Leaves a club, declines an invitation, or withdraws a request to join.

    If needed, another member becomes captain. The last member closes the club. Returns your other clubs.
    """
    services.leave_club(user=person(request), slug=slug, now=timezone.now())
    return _mine(request)


@call(
    "PUT", "Invite a player to a club, or set a role", ClubView, 409, takes=Role, example={"role": "officer"}
)
def set_club_member(request: Request, slug: str, robo_name: str, asked: Values) -> Answered:
    """Invites or admits a player, for officers, or sets a role, for the captain.

    409 for a role of a player who is not a member, and if the club is full.
    """
    user = person(request)
    if asked["role"] == INVITED:
        services.invite_to_club(user=user, slug=slug, robo_name=robo_name, now=timezone.now())
    else:
        services.set_role(user=user, slug=slug, robo_name=robo_name, role=asked["role"])
    return _seen(user, slug)


@call("DELETE", "Remove a member from a club", ClubView)
def remove_club_member(request: Request, slug: str, robo_name: str) -> Answered:
    """Removes a member, an invitation or a request.

    403 unless their role is below yours.
    """
    user = person(request)
    services.remove_from_club(user=user, slug=slug, robo_name=robo_name, now=timezone.now())
    return _seen(user, slug)


def _mine(request: Request) -> ClubsView:
    return {"results": selectors.clubs(robo_name=person(request).robo_name)}


def _seen(user: User, slug: str) -> ClubView:
    return selectors.club_view(viewer=user, slug=slug)
