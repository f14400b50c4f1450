"""API calls for the caller's account and tokens, and for players, contacts and records."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Annotated, TypedDict

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from accounts import backend
from accounts.models import Frequency, User
from accounts.settings import SETTINGS, change_settings
from games.errors import Forbidden, TooMany, refuse_guests, view_of_row
from games.lobby.lists import waiting_games
from games.lobby.selectors import invitations_for
from games.news.inputs import NewsChanges
from games.news.services import change_notification_settings
from games.people import contacts
from games.people.inputs import Login, PlayerNote, SeenAchievements
from games.people.models import ApiToken
from games.people.selectors import records
from games.people.selectors.profiles import PersonView, person_page
from games.people.selectors.records import (
    ACHIEVEMENTS,
    DefinitionView,
    GameNumbersView,
    RobotCardView,
    RobotStatisticsView,
    game_numbers,
)
from games.people.services.records import mark_seen
from games.people.tokens import make_token, revoke_own_token, token_shown, tokens_of
from games.play import api as play
from games.web import answers
from games.web.answers import Unauthorized
from games.web.api import Answered, Values, call, game_of, person
from games.web.queries import LinkQuery, PersonQuery

# --- The caller and other people ----------------------------------------------------------------------------


class PreferencesView(TypedDict):
    """Your settings."""

    time_zone: str
    mail_my_turn: Annotated[bool, "Whether you get mail about your turns."]
    manner: Annotated[str, "When you get mail about your games: `at once`, `daily`, `one` or `none`."]
    daily_hour: Annotated[int, "The hour of the daily email, in your time zone."]
    lobby_mail: Annotated[bool, "Whether you get mail about games that have not started."]
    starship_mail: Annotated[bool, "Whether you get mail about starships."]
    silenced: Annotated[list[str], "Kinds of notification that you turned off, for all channels."]
    reminder_hours: Annotated[
        list[int], "The hours before a deadline when you get a reminder; empty for the usual one."
    ]
    chat_filter: Annotated[bool, "Whether chat messages with rude words are hidden from you."]
    shows_name: Annotated[str, "Who can find you in the list of players: `everybody`, `players` or `nobody`."]
    shows_games: Annotated[str, "Who can see your running games."]
    shows_history: Annotated[str, "Who can see your finished games."]
    shows_statistics: Annotated[str, "Who can see your statistics."]
    shows_achievements: Annotated[str, "Who can see your achievements."]
    shows_accuracy: Annotated[str, "Who can see your accuracy and luck in analysed games."]


class MeView(TypedDict):
    """Your account."""

    robo_name: str
    look: Annotated[int | None, "Your favourite robot, 1 to 8."]
    invitations: Annotated[int, "Unanswered invitations."]
    preferences: PreferencesView
    games: GameNumbersView


def of_person(user: User) -> MeView:
    """Return a person's account as the API shows it to that person."""
    return view_of_row(
        MeView,
        user,
        preferences=view_of_row(PreferencesView, user, mail_my_turn=user.manner != Frequency.NONE),
        invitations=invitations_for(user=user).count(),
        games=game_numbers(user=user),
    )


class TokenView(TypedDict):
    """A new token. You see its value only in this answer. Keep the value as secret as a password."""

    token: str
    expires_at: Annotated[datetime, "Expiry time."]


class OwnTokenView(TypedDict):
    """One of your tokens, without its value."""

    id: int
    name: Annotated[str, "The name that you gave it; may be empty."]
    created_at: datetime
    used_at: Annotated[datetime | None, "Time of the last use, recorded at most once an hour."]
    expires_at: Annotated[datetime, "Expiry time."]
    shown: Annotated[bool, "Whether this request used it."]


class OwnTokensView(TypedDict):
    """Your tokens, newest first."""

    results: list[OwnTokenView]


def of_tokens(tokens: Iterable[ApiToken], *, shown: ApiToken | None) -> OwnTokensView:
    """Return a person's tokens as the API lists them. ``shown`` is the token used for this request."""
    return {"results": [view_of_row(OwnTokenView, token, shown=token == shown) for token in tokens]}


