"""A puzzle against scripts, for sign-ups and new guests while unusually many come.

In quiet hours, there is no puzzle. If more than ``SIGN_UP_RUSH`` people came within an hour, the browser
solves one (ALTCHA: a proof of work by PBKDF2), which takes a phone about a second. A browser without scripts
waits for `WAIT` instead, with a ticket. Tickets are few for each network, so a script gains nothing by
waiting. No third party is involved.

Puzzles and tickets are signed, name the form that they are for, work once, and expire.
"""

import json
import secrets
from base64 import b64decode
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Any, Final

import altcha
from django.conf import settings
from django.core import signing
from django.core.cache import cache
from django.http import HttpRequest
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _, ngettext

from accounts import limits
from accounts.models import User

RUSH_PERIOD: Final = timedelta(hours=1)

LIFETIME: Final = timedelta(minutes=30)
"""How long a puzzle or a ticket can be used."""

WAIT: Final = timedelta(seconds=10)
"""How long a browser without scripts waits."""

TICKETS: Final = limits.Limit("tickets", 5, 60)
"""The limit for tickets that one network uses instead of puzzles."""

ITERATIONS: Final = 2000
"""The iterations of PBKDF2 for one attempt to solve a puzzle (docs/sign-up.md has the time of a puzzle)."""

ATTEMPTS: Final = range(100, 300)
"""The number of attempts that a puzzle takes."""

MAX_SOLUTION_LENGTH: Final = 4000

SOLUTION_FIELD: Final = "solution"
TICKET_FIELD: Final = "ticket"

_SALT: Final = "accounts.challenges"


@dataclass(frozen=True, slots=True)
class Challenge:
    """A puzzle, as JSON for scripts, and a ticket for browsers without scripts."""

    puzzle: str
    ticket: str
    seconds: int


def is_required(*, now: datetime) -> bool:
    """Return whether newcomers must solve a puzzle, because many people came within the last hour."""
    most = int(settings.SIGN_UP_RUSH)
    if most == 0:
        return True
    fresh = User.objects.filter(date_joined__gt=now - RUSH_PERIOD, deleted_at=None)
    return fresh.order_by()[: most + 1].count() > most


def new_challenge(form: str, *, request: HttpRequest | None = None, now: datetime) -> Challenge:
    """Return a new challenge for a form, such as ``sign-up``.

    If ``request`` has sent the form with a ticket that still works, the ticket stays: after an error in the
    form, the person does not wait again.
    """
    puzzle = altcha.create_challenge(
        "PBKDF2/SHA-256",
        ITERATIONS,
        counter=ATTEMPTS.start + secrets.randbelow(len(ATTEMPTS)),
        expires_at=now + LIFETIME,
        data={"form": form},
        hmac_secret=_key("challenge"),
        hmac_key_secret=_key("solution"),
    )
    sent = request.POST.get(TICKET_FIELD, "") if request else ""
    ticket = _read_ticket(sent, form)
    if not ticket or cache.get(_key_of_use(ticket["number"])):
        ticket = {"form": form, "from": (now + WAIT).timestamp(), "number": secrets.token_urlsafe(9)}
        sent = signing.dumps(ticket, salt=_SALT)
    return Challenge(json.dumps(puzzle.to_dict()), sent, max(1, ceil(ticket["from"] - now.timestamp())))


def refusal_of(request: HttpRequest, form: str, *, now: datetime) -> str:
    """Return an empty string if a request has solved its challenge, or else a sentence for the person.

    A solution or a ticket is used up by this call.
    """
    solution = request.POST.get(SOLUTION_FIELD, "")
    if solution and len(solution) <= MAX_SOLUTION_LENGTH and _is_solved(solution, form):
        return ""
    return _fault_of_ticket(request, form, now)


def _is_solved(solution: str, form: str) -> bool:
    if not altcha.verify_solution(solution, _key("challenge"), hmac_key_secret=_key("solution")).verified:
        return False
    parameters = json.loads(b64decode(solution))["challenge"]["parameters"]  # it is signed by this site
    return parameters.get("data") == {"form": form} and _use(parameters["nonce"])


def _read_ticket(text: str, form: str) -> dict[str, Any]:
    """Return what a ticket says, or an empty dictionary if it is not for this form, or too old."""
    try:
        ticket: dict[str, Any] = signing.loads(text[:MAX_SOLUTION_LENGTH], salt=_SALT, max_age=LIFETIME)
    except signing.BadSignature:
        return {}
    return ticket if ticket["form"] == form else {}


def _fault_of_ticket(request: HttpRequest, form: str, now: datetime) -> str:
    ticket = _read_ticket(request.POST.get(TICKET_FIELD, ""), form)
    if not ticket:
        return _("Many people are signing up right now. Wait a few seconds, then send the form again.")
    if (left := ticket["from"] - now.timestamp()) > 0:
        seconds = int(left) + 1
        told = ngettext(
            "Wait {seconds} second, then send the form again.",
            "Wait {seconds} seconds, then send the form again.",
            seconds,
        )
        return told.format(seconds=seconds)
    if limits.consume(TICKETS, limits.address_of(request)):
        return _("Too many people from your network are signing up. Wait a minute, then try again.")
    if not _use(ticket["number"]):
        return _("This form was already sent. Wait a few seconds, then send it again.")
    return ""


def _use(number: str) -> bool:
    """Use up the number of a puzzle or ticket. Return False if it was already used."""
    return bool(cache.add(_key_of_use(number), 1, timeout=int(LIFETIME.total_seconds()) + 60))


def _key_of_use(number: str) -> str:
    return f"challenge:{number}"


def _key(purpose: str) -> str:
    return salted_hmac(f"{_SALT}.{purpose}", "", algorithm="sha256").hexdigest()
