"""API calls for games and turns, and the answers about a person's games."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Any, TypedDict, cast

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request

import rules
from accounts.models import LOOKS, Frequency, Standing, User
from games.absence import seats as open_seats
from games.absence.missed_turns import change_standing_of_game
from games.clocks.models import Rest
from games.clocks.paces import write_calendar
from games.clocks.selectors import DAYS_A_YEAR, calendar_of, days_left, vacations_of
from games.errors import ServiceError, Shape, written
from games.films.selectors import LogView, PastTurnView, log_after, past_turn
from games.lobby import seats as lobby_seats
from games.lobby import services as lobby
from games.lobby.api import NewGameSerializer
from games.lobby.lists import GameFilter, games_for, games_to_take_over
from games.lobby.models import Invitation
from games.lobby.selectors import invitations_for
from games.people.models import ApiToken
from games.people.selectors.records import GameNumbersView, game_numbers
from games.play import orders, preview, stored
from games.play.game_view import GameFacts, GameView, facts_of, game_view
from games.play.models import Game
from games.play.policy import STANDING
from games.play.services import change_news_of_game
from games.play.terms import Terms
from games.reading import read_each_safely
from games.web.answers import Previews, Submitting
from games.web.api import Answered, Values, call, game_of, person, view_again, view_of
from games.web.inputs import Flag, Strict, Text, WholeNumber
from games.web.queries import EventsQuery, GamePages, GamesQuery, LinkQuery, ListQuery, LogQuery, OfferPages

Document = dict[str, Any]

URL = Shape({"type": "string", "format": "uri"})
NIGHT = Shape({"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2})


class PreferencesView(TypedDict):
    """What a person has chosen."""

    time_zone: str
    mail_my_turn: Annotated[bool, "Whether any mail says that a turn waits."]
    manner: Annotated[str, "How mail tells of my games: at once, daily, one, none."]
    daily_hour: Annotated[int, "The hour of the daily mail, in my time zone."]
    lobby_mail: Annotated[bool, "Whether mail tells of games that have not started."]
    starship_mail: Annotated[bool, "Whether mail tells of starships."]
    silenced: Annotated[list[str], "Kinds of notification that come by no channel."]
    chat_filter: Annotated[bool, "Whether lines of chats with rude words in them are hidden from me."]
    shows_name: Annotated[str, "Who finds me in the list of players."]
    shows_games: Annotated[str, "Who sees my games under way: everybody, players, nobody."]
    shows_history: Annotated[str, "Who sees the games that I have played."]
    shows_statistics: Annotated[str, "Who sees what my robot did."]
    shows_achievements: Annotated[str, "Who sees what I have earned."]


class MeView(TypedDict):
    """The caller."""

    robo_name: str
    look: Annotated[int | None, "My favourite of the eight robots."]
    invitations: Annotated[int, "How many wait for an answer."]
    preferences: PreferencesView
    games: GameNumbersView


def of_person(user: User) -> MeView:
    """Write what a person may know of themself."""
    return written(
        MeView,
        user,
        preferences=written(PreferencesView, user, mail_my_turn=user.manner != Frequency.NONE),
        invitations=invitations_for(user=user).count(),
        games=game_numbers(user=user),
    )


class MyStandingView(TypedDict):
    """My standing orders for all games."""

    standing: Annotated[str, Standing]


class MyGameStandingView(TypedDict):
    """My standing orders for one game."""

    standing: Annotated[str, (*Standing.values, ""), "Empty: as in all games."]
    plays: Annotated[str, Standing, "What that comes to."]
    counts: Annotated[bool, "Whether this game has standing orders played for who misses a turn."]


def of_standing(user: User, game: Game, standing: str) -> MyGameStandingView:
    """Write the standing orders of a player for a game, which are empty where they are those for all."""
    counts = stored.absence_of(game).policy == STANDING
    return {"standing": standing, "plays": standing or user.standing, "counts": counts}


class MannerView(TypedDict):
    """How mail tells a player of one game."""

    manner: Annotated[str, "at once, daily, one, none; empty: as of all games."]


class MyTimeView(TypedDict):
    """When my clocks stand still; it holds for hands that are dealt from now on."""

    time_zone: Annotated[str, "Where I live: days and nights are told by its clocks."]
    days_off: Annotated[list[int], "Days of the week, from 0 for Monday to 6."]
    night: Annotated[list[str] | None, NIGHT, "From when to when I sleep; null for never."]
    takes_vacation: Annotated[bool, "Whether days of vacation are taken that I have not planned."]


def of_rest(rest: Rest) -> MyTimeView:
    """Write when the clocks of a person stand still."""
    calendar = write_calendar(calendar_of(user=rest.user))
    times = {key: calendar[key] for key in ("days_off", "night")}
    return written(MyTimeView, rest, time_zone=rest.user.time_zone, **times)


class PlannedVacationView(TypedDict):
    """A vacation that I have planned; both days belong to it."""

    id: int
    first: date
    last: date


class VacationsView(TypedDict):
    """My vacation."""

    results: Annotated[list[PlannedVacationView], "What I have planned, the first to come first."]
    days_left: Annotated[int, "Days that I have left in this calendar year."]
    days_a_year: Annotated[int, "Days that everybody has."]


def of_vacations(user: User, *, now: datetime) -> VacationsView:
    """Write what vacation a person has."""
    planned = vacations_of(user=user, now=now)
    return {
        "results": [written(PlannedVacationView, vacation) for vacation in planned],
        "days_left": days_left(user=user, now=now),
        "days_a_year": DAYS_A_YEAR,
    }


class TokenView(TypedDict):
    """A new token. It is shown this once; keep it as you would a password."""

    token: str
    expires_at: Annotated[datetime, "When it opens nothing any more."]


class OwnTokenView(TypedDict):
    """A token of mine; the token itself is known to no one but who has it."""

    id: int
    name: Annotated[str, "What I call it; may be empty."]
    created_at: datetime
    used_at: Annotated[datetime | None, "When it was used last, to the minute."]
    expires_at: Annotated[datetime, "When it opens nothing any more."]
    shown: Annotated[bool, "It is the one that this very request has shown."]


class OwnTokensView(TypedDict):
    """My tokens, the newest first."""

    results: list[OwnTokenView]


def of_tokens(tokens: Iterable[ApiToken], *, shown: ApiToken | None) -> OwnTokensView:
    """Write a person's tokens; ``shown`` is the one that the caller has shown."""
    return {"results": [written(OwnTokenView, token, shown=token == shown) for token in tokens]}


