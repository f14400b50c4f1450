"""Sessions: how long a person stays logged in, in which browsers, and from which networks.

Games last for weeks, and players come back once a day. So a session lasts while it is used, but not for
ever. It ends 14 days after its last use (``SESSION_COOKIE_AGE``), and `LONGEST` after the login in any case.
A guest has nothing to log in with, and is remembered as long as their missions are (``GUEST_DAYS``).

A browser is known by a random number in a cookie, and a network by its address (IPv6: by its first half).
The site stores only keyed hashes of them, until `TRACES_KEPT` after they were last seen.
"""

import math
import re
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import logout
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage
from django.contrib.sessions.backends.base import VALID_KEY_CHARS, SessionBase
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.models import Session
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.limits import UNKNOWN, address_of
from accounts.mail import keyed_hashes
from accounts.models import Trace, User
from roborunner.postgres.queries import PreparedQuery

BROWSERS: Final = {
    "Edge": r"Edg(?:e|A|iOS)?/",
    "Opera": r"OPR/|Opera",
    "Samsung Internet": r"SamsungBrowser/",
    "Firefox": r"Firefox/|FxiOS/",
    "Chrome": r"Chrom(?:e|ium)/|CriOS/",
    "Safari": r"Safari/",
}
SYSTEMS: Final = {
    "Android": r"Android",
    "iPhone": r"iPhone",
    "iPad": r"iPad",
    "Windows": r"Windows",
    "Mac": r"Mac OS|Macintosh",
    "ChromeOS": r"CrOS",
    "Linux": r"Linux|X11",
}


def recognised(user_agent: str) -> str:
    """Return browser and system, each empty if it is unknown.

    >>> recognised("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"), recognised("")
    ('Firefox/Linux', '/')
    """
    return f"{_first_match(BROWSERS, user_agent)}/{_first_match(SYSTEMS, user_agent)}"


def browser_in_words(kept: str) -> str:
    """Return what to call a browser that was recognised.

    >>> browser_in_words("Firefox/Linux"), browser_in_words("/")
    ('Firefox on Linux', 'Unknown browser')
    """
    browser, _slash, system = kept.partition("/")
    if browser and system:
        return _("{browser} on {system}").format(browser=browser, system=system)
    if system:
        return _("Unknown browser on {system}").format(system=system)
    return browser or _("Unknown browser")


def _first_match(patterns: Mapping[str, str], text: str) -> str:
    return next((name for name, pattern in patterns.items() if re.search(pattern, text)), "")


KEY_CHARACTERS: Final = frozenset(VALID_KEY_CHARS)
"""The characters of which keys are made."""


_SESSIONS: Final = PreparedQuery(lambda key: Session.objects.filter(session_key=key), str)


def _trust_this_clock(_now: datetime) -> bool:
    """Take the time of this process for the right one."""
    return True


clock_is_confirmed: Callable[[datetime], bool] = _trust_this_clock
"""Whether other clocks confirm a time; no session ends by one that they don't. Games set it."""


class SessionStore(DatabaseStore):
    """A session. A cookie whose value cannot be a key is not looked up in the database."""

    def _get_session_from_db(self) -> Session | None:
        """Return the row of a session that has not expired, if there is one."""
        session, now = _SESSIONS.first(self.session_key), timezone.now()
        if session is not None and session.expire_date <= now and clock_is_confirmed(now):
            session = None
        if session is None:
            self._session_key = None
        return session

    def _validate_session_key(self, key: str | None) -> bool:
        return bool(super()._validate_session_key(key)) and KEY_CHARACTERS.issuperset(key or "")  # type: ignore[misc]


class ReadOnlySession(SessionStore):
    """A session for requests that can't set a cookie: reading it changes nothing.

    `get_user` gives a session from before a new ``SECRET_KEY`` another key, which the browser would not get.
    """

    key_salt = "django.contrib.sessions.SessionStore"  # Django signs sessions by the name of their class

    def cycle_key(self) -> None:
        """Keep the key."""

    def save(self, must_create: bool = False) -> None:
        """Write nothing."""


class MessageCookie(CookieStorage):
    """Messages in a cookie with our own name."""

    cookie_name = settings.MESSAGES_COOKIE_NAME


class MessageStorage(FallbackStorage):
    """Messages in our cookie; the session takes those for which the cookie has no room."""

    storage_classes = (MessageCookie, SessionStorage)


