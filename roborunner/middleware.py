"""Decide which requests are answered, and tell browsers what to do with answers.

The site answers under the exact name of ``BASE_URL``, port included, and few others. Django checks only the
name. Here the port counts too, so nothing that is built from a request can lead to another server of this
machine. Pages can be read, and sent a form. The API takes the other methods of HTTP.

The content security policy and transport security are in the settings.
"""

from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlsplit

from asgiref.sync import iscoroutinefunction
from csp.utils import build_policy
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponseNotAllowed
from django.http.request import split_domain_port
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware
from django.views.defaults import bad_request

from roborunner.operations import log

Handler = Callable[[HttpRequest], Any]

_NOTHING_OF = (
    *(
        "accelerometer",
        "autoplay",
        "camera",
        "display-capture",
        "encrypted-media",
        "geolocation",
        "gyroscope",
    ),
    *("magnetometer", "microphone", "midi", "payment", "picture-in-picture", "usb", "xr-spatial-tracking"),
)
_FOR_ITSELF = ("clipboard-write", "fullscreen", "publickey-credentials-create", "publickey-credentials-get")

EVERYWHERE: Final = {
    "Permissions-Policy": ", ".join(
        [*(f"{each}=()" for each in _NOTHING_OF), *(f"{each}=(self)" for each in _FOR_ITSELF)]
    ),
    # Another site may link to what is here, and show none of it within itself.
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-Permitted-Cross-Domain-Policies": "none",
}


def in_front() -> dict[str, str]:
    """Return what is told with answers that Django's middleware never sees, by names in small letters."""
    told = EVERYWHERE | {"Content-Security-Policy": build_policy()}
    if settings.SECURE_HSTS_SECONDS:
        told["Strict-Transport-Security"] = f"max-age={settings.SECURE_HSTS_SECONDS}"
    return {name.lower(): value for name, value in told.items()}


@sync_and_async_middleware
def headers(get_response: Handler) -> Handler:
    """Add those headers to each answer, static files included; pages are no one's to keep."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        return _with_headers(get_response(request))

    async def answer_async(request: HttpRequest) -> HttpResponseBase:
        return _with_headers(await get_response(request))

    return answer_async if iscoroutinefunction(get_response) else answer


def _with_headers(response: HttpResponseBase) -> HttpResponseBase:
    for name, value in EVERYWHERE.items():
        response.headers.setdefault(name, value)
    if response.headers.get("Content-Type", "").startswith("text/html"):
        response.headers.setdefault("Cache-Control", "private, no-cache")
    return response


LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
"""The names of this machine for itself."""

METHODS: Final = ("GET", "HEAD", "POST")
"""The ways in which pages are asked for. Which of the three a page takes, its view says."""

LONGEST_HOST: Final = 100
"""Characters of another host's name that the log repeats."""

_USUAL: Final = {"http": 80, "https": 443}


class HostMiddleware:
    """Answers 400 to requests for another site, and 405 to other methods of pages."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        try:
            check_host(request)
        except DisallowedHost as refusal:  # one line of the log is enough: the one that each answer has
            log.note_facts(host=ascii(request.META.get("HTTP_HOST", ""))[:LONGEST_HOST])
            return bad_request(request, refusal)
        replace_nul(request)
        if request.method not in METHODS and not request.path.startswith("/api/"):
            return HttpResponseNotAllowed(METHODS)
        return self._get_response(request)


def check_host(request: HttpRequest) -> None:
    """Raise DisallowedHost if a request names another host or port than this site's."""
    host = request.get_host()  # which refuses names that are not in ALLOWED_HOSTS
    if not is_ours(host, peer=request.META.get("REMOTE_ADDR", "")):
        raise DisallowedHost(f"Invalid HTTP_HOST header: {host!r}. Its port has to be that of BASE_URL.")


def replace_nul(request: HttpRequest) -> None:
    """Replace NUL characters of the query by U+FFFD, as HTML does: no text of the database can hold a NUL."""
    if "%00" in (query := request.META.get("QUERY_STRING", "")):
        request.META["QUERY_STRING"] = query.replace("%00", "%EF%BF%BD")


def is_ours(host: str, *, peer: str) -> bool:
    """Return whether a host is this site's, when it comes from the address `peer`.

    The host of ``BASE_URL`` takes its port. So do the names of the machine itself where that is one of them;
    elsewhere they are for clients on the machine, at any port. Further names of ``ALLOWED_HOSTS`` take
    the port of ``BASE_URL``, or the usual one.
    """
    name, port = split_domain_port(host)
    if host.lower() not in (name, f"{name}:{port}"):  # such as with a dot behind the name
        return False
    site = urlsplit(settings.BASE_URL)
    usual = _USUAL[site.scheme]
    asked, own = int(port or usual), site.port or usual
    name = name.strip("[]")
    if name == site.hostname:
        return asked == own
    if name in LOOPBACK:
        return asked == own if site.hostname in LOOPBACK else peer in LOOPBACK
    return asked in (own, usual)
