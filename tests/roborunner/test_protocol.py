"""The real server limits the duration and size of requests."""

import json
import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from embedded.up import commands
from roborunner import protocol
from tests.support.site import Site

PROJECT = Path(__file__).resolve().parents[2]


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Read a request to the end, and respond with its headers and body as JSON."""
    more, body = True, b""
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        body, more = body + message.get("body", b""), message.get("more_body", False)
    told = {"headers": [[name.decode(), value.decode()] for name, value in scope["headers"]]}
    content = json.dumps({**told, "body": body.decode()}).encode()
    headers = [(b"content-length", str(len(content)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": content})


@pytest.fixture(scope="module")
def address() -> Iterator[tuple[str, int]]:
    site = Site(echo)
    site.start()
    parts = urlsplit(site.url)
    assert parts.hostname and parts.port
    yield parts.hostname, parts.port
    site.stop()


def ask(address: tuple[str, int], *pieces: bytes, pause: float = 0.0) -> bytes:
    """Send the pieces of a request, with a pause in seconds after each.

    Return the response, or the part of it that arrived before a silence.
    """
    with socket.create_connection(address, 5) as asked:
        answer = b""
        try:
            for piece in pieces:
                asked.sendall(piece)
                time.sleep(pause)
            while not _is_whole(answer) and (more := asked.recv(65536)):
                answer += more
        except (BrokenPipeError, ConnectionResetError):
            pass
        return answer


def _is_whole(answer: bytes) -> bool:
    head, end, body = answer.partition(b"\r\n\r\n")
    size = re.search(rb"content-length: (\d+)", head.lower())
    return bool(end and size and len(body) >= int(size[1]))


START = b"GET / HTTP/1.1\r\nHost: localhost\r\n"


def test_headers_are_limited_in_size_and_number(address: tuple[str, int]) -> None:
    fits = b"".join(b"X-%d: %s\r\n" % (number, b"y" * 250) for number in range(98))
    assert ask(address, START + fits + b"\r\n").startswith(b"HTTP/1.1 200 ")
    for headers in (
        b"X: " + b"y" * protocol.MAX_HEADER_BYTES + b"\r\n\r\n",
        b"".join(b"X-%d: y\r\n" % number for number in range(100)) + b"\r\n",
        b"".join(b"X-%d: %s\r\n" % (number, b"y" * 1000) for number in range(40)) + b"\r\n",
    ):
        assert ask(address, START + headers).startswith(b"HTTP/1.1 431 "), len(headers)
    assert ask(address, b"GET /" + b"y" * protocol.MAX_HEADER_BYTES + b" HTTP/1.1\r\n\r\n").startswith(
        b"HTTP/1.1 431 "
    )


def test_an_endless_header_is_refused(address: tuple[str, int]) -> None:
    pieces = [START + b"X: ", *[b"y" * 20_000] * 3]
    assert ask(address, *pieces, pause=0.05).startswith(b"HTTP/1.1 431 ")


def test_trailers_do_not_become_headers(address: tuple[str, int]) -> None:
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nTrailer: Cookie\r\n\r\n"
    body, trailers = b"3\r\nabc\r\n0\r\n", b"Cookie: stolen\r\nX-Forwarded-For: 1.2.3.4\r\n\r\n"
    answer = ask(address, head + body + trailers)
    told = json.loads(answer.partition(b"\r\n\r\n")[2])
    assert told["body"] == "abc"
    assert {name for name, _ in told["headers"]} == {"host", "transfer-encoding", "trailer"}
    endless = [b"X-%d: %s\r\n" % (number, b"y" * 1000) for number in range(40)]
    assert ask(address, head + body, b"".join(endless)).startswith(b"HTTP/1.1 431 ")
    assert ask(address, head + body, b"X: ", *[b"y" * 20_000] * 3, pause=0.05).startswith(b"HTTP/1.1 431 ")


def test_a_body_in_small_chunks_is_read(address: tuple[str, int]) -> None:
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    pieces = [b"1\r\ny\r\n" * 4000] * 6
    answer = ask(address, head, *pieces, b"0\r\n\r\n", pause=0.01)
    assert len(json.loads(answer.partition(b"\r\n\r\n")[2])["body"]) == 24_000


def test_an_incomplete_request_ends_after_the_time_limit(
    address: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "HEADERS_SECONDS", 0.2)
    monkeypatch.setattr(protocol, "BODY_SECONDS", 0.2)
    body = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90\r\n\r\n"
    slowly = [b"X-1: y\r\n"] * 10
    for pieces in ([], [b"\r\n"] * 10, [START, *slowly], [body, *[b"y"] * 10]):
        begun = time.monotonic()
        assert ask(address, *pieces, pause=0.05) == b""
        assert time.monotonic() - begun < 2


def test_a_connection_takes_one_request_after_another(address: tuple[str, int]) -> None:
    with socket.create_connection(address, 5) as asked:
        for _ in range(3):
            asked.sendall(START + b"\r\n")
            answer = b""
            while not _is_whole(answer):
                answer += asked.recv(65536)
            assert answer.startswith(b"HTTP/1.1 200 ")


def test_every_way_to_start_the_site_has_these_limits() -> None:
    option = "--http=roborunner.protocol:Bounded"
    assert option in commands(8000)["web"]
    for file in ("Dockerfile", "deploy/debian/units/robo-runner-web@.service"):
        assert option in (PROJECT / file).read_text(), file
