"""Guests: people who fly missions or play against computers without signing up.

A guest is a `User` without a password or an address, logged in only by the browser's session. Signing up
turns the guest's row into a person. Logging in to an existing account moves the guest's games there
(`games.login_hooks`). If the guest is logged out before then, the session keeps the guest's ID, so that the
games are not lost.
"""

import secrets
from datetime import datetime, timedelta
from typing import Any, Final

from allauth.account.adapter import get_adapter
from allauth.core import ratelimit
from django.conf import settings
from django.contrib.auth import login
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from accounts import admission, challenges, limits
from accounts.models import User

PREFIX = "Guest-"
GUEST_KEY = "guest"
"""The session key for the ID of a logged-out guest. A later login can claim the guest's games."""

NEW_GUEST_WINDOW: Final = 60 * 60
"""The period of the limit on new guests from one IP address, in seconds (`ACCOUNT_RATE_LIMITS`)."""

GUEST_CHALLENGE: Final = "guest"
"""The name of the form of new guests for puzzles (`challenges`)."""

_NUMBERS = range(100_000, 1_000_000)


def make_guest() -> User:
    while True:
        name = f"{PREFIX}{secrets.choice(_NUMBERS)}"
        try:
            with transaction.atomic():
                return User.objects.create_user(name, "", None, is_guest=True)
        except IntegrityError:
            continue


def log_in_as_guest(request: HttpRequest) -> User:
    """Log a stranger in as this browser's earlier guest, or as a new guest."""
    guest = guest_of(request) or make_guest()
    login(request, guest, settings.AUTHENTICATION_BACKENDS[0])
    request.session.pop(GUEST_KEY, None)
    request.session.set_expiry(settings.GUEST_DAYS * 24 * 60 * 60)
    return guest


def player_or_guest(request: HttpRequest) -> User | HttpResponse:
    """Return the logged-in person or guest. Log a stranger in as a guest.

    Returns a page instead if too many guests have come from this IP address recently, if its network is
    blocked, or if a new guest must solve a puzzle first.
    """
    if isinstance(request.user, User):
        return request.user
    if guest_of(request) is None:
        if refusal := _refusal_of_guest(request):
            return refusal
        if not ratelimit.consume(request, action="guest"):
            return guest_limit_page(request)
    return log_in_as_guest(request)


def _refusal_of_guest(request: HttpRequest) -> HttpResponse | None:
    """Return a page if this network is blocked, or if the stranger must solve a puzzle, or else None."""
    now = timezone.now()
    if admission.is_blocked_network(get_adapter().get_client_ip(request), now=now):
        return render(request, "account/guest_blocked.html", status=403)
    if challenges.is_required(now=now):
        detail = challenges.refusal_of(request, GUEST_CHALLENGE, now=now)
        if detail:
            return _challenge_page(request, detail, now)
    return None


def _challenge_page(request: HttpRequest, detail: str, now: datetime) -> HttpResponse:
    """Return a page that sends the same form again, with a solved puzzle. A script does it at once."""
    used = {"csrfmiddlewaretoken", challenges.SOLUTION_FIELD, challenges.TICKET_FIELD}
    tried = challenges.TICKET_FIELD in request.POST
    context = {
        "challenge": challenges.new_challenge(GUEST_CHALLENGE, request=request, now=now),
        "detail": detail if tried else "",
        "fields": [
            (name, value) for name in request.POST if name not in used for value in request.POST.getlist(name)
        ],
        "sent_to": request.get_full_path(),
    }
    return render(request, "account/guest_challenge.html", context, status=422)


def computer_game_player(request: HttpRequest) -> User | HttpResponse:
    """Return the player of a new game against computers, or a page if a guest can't start one now.

    A guest's game counts towards the daily limits of the guest and of the guest's IP address. A request that
    gets the puzzle does not count.
    """
    if isinstance(request.user, User) and not request.user.is_guest:
        return request.user
    is_new = guest_of(request) is None
    if is_new and (refusal := _refusal_of_guest(request)):
        return refusal
    if wait := limits.consume(limits.GUEST_GAMES_FROM_ADDRESS, limits.address_of(request)):
        return guest_limit_page(request, "address", wait)
    if is_new and not ratelimit.consume(request, action="guest"):
        return guest_limit_page(request)
    guest = request.user if isinstance(request.user, User) else log_in_as_guest(request)
    if wait := limits.consume(limits.GUEST_GAMES, f"person:{guest.pk}"):
        return guest_limit_page(request, "guest", wait)
    return guest


def guest_limit_page(
    request: HttpRequest, used_up: str = "beginnings", wait: int = NEW_GUEST_WINDOW
) -> HttpResponse:
    """Return a 429 page for a guest or stranger over a limit. It suggests signing up.

    ``wait`` is in seconds.
    """
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
    """Return this browser's guest, logged in or not, or None if it has no guest or the guest was deleted."""
    present: Any = getattr(request, "guest", None) or request.user
    if isinstance(present, User) and present.is_guest:
        return present
    claim = request.session.get(GUEST_KEY)
    return User.objects.filter(pk=claim, is_guest=True).first() if claim else None


def is_guest(user: object) -> bool:
    """Return whether a user is a guest. People with an account and strangers are not."""
    return isinstance(user, User) and user.is_guest


def accounts_only_page(request: HttpRequest) -> HttpResponse:
    """Return a 403 page for guests. It says that the requested page requires an account."""
    return render(request, "account/guest.html", status=403)
