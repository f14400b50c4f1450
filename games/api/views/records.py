"""What games leave behind: statistics, achievements, and the people who have them."""

from typing import TypedDict

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from games.api import documents
from games.api.documents import InvitationsView
from games.api.lobby_requests import SeenSerializer
from games.api.queries import LinkQuery, PersonQuery
from games.api.responses.files import GameFileSerializer
from games.api.schema import describe
from games.api.views.base import Call, PublicCall, body, game_of, has_body, person, query
from games.lobby.selectors.invitations import invitations_for
from games.people.selectors.people import PersonView, person_page
from games.people.selectors.records import (
    DefinitionView,
    RobotCardView,
    RobotStatisticsView,
    described,
    game_statistics,
    robot_card,
)
from games.people.services.records import mark_seen
from games.play.selectors.files import game_file
from rules.achievements import ACHIEVEMENTS


class GameStatisticsView(TypedDict):
    """What the robots did, in seat order; nothing before the start."""

    results: list[RobotStatisticsView]


class DefinitionsView(TypedDict):
    """All that can be earned, in the order in which it is shown."""

    results: list[DefinitionView]


class SeenAnswerView(TypedDict):
    """How many were marked as seen."""

    seen: int


class Statistics(PublicCall):
    """``GET games/{id}/statistics``."""

    @describe(
        "get_statistics",
        "Get the statistics of a game",
        GameStatisticsView,
        400,
        404,
        query=LinkQuery,
        tag="records",
    )
    def get(self, request: Request, game_id: int) -> Response:
        """What each player's robot did so far."""
        game, _ = game_of(request, game_id)
        return Response({"results": game_statistics(viewer=request.user, game=game)})


class File(PublicCall):
    """``GET games/{id}/file``."""

    @describe(
        "get_game_file",
        "Download a game that is over",
        GameFileSerializer,
        400,
        404,
        409,
        query=LinkQuery,
        tag="records",
    )
    def get(self, request: Request, game_id: int) -> Response:
        """The whole game and its seed, to be proved by `python -m rules verify`; 409 while it is not over."""
        game, _ = game_of(request, game_id)
        return Response(game_file(viewer=request.user, game=game))


class RobotCall(PublicCall):
    """``GET games/{id}/robots/{seat}``."""

    @describe("get_robot", "Get a robot at a glance", RobotCardView, 400, 404, query=LinkQuery, tag="records")
    def get(self, request: Request, game_id: int, number: int) -> Response:
        """Who plays it, its state, and what its player has earned. Scanners come after the players."""
        game, _ = game_of(request, game_id)
        return Response(robot_card(viewer=request.user, game=game, seat=number))


class Person(PublicCall):
    """``GET players/{robo_name}``."""

    @describe("get_player", "Get a player", PersonView, 400, 404, query=PersonQuery, tag="people")
    def get(self, request: Request, robo_name: str) -> Response:
        """Their games, statistics and achievements, as far as they show them to me."""
        asked = query(request, PersonQuery)
        return Response(person_page(viewer=request.user, robo_name=robo_name, start=asked["start"]))


class Achievements(PublicCall):
    """``GET achievements``."""

    @describe("list_achievements", "List achievements", DefinitionsView, tag="records")
    def get(self, request: Request) -> Response:
        """All that can be earned."""
        return Response({"results": [described(each) for each in ACHIEVEMENTS.values()]})


class Seen(Call):
    """``POST me/achievements/seen``."""

    @describe(
        "mark_achievements_seen",
        "Mark my achievements as seen",
        SeenAnswerView,
        takes=SeenSerializer,
        example={"keys": ["zombie"]},
        tag="records",
    )
    def post(self, request: Request) -> Response:
        """Mark achievements that I have earned as seen: some, or all."""
        asked = body(request, SeenSerializer) if has_body(request) else {}
        seen = mark_seen(user=person(request), now=timezone.now(), **asked)
        return Response({"seen": seen})


class MyInvitations(Call):
    """``GET me/invitations``."""

    @describe("list_invitations", "List my invitations", InvitationsView, tag="people")
    def get(self, request: Request) -> Response:
        """Games that I am asked to join and have not answered, the newest first."""
        invitations = invitations_for(user=person(request))
        return Response(documents.of_invitations(invitations))
