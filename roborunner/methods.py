"""In which ways pages are asked for: looked at, and sent a form; whatever else HTTP knows is for the API."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseNotAllowed
from django.http.response import HttpResponseBase

METHODS = ("GET", "HEAD", "POST")


class MethodsMiddleware:
    """Answers 405 where a page is asked for in another way; which of the three it takes, its view says."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a request."""
        if request.method not in METHODS and not request.path.startswith("/api/"):
            return HttpResponseNotAllowed(METHODS)
        return self._get_response(request)
