"""The benchmark of the largest documents sends such documents to every address."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.urls import resolve

import rules
from bench import largest
from games.fleet.boards import MOST_FEATURES, MOST_LASERS, crowding_in
from games.fleet.models import Starship
from games.shipyard.selectors import drawing_of, faults_in
from games.web.reference import openapi
from rules.notation import TEXTS
from tests.access.requests import BODIES
from tests.access.table import rows
from tests.access.walking import addresses
from tests.games.support import HALL, LANE


def test_it_asks_every_address_in_every_permitted_way() -> None:
    asked = {(row.method, row.address) for row, _, _ in largest.asked_rows()}
    unasked = {str(row) for row in rows() if (row.method, row.address) not in asked}
    assert unasked == {f"GET /{address}" for address in largest.IN_FRONT}
    listed = {address for _, address in asked} | set(largest.IN_FRONT)
    assert {address for address in addresses() if not address.startswith("admin/")} <= listed


def fields_of(schema: Any, known: dict[str, Any]) -> Iterator[str]:
    """Yield the names of all fields in the JSON schema of a body, at any depth."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            yield from fields_of(known.pop(name, None), known)
        for key, value in schema.items():
            if key == "properties":
                yield from value
            yield from fields_of(value, known)
    elif isinstance(schema, list):
        for each in schema:
            yield from fields_of(each, known)


def test_every_call_that_takes_a_ship_gets_the_largest() -> None:
    document = largest.SMALL
    schema = openapi()
    takes = {
        (method.upper(), path.lstrip("/"))
        for path, methods in schema["paths"].items()
        for method, call in methods.items()
        if "document" in fields_of(call.get("requestBody"), dict(schema["components"]["schemas"]))
    }
    assert takes
    sent = set()
    for row, _, _ in largest.asked_rows():
        usual = BODIES.get(str(row).replace(" /", " "))
        if not isinstance(usual, str):
            found = [body for _, body in largest.bodies(row, usual, document) if body]
            sent |= {(row.method, row.address) for body in found if body.get("document") is document}
    assert takes <= sent


def test_every_form_of_staff_that_takes_a_ship_gets_the_largest() -> None:
    taking = {model for model, page in admin.site._registry.items() if "document" in page.form.base_fields}
    assert taking == {Starship}
    pages = [resolve(path.format(starship_id=1)).url_name for path in largest.ADMIN_TAKES_SHIPS]
    assert pages == [f"games_starship_{page}" for page in ("preview", "add", "change")]


@pytest.mark.parametrize("name", ["crowded", "rails", "numbers", "unreadable"])
def test_its_drafts_are_the_largest_allowed(name: str) -> None:
    document = largest.documents()[name]
    assert [len(row.split()) for row in document["rows"]] == [100] * 100
    assert {key: len(document[key]) for key in TEXTS} == dict(TEXTS)
    assert crowding_in(document) == []
    features = [part[:1] for row in document["rows"] for cell in row.split() for part in cell.split("+")[1:]]
    if name != "unreadable":
        assert len([each for each in features if each not in ("w", "")]) > MOST_FEATURES * 0.95
    if name == "crowded":
        assert features.count("l") == MOST_LASERS
        rules.read_starship(document)
    drawing = drawing_of(document=document, name=None, ruleset="robo-runner", players=8)
    assert any(fault.is_blocking for fault in faults_in(drawing)) == (name != "crowded")


@pytest.mark.parametrize("board", [HALL, LANE])
def test_its_ships_have_the_corner_for_games(board: Any) -> None:
    ship = rules.read_starship(
        {**board.document, "rows": list(largest.crowded(board.rows, known_to_all=True))}
    )
    small = rules.read_starship(board.document)
    assert (len(ship.starts), set(ship.checkpoints)) == (len(small.starts), set(small.checkpoints))
