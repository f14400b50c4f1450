"""Declare calls of the API, and handle requests to them."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import wraps
from inspect import signature
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.parsers import BaseParser
from rest_framework.permissions import (
    SAFE_METHODS,
    BasePermission,
    IsAuthenticated,
    IsAuthenticatedOrReadOnly,
)
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

import rules
from accounts.models import User
from games.errors import Malformed, refuse_guests
from games.play.game_view import GameView, game_view
from games.play.models import Game
from games.play.viewers import game_for
from games.reading import allow_replica, reads_game, snapshot
from games.web import answers
from games.web.inputs import Input, Strict
from games.web.schema import describe

Values = dict[str, Any]
Answered = Any
"""The result of a call's function: a value of the type that the call declares, or a whole response."""


class JsonParser(BaseParser):
    """A strict parser for JSON objects: UTF-8, unique keys, valid numbers."""

    media_type = "application/json"
    limit = answers.BODY_LIMIT

    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Mapping[str, Any]:
        """Return the object in a request's body.

        Raises TooLarge, and Malformed if the body is not a valid JSON object.
        """
        body = stream.read(self.limit + 1)
        if len(body) > self.limit:
            raise answers.TooLarge(self.limit)
        try:
            return rules.parse(body)
        except rules.NotationError as error:
            detail = _("The body is not valid: {error}.").format(error=error)
            raise Malformed("not-json", detail) from None


class ShipParser(JsonParser):
    """A parser for starships, with a larger size limit."""

    limit = answers.SHIP_LIMIT


class GameFileParser(JsonParser):
    """A parser for files of games, with a larger size limit."""

    limit = answers.GAME_LIMIT


