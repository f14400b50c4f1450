"""The health of a release that has just started: pages answer, and workers work."""

import json
import time
from collections.abc import Iterable
from datetime import datetime
from http.client import HTTPException
from typing import Final
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from django.conf import settings
from django.db import DatabaseError, InterfaceError

from games.clocks.models import Heartbeat
from games.work import enqueue

PAGES: Final = ("/", "/games/", "/accounts/login/")
"""Pages that a healthy release shows to everyone."""

SWEEP_EVERY: Final = 5.0
"""Seconds between two requests for a sweep. Beat would start one only after half a minute."""

_ANSWER_SECONDS: Final = 10.0


def wait_until_healthy(*, since: datetime, seconds: float, pages: Iterable[str]) -> dict[str, str]:
    """Wait until a worker has swept after ``since``, and each web process answers.

    ``pages`` are the addresses of web processes. After ``seconds``, returns the missing parts, each with a
    sentence. If nothing is missing, returns an empty dict at once.
    """
    end, asked = time.monotonic() + seconds, 0.0
    while True:
        if time.monotonic() - asked >= SWEEP_EVERY:
            enqueue.sweep()
            asked = time.monotonic()
        missing = missing_since(since, pages)
        if not missing or time.monotonic() >= end:
            return missing
        time.sleep(0.5)


def missing_since(since: datetime, pages: Iterable[str]) -> dict[str, str]:
    """Return the parts that do not work, each with a sentence."""
    missing: dict[str, str] = {}
    try:
        if not Heartbeat.objects.filter(at__gt=since).exists():
            missing["worker"] = "No worker of this release has swept."
    except (DatabaseError, InterfaceError):
        missing["database"] = "The database does not answer."
    for address in pages:
        if fault := _fault_of(address):
            missing[address] = fault
    return missing


def _fault_of(address: str) -> str:
    """Return the fault of a web process, or "" if it has none.

    A mail server that refuses mail says nothing about the release. During maintenance, no pages are tried.
    """
    try:
        said = json.loads(_answer(f"{address}/readyz"))
        if faults := [fault for part, fault in said["missing"].items() if part != "mail"]:
            return f"{address}/readyz says: {' '.join(faults)}"
        for path in () if said["status"] == "maintenance" else PAGES:
            _answer(address + path)
    except HTTPError as error:
        return f"{error.url} answers {error.code}."
    except (URLError, OSError, HTTPException, ValueError):
        return f"{address} does not answer."
    return ""


def _answer(url: str) -> bytes:
    """Return the answer for a request by the site's own name, so that each process accepts it.

    The probe answers 503 with a document if parts are missing. Raises the errors of `urlopen` for others.
    """
    request = Request(url, headers={"Host": urlsplit(settings.BASE_URL).netloc})  # noqa: S310
    try:
        with urlopen(request, timeout=_ANSWER_SECONDS) as answer:  # noqa: S310
            found: bytes = answer.read()
    except HTTPError as error:
        if error.code != 503 or not url.endswith("/readyz"):
            raise
        found = error.read()
    return found
