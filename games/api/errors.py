"""Errors as answers: always ``{"error": CODE, "detail": TEXT, "problems": [...]}``, whatever went wrong."""

import logging
import math
from collections.abc import Iterator, Mapping
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.core.signals import got_request_exception
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.settings import api_settings

from accounts import limits
from games.api.authentication import SCHEME
from games.api.wire import TooLarge
from games.errors import ProblemDocument, ServiceError, TooMany, Unavailable, reason_of

logger = logging.getLogger(__name__)


class Unauthorized(ServiceError):
    """A name and a password that do not belong together."""

    status = 401


def answer(error: Exception, context: Mapping[str, Any]) -> Response:
    """Return the answer to an error: Django REST framework calls this for whatever a view raises."""
    match error:
        case ServiceError():
            refusal = error
        case exceptions.ValidationError():
            refusal = _malformed(error)
        case exceptions.Throttled():
            seconds: float = getattr(error, "wait", None) or 60
            text = _("These are too many requests: try again in {seconds} s.")
            refusal = TooMany(text.format(seconds=math.ceil(seconds)), seconds)
        case exceptions.APIException():
            refusal = _of_framework(error)
        case Http404():
            refusal = _refusal(404, "not-found", _("There is nothing here."))
        case PermissionDenied():
            refusal = _refusal(403, "forbidden", str(error) or _("You may not do this."))
        case RequestDataTooBig():
            refusal = TooLarge()
        case SuspiciousOperation():  # more than a thousand parameters, say
            refusal = _refusal(400, "malformed", _("This request has too much in it."))
        case OperationalError() | InterfaceError():
            logger.warning("The database is away or busy: %s", reason_of(error))
            refusal = Unavailable()
        case _:
            refusal = _mishap(error, context)
    request = context.get("request")
    if (
        refusal.status == 401
        and request
        and (wait := limits.take(limits.REFUSED, limits.address_of(request)))
    ):
        text = _("These are too many requests without a login: try again in {seconds} s.")
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
    """Return all that is wrong with the form of a body or of a query, each fault with its key."""
    problems = list(_faults(error.detail))
    detail = " ".join(problem["detail"] for problem in problems)
    return ServiceError("malformed", detail, problems)


def _faults(detail: Any, path: str = "") -> Iterator[ProblemDocument]:
    if isinstance(detail, Mapping):
        for key, inner in detail.items():
            of_all = key == api_settings.NON_FIELD_ERRORS_KEY  # what is wrong with the object as a whole
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
    return text if not key or f"“{key}”" in text else f"“{key}”: {text}"


def _mishap(error: Exception, context: Mapping[str, Any]) -> ServiceError:
    """Report an error of ours, and say no more about it than that it is one."""
    request = context.get("request")
    got_request_exception.send(sender=None, request=getattr(request, "_request", request))
    logger.error("%s failed", getattr(request, "path", "a request"), exc_info=error)
    return _refusal(500, "mishap", _("Something went wrong here, and has been noted. Try again later."))


@csrf_exempt
def no_such_path(request: HttpRequest) -> JsonResponse:
    """Answer for all paths that the API does not have."""
    detail = _("There is nothing at {path}; /api/v1/schema/ says what there is.").format(path=request.path)
    refusal = _refusal(404, "not-found", detail)
    return JsonResponse(refusal.document, status=404, json_dumps_params={"ensure_ascii": False})
