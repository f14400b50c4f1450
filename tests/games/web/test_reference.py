"""The pages of the API reference: an overview, and a part for each group of calls."""

import re
from collections import Counter
from html import unescape

import pytest
from django.test import Client

from games.web.reference import SHARED, homes, openapi

DOCS = "/api/v1/docs"
OPERATIONS = [call for calls in openapi()["paths"].values() for call in calls.values()]
PARTS = [f"{DOCS}/{key}" for key in dict.fromkeys((*(call["tags"][0] for call in OPERATIONS), SHARED))]


def html_of(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return answer.content.decode()


def ids_in(page: str) -> set[str]:
    return set(re.findall(r' id="([^"]+)"', page))


@pytest.mark.django_db
def test_each_call_and_shape_is_on_one_part(client: Client) -> None:
    pages = [html_of(client, path) for path in PARTS]
    found = Counter(name for page in pages for name in ids_in(page))
    named = {call["operationId"] for call in OPERATIONS} | {f"shape-{name}" for name in homes()}
    assert {found[name] for name in named} == {1}
    titles = re.findall(r'<h2 class="call-title"[^>]*>(.*?)</h2>', "".join(pages))
    assert sorted(map(unescape, titles)) == sorted(call["summary"] for call in OPERATIONS)


@pytest.mark.django_db
def test_links_of_the_reference_lead_to_their_place(client: Client) -> None:
    pages = {path: html_of(client, path) for path in (DOCS, *PARTS)}
    places = {path: ids_in(page) for path, page in pages.items()}
    for path, page in pages.items():
        main = page[page.index("<main") : page.index("</main>")]
        links = re.findall(rf'href="({DOCS}[^"#]*|)#([^"]+)"', main)
        assert links, path
        for there, name in links:
            assert name in places[there or path], f"{path} leads to {there}#{name}"


@pytest.mark.django_db
def test_the_overview_links_to_all_and_has_the_names_of_old_links(client: Client) -> None:
    page = html_of(client, DOCS)
    assert {path for path in PARTS if f'href="{path}"' not in page} == set()
    old = {call["operationId"] for call in OPERATIONS} | {f"shape-{name}" for name in homes()}
    assert old | {path.rpartition("/")[2] for path in PARTS} | {"begin"} <= ids_in(page)


@pytest.mark.django_db
def test_an_unknown_part_is_not_found(client: Client) -> None:
    assert client.get(f"{DOCS}/warp-drive").status_code == 404
