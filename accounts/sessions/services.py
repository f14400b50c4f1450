"""How long someone stays logged in, and where they are.

Games last for weeks, and their players come by mail once a day: a session lasts while it is used, but not
for ever. It ends 14 days after its last use (``SESSION_COOKIE_AGE``), and `LONGEST` after the login in any
case. A guest, who has nothing to log in with, is remembered as long as their missions are (``GUEST_DAYS``).
"""

import math
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from allauth.usersessions.models import UserSession
from django.contrib.auth import logout
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.utils import timezone

from accounts import browsers
from accounts.sessions import store
from accounts.traces.services import browser_of, leave_traces
from accounts.users.models import User

LONGEST: Final = 90 * 24 * 60 * 60
"""Seconds after which one has to log in again, however much the session is used."""

NOTED_EVERY: Final = 60 * 60
"""Seconds between two notes that a session is in use, each of which puts its end off."""

SINCE: Final = "signed_in_at"
SEEN: Final = "seen_at"
BROWSER: Final = "browser"
"""Keys in a session: when its person logged in and was last there, and the browser's number."""


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A browser in which someone is logged in."""

    pk: int
    browser: str
    ip: str
    created_at: datetime
    last_seen_at: datetime
    is_current: bool


def begin(*, request: HttpRequest, user: User, **_: Any) -> None:
    """Note when someone logs in, in whatever way: a receiver of Django's ``user_logged_in``."""
    request.session[SINCE] = request.session[SEEN] = int(time.time())
    if not user.is_guest:
        _leave_traces(request, user)


def is_worn_out(session: SessionBase, user: object) -> bool:
    """Return whether a person logged in so long ago that they have to once more."""
    return time.time() > wears_out_at(session, user) and store.confirms(timezone.now())


def wears_out_at(session: SessionBase, user: object) -> float:
    """Return the time, in seconds since 1970, after which a person has to log in again."""
    since = session.get(SINCE)
    if since is None or not isinstance(user, User) or user.is_guest:
        return math.inf
    return float(since + LONGEST)


def alive(keys: Iterable[str], *, now: datetime) -> set[str]:
    """Return which sessions, by their keys, exist and have not expired."""
    found = dict(Session.objects.filter(session_key__in=list(keys)).values_list("session_key", "expire_date"))
    expired = {key for key, expires_at in found.items() if expires_at <= now}
    return found.keys() - expired if expired and store.confirms(now) else set(found)


def keep(request: HttpRequest) -> None:
    """End a session that is worn out; note from time to time that the others are in use."""
    if not request.user.is_authenticated:
        return
    session = request.session
    if is_worn_out(session, request.user):
        logout(request)
    elif time.time() - session.get(SEEN, 0) > NOTED_EVERY:
        session[SEEN] = int(time.time())
        if not request.user.is_guest:
            UserSession.objects.create_from_request(request)
            _leave_traces(request, request.user)


def _leave_traces(request: HttpRequest, user: User) -> None:
    leave_traces(request=request, user=user, now=timezone.now())
    request.session[BROWSER] = browser_of(request)


def of(user: User) -> list[SignedIn]:
    """Return where someone is logged in, where they look from first, then by when they were seen last."""
    found = [
        SignedIn(
            each.pk,
            browsers.tell(browsers.recognised(each.user_agent)),
            each.ip,
            each.created_at,
            each.last_seen_at,
            each.is_current(),
        )
        for each in UserSession.objects.purge_and_list(user)
    ]
    return sorted(found, key=lambda each: (each.is_current, each.last_seen_at), reverse=True)