class UnreadableView(TypedDict):
    """A game that belongs in the list and cannot be read right now: staff see why."""

    id: int
    name: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ListedGame(GameFacts):
    """A game, as lists show it."""

    starship_name: Annotated[str, "What the board is called."]
    waits_for_me: bool
    unread: Annotated[int, "Lines of its chat that I have not read, where I play."]
    moved_at: Annotated[datetime, "When somebody last joined or moved, or a turn was resolved."]


class WaitingView(TypedDict):
    """Games that wait for my orders, most urgent first."""

    results: list[ListedGame]
    unreadable: list[UnreadableView]


class GamesView(WaitingView):
    """A page of games."""

    next: Annotated[str | None, URL, "Where the next page is; null on the last."]
    previous: Annotated[str | None, URL, "Where the page before is."]


class InvitationOfMineView(TypedDict):
    """What I am asked to join."""

    game: int
    name: str
    ruleset: str
    starship_name: str
    host: str
    by: str
    at: datetime


class InvitationsView(TypedDict):
    """What waits for my answer."""

    results: list[InvitationOfMineView]
    unreadable: list[UnreadableView]


def of_listed_games(games: Iterable[Game]) -> Document:
    """Write games of `selectors.games_for` or the like; those that cannot be read are named alone."""
    told, unreadable = read_each_safely(games, of_listed_game, lambda game: game)
    return {"results": told, "unreadable": unreadable}


def of_invitations(invitations: Iterable[Invitation]) -> Document:
    """Write what a person is asked to join; games that cannot be read are named alone."""
    told, unreadable = read_each_safely(invitations, of_invitation, lambda each: each.game)
    return {"results": told, "unreadable": unreadable}


def of_listed_game(game: Game) -> ListedGame:
    """Write a game of `selectors.games_for` or the like, as lists show it."""
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
    """Write what a person is asked to join."""
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


class LinkSerializer(Strict):
    """By which link a private game is known."""

    may_be_missing = True

    link = Text(default="", allow_blank=True, help_text="The token of a private game's link.")


class CrewSerializer(Strict):
    """Which squad, model or look I want; what is not named stays as it is."""

    squad = Text(default="", allow_blank=True, help_text="One of the ruleset's `squads`.")
    model = Text(default="", allow_blank=True, help_text="One of the ruleset's `models`.")
    look = WholeNumber(default=None, allow_null=True, help_text=f"Which of {LOOKS} robots, from 1.")


class JoinSerializer(CrewSerializer):
    """How I want to play; what is not named is the smaller squad, and the first model that no one has."""

    may_be_missing = True

    link = Text(default="", allow_blank=True, help_text="The `link` of a private game, where it is one.")
    ready = Flag(default=True, help_text="Whether I agree to the game as it is; I may say so later.")


class GameNewsSerializer(Strict):
    """How mail tells someone of one game."""

    manner = Text(allow_blank=True, help_text="As in PATCH me; empty: as of all games.")


