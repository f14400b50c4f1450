"""The page of a player's ratings. Numbers are public.

Games are shown only to people who may see the player's statistics.
"""

from datetime import timedelta

import pytest

from accounts.models import User
from games.play.models import Game
from games.standings.selectors.ratings import LEAST_RIVAL_GAMES
from tests.games.api_client import Api
from tests.games.reader import ReaderOf
from tests.games.standings.rated import ended, finish, rate
from tests.games.support import NOW, Table

ALICE = "/players/Alice/ratings/"


@pytest.fixture
def seven(db: None, alice: User, bob: User, carol: User) -> None:
    """Seven games of Robo Runner. Alice beats Bob and loses to Carol."""
    for number in range(LEAST_RIVAL_GAMES):
        finish("robo-runner", alice, bob, at=NOW - timedelta(days=20 - number))
        finish("robo-runner", carol, alice, at=NOW - timedelta(days=15 - number))
    finish("group-11", carol, bob, at=NOW - timedelta(days=1))


def test_the_page_shows_number_graph_games_and_opponents(seven: None, read: ReaderOf) -> None:
    page = read(None).get(ALICE)
    assert "after 6 rated games" in page
    assert "provisional" in page
    assert 'class="graph-line"' in page.html
    best, _, worst = page.text.partition("Hardest opponents")
    assert "Bob 3 ahead, 0 behind, 0 tied" in best
    assert "Carol 0 ahead, 3 behind, 0 tied" in worst
    assert "group-11" not in page.html, "Alice has not played it"
    assert "no rated games here yet" in read(None).get(f"{ALICE}?rules=group-11")
    assert "Robo Runner" in read(None).get("/players/Alice/")


def test_private_statistics_show_only_the_number(seven: None, alice: User, read: ReaderOf) -> None:
    User.objects.filter(pk=alice.pk).update(shows_statistics="nobody")
    page = read(None).get(ALICE)
    assert "after 6 rated games" in page and "keeps their statistics private" in page
    assert "Bob" not in page.html and "graph-line" not in page.html
    answer = Api().get("players/Alice/ratings").body
    assert (answer["history"], answer["best"], answer["worst"]) == (None, None, None)
    assert answer["ratings"][0]["games"] == 6
    assert "Bob" in read(alice).get(ALICE)


def test_a_private_game_is_named_only_to_those_with_access(
    table: Table, alice: User, bob: User, dave: User, read: ReaderOf
) -> None:
    game = ended(table, alice, bob, private=True, rated="yes", name="Hush")
    rate()
    for stranger in (None, dave):
        page = read(stranger).get(ALICE)
        assert "A private game" in page and "Hush" not in page.html
        assert f"/games/{game.pk}/" not in page.html
    assert "Hush" in read(bob).get(ALICE)
    assert Api().get("players/Alice/ratings").body["history"][0]["game"] is None
    assert Api(bob).get("players/Alice/ratings").body["history"][0]["game"] == game.pk
    assert Api().get(f"games/{game.pk}/ratings").status == 404


def test_an_unknown_player_is_not_found_and_an_unknown_ruleset_means_all(seven: None, read: ReaderOf) -> None:
    assert read(None).client.get("/players/Nemo/ratings/").status_code == 404
    assert "after 6 rated games" in read(None).get(f"{ALICE}?rules=chess")
    assert Api().get("players/Alice/ratings?ruleset=chess").status == 400
    assert Api().get("players/Nemo/ratings").status == 404


def test_the_page_of_a_game_shows_changes_of_ratings(
    table: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    game = ended(table, alice, bob)
    there = f"/games/{game.pk}/"
    assert "Before" not in read(None).get(there)
    rate()
    page = read(None).get(there)
    assert "Alice 1 1500 +105 1605" in page
    assert "Bob 2 1500 -105 1395" in page
    results = Api().get(f"games/{game.pk}/ratings").body["results"]
    assert results[0] == {
        "robo_name": "Alice",
        "look": None,
        "rank": 1,
        "before": 1500,
        "rating": 1605,
        "change": 105,
    }
    Game.objects.filter(pk=game.pk).update(rated="no")
    assert Api().get(f"games/{game.pk}/ratings").body["results"] == results
