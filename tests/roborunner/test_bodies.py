"""The real server refuses bodies that are too large, before it reads them."""

import http.client
import socket
from contextlib import suppress
from urllib.parse import urlsplit

import pytest

from roborunner.server import MAX_BODY, MAX_SHIP_BODY, MAX_STAFF_BODY
from tests.support.site import Site

PIECE = b"x" * 65536


def connection(site: Site) -> http.client.HTTPConnection:
    parts = urlsplit(site.url)
    assert parts.hostname
    return http.client.HTTPConnection(parts.hostname, parts.port, timeout=60)


def send_in_pieces(site: Site, path: str, pieces: int) -> tuple[int, str]:
    """Send a body of ``pieces`` times 64 KiB without a Content-Length header.

    Return the status and text of the response.
    """
    asked = connection(site)
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Transfer-Encoding": "chunked"}
    with suppress(BrokenPipeError, ConnectionResetError):  # the answer may come before the end
        asked.request("POST", path, iter([PIECE] * pieces), headers, encode_chunked=True)
    answer = asked.getresponse()
    return answer.status, answer.read().decode()


def announce(site: Site, path: str, size: str) -> tuple[int, str]:
    """Send the headers of a body of ``size`` bytes, without the body.

    Return the status and text of the response.
    """
    asked = connection(site)
    asked.putrequest("POST", path)
    asked.putheader("Content-Length", size)
    asked.putheader("Content-Type", "application/json")
    asked.endheaders()
    answer = asked.getresponse()
    return answer.status, answer.read().decode()


@pytest.mark.parametrize("size", [MAX_BODY + 1, 10**12])
def test_a_body_announced_as_too_large_is_refused_at_once(site: Site, size: int) -> None:
    status, page = announce(site, "/accounts/login/", str(size))
    assert status == 413
    assert "You can send at most 128 kB here." in page
    status, told = announce(site, "/api/v1/tokens", str(size))
    assert (status, '"error": "too-large"' in told) == (413, True)


def test_a_body_without_a_length_is_refused_at_the_limit(site: Site) -> None:
    assert send_in_pieces(site, "/accounts/login/", MAX_BODY // len(PIECE) + 1)[0] == 413
    assert send_in_pieces(site, "/api/v1/tokens", MAX_BODY // len(PIECE) + 1)[0] == 413


def test_a_body_within_the_limit_is_read(site: Site) -> None:
    assert send_in_pieces(site, "/accounts/login/", 1)[0] == 403, "it lacks the token of a form"
    assert send_in_pieces(site, "/admin/login/", MAX_BODY // len(PIECE) + 1)[0] == 403, (
        "staff upload starships"
    )
    assert announce(site, "/admin/login/", str(MAX_STAFF_BODY + 1))[0] == 413


@pytest.mark.parametrize("size", ["-1", "1e3", "٣"])
def test_an_invalid_length_is_refused(site: Site, size: str) -> None:
    parts = urlsplit(site.url)
    with socket.create_connection((parts.hostname, parts.port), timeout=60) as asked:
        head = f"POST /accounts/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: {size}\r\n\r\n"
        asked.sendall(head.encode())
        status = int(asked.recv(65536).split()[1])
    assert 400 <= status < 500


def test_pages_for_drawing_ships_accept_larger_bodies(site: Site) -> None:
    assert send_in_pieces(site, "/shipyard/new/", MAX_BODY // len(PIECE) + 1)[0] == 403, (
        "it lacks the token of a form"
    )
    assert send_in_pieces(site, "/api/v1/shipyard/check", MAX_BODY // len(PIECE) + 1)[0] == 401
    for path in ("/shipyard/new/", "/api/v1/shipyard/check"):
        assert announce(site, path, str(MAX_SHIP_BODY + 1))[0] == 413
