"""Limits on the number of database queries in each API call."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.play.models import Game
from tests.cast import person
from tests.games.api_client import Api, ApiOf
from tests.games.support import Table, orders_for


def cost(call: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as queries:
        call()
    return len(queries)


@pytest.fixture
def client(api: ApiOf, alice: User) -> Api:
    """Alice's client of the API. Its token was used recently."""
    client = api(alice)
    client.get("rulesets")
    return client


@pytest.fixture
def others(db: None) -> list[User]:
    return [person(f"Player{number}") for number in range(1, 6)]


@pytest.fixture
def crowd(table: Table, alice: User, others: list[User]) -> Game:
    game = table.game(alice, *others)
    table.play(game, alice, *others)
    return game


def test_a_game_of_six_takes_few_queries(client: Api, table: Table, crowd: Game, others: list[User]) -> None:
    game = crowd
    table.move(game, *others)
    assert cost(lambda: client.get(f"games/{game.pk}")) <= 8
    assert cost(lambda: client.get(f"games/{game.pk}/log")) <= 3
    assert cost(lambda: client.get(f"games/{game.pk}/turns/0")) <= 6


def test_lists_of_six_games_take_few_queries(client: Api, table: Table, alice: User, bob: User) -> None:
    for _ in range(6):
        table.game(alice, bob)
    assert cost(lambda: client.get("games")) <= 3
    assert cost(lambda: client.get("me/waiting")) <= 3
    assert cost(lambda: client.get("seats")) <= 3
    assert cost(lambda: client.get("starships")) <= 2
    assert cost(lambda: client.get("me")) <= 7


def test_orders_take_five_reads_and_one_write(client: Api, crowd: Game, alice: User) -> None:
    path, orders = f"games/{crowd.pk}/turns/1/orders", orders_for(crowd, alice)
    client.post(path, orders)
    orders["registers"].reverse()
    with CaptureQueriesContext(connection) as queries:
        assert client.post(path, orders).body["me"]["orders"]["registers"] == orders["registers"]
    statements = [query["sql"] for query in queries if "SAVEPOINT" not in query["sql"]]
    assert [statement.split()[0] for statement in statements] == 5 * ["SELECT"] + ["WITH"]


def test_the_token_takes_one_query_and_is_not_written_each_time(client: Api, duel: Game) -> None:
    assert cost(lambda: client.get("rulesets")) == 1
