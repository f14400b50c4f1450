"""API calls for games and turns, and the documents of game lists and invitations."""

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
from games.play import orders, preview, reminders
from games.play.game_view import GameFacts, GameView, facts_of, game_view
from games.play.models import Game
from games.play.services import change_game_mail
from games.play.terms import Terms
from games.reading import read_each_safely
from games.web.answers import Previews, Submitting
from games.web.api import Answered, Values, call, checked, game_of, person, view_again, view_of
from games.web.inputs import Flag, Strict, Text, WholeNumber
from games.web.queries import EventsQuery, GamePages, GamesQuery, LinkQuery, ListQuery, OfferPages

Document = dict[str, Any]

URL = Shape({"type": "string", "format": "uri"})


class MannerView(TypedDict):
    """Your mail setting for one game."""

    manner: Annotated[
        str, "How you get mail: at once, daily, one or none; empty if it is the same as for all games."
    ]


class UnreadableView(TypedDict):
    """A listed game that cannot be read at present because of an error. Staff see the reason."""

    id: int
    name: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ListedGame(GameFacts):
    """A game in a list."""

    starship_name: Annotated[str, "The name of the board."]
    waits_for_me: bool
    unread: Annotated[int, "The number of chat lines that you have not read, in games that you play."]
    moved_at: Annotated[
        datetime, "The last time that a player joined or submitted orders, or that a turn was resolved."
    ]


class WaitingView(TypedDict):
    """The games that wait for your orders, most urgent first."""

    results: list[ListedGame]
    unreadable: list[UnreadableView]


class GamesView(WaitingView):
    """A page of a list of games."""

    next: Annotated[str | None, URL, "The address of the next page; null on the last page."]
    previous: Annotated[str | None, URL, "The address of the previous page; null on the first page."]


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
    """Your open invitations."""

    results: list[InvitationOfMineView]
    unreadable: list[UnreadableView]


def of_listed_games(games: Iterable[Game]) -> Document:
    """Return the document of a list of games from `lobby.lists`.

    Games that cannot be read are listed separately, with only an ID and a name.
    """
    listed, unreadable = read_each_safely(games, of_listed_game, lambda game: game)
    return {"results": listed, "unreadable": unreadable}


def of_invitations(invitations: Iterable[Invitation]) -> Document:
    """Return the document of a person's invitations.

    Games that cannot be read are listed separately, with only an ID and a name.
    """
    listed, unreadable = read_each_safely(invitations, of_invitation, lambda each: each.game)
    return {"results": listed, "unreadable": unreadable}


def of_listed_game(game: Game) -> ListedGame:
    """Return the document of one game from `lobby.lists`."""
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
    """Your squad, and your robot's model and picture. Fields that you leave out keep their values."""

    squad = Text(default="", allow_blank=True, help_text="One of the ruleset's `squads`.")
    model = Text(default="", allow_blank=True, help_text="One of the ruleset's `models`.")
    look = WholeNumber(
        default=None, allow_null=True, help_text=f"The number of the robot's picture, from 1 to {LOOKS}."
    )


class JoinSerializer(CrewSerializer):
    """Your robot in a game. By default, you get the smaller squad, and the first free model."""

    may_be_missing = True

    link = Text(default="", allow_blank=True, help_text="The `link` of the game, if it is private.")
    ready = Flag(
        default=True, help_text="Whether you agree to the game as it is set up. You can change this later."
    )


@call("GET", "List games", GamesView, query=GamesQuery, strangers=True, replica_ok=bool, group="games")
def list_games(request: Request, asked: Values) -> Answered:
    """Returns the games that you can see, newest first. Other people's private games are left out."""
    if asked["mine"] and not request.user.is_authenticated:
        raise NotAuthenticated
    games = games_for(viewer=request.user, status=asked.get("status"), mine=asked["mine"], club=asked["club"])
    return _page(request, GamePages(), asked, games)


@call("POST", "Create a game", GameView, 404, 422, status=201, takes=NewGame, example=NEW_GAME, group="games")
def create_game(request: Request, asked: Values) -> Answered:
    """Creates a game. You are its host, and you get seat 1.

    404 means that the starship is not available.

    If the ruleset joins boards, send `boards` instead of `starship`.
    """
    robot = {key: asked.pop(key) for key in ("squad", "model", "look", "ready", "club")}
    terms = Terms().with_changes(asked)
    game = lobby.create_game(host=person(request), terms=terms, **robot, now=timezone.now())
    return view_of(request, game)


@call("GET", "Get a game", GameView, query=LinkQuery, strangers=True, group="games")
def get_game(request: Request, game_id: int, asked: Values) -> Answered:
    """Returns a game, with everything that you may see."""
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
    """Takes the first free seat of a game.

    If all seats are then taken and all players are ready, a game with `starts_itself` starts. For a private
    game, send its `link`.
    """
    lobby_seats.join_game(user=person(request), game_id=game_id, now=timezone.now(), **asked)
    return view_again(request, game_id)


