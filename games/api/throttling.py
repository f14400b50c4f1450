"""How much is answered: for each person, or each address where no one is logged in."""

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from accounts import limits
from accounts.limits import Limit
from games.api.wire import SHIP_LIMIT
from games.pages import number_in


class Throttle(BaseThrottle):
    """Requests of one kind, counted together with those of pages."""

    limit: ClassVar[Limit]
    seconds = 0

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Count a request; return whether it is to be answered."""
        self.seconds = limits.take(self.limit, limits.who(request), self.limit.cost(_size_of(request)))
        return self.seconds == 0

    def wait(self) -> float:
        """Return how many seconds it takes until the next is."""
        return self.seconds


def _size_of(request: Request) -> int:
    """Return the bytes of a request's body, 0 if it is refused unread.

    A body that does not say its length counts as the largest.
    """
    if request.method in limits.SAFE:
        return 0
    if "HTTP_TRANSFER_ENCODING" in request.META:
        return SHIP_LIMIT
    length = number_in(request.META.get("CONTENT_LENGTH")) or 0
    return length if length <= SHIP_LIMIT else 0


class Reads(Throttle):
    """Requests that change nothing."""

    limit = limits.READS


class Writes(Throttle):
    """Requests that change something."""

    limit = limits.WRITES


class Submitting(Throttle):
    """Orders, which the rules check with the game's row held."""

    limit = limits.SUBMITTING


class Previews(Throttle):
    """Previews, for which the engine plays a turn."""

    limit = limits.PREVIEWS


class Checks(Throttle):
    """Ships that are checked: a large one takes half a second, and counts as several."""

    limit = limits.CHECKS


class Outlooks(Throttle):
    """Ships whose ways are shown: a large one takes half a second, and counts as several."""

    limit = limits.OUTLOOKS


class Flights(Throttle):
    """Test flights, each of which is a game that is kept."""

    limit = limits.TEST_FLIGHTS


class Tokens(Throttle):
    """Tokens, with right passwords and with wrong ones; the latter count on their own as well."""

    limit = limits.TOKENS
