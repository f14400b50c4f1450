"""A real HTTP server that stores the requests posted to it."""

import socket
import ssl
import threading
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Posted:
    """A request: its path, its headers with lowercase names, and its body."""

    path: str
    headers: dict[str, str]
    body: bytes


class Receiver:
    """A server that records all requests, in order of arrival.

    It responds with `status` and `answer` after a `pause` in seconds. `answers` has the bodies of other
    answers, by a part of the path. It uses TLS if it gets a
    ``certificate``, a file that includes the private key.
    """

    def __init__(self, certificate: Path | None = None) -> None:
        self.posted: list[Posted] = []
        self.status = 200
        self.answer = b""
        self.answers: dict[str, bytes] = {}
        self.pause = 0.0
        self.headers: dict[str, str] = {}
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.do_POST()

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"] or 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                receiver.posted.append(Posted(self.path, headers, body))
                time.sleep(receiver.pause)
                self.send_response(receiver.status)
                for name, value in receiver.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                found = (body for part, body in receiver.answers.items() if part in self.path)
                self.wfile.write(next(found, receiver.answer))

            do_PUT = do_POST  # noqa: N815

            def log_message(self, *args: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request: Any, client_address: Any) -> None:
                pass  # the client may have gone

        self._server = Server(("127.0.0.1", 0), Handler)
        self.port: int = self._server.server_address[1]
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        scheme = "https" if certificate else "http"
        self.url = f"{scheme}://localhost:{self.port}/news?of=robots"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)


class Silence:
    """A server with endless responses, one byte at a time."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://localhost:{self._socket.getsockname()[1]}/"
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._drip, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._over.set()
        self._socket.close()

    def _drip(self) -> None:
        call, _ = self._socket.accept()
        with call:
            while not self._over.wait(0.05):
                try:
                    call.sendall(b"H")
                except OSError:
                    return
