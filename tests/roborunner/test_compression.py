"""The compressed size of a response does not reveal its content."""

import gzip

import pytest
from django.http import HttpResponse
from django.test import Client

pytestmark = pytest.mark.django_db

COMPRESSED = {"Accept-Encoding": "gzip, deflate, br"}


def get(path: str, **headers: str) -> HttpResponse:
    """Request a page as a browser that accepts compression."""
    return Client().get(path, headers=COMPRESSED | headers)


@pytest.mark.parametrize("path", ["/", "/help/", "/api/v1/schema", "/nowhere/"])
def test_pages_and_the_api_are_compressed_if_accepted(path: str) -> None:
    plain, sent = Client().get(path), get(path)
    assert "Content-Encoding" not in plain.headers
    assert sent.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in sent.headers["Vary"]
    assert len(sent.content) < 0.5 * len(plain.content)
    assert len(gzip.decompress(sent.content)) == pytest.approx(len(plain.content), rel=0.01)


def test_the_same_page_is_sent_in_many_lengths() -> None:
    client = Client()
    lengths = {len(client.get("/help/", headers=COMPRESSED).content) for _ in range(12)}
    assert len(lengths) > 4
