"""Guests: people who fly training missions and have not signed up.

A guest is a `User` without password and address, signed in by the browser's session alone. Signing up makes
the same row a person; signing in to another account hands over what the guest has (`games.entrance`). Where a
guest has to be signed out on the way, the session keeps a claim, so that nothing is lost.
"""

import secrets
from typing import Any

from django.conf import settings
from django.contrib.auth import login
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.models import User

PREFIX = "Guest-"
CLAIM = "guest"
"""Where a session keeps whose missions belong to its browser, once that guest was signed out."""

_NUMBERS = range(100_000, 1_000_000)


def make_guest() -> User:
    """Make a guest, whose name nobody else bears."""
    while True:
        name = f"{PREFIX}{secrets.choice(_NUMBERS)}"
        try:
            with transaction.atomic():
                return User.objects.create_user(name, "", None, is_guest=True)
        except IntegrityError:
            continue


def enter(request: HttpRequest) -> User:
    """Sign a stranger in as a guest: as the one that their browser has been, or a new one."""
    guest = guest_of(request) or make_guest()
    login(request, guest, settings.AUTHENTICATION_BACKENDS[0])
    request.session.pop(CLAIM, None)
    request.session.set_expiry(settings.GUEST_DAYS * 24 * 60 * 60)
    return guest


def guest_of(request: HttpRequest) -> User | None:
    """Return the guest that this browser is, or was before signing out; None where there is none any more."""
    present: Any = getattr(request, "guest", None) or request.user
    if isinstance(present, User) and present.is_guest:
        return present
    claim = request.session.get(CLAIM)
    return User.objects.filter(pk=claim, is_guest=True).first() if claim else None


def is_guest(user: object) -> bool:
    """Return whether somebody is a guest: neither a person with an account nor a stranger."""
    return isinstance(user, User) and user.is_guest


def refuse(request: HttpRequest) -> HttpResponse:
    """Answer a guest who asked for what takes an account."""
    return render(request, "account/guest.html", status=403)
