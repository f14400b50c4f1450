"""How much is answered: for each person, or each address where no one is logged in."""

from typing import ClassVar

from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from accounts import limits
from accounts.limits import Limit


class Throttle(BaseThrottle):
    """Requests of one kind, counted together with those of pages."""

    limit: ClassVar[Limit]
    seconds = 0

    def counts(self, request: Request, view: APIView) -> bool:
        """Return whether a request is of this kind."""
        return True

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Count a request; return whether it is to be answered."""
        if self.counts(request, view):
            self.seconds = limits.take(self.limit, limits.who(request))
        return self.seconds == 0

    def wait(self) -> float:
        """Return how many seconds it takes until the next is."""
        return self.seconds


class Reads(Throttle):
    """Requests that change nothing."""

    limit = limits.READS

    def counts(self, request: Request, view: APIView) -> bool:
        """Return whether a request reads."""
        return reads(request, view)


class Writes(Throttle):
    """Requests that change something."""

    limit = limits.WRITES

    def counts(self, request: Request, view: APIView) -> bool:
        """Return whether a request writes."""
        return not reads(request, view)


class Submitting(Throttle):
    """Orders, which the rules check with the game's row held."""

    limit = limits.SUBMITTING


class Previews(Throttle):
    """Previews, for which the engine plays a turn."""

    limit = limits.PREVIEWS


class Tokens(Throttle):
    """Tokens, with right passwords and with wrong ones; the latter count on their own as well."""

    limit = limits.TOKENS


def reads(request: Request, view: APIView) -> bool:
    """Return whether a request changes nothing; a view with ``keeps_nothing`` never does."""
    return request.method in SAFE_METHODS or getattr(view, "keeps_nothing", False)
