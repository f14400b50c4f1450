"""Which requests are answered at all: those for this site, in ways that it knows.

The site answers under the name of ``BASE_URL`` to the letter, port included, and few others. Django looks at
the name alone. Here the port counts as well, so that nothing that is built from a request can lead to another
server of this machine. Pages are looked at, and sent a form; whatever else HTTP knows is for the API.
"""

from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponseNotAllowed
from django.http.request import split_domain_port
from django.http.response import HttpResponseBase
from django.views.defaults import bad_request

from roborunner.operations import log

LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
"""The names of this machine for itself."""

METHODS: Final = ("GET", "HEAD", "POST")
"""The ways in which pages are asked for. Which of the three a page takes, its view says."""

LONGEST_HOST: Final = 100
"""Characters of another host's name that the log repeats."""

_USUAL: Final = {"http": 80, "https": 443}


class GateMiddleware:
    """Answers 400 to a request for another site, and 405 where a page is asked for in another way."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        try:
            check(request)
        except DisallowedHost as refusal:  # one line of the log is enough: the one that each answer has
            log.note(host=ascii(request.META.get("HTTP_HOST", ""))[:LONGEST_HOST])
            return bad_request(request, refusal)
        replace_nul(request)
        if request.method not in METHODS and not request.path.startswith("/api/"):
            return HttpResponseNotAllowed(METHODS)
        return self._get_response(request)


def check(request: HttpRequest) -> None:
    """Raise DisallowedHost where a request names another host or port than those of this site."""
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
