"""Storage of sessions, in the database by key, and of messages for the next page, in a cookie."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage
from django.contrib.sessions.backends.base import VALID_KEY_CHARS
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts.statements import Statement

KEY: Final = frozenset(VALID_KEY_CHARS)
"""The characters of which keys are made."""


_SESSIONS: Final = Statement(lambda key: Session.objects.filter(session_key=key), str)


def _trust_this_clock(_now: datetime) -> bool:
    """Take the time of this process for the right one."""
    return True


confirms: Callable[[datetime], bool] = _trust_this_clock
"""Whether other clocks confirm a time; no session ends by one that they don't. Games set it."""


class SessionStore(DatabaseStore):
    """A session; what no key can be, as a cookie may hold anything, is not asked for in the database."""

    def _get_session_from_db(self) -> Session | None:
        """Return the row, if there is one that has not expired; each request asks for it."""
        session, now = _SESSIONS.first(self.session_key), timezone.now()
        if session is not None and session.expire_date <= now and confirms(now):
            session = None
        if session is None:
            self._session_key = None
        return session

    def _validate_session_key(self, key: str | None) -> bool:
        return bool(super()._validate_session_key(key)) and KEY.issuperset(key or "")  # type: ignore[misc]


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
