"""Shows times as the reader's clocks do."""

from collections.abc import Callable
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.http import HttpRequest, HttpResponse
from django.utils import timezone


class TimeZoneMiddleware:
    """Turns the times of a page into the time zone of the person who reads it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer `request` in its reader's time zone, or in the site's for a stranger."""
        with timezone.override(_zone(request)):
            return self.get_response(request)


def _zone(request: HttpRequest) -> ZoneInfo | None:
    if not request.user.is_authenticated:
        return None
    try:
        return ZoneInfo(request.user.time_zone)
    except ZoneInfoNotFoundError:  # a zone that a newer list of them has dropped
        return None