TRACES_KEPT: Final = timedelta(days=30)

AT_ONCE: Final = 1000
"""How many traces one pass of the sweeper forgets; the next one goes on."""

_TRACES: Final = "accounts.traces.services"
"""What the hashes of traces are salted with. Another text would make all of them unknown."""

BROWSER_NUMBER: Final = re.compile(r"[A-Za-z0-9_-]{22}")


def browser_of(request: HttpRequest) -> str:
    """Return the number of the browser that asks, or an empty string if it has none."""
    shown = request.COOKIES.get(settings.BROWSER_COOKIE_NAME, "")
    number: str = getattr(request, "browser_number", "") or shown
    return number if BROWSER_NUMBER.fullmatch(number) else ""


def browser_hashes(number: str) -> list[str]:
    """Return the hashes of a browser: the first one is stored, and any of them may be found."""
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
            Trace(user=user, kind=kind, digest=trace_digest(kind, mark), first_at=now, last_at=now)
            for kind, mark in marks
        ],
        update_conflicts=True,
        update_fields=["last_at"],
        unique_fields=["user", "kind", "digest"],
    )


def mark_browser(*, response: HttpResponse, number: str) -> None:
    """Keep the browser's number for as long as its traces."""
    response.set_cookie(
        settings.BROWSER_COOKIE_NAME,
        number,
        max_age=TRACES_KEPT,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def trace_digest(kind: str, mark: str) -> str:
    """Return the hash of a browser’s number or a network's address."""
    return _digests_of(kind, mark)[0]


def _digests_of(kind: str, mark: str) -> list[str]:
    return keyed_hashes(f"{_TRACES}.{kind}", mark)


def _rehash(user: User, kind: str, mark: str) -> None:
    """Give a trace from before a new key the hash by the new one, so that it still matches others."""
    newest, *old = _digests_of(kind, mark)
    if old and not Trace.objects.filter(user=user, kind=kind, digest=newest).exists():
        earlier = Trace.objects.filter(user=user, kind=kind, digest__in=old).order_by("-last_at")
        Trace.objects.filter(pk=earlier.values("pk")[:1]).update(digest=newest)


def forget_traces(*, now: datetime) -> int:
    """Delete traces of browsers and networks that were not seen for long; return how many."""
    old = Trace.objects.filter(last_at__lte=now - TRACES_KEPT).order_by("last_at")
    return Trace.objects.filter(pk__in=list(old.values_list("pk", flat=True)[:AT_ONCE])).delete()[0]


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


def note_login(*, request: HttpRequest, user: User, **_: Any) -> None:
    """Note when someone logs in, in whatever way: a receiver of Django's ``user_logged_in``."""
    request.session[SINCE] = request.session[SEEN] = int(time.time())
    if not user.is_guest:
        _leave_traces(request, user)


def is_worn_out(session: SessionBase, user: object) -> bool:
    """Return whether a person logged in so long ago that they have to once more."""
    return time.time() > wears_out_at(session, user) and clock_is_confirmed(timezone.now())


def wears_out_at(session: SessionBase, user: object) -> float:
    """Return the time, in seconds since 1970, after which a person has to log in again."""
    since = session.get(SINCE)
    if since is None or not isinstance(user, User) or user.is_guest:
        return math.inf
    return float(since + LONGEST)


def sessions_alive(keys: Iterable[str], *, now: datetime) -> set[str]:
    """Return which sessions, by their keys, exist and have not expired."""
    found = dict(Session.objects.filter(session_key__in=list(keys)).values_list("session_key", "expire_date"))
    expired = {key for key, expires_at in found.items() if expires_at <= now}
    return found.keys() - expired if expired and clock_is_confirmed(now) else set(found)


def keep_session(request: HttpRequest) -> None:
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


def sessions_of(user: User) -> list[SignedIn]:
    """Return a person's sessions: first this one, then the last used."""
    found = [
        SignedIn(
            each.pk,
            browser_in_words(recognised(each.user_agent)),
            each.ip,
            each.created_at,
            each.last_seen_at,
            each.is_current(),
        )
        for each in UserSession.objects.purge_and_list(user)
    ]
    return sorted(found, key=lambda each: (each.is_current, each.last_seen_at), reverse=True)
