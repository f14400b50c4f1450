"""How much is answered: for each person, or each address where nobody is signed in."""

from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import UserRateThrottle
from rest_framework.views import APIView


class Reads(UserRateThrottle):
    """Requests that change nothing."""

    scope = "reads"

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Count a request that reads."""
        return not reads(request, view) or super().allow_request(request, view)


class Writes(UserRateThrottle):
    """Requests that change something."""

    scope = "writes"

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Count a request that writes."""
        return reads(request, view) or super().allow_request(request, view)


def reads(request: Request, view: APIView) -> bool:
    """Return whether a request changes nothing; a view with ``keeps_nothing`` never does."""
    return request.method in SAFE_METHODS or getattr(view, "keeps_nothing", False)
