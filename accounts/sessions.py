"""Sessions: how long they last, and the browsers and networks of logged-in people.

Games last for weeks, and players come back once a day. So each use extends a session: it ends 14 days after
its last use (``SESSION_COOKIE_AGE``), and at the latest `MAX_LOGIN_AGE` after the login. A guest cannot log
in again, so a guest's session lasts as long as a guest's missions are stored (``GUEST_DAYS``).

A random string in a cookie identifies a browser, and the IP address identifies a network (the first half
is enough for IPv6). The site stores only keyed hashes of both, and deletes a hash `TRACE_LIFETIME` after its
last use.
"""

import math
import re
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
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

from accounts.limits import UNKNOWN_REQUESTER, address_of
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


def browser_and_system(user_agent: str) -> str:
    """Return the names of a browser and its system, joined by a slash. An unknown name is empty.

    >>> browser_and_system("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox/Linux'
    >>> browser_and_system("")
    '/'
    """
    return f"{_first_match(BROWSERS, user_agent)}/{_first_match(SYSTEMS, user_agent)}"


def browser_in_words(kept: str) -> str:
    """Return the display name for a result of `browser_and_system`.

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
"""The characters allowed in a session key."""


_SESSIONS: Final = PreparedQuery(lambda key: Session.objects.filter(session_key=key), str)


def _trust_this_clock(_now: datetime) -> bool:
    """Return True: without a replacement, trust the clock of this process."""
    return True


clock_is_confirmed: Callable[[datetime], bool] = _trust_this_clock
"""Returns whether other clocks confirm a time. `games` replaces this function at startup.

A session expires only at a confirmed time.
"""


class SessionStore(DatabaseStore):
    """A session store that refuses cookies with invalid keys without a database query."""

    def _get_session_from_db(self) -> Session | None:
        """Return the row of the session, or None if it is missing or expired."""
        session, now = _SESSIONS.first(self.session_key), timezone.now()
        if session is not None and session.expire_date <= now and clock_is_confirmed(now):
            session = None
        if session is None:
            self._session_key = None
        return session

    def _validate_session_key(self, key: str | None) -> bool:
        return bool(super()._validate_session_key(key)) and KEY_CHARACTERS.issuperset(key or "")  # type: ignore[misc]


class ReadOnlySession(SessionStore):
    """A read-only session, for requests whose answers cannot set a cookie.

    After a change of ``SECRET_KEY``, Django's `get_user` gives an older session a new key. Without a cookie,
    the browser would not receive that key, and the person would be logged out.
    """

    key_salt = "django.contrib.sessions.SessionStore"  # Django signs sessions with the name of their class

    def cycle_key(self) -> None:
        """Do nothing, so that the session key stays the same."""

    def save(self, must_create: bool = False) -> None:
        """Do nothing, so that the session is never saved."""


class MessageCookie(CookieStorage):
    cookie_name = settings.MESSAGES_COOKIE_NAME


class MessageStorage(FallbackStorage):
    """Stores Django's messages in a cookie named after this site, or in the session if the cookie is full."""

    storage_classes = (MessageCookie, SessionStorage)


TRACE_LIFETIME: Final = timedelta(days=30)

TRACES_PER_PASS: Final = 1000
"""The maximum number of traces (hashes of browsers and networks) that one pass of the sweeper deletes."""

_TRACES: Final = "accounts.traces.services"
"""The salt for hashes of traces. If it changes, stored traces no longer match any browser or network."""

BROWSER_TOKEN_PATTERN: Final = re.compile(r"[A-Za-z0-9_-]{22}")


def browser_of(request: HttpRequest) -> str:
    """Return the random string that identifies the requesting browser, or an empty string."""
    shown = request.COOKIES.get(settings.BROWSER_COOKIE_NAME, "")
    token: str = getattr(request, "browser_token", "") or shown
    return token if BROWSER_TOKEN_PATTERN.fullmatch(token) else ""


def browser_hashes(token: str) -> list[str]:
    """Return the hashes of a browser's random string (`keyed_hashes`), or an empty list for an empty string.

    Store the first hash, but look for all of them.
    """
    return _digests_of(Trace.Kind.BROWSER, token) if token else []


def record_traces(*, request: HttpRequest, user: User, now: datetime) -> None:
    """Record the browser and network of a logged-in person.

    Also sets ``request.browser_token``, which `set_browser_cookie` sends to the browser.
    """
    token = browser_of(request) or secrets.token_urlsafe(16)
    request.browser_token = token  # type: ignore[attr-defined]
    marks = [(Trace.Kind.BROWSER, token)]
    if (address := address_of(request)) != UNKNOWN_REQUESTER:
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


