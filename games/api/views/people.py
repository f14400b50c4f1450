"""Tokens, and whoever asks."""

from django.utils import timezone
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import signing_in
from games import selectors, services
from games.api import documents, throttling
from games.api.errors import Unauthorized
from games.api.requests import LoginSerializer
from games.api.responses.games import WaitingSerializer
from games.api.responses.people import MeSerializer, TokenSerializer
from games.api.schema import describe
from games.api.views.base import Call, body, person
from games.errors import Forbidden, TooMany


class Tokens(Call):
    """``POST tokens``."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = (*Call.throttle_classes, throttling.Tokens)

    @describe(
        "Make a token",
        TokenSerializer,
        401,
        403,
        status=201,
        takes=LoginSerializer,
        example={"login": "alice", "password": "…"},
        tag="people",
        public=True,
    )
    def post(self, request: Request) -> Response:
        """Make a token, with which a program acts for a person."""
        asked = body(request, LoginSerializer)
        try:
            user = signing_in.person_of(request=request._request, **asked)
        except signing_in.TooManyAttempts:
            detail = "Too many tries with a wrong password. Please wait five minutes."
            raise TooMany(detail, signing_in.WAIT) from None
        except signing_in.AccountClosed:
            raise Forbidden("closed", "This account has been closed.") from None
        except signing_in.AddressUnconfirmed:
            detail = "Confirm your email address first: the link is in the mail that you were sent."
            raise Forbidden("unconfirmed", detail) from None
        except signing_in.CodeMissing:
            detail = (
                "This account has a second factor: send the “code” of its app, or a recovery code, as well."
            )
            raise Forbidden("code-missing", detail) from None
        if user is None:
            raise Unauthorized(
                "wrong-login", "No account has this name or address with this password, or this code."
            )
        return Response({"token": services.make_token(user=user, now=timezone.now())}, status=201)


class Me(Call):
    """``GET me``."""

    @describe("Say who I am", MeSerializer, tag="people")
    def get(self, request: Request) -> Response:
        """Robo Name, preferences, numbers of games."""
        return Response(documents.of_person(person(request)))


class Waiting(Call):
    """``GET me/waiting``."""

    @describe("List the games that wait for my move", WaitingSerializer, tag="people")
    def get(self, request: Request) -> Response:
        """Most urgent first: by deadline, those without one last, by how long they have waited."""
        games = selectors.waiting_games(user=person(request))
        return Response({"results": [documents.of_listed_game(game) for game in games]})