@call(
    "GET",
    "List games with open seats",
    GamesView,
    query=ListQuery,
    strangers=True,
    replica_ok=bool,
    group="games",
)
def list_open_seats(request: Request, asked: Values) -> Answered:
    """Returns public running games with open seats. The game whose seat opened last comes first.

    Games that you play are left out. You can take over each seat that is `offered`.
    """
    return _page(request, OfferPages(), asked, games_to_take_over(viewer=request.user))


@call(
    "POST",
    "Choose your robot",
    GameView,
    409,
    422,
    takes=CrewSerializer,
    example={"model": "peach"},
    group="games",
)
def update_my_seat(request: Request, game_id: int, asked: Values) -> Answered:
    """Changes your squad, or your robot's model or picture, before the game starts."""
    lobby_seats.change_seat(user=person(request), game_id=game_id, now=timezone.now(), **asked)
    return view_again(request, game_id)


@call("POST", "Leave a game before it starts", GameView, 409, group="games")
def leave_game(request: Request, game_id: int) -> Answered:
    """Gives up your seat before the game starts.

    If no player is left, the game is cancelled.
    """
    return view_of(request, lobby_seats.leave_game(user=person(request), game_id=game_id, now=timezone.now()))


@call(
    "PUT",
    "Change your mail settings for one game",
    MannerView,
    422,
    takes=GameNews,
    guests=False,
    example={"manner": "none"},
    group="games",
)
def set_game_mail(request: Request, game_id: int, asked: Values) -> Answered:
    """Sets how you get mail about this game. If `manner` is empty, your setting for all games applies.

    With `none`, you get no notifications about this game on any channel.
    """
    seat = change_game_mail(user=person(request), game_id=game_id, now=timezone.now(), **asked)
    return {"manner": seat.manner}


def _page(request: Request, pages: GamePages, asked: Values, games: QuerySet[Game]) -> Answered:
    found = pages.page_of(GameFilter(asked, games).qs, request)
    return pages.in_answer(of_listed_games(found))


ORDERS = {"registers": [490, 70, 670, None, None], "power_down": False}


class NoStreams(ServiceError):
    """This server cannot stream events. Pages poll for changes instead."""

    status = 503

    def __init__(self) -> None:
        super().__init__(
            "no-streams", _("This server doesn’t support streams. Request the log regularly instead.")
        )


@extend_schema_field({"oneOf": [{"type": "integer"}, {"type": "string", "enum": ["P"]}, {"type": "null"}]})
class RegisterField(serializers.JSONField):
    """The number of a chip, "P" for a pause, or null for a locked register."""


@extend_schema_field(
    {
        "oneOf": [
            {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": rules.REGISTERS}},
            {"type": "boolean"},
        ],
        "description": "The phases in which to use equipment; true for equipment that is used all turn.",
    }
)
class EquipmentField(serializers.JSONField):
    """The phases in which to use equipment, or true for equipment that is used for the whole turn."""


class ScreenOfOrdersSerializer(serializers.Serializer[Any]):
    """The player at the screen, in a game on one screen."""

    screen = WholeNumber(
        required=False,
        help_text="In a game on one screen, the seat that the orders are for. 409 (`no-screen`) if another"
        " player is at the screen. Without it, the orders are for the player at the screen.",
    )


class OrdersSerializer(ScreenOfOrdersSerializer):
    """Your orders for one turn. In turn 0, send only `heading`."""

    # Only the reference uses the fields below: `rules.read_orders` reads orders.

    registers = serializers.ListField(
        child=RegisterField(),
        required=False,
        min_length=rules.REGISTERS,
        max_length=rules.REGISTERS,
        help_text="For each register, the number of a chip in the hand, or null if the register is locked."
        ' LazyBot can have "P", a pause, in one register.',
    )
    power_down = serializers.BooleanField(
        required=False, help_text="Whether to reboot, or to power down, after this program."
    )
    equipment = EquipmentField(required=False)
    heading = serializers.ChoiceField(
        list(rules.LETTERS),
        required=False,
        help_text="The heading, in turn 0 or the first turn, and for a robot that has come back.",
    )
    place = serializers.ListField(
        child=serializers.IntegerField(),
        required=False,
        min_length=2,
        max_length=2,
        help_text="The cell where the robot comes back if its archive is taken, in rulesets that allow it.",
    )
    unlock = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=rules.REGISTERS),
        required=False,
        help_text="The registers to unlock first, in rulesets that allow it.",
    )
    stay_down = serializers.BooleanField(
        required=False,
        help_text="Whether to stay off, for a robot that was off in the previous turn. Send no other"
        " orders with it.",
    )


class ReplacedSerializer(serializers.Serializer[Any]):
    """The mark of the submitted orders that your new orders may replace."""

    instead_of = Text(
        required=False,
        allow_blank=True,
        help_text="The `mark` of the orders to replace, or empty if you have submitted none. Without"
        " it, any orders are replaced.",
    )


class SubmissionSerializer(OrdersSerializer, ReplacedSerializer):
    """Your orders for one turn, and the mark of the earlier orders that you want to replace, if any."""


class OtherOrdersView(ErrorView):
    """The reason why your orders were refused. Orders that you submitted earlier still count."""

    mark: NotRequired[
        Annotated[str, "The mark of the orders that count. Only with the code `given-elsewhere`."]
    ]


