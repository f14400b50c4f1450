"""Noting from which browser and network an account is used, and forgetting it.

A browser is known by a random number in a cookie, a network by its address (one of IPv6 by its first half).
Only hashes are kept, made with the key of the site, and only `KEPT` long after they were last seen.
"""

import re
import secrets
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from accounts.keyed_hashes import keyed_hashes
from accounts.limits import UNKNOWN, address_of
from accounts.traces.models import Trace
from accounts.users.models import User

KEPT: Final = timedelta(days=30)

AT_ONCE: Final = 1000
"""How many traces one pass of the sweeper forgets; the next one goes on."""

NUMBER: Final = re.compile(r"[A-Za-z0-9_-]{22}")


def browser_of(request: HttpRequest) -> str:
    """Return the number of the browser that asks, or an empty string if it has none."""
    shown = request.COOKIES.get(settings.BROWSER_COOKIE_NAME, "")
    number: str = getattr(request, "browser_number", "") or shown
    return number if NUMBER.fullmatch(number) else ""


def browser_hashes(number: str) -> list[str]:
    """Return the hashes by which a browser is known: the first is to be stored, each may be found."""
    return _digests_of(Trace.Kind.BROWSER, number) if number else []


def leave_traces(*, request: HttpRequest, user: User, now: datetime) -> None:
    """Note where someone is; the request has the ``browser_number`` then, for `mark_browser`."""
    number = browser_of(request) or secrets.token_urlsafe(16)
    request.browser_number = number  # type: ignore[attr-defined]
    marks = [(Trace.Kind.BROWSER, number)]
    if (address := address_of(request)) != UNKNOWN:
        marks.append((Trace.Kind.NETWORK, address))
    for kind, mark in marks:
        _rehash(user, kind, mark)
    Trace.objects.bulk_create(
        [
            Trace(user=user, kind=kind, digest=digest_of(kind, mark), first_at=now, last_at=now)
            for kind, mark in marks
        ],
        update_conflicts=True,
        update_fields=["last_at"],
        unique_fields=["user", "kind", "digest"],
    )


def mark_browser(*, response: HttpResponse, number: str) -> None:
    """Have a browser keep its number for as long as its traces are kept."""
    response.set_cookie(
        settings.BROWSER_COOKIE_NAME,
        number,
        max_age=KEPT,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def digest_of(kind: str, mark: str) -> str:
    """Return what is kept of a browser’s number or the address of a network."""
    return _digests_of(kind, mark)[0]


def _digests_of(kind: str, mark: str) -> list[str]:
    return keyed_hashes(f"{__name__}.{kind}", mark)


def _rehash(user: User, kind: str, mark: str) -> None:
    """Give a trace from before a new key the hash by the new one, so that it still matches others."""
    newest, *old = _digests_of(kind, mark)
    if old and not Trace.objects.filter(user=user, kind=kind, digest=newest).exists():
        earlier = Trace.objects.filter(user=user, kind=kind, digest__in=old).order_by("-last_at")
        Trace.objects.filter(pk=earlier.values("pk")[:1]).update(digest=newest)


def forget_traces(*, now: datetime) -> int:
    """Delete traces of browsers and networks that were not seen for long; return how many."""
    old = Trace.objects.filter(last_at__lte=now - KEPT).order_by("last_at")
    return Trace.objects.filter(pk__in=list(old.values_list("pk", flat=True)[:AT_ONCE])).delete()[0]