class Resource(APIView):
    """A URL of the API that requires a login."""

    authentication_classes: Sequence[type[BaseAuthentication]] = (
        answers.BearerAuthentication,
        SessionAuthentication,
    )
    permission_classes: Sequence[type[BasePermission]] = (IsAuthenticated,)
    throttle_classes: Sequence[type[answers.Throttle]] = ()
    keeps_nothing = False
    parser_classes = (JsonParser,)
    renderer_classes: Sequence[type[BaseRenderer]] = (answers.JsonRenderer,)
    content_negotiation_class = answers.JsonAlways
    metadata_class = None

    def options(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Response:
        """Answer OPTIONS with the header `Allow`, for anyone and even if the object does not exist."""
        return Response(status=204)

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        """Choose the throttle for this request. Anyone may send OPTIONS.

        A chunked body without a declared length gets the length `BODY_LIMIT`, and so does not count as empty.
        """
        super().setup(request, *args, **kwargs)
        if request.method == "OPTIONS":
            self.authentication_classes = self.permission_classes = self.throttle_classes = ()
        reads = self.keeps_nothing or request.method in SAFE_METHODS
        self.throttle_classes = (answers.Reads if reads else answers.Writes, *self.throttle_classes)
        if request.headers.get("Transfer-Encoding", "").lower() == "chunked":
            request.META.setdefault("CONTENT_LENGTH", str(answers.BODY_LIMIT))

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """Keep the response out of caches, because it is for one person and is soon out of date."""
        final = super().finalize_response(request, response, *args, **kwargs)
        final.headers.setdefault("Cache-Control", "no-store")
        return final

    def get_exception_handler(self) -> Callable[[Exception, Mapping[str, Any]], Response]:
        return answers.answer


class PublicResource(Resource):
    """A URL of the API that anyone may read.

    Pages of other sites may read it too, but only if they send no cookie or token.
    """

    permission_classes: Sequence[type[BasePermission]] = (IsAuthenticatedOrReadOnly,)

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """Allow pages of all sites to read the response, if the request has no cookies and no token."""
        final = super().finalize_response(request, response, *args, **kwargs)
        if request.method in SAFE_METHODS and not request.COOKIES and "Authorization" not in request.headers:
            final.headers["Access-Control-Allow-Origin"] = "*"
            final.headers["Access-Control-Expose-Headers"] = "Retry-After"
        if request.method == "OPTIONS":
            final.headers["Access-Control-Allow-Methods"] = ", ".join(SAFE_METHODS)
            final.headers["Access-Control-Max-Age"] = "86400"
        return final


@dataclass(frozen=True, slots=True)
class Call:
    """A declared call: its HTTP method, its function, and attributes for the view class of its URL.

    ``strangers`` is true if people who are not logged in may use it.
    """

    method: str
    run: Callable[..., Response]
    strangers: bool
    traits: Mapping[str, Any]


def call(
    method: str,
    summary: str,
    answer: type | OpenApiTypes,
    *refusals: int,
    status: int = 200,
    takes: type[Serializer[Any]] | None = None,
    query: type[Serializer[Any]] | None = None,
    example: Any = None,
    media: str = "application/json",
    strangers: bool = False,
    guests: bool = True,
    replica_ok: Callable[[Any], bool] | None = None,
    refusal_types: Mapping[int, type] | None = None,
    group: str = "",
    **traits: Any,
) -> Callable[[Callable[..., Any]], Call]:
    """Declare an API call. The decorated function takes the request and the URL arguments.

    The function's name is the name of the call in generated clients: a verb and a noun, such as
    ``create_game``. The function's docstring describes the call. In the API reference, the call is in
    ``group`` or, without one, in the group of its package in `games`. Its body (``takes``) or its ``query``
    is checked and passed to the function as ``asked``. If ``strangers`` is true, people who are not logged in
    may read it. If ``guests`` is false, the call refuses guests before it refuses values of an `Input`.
    ``replica_ok`` decides whether a result from the replica is good enough, although it may be a few seconds
    old (`games.reading`).
    A function may return a whole `Response`, with its headers. ``refusal_types`` has the types of error
    responses with more fields than usual, by HTTP status.

    ``refusals`` are the HTTP statuses of documented errors. Some are added automatically: 401 for a call with
    a login, 403 for a change, 404 for a URL with arguments, 400 for a body or query, 413 and 415 for a body,
    and 429.
    """

    def declare(function: Callable[..., Any]) -> Call:
        made = allow_replica(replica_ok)(function) if replica_ok else function

        @wraps(function)
        def run(view: Resource, request: Request, **place: Any) -> Response:
            if takes:
                place["asked"] = _body(request, takes, guests=guests)
            elif query:
                place["asked"] = query_of(request, query)
            with snapshot() if reads_game(request, place) else nullcontext():
                answered = made(request, **place)
            return answered if isinstance(answered, Response) else Response(answered, status=status)

        expected = {*refusals, 429}
        expected |= set() if traits.get("authentication_classes") == () else {401}
        expected |= {400, 413, 415} if takes else {400} if query else set()
        expected |= set() if method == "GET" else {403}
        expected |= {404} if set(signature(function).parameters) - {"request", "asked"} else set()
        described = describe(
            function.__name__,
            summary,
            answer,
            expected,
            status=status,
            takes=takes,
            query=query,
            example=example,
            media=media,
            refusal_types=refusal_types or {},
            tag=group or _group_of(function.__module__),
        )
        return Call(method.lower(), described(run), strangers, traits)

    return declare


def resource(*calls: Call) -> type[Resource]:
    """Return the view class for a URL. The class handles the given calls, one for each HTTP method."""
    base = PublicResource if any(each.strangers for each in calls) else Resource
    traits = {name: value for each in calls for name, value in each.traits.items()}
    return type("Resource", (base,), {each.method: each.run for each in calls} | traits)


def person(request: Request) -> User:
    """Return the logged-in person of a request."""
    assert isinstance(request.user, User)
    return request.user


def _group_of(module: str) -> str:
    """Return the name of the group for a module's calls in the API reference.

    >>> _group_of("games.clubs.api"), _group_of("games.people.api")
    ('clubs', 'people')
    """
    room, _, name = module.removeprefix("games.").rpartition(".")
    return room if name == "api" else name


def _body(request: Request, form: type[Serializer[Any]], *, guests: bool) -> Any:
    """Return the body of a request. If ``form`` is a `Strict`, return its checked values instead.

    Raises Malformed if there is no body, unless ``form.may_be_missing`` is true. Raises ValidationError for
    wrong types, Forbidden for guests if the call refuses them, and Invalid for values that are not allowed.
    """
    if request.META.get("CONTENT_LENGTH") in {None, "", "0"}:
        if getattr(form, "may_be_missing", False):
            return checked(form(data={}))
        raise Malformed("not-json", _("The body is empty. Send a JSON object."))
    if not issubclass(form, Strict):
        return request.data
    serializer = form(data=request.data)
    values = checked(serializer)
    if not guests:
        refuse_guests(person(request))
    if isinstance(serializer, Input):
        serializer.refuse()
    return values


def query_of(request: Request, form: type[Serializer[Any]]) -> Values:
    """Return the checked query parameters of a request. Raises ValidationError if any is invalid."""
    return checked(form(data=request.query_params.dict()))


def checked(serializer: Serializer[Any]) -> Values:
    """Return the checked values of a serializer. Raises ValidationError if any is invalid."""
    serializer.is_valid(raise_exception=True)
    values: Values = serializer.validated_data
    return values


def game_of(request: Request, game_id: int, asked: Values | None = None) -> Game:
    """Return the game of a URL. Raises NotFound if the viewer may not see it."""
    return game_for(viewer=request.user, game_id=game_id, link=(asked or {}).get("link", ""))


def view_of(request: Request, game: Game) -> GameView:
    return game_view(viewer=request.user, game=game)


def view_again(request: Request, game_id: int) -> GameView:
    """Return a game as the logged-in person may see it, after they have changed something in it."""
    with snapshot():
        return view_of(request, game_of(request, game_id))
