"""API calls for the votes of a game."""

from typing import TypedDict

from django.utils import timezone
from rest_framework.request import Request

from games.votes.models import Vote
from games.votes.selectors import VoteView, vote_in, votes_of
from games.votes.services import call_vote, cast_ballot
from games.web.api import Answered, Values, call, game_of, person, query_of
from games.web.inputs import Flag, Strict, Text, WholeNumber
from games.web.queries import LinkQuery


class VotesView(TypedDict):
    """The votes of a game: open votes first, then closed ones, the latest first."""

    results: list[VoteView]


class NewVoteSerializer(Strict):
    """A new vote."""

    kind = Text(help_text=f"One of: {', '.join(Vote.Kind.values)}.")
    seat = WholeNumber(
        default=None,
        allow_null=True,
        help_text="The seat of the player to replace (`eject`), or of the winner (`concede`).",
    )
    days = WholeNumber(default=None, allow_null=True, help_text="The length of a `pause` in days.")


class BallotSerializer(Strict):
    """A ballot: yes or no."""

    yes = Flag()


@call("GET", "List votes", VotesView, 400, strangers=True)
def list_votes(request: Request, game_id: int) -> Answered:
    """Returns the votes of a game: open votes first, then closed ones, the latest first."""
    game = game_of(request, game_id, query_of(request, LinkQuery))
    return {"results": votes_of(viewer=request.user, game=game)}


@call(
    "POST",
    "Start a vote",
    VoteView,
    409,
    422,
    status=201,
    takes=NewVoteSerializer,
    example={"kind": "pause", "days": 7},
)
def create_vote(request: Request, game_id: int, asked: Values) -> Answered:
    """Starts a vote in a running game, and counts your own vote as yes.

    The other voters get a notification. 409 means that you cannot start the vote now, for example because
    a vote of this kind is open, or because the same proposal was refused less than 3 days ago.
    """
    vote = call_vote(user=person(request), game_id=game_id, now=timezone.now(), **asked)
    return _vote_view(request, vote)


@call("POST", "Vote", VoteView, 409, takes=BallotSerializer, example={"yes": True})
def cast_vote(request: Request, game_id: int, vote_id: int, asked: Values) -> Answered:
    """Votes yes or no, or changes your ballot.

    If your ballot decides the vote, the result takes effect at once.
    """
    vote = cast_ballot(user=person(request), game_id=game_id, vote_id=vote_id, now=timezone.now(), **asked)
    return _vote_view(request, vote)


def _vote_view(request: Request, vote: Vote) -> Answered:
    return vote_in(viewer=request.user, game=game_of(request, vote.game_id), vote_id=vote.pk)
