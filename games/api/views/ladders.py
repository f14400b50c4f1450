"""Ladders, and the caller's place on them."""

from typing import TypedDict

from django.utils import timezone
from rest_framework.request import Request

from games.api.fields import Flag, Strict, Text
from games.api.views.base import Answered, Values, call, person, view_of
from games.ladders.selectors import LadderFacts, LadderView, ladder_view, ladders
from games.ladders.services import challenges, rungs
from games.play.selectors.games import GameView


class LaddersView(TypedDict):
    """All ladders."""

    results: list[LadderFacts]


class MyPlaceSerializer(Strict):
    """Whether I take part."""

    may_be_missing = True

    resting = Flag(default=False, help_text="Take no part for a while: my place is kept for 30 days.")


class ChallengeSerializer(Strict):
    """Whom I challenge."""

    robo_name = Text(help_text="A player above me, within reach.")


@call("GET", "List ladders", LaddersView, strangers=True)
def list_ladders(request: Request) -> Answered:
    """One for each ruleset without squads."""
    return {"results": ladders()}


@call("GET", "Get a ladder", LadderView, strangers=True)
def get_ladder(request: Request, slug: str) -> Answered:
    """Its top 50, those around me, and the last challenges."""
    return _seen(request, slug)


@call("PUT", "Join a ladder", LadderView, 409, takes=MyPlaceSerializer, example={"resting": False})
def set_my_rung(request: Request, slug: str, asked: Values) -> Answered:
    """Step on the lowest rung, rest, or come back from a rest. 409 where I am on it already."""
    act = rungs.rest if asked.get("resting") else rungs.join_ladder
    act(user=person(request), ruleset=slug, now=timezone.now())
    return _seen(request, slug)


@call("DELETE", "Leave a ladder", LadderView)
def delete_my_rung(request: Request, slug: str) -> Answered:
    """All below me move up."""
    rungs.leave_ladder(user=person(request), ruleset=slug)
    return _seen(request, slug)


@call(
    "POST",
    "Challenge a player on a ladder",
    GameView,
    409,
    status=201,
    takes=ChallengeSerializer,
    example={"robo_name": "Bob"},
)
def create_challenge(request: Request, slug: str, asked: Values) -> Answered:
    """The game begins at once. 409 with what stands against it."""
    game = challenges.challenge(user=person(request), ruleset=slug, now=timezone.now(), **asked)
    return view_of(request, game)


def _seen(request: Request, slug: str) -> LadderView:
    return ladder_view(viewer=request.user, ruleset=slug, now=timezone.now())
