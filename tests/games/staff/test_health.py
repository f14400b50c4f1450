"""`site wait` says whether the release that runs is healthy."""

from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from games.clocks.models import Heartbeat
from games.staff.health import missing_since

READY = '{"status": "ready", "missing": {}}'


class Web:
    """A web process whose answers the test sets, by path."""

    def __init__(self) -> None:
        self.answers: dict[str, tuple[int, str]] = {"/readyz": (200, READY)}
        web = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                status, body = web.answers.get(self.path, (200, "a page"))
                self.send_response(status)
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_given: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def web(db: None) -> Iterator[Web]:
    web = Web()
    Heartbeat.objects.create(pk=1, at=timezone.now())
    yield web
    web.server.shutdown()
    web.server.server_close()


def missing(web: Web) -> list[str]:
    return list(missing_since(timezone.now() - timedelta(minutes=1), [web.address]).values())


def test_a_site_with_a_sweep_and_pages_is_healthy(web: Web) -> None:
    assert missing(web) == []


@pytest.mark.parametrize(
    ("path", "status", "body", "said"),
    [
        ("/games/", 500, "", "/games/ answers 500."),
        ("/readyz", 503, '{"status": "not ready", "missing": {"redis": "No Redis."}}', "says: No Redis."),
        ("/readyz", 502, "", "/readyz answers 502."),
        ("/readyz", 200, "no document", "does not answer."),
    ],
)
def test_a_fault_of_a_web_process_is_named(path: str, status: int, body: str, said: str, web: Web) -> None:
    web.answers[path] = status, body
    assert missing(web)[0].endswith(said)


def test_a_mail_server_that_is_down_says_nothing_about_a_release(web: Web) -> None:
    web.answers["/readyz"] = 503, '{"status": "not ready", "missing": {"mail": "No mail."}}'
    assert missing(web) == []


def test_nobody_needs_pages_during_maintenance(web: Web) -> None:
    web.answers |= {"/readyz": (200, '{"status": "maintenance", "missing": {}}'), "/": (503, "")}
    assert missing(web) == []


def test_a_sweep_before_the_start_does_not_count(web: Web) -> None:
    with pytest.raises(CommandError, match="No worker of this release has swept"):
        call_command("site", "wait", "--seconds=0.1", f"--page={web.address}")
