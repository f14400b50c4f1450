"""API calls for games and turns, and the answers about a person's games."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, NotRequired, TypedDict, cast

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request

import rules
from accounts.models import LOOKS
from games.errors import ErrorView, ServiceError, Shape
from games.lobby import seats as lobby_seats, services as lobby
from games.lobby.inputs import NewGame
from games.lobby.lists import GameFilter, games_for, games_to_take_over
from games.lobby.models import Invitation
from games.news.inputs import GameNews
from games.play import orders, preview
from games.play.game_view import GameFacts, GameView, facts_of, game_view
from games.play.models import Game
from games.play.services import change_news_of_game
from games.play.terms import Terms
from games.reading import read_each_safely
from games.web.answers import Previews, Submitting
from games.web.api import Answered, Values, call, checked, game_of, person, view_again, view_of
from games.web.inputs import Flag, Strict, Text, WholeNumber
from games.web.queries import EventsQuery, GamePages, GamesQuery, LinkQuery, ListQuery, OfferPages

Document = dict[str, Any]

URL = Shape({"type": "string", "format": "uri"})


class MannerView(TypedDict):
    """My mail setting for one game."""

    manner: Annotated[str, "at once, daily, one, none; empty: as of all games."]


class UnreadableView(TypedDict):
    """A listed game that cannot be read at present. Staff see the reason."""

    id: int
    name: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ListedGame(GameFacts):
    """A game in a list."""

    starship_name: Annotated[str, "What the board is called."]
    waits_for_me: bool
    unread: Annotated[int, "Lines of its chat that I have not read, where I play."]
    moved_at: Annotated[datetime, "When somebody last joined or moved, or a turn was resolved."]


class WaitingView(TypedDict):
    """Games waiting for my orders, most urgent first."""

    results: list[ListedGame]
    unreadable: list[UnreadableView]


class GamesView(WaitingView):
    """A page of games."""

    next: Annotated[str | None, URL, "Where the next page is; null on the last."]
    previous: Annotated[str | None, URL, "Where the page before is."]


class InvitationOfMineView(TypedDict):
    """An invitation to join a game."""

    game: int
    name: str
    ruleset: str
    starship_name: str
    host: str
    by: str
    at: datetime


class InvitationsView(TypedDict):
    """My open invitations."""

    results: list[InvitationOfMineView]
    unreadable: list[UnreadableView]


def of_listed_games(games: Iterable[Game]) -> Document:
    """Write games from `lobby.lists`. Unreadable games have only an id and a name."""
    told, unreadable = read_each_safely(games, of_listed_game, lambda game: game)
    return {"results": told, "unreadable": unreadable}


def of_invitations(invitations: Iterable[Invitation]) -> Document:
    """Write a person's invitations. Unreadable games have only an id and a name."""
    told, unreadable = read_each_safely(invitations, of_invitation, lambda each: each.game)
    return {"results": told, "unreadable": unreadable}


def of_listed_game(game: Game) -> ListedGame:
    """Write a game from `lobby.lists`."""
    seats = list(game.players.all())
    listed: Any = game
    return ListedGame(
        **facts_of(game, seats),
        starship_name=game.board_name,
        deadline=listed.deadline,
        waiting_for=[seat.robo_name for seat in seats if cast("Any", seat).waited_for],
        waits_for_me=listed.waits_for_me,
        unread=listed.unread,
        moved_at=game.moved_at,
    )


def of_invitation(invitation: Invitation) -> InvitationOfMineView:
    """Write an invitation."""
    game = invitation.game
    return {
        "game": game.pk,
        "name": game.name,
        "ruleset": game.ruleset,
        "starship_name": game.board_name,
        "host": game.host.robo_name,
        "by": invitation.invited_by.robo_name,
        "at": invitation.created_at,
    }


NEW_GAME = {
    "name": "First flight",
    "starship": 1,
    "ruleset": "robo-runner",
    "options": {"lives": 3, "hull_damage": False, "scanners": 0, "equipment": False},
    "seats": 2,
    "computers": ["rookie"],
    "private": False,
    "pace": {"hours": 48},
}


class CrewSerializer(Strict):
    """My choice of squad, model or look. Missing values stay unchanged."""

    squad = Text(default="", allow_blank=True, help_text="One of the ruleset's `squads`.")
    model = Text(default="", allow_blank=True, help_text="One of the ruleset's `models`.")
    look = WholeNumber(default=None, allow_null=True, help_text=f"Which of {LOOKS} robots, from 1.")


class JoinSerializer(CrewSerializer):
    """My robot in a game. Defaults: the smaller squad, and the first free model."""

    may_be_missing = True

    link = Text(default="", allow_blank=True, help_text="The `link` of a private game, where it is one.")
    ready = Flag(default=True, help_text="Whether I agree to the game as it is; I may say so later.")


