"""The page to lead a browser to: after logging in, and from an address that only takes forms.

A page names itself as ``next`` in its links to log in and sign up. From there ``next`` travels in addresses
and forms, and in the link of the mail that confirms an address, so that it works in any browser.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeVar, cast
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import Resolver404, resolve, reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

View = TypeVar("View", bound=Callable[..., HttpResponse])

NEXT: Final = "next"

LONGEST: Final = 1000
"""The most characters of a page's address. Longer ones, such as lists with many filters, are not kept."""

_ENTRANCES: Final = ("account_", "mfa_", "usersessions_")
"""How the names of views begin that only lead on, and are no page to return to."""

_HOME: Final = "pages:home"
"""The page that everyone comes to without ``next``."""


def asked_in(request: HttpRequest) -> str:
    """Return the page that a request asks to go on to; empty if there is none on this site."""
    there = request.POST.get(NEXT) or request.GET.get(NEXT) or ""
    return there if is_here(request, there) and len(there) <= LONGEST else ""


def is_here(request: HttpRequest, address: str) -> bool:
    """Return whether an address leads to a page of this site."""
    return url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure())


def page_to_return_to(request: HttpRequest, *, address: str, name: str, is_page: bool) -> str:
    """Return the page to come back to from an entrance; empty if that is no use.

    ``address`` and ``name`` are of the page that is shown, and its view. An entrance hands on what it was
    asked. ``is_page`` tells whether the address can be opened by a link.
    """
    if name.startswith(_ENTRANCES):
        return asked_in(request)
    if not is_page or not name or name == _HOME or len(address) > LONGEST:
        return ""
    return address


def leading_to(view: str, onward: str) -> str:
    """Return the address of an entrance that leads on to a page."""
    return with_onward(reverse(view), onward)


def with_onward(address: str, onward: str) -> str:
    """Add the page to go on to to the address of an entrance."""
    return f"{address}?{urlencode({NEXT: onward})}" if onward else address


def only_by_form(view: View) -> View:
    """Have a page answer forms only. Lead a browser that opens its address to the page that it belongs to.

    That happens by reloading, going back, or a bookmark. Other methods get 405.
    """
    post = require_POST(view)

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **more: Any) -> HttpResponse:
        if request.method in {"GET", "HEAD"}:
            return redirect(page_above(request))
        return post(request, *args, **more)

    answer.only_by_form = True  # type: ignore[attr-defined]
    return cast("View", answer)


def page_above(request: HttpRequest) -> str:
    """Return the address of the nearest page above a request's, and keep the query."""
    path = request.path
    while path != "/":
        path = path[: path.rstrip("/").rindex("/") + 1]
        try:
            view = resolve(path).func
        except Resolver404:
            continue
        if not hasattr(view, "only_by_form"):
            break
    query = request.META.get("QUERY_STRING", "")
    return f"{path}?{query}" if query else path
