"""Guests: people who fly missions or play against computers, and have not signed up.

A guest is a `User` without password and address, logged in by the browser's session alone. Signing up makes
the same row a person; logging in to another account hands over what the guest has (`games.login_hooks`).
Where a guest has to be logged out on the way, the session keeps a claim, so that nothing is lost.
"""

import secrets
from datetime import timedelta
from typing import Any, Final

from allauth.core import ratelimit
from django.conf import settings
from django.contrib.auth import login
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from accounts import limits
from accounts.models import User

PREFIX = "Guest-"
CLAIM = "guest"
"""Where a session keeps whose games belong to its browser, once that guest was logged out."""

BEGINNINGS: Final = 60 * 60
"""Seconds in which only some guests come from one address (`ACCOUNT_RATE_LIMITS`)."""

_NUMBERS = range(100_000, 1_000_000)


def make_guest() -> User:
    """Create a guest with a new name."""
    while True:
        name = f"{PREFIX}{secrets.choice(_NUMBERS)}"
        try:
            with transaction.atomic():
                return User.objects.create_user(name, "", None, is_guest=True)
        except IntegrityError:
            continue


def enter(request: HttpRequest) -> User:
    """Log a stranger in as this browser's guest, or as a new one."""
    guest = guest_of(request) or make_guest()
    login(request, guest, settings.AUTHENTICATION_BACKENDS[0])
    request.session.pop(CLAIM, None)
    request.session.set_expiry(settings.GUEST_DAYS * 24 * 60 * 60)
    return guest


def admit(request: HttpRequest) -> User | None:
    """Return the player: the person who is logged in, or else a guest.

    None if too many guests have come from this address lately. Then `must_wait` is the answer.
    """
    if isinstance(request.user, User):
        return request.user
    if guest_of(request) is None and not ratelimit.consume(request, action="guest"):
        return None
    return enter(request)


def admit_to_a_game(request: HttpRequest) -> User | HttpResponse:
    """Return the player of a game against computers, or the answer if a guest must wait.

    It counts as one of a day's games for the guest, and for all guests at one address.
    """
    if isinstance(request.user, User) and not request.user.is_guest:
        return request.user
    if wait := limits.take(limits.GUEST_GAMES_FROM_ADDRESS, limits.address_of(request)):
        return must_wait(request, "address", wait)
    guest = admit(request)
    if guest is None:
        return must_wait(request)
    if wait := limits.take(limits.GUEST_GAMES, f"person:{guest.pk}"):
        return must_wait(request, "guest", wait)
    return guest


def must_wait(request: HttpRequest, used_up: str = "beginnings", wait: int = BEGINNINGS) -> HttpResponse:
    """Answer a guest or a stranger who has reached a limit. An account lifts it."""
    context = {
        "used_up": used_up,
        "wait": wait,
        "until": timezone.now() + timedelta(seconds=wait),
        "most_of_guest": limits.GUEST_GAMES.most,
        "most_of_address": limits.GUEST_GAMES_FROM_ADDRESS.most,
    }
    answer = render(request, "account/guest_waits.html", context, status=429)
    answer.headers["Retry-After"] = str(wait)
    return answer


def guest_of(request: HttpRequest) -> User | None:
    """Return the guest that this browser is, or was before logging out, if it still exists."""
    present: Any = getattr(request, "guest", None) or request.user
    if isinstance(present, User) and present.is_guest:
        return present
    claim = request.session.get(CLAIM)
    return User.objects.filter(pk=claim, is_guest=True).first() if claim else None


def is_guest(user: object) -> bool:
    """Return whether someone is a guest: neither a person with an account nor a stranger."""
    return isinstance(user, User) and user.is_guest


def refuse(request: HttpRequest) -> HttpResponse:
    """Answer a guest who asked for what takes an account."""
    return render(request, "account/guest.html", status=403)
