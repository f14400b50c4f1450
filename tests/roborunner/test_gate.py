"""The site answers only for its own host and port, and only known methods."""

import pytest
from django.http import HttpResponse, QueryDict
from django.test import Client, RequestFactory

from roborunner import middleware
from roborunner.middleware import HostMiddleware
from roborunner.streams import Refusal
from tests import cast
from tests.games.support import HALL, Table
from tests.support.streams import admit

HERE, THERE = "127.0.0.1", "192.0.2.7"


@pytest.mark.parametrize(
    ("site", "host", "peer", "answers"),
    [
        ("https://robo.example.org", "robo.example.org", THERE, True),
        ("https://robo.example.org", "ROBO.example.org", THERE, True),
        ("https://robo.example.org", "robo.example.org:443", THERE, True),
        ("https://robo.example.org", "robo.example.org:8443", THERE, False),
        ("https://robo.example.org", "robo.example.org:80", THERE, False),
        ("https://robo.example.org", "robo.example.org.", THERE, False),
        ("https://robo.example.org", "further.example.org", THERE, True),
        ("https://robo.example.org", "further.example.org:8000", THERE, False),
        ("https://robo.example.org", "localhost:8000", HERE, True),
        ("https://robo.example.org", "localhost:8000", THERE, False),
        ("https://robo.example.org", "localhost", THERE, False),
        ("http://robo.example.org:8000", "robo.example.org:8000", THERE, True),
        ("http://robo.example.org:8000", "robo.example.org", THERE, False),
        ("http://robo.example.org:8000", "further.example.org:8000", THERE, True),
        ("http://localhost:8003", "localhost:8003", HERE, True),
        ("http://localhost:8003", "127.0.0.1:8003", HERE, True),
        ("http://localhost:8003", "[::1]:8003", HERE, True),
        ("http://localhost:8003", "localhost:8000", HERE, False),
        ("http://localhost:8003", "localhost", HERE, False),
        ("http://[::1]:8003", "[::1]:8003", HERE, True),
    ],
)
def test_host_and_port_belong_to_the_site(
    settings: pytest.FixtureRequest, site: str, host: str, peer: str, answers: bool
) -> None:
    settings.BASE_URL = site  # type: ignore[attr-defined]
    settings.ALLOWED_HOSTS = ["robo.example.org", "further.example.org"]  # type: ignore[attr-defined]
    assert middleware.is_ours(host, peer=peer) is answers


@pytest.mark.django_db
@pytest.mark.parametrize("host", ["localhost:8001", "evil.example.org", "testserver:1", "localhost:8000."])
def test_another_host_or_port_gets_status_400(host: str) -> None:
    assert Client().get("/rules/", headers={"host": host}).status_code == 400


def test_nul_characters_never_reach_a_view() -> None:
    seen: list[str] = []
    answer = HostMiddleware(lambda request: seen.append(repr(request.GET)) or HttpResponse())  # type: ignore[func-returns-value]
    answer(RequestFactory().get("/games/?find=a%00b&%00=%00&page=%2500", headers={"host": "localhost:8000"}))
    nul = "\N{REPLACEMENT CHARACTER}"
    assert seen == [repr(QueryDict(f"find=a{nul}b&{nul}={nul}&page=%2500"))]


@pytest.mark.django_db
def test_the_site_answers_under_its_name() -> None:
    assert Client().get("/rules/", headers={"host": "localhost:8000"}).status_code == 200


@pytest.mark.django_db
def test_probes_may_use_any_name_and_port() -> None:
    assert Client().get("/healthz", headers={"host": "10.0.0.7:1234"}).status_code == 200


@pytest.mark.django_db
def test_a_stream_is_refused_under_another_port() -> None:
    game = Table(HALL.saved()).game(cast.alice(), cast.bob())
    scope = {
        "type": "http",
        "method": "GET",
        "path": f"/games/{game.pk}/events/",
        "query_string": b"",
        "headers": [(b"host", b"testserver:1")],
    }
    got = admit(scope, game_id=game.pk, signed_in=False)
    assert isinstance(got, Refusal)
    assert got.status == 400
