"""The addresses for and about those who run the service, answered before anything else is asked of a request.

No host name is checked there, since probes call a process by its number; no session is read, and nothing of
the site's pages is needed for an answer.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase

from roborunner.operations import contact, metrics, probes

Answer = Callable[[HttpRequest], HttpResponse]

ADDRESSES: dict[str, Answer] = {
    "/healthz": probes.healthz,
    "/readyz": probes.readyz,
    "/metrics": metrics.answer,
    contact.PATH: contact.answer,
}


class DeskMiddleware:
    """Answers those addresses, and hands on all others."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a request."""
        answer = ADDRESSES.get(request.path_info)
        if answer is None:
            return self._get_response(request)
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        response = answer(request)
        response["Cache-Control"] = "no-store"
        response["X-Content-Type-Options"] = "nosniff"
        return response