class GameStandingSerializer(Strict):
    """What is played for me where I miss a turn of one game."""

    standing = Text(allow_blank=True, help_text="As in `PUT me/standing`; empty: as in all games.")


@call("GET", "List games", GamesView, query=GamesQuery, strangers=True, old=bool, group="games")
def list_games(request: Request, asked: Values) -> Answered:
    """The newest first, page by page. Private games of other people are left out."""
    if asked["mine"] and not request.user.is_authenticated:
        raise NotAuthenticated
    games = games_for(viewer=request.user, status=asked.get("status"), mine=asked["mine"], club=asked["club"])
    return _page(request, GamePages(), asked, games)


@call(
    "POST",
    "Create a game",
    GameView,
    404,
    422,
    status=201,
    takes=NewGameSerializer,
    example=NEW_GAME,
    group="games",
)
def create_game(request: Request, asked: Values) -> Answered:
    """Create a game; its creator sits on seat 1. 404 is for a starship that is not offered.

    Where the ruleset joins boards, there are `boards` in place of the `starship`.
    """
    robot = {key: asked.pop(key) for key in ("squad", "model", "look", "ready", "club")}
    terms = Terms().with_changes(asked)
    game = lobby.create_game(host=person(request), terms=terms, **robot, now=timezone.now())
    return view_of(request, game)


@call("GET", "Get a game", GameView, query=LinkQuery, strangers=True, group="games")
def get_game(request: Request, game_id: int, asked: Values) -> Answered:
    """The game, as I may see it."""
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
    """Take the first free seat; the last one may start it. A private game asks for its link."""
    lobby_seats.join_game(user=person(request), game_id=game_id, now=timezone.now(), **asked)
    return view_again(request, game_id)


@call(
    "GET", "List games with open seats", GamesView, query=ListQuery, strangers=True, old=bool, group="games"
)
def list_open_seats(request: Request, asked: Values) -> Answered:
    """Public games under way that I do not play in, the last offered first.

    In each game, the `seats` that are `offered` can be taken over.
    """
    return _page(request, OfferPages(), asked, games_to_take_over(viewer=request.user))


@call("POST", "Take over a seat", GameView, 409, takes=LinkSerializer, example={"link": "…"}, group="games")
def take_over_seat(request: Request, game_id: int, number: int, asked: Values) -> Answered:
    """Take over a seat from the computer that holds it, or come back to my own, in a game under way."""
    open_seats.take_seat(user=person(request), game_id=game_id, seat=number, now=timezone.now(), **asked)
    return view_again(request, game_id)


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


@call("DELETE", "Leave a game under way", GameView, 409, group="games")
def delete_my_seat(request: Request, game_id: int) -> Answered:
    """Leave a game under way: a computer plays until another player takes the seat over, or I come back.

    Where no other person plays, the game ends.
    """
    game = open_seats.give_up_seat(user=person(request), game_id=game_id, now=timezone.now())
    return view_of(request, game)


@call("POST", "Leave a game before its start", GameView, 409, group="games")
def leave_game(request: Request, game_id: int) -> Answered:
    """Give up my seat, before the game starts. When the last one leaves, the game is cancelled."""
    return view_of(request, lobby_seats.leave_game(user=person(request), game_id=game_id, now=timezone.now()))


@call("POST", "Resign from a game", GameView, 409, group="games")
def resign_game(request: Request, game_id: int) -> Answered:
    """Lose a game under way: a computer plays on to its end.

    The game ends at once where one other side is left, or no other person plays.
    """
    game = open_seats.resign_game(user=person(request), game_id=game_id, now=timezone.now())
    return view_of(request, game)


@call(
    "PUT",
    "Change my standing orders in one game",
    MyGameStandingView,
    422,
    takes=GameStandingSerializer,
    example={"standing": "down"},
    group="games",
)
def set_game_standing_orders(request: Request, game_id: int, asked: Values) -> Answered:
    """Empty for the same as in all games. They count where the game's `absence` has them."""
    user = person(request)
    game = change_standing_of_game(user=user, game_id=game_id, **asked)
    return of_standing(user, game, asked["standing"])


@call(
    "PUT",
    "Change my mail settings for one game",
    MannerView,
    422,
    takes=GameNewsSerializer,
    example={"manner": "none"},
    group="games",
)
def set_game_mail(request: Request, game_id: int, asked: Values) -> Answered:
    """Empty for the same as of all games. With none, no channel tells of it."""
    seat = change_news_of_game(user=person(request), game_id=game_id, now=timezone.now(), **asked)
    return {"manner": seat.manner}


