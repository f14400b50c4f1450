"""Rate limits, counted in the cache that all processes share.

Time is divided into windows, each as long as the limit's period. Each new window starts counting at 0.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
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

    It applies to one person or one IP address. If ``size`` is set, a request costs 1, plus 1 for every
    ``size`` bytes or cells of its content. If ``share`` is set, a slow answer costs 1 more for each
    ``share`` seconds of processor time. If ``guests`` is set, it is the limit of requests by all guests from
    one IP address together.
    """

    name: str
    most: int
    seconds: int
    size: int = 0
    share: float = 0
    guests: int = 0

    def cost(self, size: int) -> int:
        """Return the cost of a request of this size, as a number of ordinary requests.

        >>> Limit("checks", 120, 60, size=16_000).cost(40_000), Limit("reads", 3000, 60).cost(40_000)
        (3, 1)
        """
        return 1 + size // self.size if self.size else 1


READS: Final = Limit("reads", 3000, 60, share=0.01)
WRITES: Final = Limit("writes", 600, 60, share=0.05)
SLOW_SECONDS: Final = 0.1
"""The minimum processor time of an answer with an extra cost, in seconds."""
SUBMITTING: Final = Limit("submitting", 300, 60)
"""The limit for submitting orders. Checking orders locks the game's row, so other requests have to wait."""
DAILY_PROGRAMS: Final = Limit("daily-programs", 500, 24 * 60 * 60, guests=5000)
"""The limit for programs of daily runs, by one person. For each program, the engine plays up to 3 turns."""
PUZZLE_TRIES: Final = Limit("puzzle-tries", 500, 24 * 60 * 60, guests=5000)
"""The limit for tries at puzzles, by one person. For each try, the engine plays a turn."""
BRANCHES: Final = Limit("branches", 2000, 24 * 60 * 60)
"""The limit for turns of branches that one person creates or changes. The engine plays each of them."""
PREVIEWS: Final = Limit("previews", 600, 60)
"""The limit for previews of programs. For each preview, the engine plays a turn."""
GUEST_GAMES: Final = Limit("guest-games", 12, 24 * 60 * 60)
"""The limit for one guest's games against computers."""
GUEST_GAMES_FROM_ADDRESS: Final = Limit("guest-games-from-address", 600, 24 * 60 * 60)
"""The limit for games against computers by all guests from one IP address, such as a school's."""
CLIPS_FROM_ADDRESS: Final = Limit("clips-from-address", 20, 24 * 60 * 60)
"""The limit for clips that all guests from one IP address request."""
CHECKS: Final = Limit("checks", 120, 60, size=16_000)
"""The limit for checking and drawing unsaved ships.

``size`` is in bytes. The document of the largest ship has about 160,000 bytes.
"""
OUTLOOKS: Final = Limit("outlooks", 60, 60, size=16_000)
"""The limit for previews of a ship's routes, lines of fire and sheltered cells. ``size`` is in bytes."""
DRAWINGS: Final = Limit("drawings", 3000, 60, size=100)
"""The limit for pictures of ships: each minute, about 30 of the largest ships, or 1,500 of the usual size.

``size`` is in cells.
"""
TEST_FLIGHTS: Final = Limit("test-flights", 200, 24 * 60 * 60)
"""The limit for test flights. Each test flight is a game that stays in the database."""
ANALYSES: Final = Limit("analyses", 2_000_000, 24 * 60 * 60)
"""The limit for analyses of games, in positions: turns that a worker plays on trial."""
GUEST_ANALYSES: Final = Limit("guest-analyses", 300_000, 24 * 60 * 60)
"""The limit for one guest's analyses, in positions."""
GUEST_ANALYSES_FROM_ADDRESS: Final = Limit("guest-analyses-from-address", 60, 24 * 60 * 60)
"""The limit for analyses by all guests from one IP address."""
PLAYED_ON: Final = Limit("played-on", 100, 24 * 60 * 60)
"""The limit for games that begin at a position. Each is a game that stays in the database."""
TOKENS: Final = Limit("tokens", 60, 60)
"""The limit for creating API tokens. Wrong passwords have a separate limit."""
REFUSED: Final = Limit("refused", 120, 60)
"""The limit for 401 answers to requests from one IP address."""

