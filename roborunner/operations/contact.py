"""Files for programs that visit: ``/.well-known/security.txt`` (RFC 9116) and ``/robots.txt`` (RFC 9309)."""

from datetime import datetime, time, timedelta
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.utils import timezone
from django.utils.translation import gettext as _

from roborunner.operations.addresses import SECURITY

GOOD_FOR: Final = timedelta(days=180)
"""For how long someone may rely on a copy of the file: the RFC wants less than a year."""


def answer(request: HttpRequest) -> HttpResponse:
    """Answer with the file; 404 where the settings name no contact."""
    if not settings.SECURITY_CONTACT:
        return HttpResponseNotFound(_("This site names no contact for reports.\n"), content_type="text/plain")
    text = security_txt(now=timezone.now())
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


def security_txt(*, now: datetime) -> str:
    """Return the file, which expires a while after the day on which it is read."""
    expires = datetime.combine((now + GOOD_FOR).date(), time(), now.tzinfo)
    lines = [
        *(f"Contact: {contact}" for contact in settings.SECURITY_CONTACT),
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        "Preferred-Languages: en",
        f"Canonical: {settings.BASE_URL}{SECURITY}",
    ]
    return "\n".join(lines) + "\n"


UNSEARCHED: Final = ("/accounts/", "/admin/", "/api/", "/my-room/", "/settings/", "/unsubscribe/", "/*?")
"""What search engines leave out: pages for one person, and lists with filters, which have no end."""


def robots_txt(request: HttpRequest) -> HttpResponse:
    """Answer with what search engines leave out. Pages behind secret links have a header for that."""
    lines = ["User-agent: *", *(f"Disallow: {start}" for start in UNSEARCHED)]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")
