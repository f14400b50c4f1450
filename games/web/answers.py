"""Responses of the API: authentication, throttles, JSON and errors.

An error is always ``{"error": CODE, "detail": TEXT, "problems": [...]}``.
"""

import logging
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from typing import Any, ClassVar, Final

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.core.signals import got_request_exception
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, NotAcceptable
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.settings import api_settings
from rest_framework.throttling import BaseThrottle
from rest_framework.utils.encoders import JSONEncoder
from rest_framework.views import APIView

from accounts import limits
from accounts.languages import quoted
from accounts.limits import Limit
from accounts.models import User
from games.errors import ProblemDocument, ServiceError, TooMany, Unavailable, describe_error, number_in
from games.people.tokens import use_token

SCHEME = "Bearer"


class BearerAuthentication(BaseAuthentication):
    """Authentication by ``Authorization: Bearer TOKEN``. Refuses an unknown token, even for public calls."""

    def authenticate(self, request: Request) -> tuple[User, str] | None:
        """Return the token's owner and the token, or None if the request has no token."""
        scheme, __, token = request.headers.get("Authorization", "").strip().partition(" ")
        if scheme.lower() != SCHEME.lower():
            return None
        user = use_token(token=token.strip(), now=timezone.now())
        if user is None:
            raise AuthenticationFailed(
                _("This token is unknown or has expired. Create a new one."), "unknown-token"
            )
        return user, token

    def authenticate_header(self, request: Request) -> str:
        return SCHEME


BODY_LIMIT = 64 * 1024
"""The maximum size of a request's body, in bytes. Bodies with a starship have `SHIP_LIMIT` instead."""

SHIP_LIMIT = 1024 * 1024
"""The maximum size of a body with a starship, in bytes."""


GAME_LIMIT = 4 * 1024 * 1024
"""The maximum size of a body with the file of a game, in bytes."""


class TooLarge(ServiceError):
    """The refusal of a request with a body over the limit."""

    status = 413

    def __init__(self, limit: int = BODY_LIMIT) -> None:
        detail = _("The body is larger than {kilobytes} kB, which is the limit.").format(
            kilobytes=limit // 1024
        )
        super().__init__("too-large", detail)


class _Encoder(JSONEncoder):
    """A JSON encoder: dataclasses become objects, and times become RFC 3339 texts in UTC, to the second."""

    def default(self, o: Any) -> Any:
        if is_dataclass(o):
            return {field.name: getattr(o, field.name) for field in fields(o)}
        if isinstance(o, datetime):
            return o.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return super().default(o)


class JsonRenderer(JSONRenderer):
    encoder_class = _Encoder