STREAMS_PER_CLIENT: Final = 100
"""The maximum number of event streams that one process has open for one requester."""

UNKNOWN_IP: Final = "0.0.0.0"  # noqa: S104 - a placeholder, not an address to listen at
"""The placeholder for the IP address of requests through a Unix socket."""

SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
"""The HTTP methods that change nothing. `limited` does not count requests with these methods."""

DEFAULT_WAIT: Final = 60
"""The seconds to wait before the next request, if the exact time is unknown."""


def consume(limit: Limit, requester: str, cost: int = 1) -> int:
    """Count a request. Return 0 if it is allowed, or else the number of seconds to wait.

    ``cost`` is the number of ordinary requests that the request counts as.
    """
    key, left = _window(limit, requester)
    count = cast("Any", cache).count(key, limit.seconds, cost)
    return 0 if count <= limit.most else left


def consume_request(limit: Limit, request: HttpRequest, cost: int = 1) -> int:
    """Count a request by its sender (`requester_of`), and a guest's also by IP address. See `consume`."""
    wait = consume(limit, requester_of(request), cost)
    if not wait and limit.guests and isinstance(request.user, User) and request.user.is_guest:
        together = replace(limit, name=f"{limit.name}-of-guests", most=limit.guests)
        wait = consume(together, address_of(request), cost)
    return wait


def charge(limit: Limit, requester: str, seconds: float) -> None:
    """Charge a requester for an answer that took ``seconds`` of processor time, if it was slow.

    The cost is 1 for each full ``limit.share`` seconds.
    """
    if seconds >= SLOW_SECONDS:
        consume(limit, requester, int(seconds / limit.share))


def seconds_to_wait(limit: Limit, requester: str) -> int:
    """Return 0 if a request would be allowed, or else the number of seconds to wait. Count nothing."""
    key, left = _window(limit, requester)
    return 0 if (cache.get(key) or 0) < limit.most else left


def _window(limit: Limit, requester: str) -> tuple[str, int]:
    """Return the cache key of a requester's current window, and the number of seconds until it ends."""
    window, gone = divmod(int(time.time()), limit.seconds)
    return f"limit:{limit.name}:{requester}:{window}", limit.seconds - gone


def requester_of(request: HttpRequest) -> str:
    """Return the cache key of a request's sender: of the logged-in person, or else of the IP address."""
    if isinstance(request.user, User):
        return f"person:{request.user.pk}"
    return address_of(request)


UNKNOWN_REQUESTER: Final = f"address:{UNKNOWN_IP}"
"""The cache key of requesters without a known IP address."""


def address_of(request: HttpRequest) -> str:
    """Return the cache key of a request's IP address. All addresses of an IPv6 network share one key."""
    return f"address:{truncate_ip(get_adapter().get_client_ip(request))}"


def limited(limit: Limit) -> Callable[[View], View]:
    """Limit how often a requester may use a view. Answer 429 beyond the limit.

    Requests with `SAFE_METHODS` are not limited.
    """

    def limit_view(view: View) -> View:
        @wraps(view)
        def counted(request: HttpRequest, *args: Any, **more: Any) -> HttpResponse:
            if request.method not in SAFE_METHODS and (wait := consume(limit, requester_of(request))):
                return too_many_requests(request, wait)
            return view(request, *args, **more)

        return cast("View", counted)

    return limit_view


def too_many_requests(request: HttpRequest, wait: int = DEFAULT_WAIT) -> HttpResponse:
    """Return a 429 answer: JSON for scripts, and a page for people."""
    answer: HttpResponse
    if request.headers.get("Accept") == "application/json":
        detail = _("Too many requests. Try again in {seconds} s.").format(seconds=wait)
        answer = JsonResponse({"error": "too-many", "detail": detail, "problems": []}, status=429)
    else:
        answer = render(request, "429.html", status=429)
    answer.headers["Retry-After"] = str(wait)
    return answer
