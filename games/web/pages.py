"""Helpers for pages: requests, lists and errors."""

import sys
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast
from urllib.parse import urlencode

from django.contrib.auth.models import AnonymousUser
from django.core.paginator import Page, Paginator
from django.db import InterfaceError, OperationalError
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import translation
from django.views.defaults import server_error

from accounts import guests
from accounts.languages import language_after_error
from accounts.models import User
from games.errors import DeadLink, Gone, NoLongerIn, NotFound, Unavailable

View = TypeVar("View", bound=Callable[..., HttpResponse])
Row = TypeVar("Row", bound=Model)

PAGE_SIZE = 20


def handle_missing(view: View) -> View:
    """Make a view answer 404 if a service or selector raises NotFound.

    It answers 410 if staff have taken the object down. After a POST, the 404 page also shows the error's
    text.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **more: Any) -> HttpResponse:
        try:
            return view(request, *args, **more)
        except Gone:
            return render(request, "410.html", status=Gone.status)
        except (NoLongerIn, DeadLink) as error:
            why = "left" if isinstance(error, NoLongerIn) else "dead_link"
            return render(request, "404.html", {"refused": error.detail, why: True}, status=error.status)
        except NotFound as error:
            if request.method == "POST":
                return render(request, "404.html", {"refused": error.detail}, status=error.status)
            raise Http404(error.detail) from None

    return cast("View", answer)


def require_account(view: View) -> View:
    """Make a view refuse guests. The view itself handles people who are not logged in."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **more: Any) -> HttpResponse:
        return (
            guests.accounts_only_page(request)
            if guests.is_guest(request.user)
            else view(request, *args, **more)
        )

    return cast("View", answer)


def viewer_of(request: HttpRequest) -> User | AnonymousUser:
    """Return the viewer of a request: a logged-in person, or Django's anonymous user."""
    return request.user


def user_of(request: HttpRequest) -> User:
    """Return the logged-in person of a request. The view must require a login."""
    assert isinstance(request.user, User)
    return request.user


def address_without_blanks(request: HttpRequest) -> str:
    """Return the URL of a list without its empty filters, for sharing.

    Returns an empty text if the URL has no empty filters.
    """
    asked = [(name, value) for name, values in request.GET.lists() for value in values]
    if all(value for _name, value in asked):
        return ""
    query = urlencode([(name, value) for name, value in asked if value])
    return f"{request.path}?{query}" if query else request.path


def page_of(
    request: HttpRequest, rows: QuerySet[Row], parameter: str = "page", size: int = PAGE_SIZE
) -> Page[Row]:
    """Return the requested page of a list, or the nearest existing page."""
    return Paginator(rows, size).get_page(request.GET.get(parameter))


def server_error_page(request: HttpRequest) -> HttpResponse:
    """Answer 500, or 503 if the database is down or too busy. Django calls this after an error.

    The page is the same for every reader, because without the database the reader is unknown.
    """
    with translation.override(language_after_error(request)):
        if not isinstance(sys.exc_info()[1], OperationalError | InterfaceError):
            return server_error(request)
        busy = Unavailable()
        response: HttpResponse
        if request.headers.get("Accept") == "application/json":
            response = JsonResponse(busy.document, status=busy.status)
        else:
            response = server_error(request, "503.html")
            response.status_code = busy.status
    response.headers["Retry-After"] = str(busy.wait)
    return response
