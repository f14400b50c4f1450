"""What games leave behind: statistics and achievements."""

from typing import TypedDict

from django.utils import timezone
from rest_framework.request import Request

from games.people.achievements import ACHIEVEMENTS
from games.people.selectors import records
from games.people.selectors.records import DefinitionView, RobotCardView, RobotStatisticsView
from games.people.services.records import mark_seen
from games.play.selectors.files import GameFileView, game_file
from games.web.api import Answered, Values, call, game_of, person
from games.web.inputs import Items, Strict, Text
from games.web.queries import LinkQuery


class GameStatisticsView(TypedDict):
    """What the robots did, in seat order; nothing before the start."""

    results: list[RobotStatisticsView]


class DefinitionsView(TypedDict):
    """All that can be earned, in the order in which it is shown."""

    results: list[DefinitionView]


class SeenAnswerView(TypedDict):
    """How many were marked as seen."""

    seen: int


class SeenSerializer(Strict):
    """What I have seen."""

    may_be_missing = True

    keys = Items(child=Text(), default=None, allow_null=True, help_text="Of achievements; all, unless named.")


@call(
    "GET",
    "Get the statistics of a game",
    GameStatisticsView,
    query=LinkQuery,
    strangers=True,
    old=bool,
    group="records",
)
def get_statistics(request: Request, game_id: int, asked: Values) -> Answered:
    """What each player's robot did so far."""
    game = game_of(request, game_id, asked)
    return {"results": records.game_statistics(viewer=request.user, game=game)}


@call(
    "GET",
    "Download a game that is over",
    GameFileView,
    409,
    query=LinkQuery,
    strangers=True,
    old=bool,
    group="records",
)
def get_game_file(request: Request, game_id: int, asked: Values) -> Answered:
    """The whole game and its seed, to be proved by `python -m rules verify`; 409 while it is not over."""
    return game_file(viewer=request.user, game=game_of(request, game_id, asked))


@call("GET", "Get a robot at a glance", RobotCardView, query=LinkQuery, strangers=True, group="records")
def get_robot(request: Request, game_id: int, number: int, asked: Values) -> Answered:
    """Who plays it, its state, and what its player has earned. Scanners come after the players."""
    return records.robot_card(viewer=request.user, game=game_of(request, game_id, asked), seat=number)


@call("GET", "List achievements", DefinitionsView, strangers=True, group="records")
def list_achievements(request: Request) -> Answered:
    """All that can be earned."""
    return {"results": [records.described(each) for each in ACHIEVEMENTS.values()]}


@call(
    "POST",
    "Mark my achievements as seen",
    SeenAnswerView,
    takes=SeenSerializer,
    example={"keys": ["zombie"]},
    group="records",
)
def mark_achievements_seen(request: Request, asked: Values) -> Answered:
    """Mark achievements that I have earned as seen: some, or all."""
    return {"seen": mark_seen(user=person(request), now=timezone.now(), **asked)}
