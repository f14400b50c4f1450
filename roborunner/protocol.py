"""HTTP with limits, for uvicorn: ``--http=roborunner.protocol:Bounded``.

Uvicorn reads headers of any size, for any time, and accepts trailers as headers. Here each request must start
and end within a time limit, and its headers have a maximum size and number. Trailers are dropped: no
application expects them, and a server in front checks only headers.
"""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MAX_HEADER_BYTES: Final = 32 * 1024
"""The maximum size of the address and the headers, in bytes. Browsers send 2 kB."""

MAX_HEADERS: Final = 100
"""The maximum number of headers. Browsers send 20."""

FRAMES: Final = 8
"""The maximum number of received bytes for each byte of a body. Chunks of one byte need six."""

HEADERS_SECONDS: Final = 10.0
"""The maximum number of seconds from the start of a request or connection to the last header."""

BODY_SECONDS: Final = 120.0
"""The maximum number of seconds from the last header to the end of the body.

The largest body therefore needs a connection of at least 35 kB/s.
"""

_TOLD = f"More than {MAX_HEADER_BYTES // 1024} kB of address and headers, or more than {MAX_HEADERS} headers."
TOO_LARGE: Final = (
    "HTTP/1.1 431 Request Header Fields Too Large\r\n"
    "content-type: text/plain; charset=utf-8\r\n"
    f"content-length: {len(_TOLD)}\r\n"
    f"connection: close\r\n\r\n{_TOLD}"
).encode()
"""The answer to a request with too many or too large headers. The site's own code never sees the request."""


class _TooLarge(Exception):
    pass


class Bounded(HttpToolsProtocol):
    """A connection with limits on the time and size of its requests."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._timer: asyncio.TimerHandle | None = None
        self._reading = False  # between the first byte of a request and its last one
        self._in_headers = False
        self._received = 0  # bytes since the start of the headers or of the current body
        self._body = 0  # bytes of the current body without its chunk headers
        self._size = 0  # bytes of the complete headers
        self._too_large = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect(HEADERS_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if not self._reading and self._timer is None:
            self._expect(HEADERS_SECONDS)
        self._received += len(data)
        super().data_received(data)
        most = MAX_HEADER_BYTES + FRAMES * self._body + len(data)
        if self._reading and self._received > most and not self.transport.is_closing():
            self._refuse()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._reading = self._in_headers = True
        self._received = self._body = self._size = 0
        self._expect(HEADERS_SECONDS)

    def on_url(self, url: bytes) -> None:
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Add a header to the request. Drop a trailer, which comes after the body."""
        self._count(len(name) + len(value) + 4)
        if self._in_headers:
            if len(self.headers) == MAX_HEADERS:
                self._too_large = True
                raise _TooLarge
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._in_headers, self._received = False, 0
        self._expect(BODY_SECONDS)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._body += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._reading = False
        self._stop()
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer a malformed request, or a request with too large headers."""
        if self._too_large:
            self._refuse()
        else:
            super().send_400_response(msg)

    def _count(self, size: int) -> None:
        self._size += size
        if self._size > MAX_HEADER_BYTES:
            self._too_large = True
            raise _TooLarge

    def _refuse(self) -> None:
        self._stop()
        self.transport.write(TOO_LARGE)
        self.transport.close()

    def _expect(self, seconds: float) -> None:
        self._stop()
        self._timer = self.loop.call_later(seconds, self._end)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _end(self) -> None:
        """End a connection after its time limit. No answer is sent, as the client may not accept any."""
        self._timer = None
        self.transport.abort()