@call(
    "POST",
    "Submit orders",
    GameView,
    409,
    422,
    takes=SubmissionSerializer,
    example=ORDERS,
    refusal_types={409: OtherOrdersView},
    throttle_classes=(Submitting,),
    group="turns",
)
def submit_orders(request: Request, game_id: int, number: int, asked: Values) -> Answered:
    """Submits your orders for the turn under way.

    You can replace them until all orders are in.

    With `instead_of`, your new orders replace your earlier ones only if those have this `mark`. It is safe
    to send the same orders again until the turn is played.
    """
    turn = orders.submit_orders(
        user=person(request),
        game_id=game_id,
        turn_number=number,
        document=_orders_in(asked, "instead_of", "screen"),
        **checked(ReplacedSerializer(data=asked)),
        **checked(ScreenOfOrdersSerializer(data=asked)),
        now=timezone.now(),
    )
    return game_view(viewer=request.user, game=turn.game, turn=turn)


def _orders_in(asked: Values, *others: str) -> Values:
    """Return the orders of a request, without its ``others`` keys."""
    return {key: value for key, value in asked.items() if key not in others}


@call("PUT", "Save a draft", GameView, 409, 422, takes=OrdersSerializer, example=ORDERS, group="turns")
def save_draft(request: Request, game_id: int, number: int, asked: Values) -> Answered:
    """Saves unfinished orders, so that you can continue elsewhere. This does not submit them.

    Registers can be empty. A draft that equals your submitted orders is not saved.
    """
    orders.save_draft(
        user=person(request),
        game_id=game_id,
        turn_number=number,
        document=_orders_in(asked, "screen"),
        **checked(ScreenOfOrdersSerializer(data=asked)),
        now=timezone.now(),
    )
    return view_again(request, game_id)


@call("DELETE", "Delete a draft", GameView, 409, group="turns")
def delete_draft(request: Request, game_id: int, number: int) -> Answered:
    """Deletes your draft for the turn under way. Orders that you have submitted do not change."""
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
    """Returns the effect of your orders if no other robot gets in the way.

    Nothing is saved.

    Registers can be empty. Transporters that no robot has used lead nowhere.
    """
    game = game_of(request, game_id)
    return preview.preview(
        viewer=request.user,
        game=game,
        turn_number=number,
        document=_orders_in(asked, "screen"),
        **checked(ScreenOfOrdersSerializer(data=asked)),
    )


@call("POST", "Redraw your hand", GameView, 409, group="turns")
def redeal_hand(request: Request, game_id: int, number: int) -> Answered:
    """Puts your hand aside, and deals you the same number of other chips.

    If your robot is an Albot, you can do this once a turn. In the 1999 boxed game, you can do it with any
    hand that has only turning chips, and all players see the chips that you put aside. You cannot redraw
    after you have submitted orders.
    """
    orders.redeal_hand(user=person(request), game_id=game_id, turn_number=number, now=timezone.now())
    return view_again(request, game_id)


@call("POST", "Switch on your robot", GameView, 409, group="turns")
def wake_robot(request: Request, game_id: int, number: int) -> Answered:
    """Switches your robot on after it was off for a turn, and shows its hand.

    You cannot undo this.
    """
    orders.wake_robot(user=person(request), game_id=game_id, turn_number=number, now=timezone.now())
    return view_again(request, game_id)


class ScreenSerializer(Strict):
    """The seat whose hand the screen shows."""

    seat = WholeNumber(allow_null=True, help_text="The seat; null hides the hand.")


@call(
    "PUT",
    "Set the player at the screen",
    GameView,
    409,
    takes=ScreenSerializer,
    example={"seat": 2},
    group="turns",
)
def set_screen(request: Request, game_id: int, asked: Values) -> Answered:
    """Shows the hand of a seat in a game on one screen, as `me`. Then call `orders` for this seat.

    Once its orders are in, `me` is null until the next call. 409 means that the game is not on one screen,
    is not running, or does not wait for orders of this seat.
    """
    orders.pass_screen(user=person(request), game_id=game_id, now=timezone.now(), **asked)
    return view_again(request, game_id)


class ReminderView(TypedDict):
    """A reminder that you asked for."""

    at: Annotated[datetime, "The time of the reminder."]


@call("POST", "Ask for a reminder", ReminderView, 409, guests=False, group="turns")
def request_reminder(request: Request, game_id: int, number: int) -> Answered:
    """Reminds you of your missing orders in 3 hours, or after your night, by all your channels.

    A new request replaces an earlier one. The reminder is dropped if the turn no longer needs your orders.
    """
    at = reminders.request_reminder(user=person(request), game_id=game_id, turn=number, now=timezone.now())
    return {"at": at}


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
    """Streams server-sent events of a game: `ready`, `turn`, `chat`, `over`, `lobby` and `end`.

    The id of each event is a cursor. To get only later events, chat lines or log entries, send this id as
    `after` to this call, the chat or the log.
    """
    game_of(request, game_id, asked)
    raise NoStreams  # the server in front of Django handles streams
