"""The API on the real web server."""

import json
from collections.abc import Iterable
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from accounts.models import User
from games.people.tokens import make_token
from tests import cast
from tests.games.support import NOW
from tests.support.site import Site


@pytest.fixture
def headers(transactional_db: None) -> dict[str, str]:
    alice: User = cast.alice()
    token = make_token(user=alice, now=NOW)
    return {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}


def post(site: Site, headers: dict[str, str], body: Iterable[bytes] | bytes) -> tuple[int, str]:
    """Create a game. Return the status and error code.

    Bytes are sent whole, and other bodies in chunks.
    """
    connection = HTTPConnection(urlsplit(site.url).netloc, timeout=60)
    connection.request("POST", "/api/v1/games", body, headers)
    answer = connection.getresponse()
    document = json.load(answer)
    connection.close()
    return answer.status, document["error"]


def test_a_chunked_body_is_read(site: Site, headers: dict[str, str]) -> None:
    assert post(site, headers, iter([b'{"name": "In pieces",', b' "starship": 1}'])) == (404, "no-starship")


def test_a_huge_body_is_refused_in_any_encoding(site: Site, headers: dict[str, str]) -> None:
    pieces = [b'{"name": "', *[b"x" * 65536] * 100, b'"}']
    assert post(site, headers, iter(pieces)) == (413, "too-large")
    assert post(site, headers, b"".join(pieces)) == (413, "too-large")
