"""Whatever is sent, the API answers as its OpenAPI document says, and never with a mishap."""

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import User
from games.play.models import Game
from games.web.reference import openapi
from tests.games.api_client import ApiOf
from tests.games.support import Table

TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(0, 850)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS
    | st.sampled_from(["N", "E", "robo-runner", "rookie", "1"]),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)

many = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def objects(component: str) -> st.SearchStrategy[dict[str, Any]]:
    """Return objects that have some of a component's keys, with any values, and now and then another."""
    keys = sorted(openapi()["components"]["schemas"][component]["properties"])
    return st.dictionaries(st.sampled_from(keys) | TEXTS, VALUES, max_size=len(keys))


@many
@given(document=objects("Orders"))
def test_any_orders(api: ApiOf, dealt: Game, alice: User, document: dict[str, Any]) -> None:
    client, path = api(alice), f"games/{dealt.pk}/turns/1/"
    assert client.post(f"{path}preview", document).status in {200, 400, 422}
    assert client.post(f"{path}orders", document).status in {200, 400, 422}


@many
@given(document=objects("NewGame"), sound=st.booleans())
def test_any_game(api: ApiOf, dealt: Game, alice: User, document: dict[str, Any], sound: bool) -> None:
    base = {"name": "Any", "starship": dealt.revision.starship_id} if sound else {}
    assert api(alice).post("games", document | base).status in {201, 400, 404, 422}


@many
@given(document=objects("PatchedGameChanges"), sound=st.booleans())
def test_any_settings(api: ApiOf, table: Table, alice: User, document: dict[str, Any], sound: bool) -> None:
    lobby = table.game(alice, seats=3)
    document = {"name": "Any"} if sound else document
    assert api(alice).patch(f"games/{lobby.pk}", document).status in {200, 400, 404, 422}


@many
@given(
    computer=objects("Computer"),
    change=objects("PatchedComputerChanges"),
    strength=st.sampled_from(["ace", 1]),
)
def test_any_computer(
    api: ApiOf, table: Table, alice: User, computer: dict[str, Any], change: dict[str, Any], strength: object
) -> None:
    lobby = table.game(alice, seats=3)
    client, path = api(alice), f"games/{lobby.pk}/"
    assert client.post(f"{path}computers", computer | {"strength": strength}).status in {200, 400, 409, 422}
    assert client.patch(f"{path}seats/2", change).status in {200, 400, 404, 409, 422}


@many
@given(document=objects("Invitation"))
def test_any_invitation(api: ApiOf, table: Table, alice: User, document: dict[str, Any]) -> None:
    lobby = table.game(alice, seats=3)
    assert api(alice).post(f"games/{lobby.pk}/invitations", document).status in {200, 400, 404, 409}


@many
@given(document=objects("Login"))
def test_any_login(api: ApiOf, dealt: Game, document: dict[str, Any]) -> None:
    assert api(None).post("tokens", document).status in {400, 401, 429}


@many
@given(query=st.dictionaries(st.sampled_from(["status", "mine", "cursor", "limit"]), TEXTS | st.integers()))
def test_any_query(api: ApiOf, dealt: Game, alice: User, query: dict[str, Any]) -> None:
    assert api(alice).get("games", **query).status in {200, 400}


@many
@given(query=st.dictionaries(st.sampled_from(["after", "link"]), TEXTS | st.integers()))
def test_any_cursor_of_the_log(api: ApiOf, dealt: Game, alice: User, query: dict[str, Any]) -> None:
    assert api(alice).get(f"games/{dealt.pk}/log", **query).status in {200, 400}


@many
@given(raw=st.binary(max_size=100))
def test_any_body(api: ApiOf, dealt: Game, alice: User, raw: bytes) -> None:
    assert api(alice).post(f"games/{dealt.pk}/turns/1/orders", raw=raw).status in {400, 422}
