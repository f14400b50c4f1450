"""How often someone may do something: counted in the cache that all processes share.

Time is cut into windows of a limit's length. Anyone who has done in one what is most may go on in the next.
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
    """What is done ``most`` times in a number of ``seconds``, by one person or from one address.

    If it has a ``size``, a request costs one for each time that it is as large, and one for what is left.
    If it has a ``share``, in seconds of a processor, a slow answer costs one for each.
    """

    name: str
    most: int
    seconds: int
    size: int = 0
    share: float = 0

    def cost(self, size: int) -> int:
        """Return how many usual requests one of this size counts as.

        >>> Limit("checks", 120, 60, size=16_000).cost(40_000), Limit("reads", 3000, 60).cost(40_000)
        (3, 1)
        """
        return 1 + size // self.size if self.size else 1


READS: Final = Limit("reads", 3000, 60, share=0.01)
WRITES: Final = Limit("writes", 600, 60, share=0.05)
SLOW: Final = 0.1
"""Seconds of a processor from which an answer counts by what it cost: usual ones take less."""
SUBMITTING: Final = Limit("submitting", 300, 60)
"""Orders, which the rules check with the game's row held."""
PREVIEWS: Final = Limit("previews", 600, 60)
"""Previews, for which the engine plays a turn."""
GUEST_GAMES: Final = Limit("guest-games", 12, 24 * 60 * 60)
"""Games against computers that a guest starts."""
GUEST_GAMES_FROM_ADDRESS: Final = Limit("guest-games-from-address", 60, 24 * 60 * 60)
"""Games against computers that all guests from one address start: a class at school has one address."""
CHECKS: Final = Limit("checks", 120, 60, size=16_000)
"""Ships that are checked, and drawn, without being saved, by bytes: the largest has some 160,000."""
OUTLOOKS: Final = Limit("outlooks", 60, 60, size=16_000)
"""Ships whose ways, lines of fire and shelter are shown, by bytes."""
DRAWINGS: Final = Limit("drawings", 3000, 60, size=100)
"""Pictures of ships, by cells: thirty of the largest ships, or 1,500 usual ones."""
TEST_FLIGHTS: Final = Limit("test-flights", 200, 24 * 60 * 60)
"""Test flights. Each is a game that stays in the database."""
TOKENS: Final = Limit("tokens", 60, 60)
"""Tokens, with right passwords and with wrong ones; the latter count on their own as well."""
REFUSED: Final = Limit("refused", 120, 60)
"""Requests that are answered 401; those of known clients do not count."""

STREAMS_OF_A_CLIENT: Final = 100
"""Streams that one person, or one address, has open in one process."""

NOWHERE: Final = "0.0.0.0"  # noqa: S104 - no address to listen at, but none at all
"""From where those come whose server is reached by a socket, and does not tell."""

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
"""Ways to ask that change nothing."""

MOMENT: Final = 60
"""Seconds to wait where it is not known how long one has to."""


def take(limit: Limit, who: str, cost: int = 1) -> int:
    """Count that someone does it once more; return 0, or after how many seconds they may.

    What takes more of the site than other things of its kind has a higher ``cost``.
    """
    key, left = _window(limit, who)
    count = cast("Any", cache).count(key, limit.seconds, cost)
    return 0 if count <= limit.most else left


def charge(limit: Limit, who: str, seconds: float) -> None:
    """Count an answer once more for each share of the seconds of a processor that it took, if it was slow."""
    if seconds >= SLOW:
        take(limit, who, int(seconds / limit.share))


def used_up(limit: Limit, who: str) -> int:
    """Return 0, or after how many seconds someone may do it again; nothing is counted."""
    key, left = _window(limit, who)
    return 0 if (cache.get(key) or 0) < limit.most else left


def _window(limit: Limit, who: str) -> tuple[str, int]:
    """Return under which key it is counted now, and for how many more seconds."""
    window, gone = divmod(int(time.time()), limit.seconds)
    return f"limit:{limit.name}:{who}:{window}", limit.seconds - gone


def who(request: HttpRequest) -> str:
    """Return whose doings are counted together: a person's, or those from one address."""
    if isinstance(request.user, User):
        return f"person:{request.user.pk}"
    return address_of(request)


UNKNOWN: Final = f"address:{NOWHERE}"
"""How those from nowhere are counted."""


def address_of(request: HttpRequest) -> str:
    """Return the address from which a request comes, as it is counted: one of IPv6 by its network."""
    return f"address:{truncate_ip(get_adapter().get_client_ip(request))}"


def limited(limit: Limit) -> Callable[[View], View]:
    """Answer 429 where someone asks a view too often for more than to look."""

    def limit_view(view: View) -> View:
        @wraps(view)
        def counted(request: HttpRequest, *args: Any, **more: Any) -> HttpResponse:
            if request.method not in SAFE and (wait := take(limit, who(request))):
                return too_many(request, wait)
            return view(request, *args, **more)

        return cast("View", counted)

    return limit_view


def too_many(request: HttpRequest, wait: int = MOMENT) -> HttpResponse:
    """Answer that it was too much: a script in JSON, people with a page."""
    answer: HttpResponse
    if request.headers.get("Accept") == "application/json":
        detail = _("That was a bit much at once: try again in {seconds} s.").format(seconds=wait)
        answer = JsonResponse({"error": "too-many", "detail": detail, "problems": []}, status=429)
    else:
        answer = render(request, "429.html", status=429)
    answer.headers["Retry-After"] = str(wait)
    return answer