def set_browser_cookie(*, response: HttpResponse, token: str) -> None:
    """Set the cookie with the browser's random string. It expires after `TRACE_LIFETIME`."""
    response.set_cookie(
        settings.BROWSER_COOKIE_NAME,
        token,
        max_age=TRACE_LIFETIME,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def trace_digest(kind: str, mark: str) -> str:
    return _digests_of(kind, mark)[0]


def _digests_of(kind: str, mark: str) -> list[str]:
    return keyed_hashes(f"{_TRACES}.{kind}", mark)


def _rehash(user: User, kind: str, mark: str) -> None:
    """Rehash a stored trace with the current key if its hash was made with an older key."""
    newest, *old = _digests_of(kind, mark)
    if old and not Trace.objects.filter(user=user, kind=kind, digest=newest).exists():
        earlier = Trace.objects.filter(user=user, kind=kind, digest__in=old).order_by("-last_at")
        Trace.objects.filter(pk=earlier.values("pk")[:1]).update(digest=newest)


def delete_expired_traces(*, now: datetime) -> int:
    """Delete up to `TRACES_PER_PASS` hashes of browsers and networks not used for `TRACE_LIFETIME`.

    Returns the number of deleted rows.
    """
    old = Trace.objects.filter(last_at__lte=now - TRACE_LIFETIME).order_by("last_at")
    return Trace.objects.filter(pk__in=list(old.values_list("pk", flat=True)[:TRACES_PER_PASS])).delete()[0]


MAX_LOGIN_AGE: Final = 90 * 24 * 60 * 60
"""The maximum time between a login and the next required login, in seconds."""

EXTEND_INTERVAL: Final = 60 * 60
"""The minimum interval between two extensions of a session in use, in seconds."""

LOGIN_TIME_KEY: Final = "signed_in_at"
"""The key in session data for the time of the login."""
LAST_SEEN_KEY: Final = "seen_at"
"""The key in session data for the time of the last visit."""
PREVIOUS_VISIT_KEY: Final = "seen_before"
"""The key in session data for the time when the visit before this one ended, to the hour."""
BROWSER_KEY: Final = "browser"
"""The key in session data for the random string that identifies the browser."""


@dataclass(frozen=True, slots=True)
class LoggedInBrowser:
    """One session of a logged-in person, as the list of sessions shows it."""

    pk: int
    browser: str
    ip: str
    created_at: datetime
    last_seen_at: datetime
    is_current: bool


def record_login(*, request: HttpRequest, user: User, **_: Any) -> None:
    """Record a login of any kind. This is a receiver of Django's ``user_logged_in`` signal."""
    request.session[LOGIN_TIME_KEY] = request.session[LAST_SEEN_KEY] = int(time.time())
    if not user.is_guest:
        _record_traces(request, user)


def is_login_expired(session: SessionBase, user: object) -> bool:
    """Return whether a session is so old that the person must log in again."""
    return time.time() > login_expires_at(session, user) and clock_is_confirmed(timezone.now())


def login_expires_at(session: SessionBase, user: object) -> float:
    """Return the time when a person must log in again, in seconds since 1970, or infinity for guests."""
    since = session.get(LOGIN_TIME_KEY)
    if since is None or not isinstance(user, User) or user.is_guest:
        return math.inf
    return float(since + MAX_LOGIN_AGE)


def sessions_alive(keys: Iterable[str], *, now: datetime) -> set[str]:
    """Return the session keys that belong to existing, unexpired sessions."""
    found = dict(Session.objects.filter(session_key__in=list(keys)).values_list("session_key", "expire_date"))
    expired = {key for key, expires_at in found.items() if expires_at <= now}
    return found.keys() - expired if expired and clock_is_confirmed(now) else set(found)


def extend_session(request: HttpRequest) -> None:
    """Log a person out if their login is too old. Otherwise extend their session, at most once an hour."""
    if not request.user.is_authenticated:
        return
    session = request.session
    if is_login_expired(session, request.user):
        logout(request)
    elif (away := time.time() - session.get(LAST_SEEN_KEY, 0)) > EXTEND_INTERVAL:
        if away > 2 * EXTEND_INTERVAL:  # in a long visit, two extensions are closer
            session[PREVIOUS_VISIT_KEY] = session.get(LAST_SEEN_KEY)
        session[LAST_SEEN_KEY] = int(time.time())
        if not request.user.is_guest:
            UserSession.objects.create_from_request(request)
            _record_traces(request, request.user)


def previous_visit(session: SessionBase) -> datetime | None:
    """Return the time of the visit before this one, or None in the first visit after a login."""
    seen = session.get(PREVIOUS_VISIT_KEY)
    return None if seen is None else datetime.fromtimestamp(seen, UTC)


def _record_traces(request: HttpRequest, user: User) -> None:
    record_traces(request=request, user=user, now=timezone.now())
    request.session[BROWSER_KEY] = browser_of(request)


def sessions_of(user: User) -> list[LoggedInBrowser]:
    """Return a person's sessions: the current session first, then the others, latest visit first."""
    found = [
        LoggedInBrowser(
            each.pk,
            browser_in_words(browser_and_system(each.user_agent)),
            each.ip,
            each.created_at,
            each.last_seen_at,
            each.is_current(),
        )
        for each in UserSession.objects.purge_and_list(user)
    ]
    return sorted(found, key=lambda each: (each.is_current, each.last_seen_at), reverse=True)