@call("GET", "List games", GamesView, query=GamesQuery, strangers=True, old=bool, group="games")
def list_games(request: Request, asked: Values) -> Answered:
    """List games, newest first. Other people's private games are left out."""
    if asked["mine"] and not request.user.is_authenticated:
        raise NotAuthenticated
    games = games_for(viewer=request.user, status=asked.get("status"), mine=asked["mine"], club=asked["club"])
    return _page(request, GamePages(), asked, games)


@call("POST", "Create a game", GameView, 404, 422, status=201, takes=NewGame, example=NEW_GAME, group="games")
def create_game(request: Request, asked: Values) -> Answered:
    """Create a game, and take seat 1 as its host. 404 means an unavailable starship.

    If the ruleset joins boards, send `boards` instead of `starship`.
    """
    robot = {key: asked.pop(key) for key in ("squad", "model", "look", "ready", "club")}
    terms = Terms().with_changes(asked)
    game = lobby.create_game(host=person(request), terms=terms, **robot, now=timezone.now())
    return view_of(request, game)


@call("GET", "Get a game", GameView, query=LinkQuery, strangers=True, group="games")
def get_game(request: Request, game_id: int, asked: Values) -> Answered:
    """Get a game with everything I may see."""
    return view_of(request, game_of(request, game_id, asked))


@call(
    "POST",
    "Join a game",
    GameView,
    409,
    422,
    takes=JoinSerializer,
    example={"link": "…", "squad": "blue"},
    group="games",
)
def join_game(request: Request, game_id: int, asked: Values) -> Answered:
    """Take the first free seat. If it is the last one, the game may start.

    A private game needs its `link`.
    """
    lobby_seats.join_game(user=person(request), game_id=game_id, now=timezone.now(), **asked)
    return view_again(request, game_id)


@call(
    "GET", "List games with open seats", GamesView, query=ListQuery, strangers=True, old=bool, group="games"
)
def list_open_seats(request: Request, asked: Values) -> Answered:
    """List public running games with open seats, the latest offer first.

    My own games are left out. Each seat that is `offered` can be taken over.
    """
    return _page(request, OfferPages(), asked, games_to_take_over(viewer=request.user))


@call(
    "POST",
    "Choose my robot",
    GameView,
    409,
    422,
    takes=CrewSerializer,
    example={"model": "peach"},
    group="games",
)
def update_my_seat(request: Request, game_id: int, asked: Values) -> Answered:
    """Choose another squad, model or robot, before the game starts."""
    lobby_seats.change_seat(user=person(request), game_id=game_id, now=timezone.now(), **asked)
    return view_again(request, game_id)


@call("POST", "Leave a game before its start", GameView, 409, group="games")
def leave_game(request: Request, game_id: int) -> Answered:
    """Leave before the start. If no player is left, the game is cancelled."""
    return view_of(request, lobby_seats.leave_game(user=person(request), game_id=game_id, now=timezone.now()))


@call(
    "PUT",
    "Change my mail settings for one game",
    MannerView,
    422,
    takes=GameNews,
    guests=False,
    example={"manner": "none"},
    group="games",
)
def set_game_mail(request: Request, game_id: int, asked: Values) -> Answered:
    """Set how I get mail about this game. Empty means the same as for all games.

    With `none`, I get no notifications about it on any channel.
    """
    seat = change_news_of_game(user=person(request), game_id=game_id, now=timezone.now(), **asked)
    return {"manner": seat.manner}


def _page(request: Request, pages: GamePages, asked: Values, games: QuerySet[Game]) -> Answered:
    found = pages.page_of(GameFilter(asked, games).qs, request)
    return pages.in_answer(of_listed_games(found))


ORDERS = {"registers": [490, 70, 670, None, None], "power_down": False}


class NoStreams(ServiceError):
    """The server cannot stream, so pages poll instead."""

    status = 503

    def __init__(self) -> None:
        super().__init__("no-streams", _("This server has no streams: ask for the log now and then instead."))


@extend_schema_field({"oneOf": [{"type": "integer"}, {"type": "string", "enum": ["P"]}, {"type": "null"}]})
class RegisterField(serializers.JSONField):
    """A chip's number, "P" for a pause, or null for a locked register."""


@extend_schema_field(
    {
        "oneOf": [
            {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": rules.REGISTERS}},
            {"type": "boolean"},
        ],
        "description": "Phases in which to use equipment; true for equipment used the whole turn.",
    }
)
class EquipmentField(serializers.JSONField):
    """When to use equipment."""


class OrdersSerializer(serializers.Serializer[Any]):
    """Orders for one turn. In turn 0, send only `heading`.

    This describes them. `rules.read_orders` reads them.
    """

    registers = serializers.ListField(
        child=RegisterField(),
        required=False,
        min_length=rules.REGISTERS,
        max_length=rules.REGISTERS,
        help_text="The number of a chip of the hand for each register, null for a locked one; LazyBot may"
        ' have "P", a pause, in one of them.',
    )
    power_down = serializers.BooleanField(
        required=False, help_text="Switch off, or reboot, after this program."
    )
    equipment = EquipmentField(required=False)
    heading = serializers.ChoiceField(
        list(rules.LETTERS),
        required=False,
        help_text="In turn 0 or the first turn, and for a robot that has come back.",
    )
    place = serializers.ListField(
        child=serializers.IntegerField(),
        required=False,
        min_length=2,
        max_length=2,
        help_text="Where to come back if the archive is taken, in rulesets that ask for it.",
    )
    unlock = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=rules.REGISTERS),
        required=False,
        help_text="Registers to be freed first, in rulesets that let players choose.",
    )
    stay_down = serializers.BooleanField(
        required=False,
        help_text="Of a robot that was switched off in the turn before: stay off. That is the whole order.",
    )


