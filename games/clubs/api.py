"""API of clubs, their members, and your membership."""

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
    """A list of clubs, sorted by name."""

    results: list[ClubFacts]


class ClubTableView(TypedDict):
    """The standings of a club, from its rated games of the last 12 months."""

    results: list[ClubLineView]


@call("GET", "List clubs", ClubsView, query=ClubsQuery, strangers=True)
def list_clubs(request: Request, asked: Values) -> Answered:
    """Returns the first 50 clubs that match the filters, sorted by name."""
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

    409 if another club has the name, or if you lead or have joined too many clubs.
    """
    user = person(request)
    return _club_view(user, services.create_club(user=user, **asked, now=timezone.now()).slug)


@call("GET", "Get a club", ClubView, strangers=True)
def get_club(request: Request, slug: str) -> Answered:
    """Returns a club with its members. Officers and the captain also see requests and invitations."""
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
    """Changes a club. Only its captain can do this. 409 if another club has the name."""
    user = person(request)
    return _club_view(user, services.change_club(user=user, slug=slug, now=timezone.now(), **asked).slug)


@call("DELETE", "Close a club", ClubsView)
def delete_club(request: Request, slug: str) -> Answered:
    """Closes a club for good. Only its captain can do this. Returns your other clubs.

    Running games of the club continue.
    """
    services.close_club(user=person(request), slug=slug, now=timezone.now())
    return _own_clubs(request)


@call("GET", "Get the standings of a club", ClubTableView, strangers=True)
def get_club_table(request: Request, slug: str) -> Answered:
    """Returns the standings of a club: its members, most points first.

    For each game, a member gets points: the share of the opponents whom they beat.
    """
    return {"results": club_table(club=selectors.club_named(slug), now=timezone.now())}


@call("PUT", "Join a club", ClubView, 409)
def join_club(request: Request, slug: str) -> Answered:
    """Joins a club, asks to join it, or accepts its invitation.

    409 if you are already a member, if the club is full, or if you are in too many clubs.
    """
    user = person(request)
    services.join_club(user=user, slug=slug, now=timezone.now())
    return _club_view(user, slug)


@call("DELETE", "Leave a club", ClubsView)
def leave_club(request: Request, slug: str) -> Answered:
    """Leaves a club, declines its invitation, or withdraws your request to join.

    If you were the captain, another member becomes captain. If you were the last member, the club closes.
    Returns your other clubs.
    """
    services.leave_club(user=person(request), slug=slug, now=timezone.now())
    return _own_clubs(request)


@call(
    "PUT", "Invite a player to a club, or set a role", ClubView, 409, takes=Role, example={"role": "officer"}
)
def set_club_member(request: Request, slug: str, robo_name: str, asked: Values) -> Answered:
    """Invites a player to a club, admits a player who asked to join, or sets the role of a member.

    Officers can invite and admit players. Only the captain can set roles. 409 if the club is full, or if you
    set a role for a player who is not a member.
    """
    user = person(request)
    if asked["role"] == INVITED:
        services.invite_to_club(user=user, slug=slug, robo_name=robo_name, now=timezone.now())
    else:
        services.set_role(user=user, slug=slug, robo_name=robo_name, role=asked["role"])
    return _club_view(user, slug)


@call("DELETE", "Remove a member from a club", ClubView)
def remove_club_member(request: Request, slug: str, robo_name: str) -> Answered:
    """Removes a member from a club, withdraws an invitation, or declines a request to join.

    Only officers and the captain can do this. 403 if the member's role is not below yours.
    """
    user = person(request)
    services.remove_from_club(user=user, slug=slug, robo_name=robo_name, now=timezone.now())
    return _club_view(user, slug)


def _own_clubs(request: Request) -> ClubsView:
    return {"results": selectors.clubs(robo_name=person(request).robo_name)}


def _club_view(user: User, slug: str) -> ClubView:
    return selectors.club_view(viewer=user, slug=slug)