@call(
    "POST",
    "Create a token",
    TokenView,
    401,
    422,
    status=201,
    takes=Login,
    example={"login": "alice", "password": "…", "name": "My bot"},
    authentication_classes=(),
    permission_classes=(AllowAny,),
    throttle_classes=(answers.Tokens,),
)
def create_token(request: Request, asked: Values) -> Answered:
    """Creates a token. A program that sends the token acts for you."""
    name, days, now = asked.pop("name"), asked.pop("days"), timezone.now()
    try:
        user = backend.person_of(request=request._request, **asked)
    except backend.TooManyAttempts:
        detail = _("Too many wrong passwords. Wait 5 minutes, then try again.")
        raise TooMany(detail, backend.WAIT) from None
    except backend.AccountLocked:
        raise Forbidden("closed", _("Staff locked this account. Contact them to have it unlocked.")) from None
    except backend.AddressUnconfirmed:
        detail = _("Your email address isn’t confirmed. Open the link in the email that we sent you.")
        raise Forbidden("unconfirmed", detail) from None
    except backend.CodeMissing:
        detail = _(
            "This account has a second factor. Send a code from the authenticator app, or a recovery code,"
            " as “code”."
        )
        raise Forbidden("code-missing", detail) from None
    if user is None:
        raise Unauthorized(
            "wrong-login",
            _("Wrong name, address, password or code. After 5 wrong passwords, wait 5 minutes."),
        )
    token = make_token(user=user, now=now, name=name, days=days)
    return {"token": token, "expires_at": now + timedelta(days=days)}


@call("GET", "List your tokens", OwnTokensView)
def list_tokens(request: Request) -> Answered:
    """Returns your tokens, newest first.

    You can have 50 tokens. A further token replaces your least recently used one.
    """
    return _tokens_of(request)


@call("DELETE", "Revoke a token", OwnTokensView)
def revoke_token(request: Request, token_id: int) -> Answered:
    """Revokes one of your tokens. You may also revoke the token of this request."""
    revoke_own_token(user=person(request), token_id=token_id)
    return _tokens_of(request)


@call("GET", "Get your account", MeView)
def get_me(request: Request) -> Answered:
    """Returns your Robo Name, your settings, and the numbers of your games and invitations."""
    return of_person(person(request))


@call(
    "PATCH",
    "Change your mail and chat settings",
    MeView,
    422,
    takes=NewsChanges,
    guests=False,
    example={"manner": "daily", "daily_hour": 7},
)
def update_me(request: Request, asked: Values) -> Answered:
    """Changes the settings that you send, and leaves all others unchanged."""
    user = person(request)
    kept = {"manner": user.manner, "daily_hour": user.daily_hour}
    pages = {name: asked.pop(name) for name in SETTINGS if name in asked}
    change_notification_settings(user=user, now=timezone.now(), **{**kept, **asked})
    change_settings(user=user, chosen=pages)
    return of_person(user)


@call("GET", "List games waiting for your orders", play.WaitingView)
def list_waiting_games(request: Request) -> Answered:
    """Returns the games that need your orders, most urgent first.

    Games without a deadline come last. Among these, the game that has waited longest comes first.
    """
    return play.of_listed_games(waiting_games(user=person(request)))


@call("GET", "List your invitations", play.InvitationsView)
def list_invitations(request: Request) -> Answered:
    """Returns your unanswered invitations to games, newest first."""
    return play.of_invitations(invitations_for(user=person(request)))


@call("GET", "Get a player", PersonView, query=PersonQuery, strangers=True, replica_ok=bool)
def get_player(request: Request, robo_name: str, asked: Values) -> Answered:
    """Returns a player's games, statistics and achievements, as far as you may see them."""
    return person_page(viewer=request.user, robo_name=robo_name, **asked)


def _tokens_of(request: Request) -> Answered:
    user = person(request)
    shown = token_shown(user=user, token=str(request.auth)) if request.auth else None
    return of_tokens(tokens_of(user=user), shown=shown)


# --- Contacts -----------------------------------------------------------------------------------------------


@call("GET", "List your contacts", contacts.ContactsView, group="contacts")
def list_contacts(request: Request) -> Answered:
    """Returns your followers, and the players whom you follow, block, live with or have a note about."""
    user = person(request)
    refuse_guests(user)
    return contacts.contacts_of(user=user, now=timezone.now())


@call("PUT", "Follow a player", contacts.ContactView, 409, group="contacts")
def follow_player(request: Request, robo_name: str) -> Answered:
    """Follows a player. The player can see that you follow them.

    409 if you blocked the player, and 403 if the player blocked you.
    """
    user = person(request)
    return _contact_with(user, contacts.follow(user=user, robo_name=robo_name, now=timezone.now()))


