"""Rate limits, counted in the cache shared by all processes.

Time is divided into windows as long as the limit's period. A new window starts again at 0.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final, TypeVar, cast

from allauth.account.adapter import get_adapter
from allauth.core.internal.ratelimit import truncate_ip
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from accounts.models import User

View = TypeVar("View", bound=Callable[..., HttpResponse])


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit of ``most`` requests in ``seconds`` seconds.

    It holds for one person, or for one address. With a ``size``, a request costs 1 for each full ``size``,
    and 1 for the rest. With a ``share``, in seconds of processor time, a slow answer costs 1 for each share.
    """

    name: str
    most: int
    seconds: int
    size: int = 0
    share: float = 0

    def cost(self, size: int) -> int:
        """Return the cost of a request of this size, in usual requests.

        >>> Limit("checks", 120, 60, size=16_000).cost(40_000), Limit("reads", 3000, 60).cost(40_000)
        (3, 1)
        """
        return 1 + size // self.size if self.size else 1


READS: Final = Limit("reads", 3000, 60, share=0.01)
WRITES: Final = Limit("writes", 600, 60, share=0.05)
SLOW_SECONDS: Final = 0.1
"""Answers with at least this processor time, in seconds, cost extra."""
SUBMITTING: Final = Limit("submitting", 300, 60)
"""Submitted orders. The rules check them while the game's row is locked."""
PREVIEWS: Final = Limit("previews", 600, 60)
"""Previews. The engine plays a turn for each."""
GUEST_GAMES: Final = Limit("guest-games", 12, 24 * 60 * 60)
"""Games against computers, by one guest."""
GUEST_GAMES_FROM_ADDRESS: Final = Limit("guest-games-from-address", 60, 24 * 60 * 60)
"""Games against computers, by all guests from one address, such as a school's."""
CHECKS: Final = Limit("checks", 120, 60, size=16_000)
"""Ships to check and draw without saving, by bytes. The largest has about 160,000."""
OUTLOOKS: Final = Limit("outlooks", 60, 60, size=16_000)
"""Ships to analyse for ways, lines of fire and shelter, by bytes."""
DRAWINGS: Final = Limit("drawings", 3000, 60, size=100)
"""Pictures of ships, by cells: 30 of the largest ships, or 1,500 usual ones."""
TEST_FLIGHTS: Final = Limit("test-flights", 200, 24 * 60 * 60)
"""Test flights. Each is a game that stays in the database."""
TOKENS: Final = Limit("tokens", 60, 60)
"""New tokens. Wrong passwords also have their own limit."""
REFUSED: Final = Limit("refused", 120, 60)
"""Requests answered with 401, except from known clients."""

STREAMS_PER_CLIENT: Final = 100
"""Streams that one process keeps open for each requester."""

UNKNOWN_IP: Final = "0.0.0.0"  # noqa: S104 - a placeholder, not an address to listen at
"""The placeholder for the address of requests through a Unix socket."""

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
"""HTTP methods that change nothing."""

DEFAULT_WAIT: Final = 60
"""Seconds to wait if the exact time is unknown."""


def consume(limit: Limit, requester: str, cost: int = 1) -> int:
    """Count a request. Return 0 if it is allowed, or else the seconds to wait.

    An expensive request has a higher ``cost``.
    """
    key, left = _window(limit, requester)
    count = cast("Any", cache).count(key, limit.seconds, cost)
    return 0 if count <= limit.most else left


def charge(limit: Limit, requester: str, seconds: float) -> None:
    """Charge a slow answer for its processor time, 1 for each share of the limit."""
    if seconds >= SLOW_SECONDS:
        consume(limit, requester, int(seconds / limit.share))


def seconds_to_wait(limit: Limit, requester: str) -> int:
    """Return 0 if a request would be allowed, or else the seconds to wait."""
    key, left = _window(limit, requester)
    return 0 if (cache.get(key) or 0) < limit.most else left


def _window(limit: Limit, requester: str) -> tuple[str, int]:
    """Return the cache key of the current window, and its remaining seconds."""
    window, gone = divmod(int(time.time()), limit.seconds)
    return f"limit:{limit.name}:{requester}:{window}", limit.seconds - gone


def requester_of(request: HttpRequest) -> str:
    """Return the key of the requester: the person, or else the address."""
    if isinstance(request.user, User):
        return f"person:{request.user.pk}"
    return address_of(request)


UNKNOWN_REQUESTER: Final = f"address:{UNKNOWN_IP}"
"""The key of requesters without a known address."""


def address_of(request: HttpRequest) -> str:
    """Return the key of a request's address. Each IPv6 network has one key."""
    return f"address:{truncate_ip(get_adapter().get_client_ip(request))}"


def limited(limit: Limit) -> Callable[[View], View]:
    """Answer 429 if a requester uses a view too often, except with `SAFE_METHODS`."""

    def limit_view(view: View) -> View:
        @wraps(view)
        def counted(request: HttpRequest, *args: Any, **more: Any) -> HttpResponse:
            if request.method not in SAFE_METHODS and (wait := consume(limit, requester_of(request))):
                return too_many_requests(request, wait)
            return view(request, *args, **more)

        return cast("View", counted)

    return limit_view


def too_many_requests(request: HttpRequest, wait: int = DEFAULT_WAIT) -> HttpResponse:
    """Answer 429: in JSON for scripts, as a page for people."""
    answer: HttpResponse
    if request.headers.get("Accept") == "application/json":
        detail = _("Too many requests. Try again in {seconds} s.").format(seconds=wait)
        answer = JsonResponse({"error": "too-many", "detail": detail, "problems": []}, status=429)
    else:
        answer = render(request, "429.html", status=429)
    answer.headers["Retry-After"] = str(wait)
    return answer