class ReplacedSerializer(serializers.Serializer[Any]):
    """The orders to replace."""

    instead_of = Text(
        required=False,
        allow_blank=True,
        help_text="The `mark` of my orders that these may replace. Empty if I have submitted none. If it is"
        " missing, these replace any.",
    )


class SubmissionSerializer(OrdersSerializer, ReplacedSerializer):
    """Orders for one turn, and the orders to replace."""


class OtherOrdersView(ErrorView):
    """The reason why orders were refused. Nothing has changed."""

    mark: NotRequired[Annotated[str, "The mark of my orders that count: only with `given-elsewhere`."]]


@call(
    "POST",
    "Submit orders",
    GameView,
    409,
    422,
    takes=SubmissionSerializer,
    example=ORDERS,
    told={409: OtherOrdersView},
    throttle_classes=(Submitting,),
    group="turns",
)
def submit_orders(request: Request, game_id: int, number: int, asked: Values) -> Answered:
    """Submit my orders for the turn under way. Until all are in, I can replace them.

    With `instead_of`, new orders replace only the orders with this `mark`. It is safe to send the same
    orders again until the turn is played.
    """
    turn = orders.submit_orders(
        user=person(request),
        game_id=game_id,
        turn_number=number,
        document={key: value for key, value in asked.items() if key != "instead_of"},
        **checked(ReplacedSerializer(data=asked)),
        now=timezone.now(),
    )
    return game_view(viewer=request.user, game=turn.game, turn=turn)


@call("PUT", "Save a draft", GameView, 409, 422, takes=OrdersSerializer, example=ORDERS, group="turns")
def save_draft(request: Request, game_id: int, number: int, asked: Values) -> Answered:
    """Save unfinished orders to continue elsewhere. This does not submit them.

    Registers may be empty. A draft equal to my submitted orders is not saved.
    """
    orders.save_draft(
        user=person(request), game_id=game_id, turn_number=number, document=asked, now=timezone.now()
    )
    return view_again(request, game_id)


@call("DELETE", "Delete a draft", GameView, 409, group="turns")
def delete_draft(request: Request, game_id: int, number: int) -> Answered:
    """Delete my draft for the turn under way. Submitted orders stay."""
    orders.drop_draft(user=person(request), game_id=game_id, turn_number=number)
    return view_again(request, game_id)


@call(
    "POST",
    "Preview orders",
    preview.PreviewView,
    409,
    422,
    takes=OrdersSerializer,
    example=ORDERS,
    keeps_nothing=True,
    throttle_classes=(Previews,),
    group="turns",
)
def preview_orders(request: Request, game_id: int, number: int, asked: Values) -> Answered:
    """Preview these orders, assuming no other robot interferes. Nothing is saved.

    Registers may be empty. Transporters that no one has used lead nowhere.
    """
    game = game_of(request, game_id)
    return preview.preview(viewer=request.user, game=game, turn_number=number, document=asked)


@call("POST", "Redraw my hand", GameView, 409, group="turns")
def redeal_hand(request: Request, game_id: int, number: int) -> Answered:
    """Put my hand aside before I submit orders, and draw as many other chips.

    Albot can do this once a turn. In the 1999 boxed game, a hand with only turning chips can be put aside,
    any number of times. All players see those chips.
    """
    orders.redeal_hand(user=person(request), game_id=game_id, turn_number=number, now=timezone.now())
    return view_again(request, game_id)


@call("POST", "Switch my robot on", GameView, 409, group="turns")
def wake_robot(request: Request, game_id: int, number: int) -> Answered:
    """Switch on my robot after a turn off, and see its hand. This is final."""
    orders.wake_robot(user=person(request), game_id=game_id, turn_number=number, now=timezone.now())
    return view_again(request, game_id)


@call(
    "GET",
    "Stream the events of a game",
    OpenApiTypes.STR,
    503,
    query=EventsQuery,
    media="text/event-stream",
    group="turns",
)
def stream_events(request: Request, game_id: int, asked: Values) -> Answered:
    """Stream server-sent events: `ready`, `turn`, `chat`, `over` and `lobby`.

    The id of each event is a cursor. Send it as `after` to this call, the log or the chat.
    """
    game_of(request, game_id, asked)
    raise NoStreams  # the server in front of Django handles streams
