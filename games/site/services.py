"""Removing what has expired: sessions, which Django itself keeps for ever, and tokens of the API."""

from datetime import datetime, timedelta
from typing import Final

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction

from games.clocks.selectors import since_when
from games.tokens.models import ApiToken

AT_ONCE: Final = 1000
"""How many rows of a kind go in one pass; the next pass goes on."""


def purge_sessions(*, now: datetime) -> int:
    """Delete sessions that are over, and what is noted of where they were; return how many."""
    lasts = timedelta(seconds=settings.SESSION_COOKIE_AGE)
    limit = since_when(period=lasts, now=now) + lasts
    over = Session.objects.filter(expire_date__lt=limit).order_by("expire_date")
    keys = list(over.values_list("pk", flat=True)[:AT_ONCE])
    with transaction.atomic():
        UserSession.objects.filter(session_key__in=keys).delete()
        return Session.objects.filter(pk__in=keys, expire_date__lt=limit).delete()[0]


def purge_tokens(*, now: datetime) -> int:
    """Delete tokens that open nothing any more; return how many."""
    over = ApiToken.objects.filter(expires_at__lte=now).order_by("expires_at")
    return ApiToken.objects.filter(pk__in=list(over.values_list("pk", flat=True)[:AT_ONCE])).delete()[0]
