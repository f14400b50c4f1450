"""The API of lists of games."""

from typing import Any

import pytest

from accounts.models import User
from games.lobby.seats import leave_game
from games.play.models import Game
from tests.games.api_client import ApiOf, names_of
from tests.games.support import NOW, Table, later


def test_games_are_found_by_status(api: ApiOf, table: Table, alice: User, bob: User, dave: User) -> None:
    table.game(alice, bob, name="running")
    table.game(alice, seats=2, name="open")
    cancelled = table.game(alice, seats=2, name="cancelled")
    leave_game(user=alice, game_id=cancelled.pk, now=NOW)
    assert sorted(names_of(api(dave))) == ["cancelled", "open", "running"]
    for status in ("running", "open", "cancelled"):
        assert names_of(api(dave), status=status) == [status]
    assert names_of(api(dave), status="over") == []


def test_games_are_found_by_player(api: ApiOf, table: Table, alice: User, bob: User, dave: User) -> None:
    table.game(alice, bob, name="theirs")
    table.game(dave, seats=2, name="mine")
    assert names_of(api(dave), mine=1) == ["mine"]
    assert names_of(api(bob), mine="true", status="running") == ["theirs"]
    assert sorted(names_of(api(bob), mine=0)) == ["mine", "theirs"]


def test_a_listed_game_has_players_and_missing_orders(
    api: ApiOf, table: Table, duel: Game, alice: User, bob: User
) -> None:
    table.move(duel, alice)
    [game] = api(bob).get("games").body["results"]
    assert [seat["name"] for seat in game["seats"]] == ["Alice", "Bob"]
    assert (game["host"], game["starship_name"], game["turn"]) == ("Alice", "Hall", 0)
    assert (game["waiting_for"], game["waits_for_me"]) == (["Bob"], True)
    assert not api(alice).get("games").body["results"][0]["waits_for_me"]


def test_games_are_paginated_newest_first(api: ApiOf, table: Table, alice: User) -> None:
    for number in range(5):
        table.game(alice, seats=2, name=str(number), now=later(minutes=number))
    client = api(alice)
    page = client.get("games", limit=2).body
    assert [game["name"] for game in page["results"]] == ["4", "3"]
    assert page["previous"] is None
    table.game(alice, seats=2, name="newer", now=later(hours=1))
    names = []
    while page["next"]:
        page = client.get(page["next"].partition("/api/v1/")[2]).body
        names.append([game["name"] for game in page["results"]])
    assert names == [["2", "1"], ["0"]]
    assert page["previous"]


def test_games_created_at_the_same_time_are_all_listed(api: ApiOf, table: Table, alice: User) -> None:
    for number in range(5):
        table.game(alice, seats=2, name=str(number))
    client = api(alice)
    page = client.get("games", limit=3).body
    names = [game["name"] for game in page["results"]]
    page = client.get(page["next"].partition("/api/v1/")[2]).body
    assert [*names, *(game["name"] for game in page["results"])] == ["4", "3", "2", "1", "0"]


@pytest.mark.parametrize("query", [{"status": "closed"}, {"mine": "yes"}, {"limit": 101}, {"statsu": "open"}])
def test_an_invalid_query_is_refused(api: ApiOf, alice: User, query: dict[str, Any]) -> None:
    answer = api(alice).get("games", **query)
    assert answer.refusal == (400, "malformed")
    assert answer.body["problems"][0]["key"] == next(iter(query))


def test_games_can_be_filtered(api: ApiOf, table: Table, alice: User, bob: User) -> None:
    table.game(alice, seats=2, name="Quick", pace={"hours": 1})
    table.game(alice, seats=4, name="Slow", pace={"hours": 48})
    table.game(alice, bob, name="Full", pace={"hours": 1})
    client = api(bob)

    def names(**query: str) -> list[str]:
        return [game["name"] for game in client.get("games", **query).body["results"]]

    assert names(pace="fast") == ["Full", "Quick"]
    assert names(pace="fast", status="open") == names(pace="fast", free="1") == ["Quick"]
    assert names(ruleset="robo-runner", seats="3-4", size="small") == ["Slow"]
    assert names(size="large") == []


def test_further_pages_keep_the_filters(api: ApiOf, table: Table, alice: User) -> None:
    for hours in (1, 48, 1):
        table.game(alice, seats=2, pace={"hours": hours})
    first = api(alice).get("games", pace="fast", limit=1).body
    assert "pace=fast" in first["next"]
    assert "limit=1" in first["next"]
