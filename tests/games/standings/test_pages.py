"""The pages and the API of awards."""

import pytest

from accounts.models import User
from games.standings.services import close_months
from tests.games.api_client import Api
from tests.games.reader import ReaderOf
from tests.games.standings.months import NOVEMBER, store_month
from tests.games.support import NOW


@pytest.fixture
def two_months(db: None, alice: User, bob: User) -> None:
    """Alice leads most awards in October, which is closed. Bob leads in November."""
    store_month(alice, won=6, repaired=20, turns=90)
    store_month(bob, won=3)
    store_month(bob, NOVEMBER, won=4, destroyed=15)
    close_months(now=NOW)


def test_a_page_shows_current_leaders_and_past_winners(two_months: None, read: ReaderOf) -> None:
    running = read(None).get("/awards/")
    assert "The leaders in November 2026 so far." in running and "play 10 rated games" in running
    assert "Champion Share of games won 1 Bob 40 %" in running
    october = read(None).get("/awards/?month=2026-10")
    assert "The best players of October 2026" in october
    assert "Champion Share of games won 1 Alice 60 % 2 Bob 30 %" in october
    assert "Hull Welder Damage repaired per game 1 Alice 2" in october


def test_a_month_without_awards_is_shown_as_running(two_months: None, read: ReaderOf) -> None:
    for month in ("2025-01", "2026-13"):
        assert "The leaders in November 2026 so far." in read(None).get(f"/awards/?month={month}")


def test_the_page_of_an_award_lists_the_best(two_months: None, read: ReaderOf) -> None:
    assert "1 Bob 40 % 10" in read(None).get("/awards/champion/")
    assert "1 Alice 60 % 10 2 Bob 30 % 10" in read(None).get("/awards/champion/?month=2026-10")
    assert "No one qualifies yet. To qualify, play 10 rated games in the month." in read(None).get(
        "/awards/bumper/"
    )
    assert read(None).client.get("/awards/nonsense/").status_code == 404


def test_a_player_s_page_shows_rank_awards_and_months(
    two_months: None, alice: User, bob: User, read: ReaderOf
) -> None:
    page = read(None).get("/players/Bob/awards/")
    assert "more point" in page and "Champion October 2026" in page
    assert "Games won 7" in page
    assert "Games won 4" in read(None).get("/players/Bob/awards/?month=2026-11")
    assert "Ensign" in read(None).get("/players/Bob/") or "Lieutenant" in read(None).get("/players/Bob/")
    User.objects.filter(pk=bob.pk).update(shows_statistics="nobody")
    hidden = read(alice).get("/players/Bob/awards/")
    assert "keeps their statistics private" in hidden and "Games won" not in hidden
    assert "Games won 7" in read(bob).get("/players/Bob/awards/")
    assert read(None).client.get("/players/Nemo/awards/").status_code == 404


def test_the_api_has_the_same_data(two_months: None, bob: User) -> None:
    awards = Api().get("awards").body
    assert (awards["months"], awards["least_games"], len(awards["ranks"])) == (["2026-10-01"], 10, 7)
    board = Api().get("awards/champion?month=2026-10").body
    assert [(line["robo_name"], line["place"], line["value"]) for line in board["results"]] == [
        ("Alice", 1, 0.6),
        ("Bob", 2, 0.3),
    ]
    assert Api().get("awards/nonsense").status == 404
    mine = Api().get("players/Bob/awards").body
    assert [each["month"] for each in mine["months"]] == [None, "2026-11-01", "2026-10-01"]
    assert mine["months"][0]["figures"]["won"] == 7
    User.objects.filter(pk=bob.pk).update(shows_statistics="nobody")
    assert Api().get("players/Bob/awards").body["months"] is None


def test_awards_of_a_new_site_say_what_to_do_next(db: None, read: ReaderOf) -> None:
    page = read(None).get("/awards/")
    assert "No one is ahead yet. Play rated games this month to be the first." in page
    assert "/games/find/" in page.links and 'class="plan-view"' in page.html


def test_awards_with_leaders_need_no_advice(two_months: None, read: ReaderOf) -> None:
    assert "No one is ahead yet." not in read(None).get("/awards/")
