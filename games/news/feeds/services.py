"""Feeds by secret address: made when someone wants them, renewed, and taken back."""

import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db import transaction

from accounts.models import User
from games.errors import refuse_guests
from games.news.feeds.models import Feed

SHOWN: Final = "shown-deadlines/1"


class Revision(NamedTuple):
    """How often a deadline of the calendar has moved, and when it last did."""

    number: int
    at: datetime


def make_feed(*, user: User, now: datetime) -> Feed:
    """Give someone new addresses for their feeds, which make those before worthless.

    Raises Forbidden for guests.
    """
    refuse_guests(user)
    nonce = {"nonce": secrets.token_hex(16), "made_at": now}
    return Feed.objects.update_or_create(user=user, defaults=nonce)[0]


def number_deadlines(
    *, feed: Feed, due: Mapping[int, datetime | None], opened: Mapping[int, datetime], now: datetime
) -> dict[int, Revision]:
    """Count how often each deadline of a calendar has moved (RFC 5545, SEQUENCE), by hand.

    ``due`` is None for a hand whose clock stands still: it keeps its count until its clock runs again.
    """
    with transaction.atomic():
        held = Feed.objects.select_for_update().filter(pk=feed.pk).first()
        before = ((held and held.shown) or {}).get("hands", {})
        after = {}
        for hand, at in due.items():
            known = before.get(str(hand))
            if known is None and at is not None:
                after[str(hand)] = _shown(at, 0, opened[hand])
            elif known is not None and (at is None or known["due"] == at.isoformat()):
                after[str(hand)] = known
            elif known is not None and at is not None:
                after[str(hand)] = _shown(at, known["number"] + 1, now)
        if held and after != before:
            held.shown = {"format": SHOWN, "hands": after}
            held.save(update_fields=["shown"])
    return {
        int(hand): Revision(shown["number"], datetime.fromisoformat(shown["at"]))
        for hand, shown in after.items()
    }


def _shown(due: datetime, number: int, at: datetime) -> dict[str, Any]:
    return {"due": due.isoformat(), "number": number, "at": at.isoformat()}


def drop_feed(*, user: User) -> None:
    """Make the addresses of someone's feeds worthless."""
    Feed.objects.filter(user=user).delete()
