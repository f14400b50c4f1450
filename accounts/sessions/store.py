"""Where sessions are kept: in the database, as Django does it, and looked for by keys alone."""

from datetime import datetime
from typing import Final

from django.contrib.sessions.backends.base import VALID_KEY_CHARS
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts.statements import Statement

KEY: Final = frozenset(VALID_KEY_CHARS)
"""The characters of which keys are made."""


_SESSIONS: Final = Statement(
    lambda key, now: Session.objects.filter(session_key=key, expire_date__gt=now), str, datetime
)


class SessionStore(DatabaseStore):
    """A session; what no key can be, as a cookie may hold anything, is not asked for in the database."""

    def _get_session_from_db(self) -> Session | None:
        """Return the row, if there is one that has not expired; each request asks for it."""
        session = _SESSIONS.first(self.session_key, timezone.now())
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
