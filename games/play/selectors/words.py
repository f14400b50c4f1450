"""The gate for words that others read: each service that stores such words passes it."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _

from accounts.models import User
from games.errors import Invalid
from games.moderation.sanctions import refuse_muted
from games.play.selectors.newcomers import is_newcomer, limits

MARKS: Final = ("http://", "https://", "www.")
"""What a link is known by."""


def refuse_words(*, user: User, words: Iterable[str], before: Iterable[str] = (), now: datetime) -> None:
    """Refuse words that a player may not publish at present.

    Words that others read ``before`` may stay, and words may be removed. Raises Forbidden for a player who is
    muted or suspended, and Invalid for a newcomer's link.
    """
    known = set(before)
    new = [text for text in words if text.strip() and text not in known]
    if not new:
        return
    refuse_muted(user=user, now=now)
    if any(_has_link(text) for text in new) and is_newcomer(user=user, now=now):
        raise Invalid("link", limits(_("At first your texts cannot contain links.")))


def _has_link(text: str) -> bool:
    low = text.lower()
    return any(mark in low for mark in MARKS)