def _page(request: Request, pages: GamePages, asked: Values, games: QuerySet[Game]) -> Answered:
    found = pages.page_of(GameFilter(asked, games).qs, request)
    return pages.in_answer(of_listed_games(found))


ORDERS = {"registers": [490, 70, 670, None, None], "power_down": False}

MOST_EVENTS = 10_000
"""Events in one answer, at most: more than nearly all games have."""


class NoStreams(ServiceError):
    """A server that can only answer and be done: pages ask now and then instead."""

    status = 503

    def __init__(self) -> None:
        super().__init__("no-streams", _("This server has no streams: ask for the log now and then instead."))


@extend_schema_field({"oneOf": [{"type": "integer"}, {"type": "string", "enum": ["P"]}, {"type": "null"}]})
class RegisterField(serializers.JSONField):
    """What is to stand in a register: a chip's number, "P" for a pause, null where it is locked."""


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
    """Orders for one turn. Turn 0 takes `heading` alone.

    This describes them; `rules.read_orders` reads them.
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


@call(
    "POST",
    "Submit orders",
    GameView,
    409,
    422,
    takes=OrdersSerializer,
    example=ORDERS,
    throttle_classes=(Submitting,),
    group="turns",
)
def submit_orders(request: Request, game_id: int, number: int, asked: Values) -> Answered:
    """Submit my orders for the turn under way. Until all are in, new orders replace the old.

    The same orders again are taken, and change nothing, until the turn is played.
    """
    turn = orders.submit_orders(
        user=person(request), game_id=game_id, turn_number=number, document=asked, now=timezone.now()
    )
    return game_view(viewer=request.user, game=turn.game, turn=turn)


@call("PUT", "Save a draft", GameView, 409, 422, takes=OrdersSerializer, example=ORDERS, group="turns")
def save_draft(request: Request, game_id: int, number: int, asked: Values) -> Answered:
    """Keep unfinished orders, to go on with them elsewhere. This does not submit them.

    Registers may be empty here. Orders that I have submitted already are no draft.
    """
    orders.save_draft(
        user=person(request), game_id=game_id, turn_number=number, document=asked, now=timezone.now()
    )
    return view_again(request, game_id)


@call("DELETE", "Delete a draft", GameView, 409, group="turns")
def delete_draft(request: Request, game_id: int, number: int) -> Answered:
    """Delete my draft for the turn under way. Orders that I have submitted stay."""
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
    """What these orders would do if no other robot were there; nothing is kept.

    Registers may be empty here. Transporters that no one has used lead nowhere.
    """
    game = game_of(request, game_id)
    return preview.preview(viewer=request.user, game=game, turn_number=number, document=asked)


@call("POST", "Redraw my hand", GameView, 409, group="turns")
def redeal_hand(request: Request, game_id: int, number: int) -> Answered:
    """Put my hand aside before my orders, and get as many other chips.

    Albot may once a turn. In the 1999 boxed game a hand of turning chips only may be put aside, as often
    as it happens. All players see those chips.
    """
    orders.redeal_hand(user=person(request), game_id=game_id, turn_number=number, now=timezone.now())
    return view_again(request, game_id)


@call("POST", "Switch my robot on", GameView, 409, group="turns")
def wake_robot(request: Request, game_id: int, number: int) -> Answered:
    """Switch my robot on, which was off in the turn before, and see its hand. It cannot be taken back."""
    orders.wake_robot(user=person(request), game_id=game_id, turn_number=number, now=timezone.now())
    return view_again(request, game_id)


def _goes_on(log: LogView) -> bool:
    """Return whether there is more: at the end, nothing may be missing that someone was told of."""
    return len(log["events"]) == MOST_EVENTS


@call("GET", "Read the log", LogView, query=LogQuery, strangers=True, old=_goes_on, group="turns")
def get_log(request: Request, game_id: int, asked: Values) -> Answered:
    """Events after a cursor, in order; an answer without events says that there are no more yet."""
    game = game_of(request, game_id, asked)
    return log_after(viewer=request.user, game=game, seq=asked["after"], limit=MOST_EVENTS)


@call(
    "GET",
    "Get a turn that was played",
    PastTurnView,
    query=LinkQuery,
    strangers=True,
    old=bool,
    group="turns",
)
def get_turn(request: Request, game_id: int, number: int, asked: Values) -> Answered:
    """Programs revealed, the view at its start, its events; 404 for a turn that was not played yet."""
    return past_turn(viewer=request.user, game=game_of(request, game_id, asked), number=number)


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
    """Server-sent events, as they happen: `ready`, `turn`, `chat`, `over` and `lobby`. The id of each is
    a cursor, which `after` takes here, in the log and in the chat.
    """
    game_of(request, game_id, asked)
    raise NoStreams  # streams are answered in front of Django