@call("DELETE", "Unfollow a player", contacts.ContactView, group="contacts")
def unfollow_player(request: Request, robo_name: str) -> Answered:
    """Unfollows a player. Returns your contact with this player."""
    user = person(request)
    return _contact_with(user, contacts.unfollow(user=user, robo_name=robo_name))


@call("PUT", "Block a player", contacts.ContactView, 409, group="contacts")
def block_player(request: Request, robo_name: str) -> Answered:
    """Blocks a player, so that you no longer see the player's chat messages.

    A blocked player can't invite or follow you, and can't see that you blocked them.
    """
    user = person(request)
    return _contact_with(user, contacts.block(user=user, robo_name=robo_name, now=timezone.now()))


@call("DELETE", "Unblock a player", contacts.ContactView, group="contacts")
def unblock_player(request: Request, robo_name: str) -> Answered:
    """Unblocks a player. Returns your contact with this player."""
    user = person(request)
    return _contact_with(user, contacts.unblock(user=user, robo_name=robo_name))


@call("PUT", "Add a housemate", contacts.ContactView, 409, group="contacts")
def add_player_housemate(request: Request, robo_name: str) -> Answered:
    """Marks a player as your housemate. The player can see this.

    Once both of you have done so, you can't start rated games together.
    """
    user = person(request)
    return _contact_with(user, contacts.add_housemate(user=user, robo_name=robo_name, now=timezone.now()))


@call("DELETE", "Remove a housemate", contacts.ContactView, group="contacts")
def remove_player_housemate(request: Request, robo_name: str) -> Answered:
    """Removes a housemate. Returns your contact with this player."""
    user = person(request)
    return _contact_with(user, contacts.remove_housemate(user=user, robo_name=robo_name))


@call(
    "PUT",
    "Write a note about a player",
    contacts.ContactView,
    409,
    422,
    takes=PlayerNote,
    guests=False,
    example={"text": "Fast."},
    group="contacts",
)
def write_player_note(request: Request, robo_name: str, asked: Values) -> Answered:
    """Writes or replaces your note about a player. Only you can read the note."""
    user = person(request)
    return _contact_with(
        user, contacts.write_note(user=user, robo_name=robo_name, now=timezone.now(), **asked)
    )


def _contact_with(user: User, other: User) -> contacts.ContactView:
    return contacts.contact_of(user=user, person=other, now=timezone.now())


# --- Records ------------------------------------------------------------------------------------------------


class GameStatisticsView(TypedDict):
    """The statistics of all robots in a game, in seat order. Empty before the game starts."""

    results: list[RobotStatisticsView]


class DefinitionsView(TypedDict):
    """All achievements, in display order."""

    results: list[DefinitionView]


class SeenAnswerView(TypedDict):
    """The number of achievements that this call marked as seen."""

    seen: int


@call(
    "GET",
    "Get the statistics of a game",
    GameStatisticsView,
    query=LinkQuery,
    strangers=True,
    replica_ok=bool,
    group="records",
)
def get_statistics(request: Request, game_id: int, asked: Values) -> Answered:
    """Returns the statistics of each robot in a game so far."""
    game = game_of(request, game_id, asked)
    return {"results": records.game_statistics(viewer=request.user, game=game)}


@call("GET", "Get a robot's summary", RobotCardView, query=LinkQuery, strangers=True, group="records")
def get_robot(request: Request, game_id: int, number: int, asked: Values) -> Answered:
    """Returns the summary of a robot in a game, with its player's achievements.

    Scanners are robots without a player. Their numbers follow the number of the last seat.
    """
    return records.robot_card(viewer=request.user, game=game_of(request, game_id, asked), seat=number)


@call("GET", "List achievements", DefinitionsView, strangers=True, group="records")
def list_achievements(request: Request) -> Answered:
    """Returns all achievements that players can earn."""
    return {"results": [records.described(each) for each in ACHIEVEMENTS.values()]}


@call(
    "POST",
    "Mark your achievements as seen",
    SeenAnswerView,
    takes=SeenAchievements,
    example={"keys": ["zombie"]},
    group="records",
)
def mark_achievements_seen(request: Request, asked: Values) -> Answered:
    """Marks some or all of your achievements as seen, so that pages no longer announce them."""
    return {"seen": mark_seen(user=person(request), now=timezone.now(), **asked)}
