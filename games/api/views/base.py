"""What all calls have in common."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.http import HttpRequest
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
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
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from accounts.models import User
from games.api.authentication import BearerAuthentication
from games.api.errors import answer
from games.api.queries import LinkQuery
from games.api.throttling import Reads, Throttle, Writes
from games.api.wire import BODY_LIMIT, JsonAlways, JsonParser, JsonRenderer
from games.errors import Malformed
from games.play.models import Game
from games.play.selectors.game import game_view
from games.play.selectors.viewers import game_for

Values = dict[str, Any]


class Call(APIView):
    """One call of the API, for someone who is logged in."""

    authentication_classes: Sequence[type[BaseAuthentication]] = (BearerAuthentication, SessionAuthentication)
    permission_classes: Sequence[type[BasePermission]] = (IsAuthenticated,)
    throttle_classes: Sequence[type[Throttle]] = (Reads, Writes)
    parser_classes = (JsonParser,)
    renderer_classes: Sequence[type[BaseRenderer]] = (JsonRenderer,)
    content_negotiation_class = JsonAlways
    metadata_class = None

    def options(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Response:
        """Answer which methods there are, to anybody and whatever there is at the address: see `Allow`."""
        return Response(status=204)

    def get_authenticators(self) -> list[BaseAuthentication]:
        """Return what looks who asks; of OPTIONS that does not matter."""
        return [] if self._asks_for_options else super().get_authenticators()

    def get_permissions(self) -> Sequence[Any]:
        """Return what looks whether they may ask."""
        return [] if self._asks_for_options else super().get_permissions()

    def get_throttles(self) -> list[BaseThrottle]:
        """Return what looks whether they ask too often; OPTIONS do nothing that costs more than reading."""
        return [Reads()] if self._asks_for_options else super().get_throttles()

    @property
    def _asks_for_options(self) -> bool:
        return self.request is not None and self.request.method == "OPTIONS"  # None for the schema

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        """Have a body looked for, too, that comes in chunks and does not say how long it is."""
        if request.headers.get("Transfer-Encoding", "").lower() == "chunked":
            request.META.setdefault("CONTENT_LENGTH", str(BODY_LIMIT))
        return super().initialize_request(request, *args, **kwargs)

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """Keep answers, which are for one person and one moment, out of caches."""
        final = super().finalize_response(request, response, *args, **kwargs)
        final.headers.setdefault("Cache-Control", "no-store")
        return final

    def get_exception_handler(self) -> Callable[[Exception, Mapping[str, Any]], Response]:
        """Return what writes errors as answers."""
        return answer


class PublicCall(Call):
    """A call whose reading is open to anybody, who sees what strangers see on the pages.

    Pages of other sites may read it as well, as long as nothing says who asks: a browser that sends a cookie
    or a token along gets an answer that keeps to itself.
    """

    permission_classes: Sequence[type[BasePermission]] = (IsAuthenticatedOrReadOnly,)

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """Let pages of all sites read an answer to a stranger."""
        final = super().finalize_response(request, response, *args, **kwargs)
        if request.method in SAFE_METHODS and not request.COOKIES and "Authorization" not in request.headers:
            final.headers["Access-Control-Allow-Origin"] = "*"
            final.headers["Access-Control-Expose-Headers"] = "Retry-After"
        if request.method == "OPTIONS":
            final.headers["Access-Control-Allow-Methods"] = ", ".join(SAFE_METHODS)
            final.headers["Access-Control-Max-Age"] = "86400"
        return final


def person(request: Request) -> User:
    """Return who asks."""
    assert isinstance(request.user, User)
    return request.user


def has_body(request: Request) -> bool:
    """Return whether anything was sent."""
    return request.META.get("CONTENT_LENGTH") not in {None, "", "0"}


def sent(request: Request) -> Any:
    """Return the JSON object that was sent; raises Malformed without one."""
    if not has_body(request):
        raise Malformed("not-json", "The body is empty: a JSON object is expected.")
    return request.data


def body(request: Request, form: type[Serializer[Any]]) -> Values:
    """Return what was sent, checked; raises Malformed without a body, and ValidationError."""
    return _checked(form(data=sent(request)))


def query(request: Request, form: type[Serializer[Any]]) -> Values:
    """Return the query of an address, checked; raises ValidationError."""
    return _checked(form(data=request.query_params.dict()))


def _checked(serializer: Serializer[Any]) -> Values:
    serializer.is_valid(raise_exception=True)
    values: Values = serializer.validated_data
    return values


def game_of(request: Request, game_id: int, form: type[Serializer[Any]] = LinkQuery) -> tuple[Game, Values]:
    """Return the game that an address names, and its query; raises NotFound and ValidationError."""
    asked = query(request, form)
    return game_for(viewer=request.user, game_id=game_id, link=asked["link"]), asked


def view_of(request: Request, game: Game, status: int = 200) -> Response:
    """Answer with a game, as the caller may see it."""
    return Response(game_view(viewer=request.user, game=game), status=status)
