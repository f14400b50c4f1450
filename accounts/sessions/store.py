"""Where sessions are kept: in the database, as Django does it, and looked for by keys alone."""

from typing import Final

from django.contrib.sessions.backends.base import VALID_KEY_CHARS
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore

KEY: Final = frozenset(VALID_KEY_CHARS)
"""The characters of which keys are made."""


class SessionStore(DatabaseStore):
    """A session; what no key can be, as a cookie may hold anything, is not asked for in the database."""

    def _validate_session_key(self, key: str | None) -> bool:
        return bool(super()._validate_session_key(key)) and KEY.issuperset(key or "")  # type: ignore[misc]
