"""Votes of a game."""

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.responses.votes import VoteSerializer, VotesSerializer
from games.api.schema import describe
from games.api.views.base import Call, PublicCall, body, game_of, person
from games.api.vote_requests import BallotSerializer, NewVoteSerializer
from games.play.selectors.viewers import game_for
from games.votes.models import Vote
from games.votes.selectors import vote_in, votes_of
from games.votes.services.votes import call_vote, cast_ballot


def _answer(request: Request, vote: Vote, status: int = 200) -> Response:
    game = game_for(viewer=request.user, game_id=vote.game_id)
    return Response(vote_in(viewer=request.user, game=game, vote_id=vote.pk), status=status)


class Votes(PublicCall):
    """``GET`` and ``POST games/{id}/votes``."""

    @describe("list_votes", "List votes", VotesSerializer, 400, 404, tag="votes")
    def get(self, request: Request, game_id: int) -> Response:
        """What the players of a game were asked to decide: the open votes first, then the latest."""
        game, _ = game_of(request, game_id)
        return Response({"results": votes_of(viewer=request.user, game=game)})

    @describe(
        "create_vote",
        "Call a vote",
        VoteSerializer,
        403,
        404,
        409,
        422,
        status=201,
        takes=NewVoteSerializer,
        example={"kind": "pause", "days": 7},
        tag="votes",
    )
    def post(self, request: Request, game_id: int) -> Response:
        """Ask the players of a game under way for a decision, and agree to it; the others are told.

        409 where it cannot be asked now: such a vote is open, or was refused less than three days ago.
        """
        asked = body(request, NewVoteSerializer)
        vote = call_vote(user=person(request), game_id=game_id, now=timezone.now(), **asked)
        return _answer(request, vote, 201)


class OneVote(Call):
    """``POST games/{id}/votes/{n}``."""

    @describe(
        "cast_vote",
        "Vote",
        VoteSerializer,
        403,
        404,
        409,
        takes=BallotSerializer,
        example={"yes": True},
        tag="votes",
    )
    def post(self, request: Request, game_id: int, vote_id: int) -> Response:
        """Say yes or no, or the other thing than before. What is decided by it is done at once."""
        asked = body(request, BallotSerializer)
        vote = cast_ballot(
            user=person(request), game_id=game_id, vote_id=vote_id, yes=asked["yes"], now=timezone.now()
        )
        return _answer(request, vote)