class JsonAlways(DefaultContentNegotiation):
    """Content negotiation without 406: if the client accepts no available format, send JSON."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """Return the requested renderer and its media type, or else the first renderer."""
        available = list(renderers)
        try:
            chosen: tuple[BaseRenderer, str] = super().select_renderer(request, available, format_suffix)
        except (NotAcceptable, Http404):
            return available[0], available[0].media_type
        return chosen


logger = logging.getLogger(__name__)


class Unauthorized(ServiceError):
    """The refusal of a login with a wrong name or password."""

    status = 401


def answer(error: Exception, context: Mapping[str, Any]) -> Response:
    """Return the response for an exception. Django REST framework calls this."""
    match error:
        case ServiceError():
            refusal = error
        case exceptions.ValidationError():
            refusal = _malformed(error)
        case exceptions.Throttled():
            seconds: float = getattr(error, "wait", None) or 60
            text = _("Too many requests. Try again in {seconds} s.")
            refusal = TooMany(text.format(seconds=math.ceil(seconds)), seconds)
        case exceptions.APIException():
            refusal = _of_framework(error)
        case Http404():
            refusal = _refusal(404, "not-found", _("There is nothing at this address."))
        case PermissionDenied():
            refusal = _refusal(403, "forbidden", str(error) or _("You are not allowed to do this."))
        case RequestDataTooBig():
            refusal = TooLarge()
        case SuspiciousOperation():  # such as more than 1,000 parameters
            refusal = _refusal(400, "malformed", _("This request has too many fields or is too large."))
        case OperationalError() | InterfaceError():
            logger.warning("The database is away or busy: %s", describe_error(error))
            refusal = Unavailable()
        case _:
            refusal = _internal_error(error, context)
    request = context.get("request")
    if (
        refusal.status == 401
        and request
        and (wait := limits.consume(limits.REFUSED, limits.address_of(request)))
    ):
        text = _("Too many requests while logged out. Log in, or try again in {seconds} s.")
        refusal = TooMany(text.format(seconds=wait), wait)
    response = Response(refusal.document, status=refusal.status)
    if refusal.status == 401:
        response.headers["WWW-Authenticate"] = SCHEME
    if isinstance(refusal, TooMany | Unavailable):
        response.headers["Retry-After"] = str(refusal.wait)
    return response


def _refusal(status: int, code: str, detail: str) -> ServiceError:
    refusal = ServiceError(code, detail)
    refusal.status = status
    return refusal


def _of_framework(error: exceptions.APIException) -> ServiceError:
    match error:
        case exceptions.NotAuthenticated():
            detail = _("Send a token: “Authorization: {scheme} TOKEN”.").format(scheme=SCHEME)
            return _refusal(401, "not-signed-in", detail)
        case exceptions.AuthenticationFailed():
            return _refusal(401, str(error.get_codes()), str(error.detail))
        case exceptions.MethodNotAllowed():
            return _refusal(405, "method", str(error.detail))
        case exceptions.UnsupportedMediaType():
            return _refusal(415, "not-json", _("Send JSON, with “Content-Type: application/json”."))
    return _refusal(error.status_code, error.default_code.replace("_", "-"), str(error.detail))


def _malformed(error: exceptions.ValidationError) -> ServiceError:
    """Return the refusal of a malformed body or query, with each error and its key."""
    problems = list(_faults(error.detail))
    detail = " ".join(problem["detail"] for problem in problems)
    return ServiceError("malformed", detail, problems)


def _faults(detail: Any, path: str = "") -> Iterator[ProblemDocument]:
    if isinstance(detail, Mapping):
        for key, inner in detail.items():
            of_all = key == api_settings.NON_FIELD_ERRORS_KEY  # errors of the whole object
            yield from _faults(inner, path if of_all else f"{path}.{key}" if path else str(key))
    elif isinstance(detail, list):
        for inner in detail:
            yield from _faults(inner, path)
    else:
        code = detail.code.replace("_", "-")
        about = {"key": path} if path else {}
        yield {"code": code, "detail": _sentence(code, path, str(detail)), **about}


def _sentence(code: str, key: str, text: str) -> str:
    if code == "required":
        return _("The key “{key}” is missing.").format(key=key)
    if not key or quoted(key) in text:
        return text
    return _("“{key}”: {problem}").format(key=key, problem=text)


def _internal_error(error: Exception, context: Mapping[str, Any]) -> ServiceError:
    """Report an internal error, and return a refusal without its details."""
    request = context.get("request")
    got_request_exception.send(sender=None, request=getattr(request, "_request", request))
    logger.error("%s failed", getattr(request, "path", "a request"), exc_info=error)
    return _refusal(500, "mishap", _("Something went wrong on our side. Try again later."))


@csrf_exempt
def no_such_path(request: HttpRequest) -> JsonResponse:
    """Answer 404 for every unknown path of the API."""
    detail = _("There is nothing at {path}. See /api/v1/schema/ for all addresses.").format(path=request.path)
    refusal = _refusal(404, "not-found", detail)
    return JsonResponse(refusal.document, status=404, json_dumps_params={"ensure_ascii": False})


class Throttle(BaseThrottle):
    """A throttle for one kind of API request. Requests of this kind to the site's pages count too."""

    limit: ClassVar[Limit]
    seconds = 0

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Count a request. Return whether it is allowed."""
        self.seconds = limits.consume_request(self.limit, request, self.limit.cost(_size_of(request)))
        return self.seconds == 0

    def wait(self) -> float:
        return self.seconds


def _size_of(request: Request) -> int:
    """Return the size of a request's body, in bytes.

    A body without a declared length counts as the largest allowed size. A body over this size counts as 0,
    because it is refused without being read.
    """
    if request.method in limits.SAFE_METHODS:
        return 0
    if "HTTP_TRANSFER_ENCODING" in request.META:
        return SHIP_LIMIT
    length = number_in(request.META.get("CONTENT_LENGTH")) or 0
    return length if length <= SHIP_LIMIT else 0


def counted_by(limit: Limit) -> type[Throttle]:
    """Return a throttle class that counts requests towards the given limit."""
    return type(f"Throttle[{limit.name}]", (Throttle,), {"limit": limit})


Reads: Final = counted_by(limits.READS)
Writes: Final = counted_by(limits.WRITES)
Submitting: Final = counted_by(limits.SUBMITTING)
DailyPrograms: Final = counted_by(limits.DAILY_PROGRAMS)
PuzzleTries: Final = counted_by(limits.PUZZLE_TRIES)
Previews: Final = counted_by(limits.PREVIEWS)
Checks: Final = counted_by(limits.CHECKS)
Outlooks: Final = counted_by(limits.OUTLOOKS)
Flights: Final = counted_by(limits.TEST_FLIGHTS)
PlayedOn: Final = counted_by(limits.PLAYED_ON)
Tokens: Final = counted_by(limits.TOKENS)
