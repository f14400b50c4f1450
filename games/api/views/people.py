"""Tokens, and the caller."""

from datetime import timedelta

from django.utils import timezone
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.login import credentials
from games.api import documents, throttling
from games.api.documents import WaitingView
from games.api.errors import Unauthorized
from games.api.requests import GameNewsSerializer, LoginSerializer, NewsSerializer
from games.api.responses.people import MannerSerializer, MeSerializer, OwnTokensSerializer, TokenSerializer
from games.api.schema import describe
from games.api.tokens.selectors import token_shown, tokens_of
from games.api.tokens.services import make_token, revoke_own_token
from games.api.views.base import Call, body, person
from games.errors import Forbidden, TooMany
from games.lobby.selectors.rooms import waiting_games
from games.news.services.manners import change_manner
from games.play.services.mail import change_manner_of_game


class TokensCall(Call):
    """``POST tokens``."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = (*Call.throttle_classes, throttling.Tokens)

    @describe(
        "create_token",
        "Create a token",
        TokenSerializer,
        401,
        403,
        422,
        status=201,
        takes=LoginSerializer,
        example={"login": "alice", "password": "…", "name": "My bot"},
        tag="people",
        public=True,
    )
    def post(self, request: Request) -> Response:
        """Make a token, with which a program acts for a person."""
        asked = body(request, LoginSerializer)
        name, days, now = asked.pop("name"), asked.pop("days"), timezone.now()
        try:
            user = credentials.person_of(request=request._request, **asked)
        except credentials.TooManyAttempts:
            detail = "Too many tries with a wrong password. Please wait five minutes."
            raise TooMany(detail, credentials.WAIT) from None
        except credentials.AccountClosed:
            raise Forbidden("closed", "This account has been closed.") from None
        except credentials.AddressUnconfirmed:
            detail = "Confirm your email address first: the link is in the mail that you were sent."
            raise Forbidden("unconfirmed", detail) from None
        except credentials.CodeMissing:
            detail = (
                "This account has a second factor: send the “code” of its app, or a recovery code, as well."
            )
            raise Forbidden("code-missing", detail) from None
        if user is None:
            raise Unauthorized(
                "wrong-login",
                "No account has this name or address with this password, or this code. After five wrong"
                " passwords, wait five minutes.",
            )
        token = make_token(user=user, now=now, name=name, days=days)
        return Response({"token": token, "expires_at": now + timedelta(days=days)}, status=201)


class MyTokens(Call):
    """``GET me/tokens``."""

    @describe("list_tokens", "List my tokens", OwnTokensSerializer, tag="people")
    def get(self, request: Request) -> Response:
        """By name, age and last use. There are at most 50: with one more, the one longest out of use goes."""
        return Response(_tokens_of(request))


class OneToken(Call):
    """``DELETE me/tokens/{id}``."""

    @describe("revoke_token", "Revoke a token", OwnTokensSerializer, 403, 404, tag="people")
    def delete(self, request: Request, token_id: int) -> Response:
        """It opens nothing any more: of mine whichever, the one that this request shows, too."""
        revoke_own_token(user=person(request), token_id=token_id)
        return Response(_tokens_of(request))


def _tokens_of(request: Request) -> documents.Document:
    user = person(request)
    shown = token_shown(user=user, token=str(request.auth)) if request.auth else None
    return documents.of_tokens(tokens_of(user=user), shown=shown)


class Me(Call):
    """``GET`` and ``PATCH me``."""

    @describe("get_me", "Get my account", MeSerializer, tag="people")
    def get(self, request: Request) -> Response:
        """Robo Name, preferences, numbers of games."""
        return Response(documents.of_person(person(request)))

    @describe(
        "update_me",
        "Change my mail settings",
        MeSerializer,
        403,
        422,
        takes=NewsSerializer,
        example={"manner": "daily", "daily_hour": 7},
        tag="people",
    )
    def patch(self, request: Request) -> Response:
        """What is not named stays as it is."""
        user = person(request)
        kept = {"manner": user.manner, "daily_hour": user.daily_hour}
        change_manner(user=user, now=timezone.now(), **{**kept, **body(request, NewsSerializer)})
        return Response(documents.of_person(user))


class GameNews(Call):
    """``PUT games/{id}/news``."""

    @describe(
        "set_game_mail",
        "Change my mail settings for one game",
        MannerSerializer,
        403,
        404,
        422,
        takes=GameNewsSerializer,
        example={"manner": "none"},
        tag="games",
    )
    def put(self, request: Request, game_id: int) -> Response:
        """Empty for the same as of all games. With none, no channel tells of it."""
        asked = body(request, GameNewsSerializer)
        seat = change_manner_of_game(user=person(request), game_id=game_id, now=timezone.now(), **asked)
        return Response({"manner": seat.manner})


class Waiting(Call):
    """``GET me/waiting``."""

    @describe("list_waiting_games", "List games that wait for my move", WaitingView, tag="people")
    def get(self, request: Request) -> Response:
        """Most urgent first: by deadline, those without one last, by how long they have waited."""
        games = waiting_games(user=person(request))
        return Response(documents.of_listed_games(games))
