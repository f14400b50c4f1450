"""Addresses that pages had before: each leads for good to where its page is now, with its query."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import URLPattern, path, reverse
from django.utils.encoding import escape_uri_path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods


def moved_to(name: str) -> Callable[..., HttpResponse]:
    """Return a view that leads to the page of that name, and to the same part of it where there are parts.

    A form of a page that was open while its address changed is sent to the new one as it is (308).
    """

    @csrf_exempt  # nothing changes here: the new address looks for the token
    @require_http_methods(["GET", "HEAD", "POST"])
    def lead_on(request: HttpRequest, rest: str = "") -> HttpResponse:
        query = request.META.get("QUERY_STRING", "")
        there = reverse(name) + escape_uri_path(rest) + (f"?{query}" if query else "")
        return HttpResponsePermanentRedirect(there, preserve_request=request.method == "POST")

    return lead_on


urlpatterns: list[URLPattern] = [
    path("room/", moved_to("games:room")),
    path("preferences/", moved_to("accounts:profile")),
    path("preferences/<path:rest>", moved_to("accounts:settings")),
    path("accounts/settings/", moved_to("accounts:settings")),
]
