"""Lists of games, narrowed down as the Game Room is."""

from accounts.models import User
from tests.games.api_client import ApiOf
from tests.games.support import Table


def test_games_are_narrowed_down(api: ApiOf, table: Table, alice: User, bob: User) -> None:
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


def test_further_pages_keep_the_filter(api: ApiOf, table: Table, alice: User) -> None:
    for hours in (1, 48, 1):
        table.game(alice, seats=2, pace={"hours": hours})
    first = api(alice).get("games", pace="fast", limit=1).body
    assert "pace=fast" in first["next"]
    assert "limit=1" in first["next"]
