"""Decide which requests to answer, and set security headers on answers.

The site answers under the host and port of ``BASE_URL``, and under a few other names. Django checks only the
name. This module also checks the port, so no address built from a request can lead to another server on this
machine. Pages accept GET, HEAD and POST. Only the API accepts the other methods of HTTP.

The content security policy and transport security are in the settings.
"""

from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlsplit

from asgiref.sync import iscoroutinefunction
from csp.utils import build_policy
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponseNotAllowed, HttpResponsePermanentRedirect
from django.http.request import split_domain_port
from django.http.response import HttpResponseBase
from django.utils.cache import patch_cache_control
from django.utils.decorators import sync_and_async_middleware
from django.views.defaults import bad_request

from roborunner.operations import log

Handler = Callable[[HttpRequest], Any]

_FORBIDDEN_FEATURES = (
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
_OWN_FEATURES = ("clipboard-write", "fullscreen", "publickey-credentials-create", "publickey-credentials-get")

SECURITY_HEADERS: Final = {
    "Permissions-Policy": ", ".join(
        [*(f"{each}=()" for each in _FORBIDDEN_FEATURES), *(f"{each}=(self)" for each in _OWN_FEATURES)]
    ),
    # Other sites may link to this one, but not embed it.
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-Permitted-Cross-Domain-Policies": "none",
}


def outer_headers() -> dict[str, str]:
    """Return the security headers for answers outside Django's middleware, with lower-case names."""
    told = SECURITY_HEADERS | {"Content-Security-Policy": build_policy()}
    if settings.SECURE_HSTS_SECONDS:
        told["Strict-Transport-Security"] = f"max-age={settings.SECURE_HSTS_SECONDS}"
    return {name.lower(): value for name, value in told.items()}


@sync_and_async_middleware
def headers(get_response: Handler) -> Handler:
    """Add the security headers to every answer, even to static files. Make caches revalidate pages."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        return _with_headers(get_response(request))

    async def answer_async(request: HttpRequest) -> HttpResponseBase:
        return _with_headers(await get_response(request))

    return answer_async if iscoroutinefunction(get_response) else answer


def _with_headers(response: HttpResponseBase) -> HttpResponseBase:
    exempt = getattr(response, "xframe_options_exempt", False)  # set by Django's decorator
    for name, value in SECURITY_HEADERS.items():
        if not (exempt and name == "X-Frame-Options"):
            response.headers.setdefault(name, value)
    if response.headers.get("Content-Type", "").startswith("text/html"):
        response.headers.setdefault("Cache-Control", "private, no-cache")
    return response


LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
"""The local machine's host name and addresses."""

METHODS: Final = ("GET", "HEAD", "POST")
"""The HTTP methods of pages. Each view decides which of them it accepts."""

MAX_LOGGED_HOST: Final = 100
"""The maximum number of characters of a foreign host name in the log."""

_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


FOR_OTHER_SITES: Final = ("/embed/", "/oembed/")
"""The beginnings of the paths of pages that other sites show or fetch. These pages know no reader."""


def without_cookies(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[..., Any]:
    """Middleware: on pages for other sites, ignore cookies, and set none."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        if not request.path.startswith(FOR_OTHER_SITES):
            response = get_response(request)
            if response.cookies and "public" in response.get("Cache-Control", ""):
                # No cache may keep a reader's cookie, and send it to others.
                patch_cache_control(response, private=True)
            return response
        request.META.pop("HTTP_COOKIE", None)
        response = get_response(request)
        response.cookies.clear()
        varies = [name for name in response.get("Vary", "").split(", ") if name and name != "Cookie"]
        if varies:
            response.headers["Vary"] = ", ".join(varies)
        else:
            response.headers.pop("Vary", None)
        return response

    return answer


MAIL_LINKS: Final = "/unsubscribe/"
"""The beginning of the paths of links in mail. Mail programs post to them."""


class HostMiddleware:
    """Answers 400 to requests for another host, and 405 to methods that pages do not accept.

    Requests for an old host of the site are redirected to the present one.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        try:
            check_host(request)
        except DisallowedHost as refusal:  # the log already has a line for each answer
            log.note_facts(host=ascii(request.META.get("HTTP_HOST", ""))[:MAX_LOGGED_HOST])
            return bad_request(request, refusal)
        if split_domain_port(request.get_host())[0] in settings.OLD_HOSTS and not is_posted_mail_link(
            request
        ):
            return _redirect_to_present_host(request)
        replace_nul(request)
        if request.method not in METHODS and not request.path.startswith("/api/"):
            return HttpResponseNotAllowed(METHODS)
        return self._get_response(request)


def check_host(request: HttpRequest) -> None:
    """Raise DisallowedHost if a request names another host or port than this site's."""
    host = request.get_host()  # refuses names missing from ALLOWED_HOSTS
    if not is_ours(host, peer=request.META.get("REMOTE_ADDR", "")):
        raise DisallowedHost(f"Invalid HTTP_HOST header: {host!r}. Its port must be the port of BASE_URL.")


def _redirect_to_present_host(request: HttpRequest) -> HttpResponseBase:
    url = settings.BASE_URL + request.get_full_path()
    response = HttpResponsePermanentRedirect(url, preserve_request=True)
    response.headers["Cache-Control"] = "max-age=3600"  # so that a change back makes no circle for long
    return response


def is_posted_mail_link(request: HttpRequest) -> bool:
    """Return whether a mail program stops mail with one click. Such programs follow no redirect."""
    return request.method == "POST" and request.path.startswith(MAIL_LINKS)


def replace_nul(request: HttpRequest) -> None:
    """Replace NUL with U+FFFD in the query of a request, since the database cannot store NUL."""
    if "%00" in (query := request.META.get("QUERY_STRING", "")):
        request.META["QUERY_STRING"] = query.replace("%00", "%EF%BF%BD")


def is_ours(host: str, *, peer: str) -> bool:
    """Return whether a host is this site's, for a request from the address `peer`.

    The host of ``BASE_URL`` needs the port of ``BASE_URL``. If that host is a loopback name, all loopback
    names need that port. If not, clients on this machine may use loopback names with any port. Other names in
    ``ALLOWED_HOSTS`` need the port of ``BASE_URL`` or the default port.
    """
    name, port = split_domain_port(host)
    if host.lower() not in (name, f"{name}:{port}"):  # such as a dot after the name
        return False
    site = urlsplit(settings.BASE_URL)
    usual = _DEFAULT_PORTS[site.scheme]
    asked, own = int(port or usual), site.port or usual
    name = name.strip("[]")
    if name == site.hostname:
        return asked == own
    if name in LOOPBACK:
        return asked == own if site.hostname in LOOPBACK else peer in LOOPBACK
    return asked in (own, usual)
