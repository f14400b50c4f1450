"""A minimal HTTP client with persistent connections, for JSON only."""

import asyncio
import json
import time
from typing import Any, Final, NamedTuple

IDLE_SECONDS: Final = 3.0
"""The seconds after which this client closes an idle connection. Web processes would close it after five."""


class Answer(NamedTuple):
    status: int
    document: dict[str, Any]


class Connections:
    """Persistent connections to the site, which are reused."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._free: list[tuple[float, asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def post(self, path: str, token: str, body: bytes) -> Answer:
        """Send a POST request and return the answer.

        Raises OSError or EOFError if no complete answer comes.
        """
        reader, writer = self._kept() or await asyncio.open_connection("127.0.0.1", self._port)
        head = (
            f"POST {path} HTTP/1.1\r\nHost: localhost:{self._port}\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        try:
            writer.write(head.encode() + body)
            first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
            content = await reader.readexactly(int(headers["content-length"]))
        except BaseException:
            writer.close()
            raise
        if headers.get("connection") == "close":
            writer.close()
        else:
            self._free.append((time.monotonic(), reader, writer))
        return Answer(int(first.split(" ")[1]), json.loads(content))

    def _kept(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        """Return the most recently used idle connection, or None if the site may soon close it."""
        while self._free:
            since, reader, writer = self._free.pop()
            if time.monotonic() - since < IDLE_SECONDS:
                return reader, writer
            writer.close()
        return None

    def close(self) -> None:
        for _, _, writer in self._free:
            writer.close()
