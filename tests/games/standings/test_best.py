"""The list of best players: its order, and the requirements to be on it."""

from datetime import timedelta

import pytest
from django.db import connection

from accounts.models import User
from games.people.services.deletion import delete_account
from games.standings.models import PlayerRating, RatingPool
from games.standings.selectors.ratings import best_players
from tests import cast
from tests.games.api_client import Api
from tests.games.reader import ReaderOf
from tests.games.standings.rated import finish, give_rating
from tests.games.support import NOW


@pytest.fixture
def four(db: None, alice: User, bob: User, carol: User, dave: User) -> None:
    give_rating(alice, mu=30, sigma=3)
    give_rating(bob, mu=32, sigma=4.5)
    give_rating(carol, mu=26, sigma=2.5)
    give_rating(dave, mu=40, sigma=3, games=19)


def test_players_are_ordered_by_rating_minus_uncertainty(four: None) -> None:
    found = best_players(pool="all", now=NOW)
    assert [(each["place"], each["robo_name"], each["rating"], each["uncertainty"]) for each in found] == [
        (1, "Alice", 1700, 240),
        (2, "Bob", 1780, 360),
        (3, "Carol", 1540, 200),
    ]
    assert best_players(pool="robo-runner", now=NOW) == []


def test_equal_players_share_a_place(four: None) -> None:
    PlayerRating.objects.filter(listed=True).update(floor=20)
    assert [each["place"] for each in best_players(pool="all", now=NOW)] == [1, 1, 1]


def test_a_shift_of_the_scale_moves_everyone(four: None) -> None:
    RatingPool.objects.update(offset=0.5)
    assert [each["rating"] for each in best_players(pool="all", now=NOW)] == [1720, 1800, 1560]


def test_time_lowers_certainty(four: None) -> None:
    later = best_players(pool="all", now=NOW + timedelta(days=60))
    assert later[0]["uncertainty"] > 240


def test_a_deleted_account_is_not_listed(four: None, alice: User) -> None:
    delete_account(user=alice, now=NOW)
    assert [each["robo_name"] for each in best_players(pool="all", now=NOW)] == ["Bob", "Carol"]
    assert PlayerRating.objects.filter(user=alice).exists(), "others' ratings followed from it"


def test_the_page_lists_them_and_what_the_reader_still_needs(four: None, dave: User, read: ReaderOf) -> None:
    page = read(dave).get("/ratings/")
    assert page.text.index("Alice") < page.text.index("Bob") < page.text.index("Carol")
    assert "Not on the list yet. Play 1 more rated game." in page
    assert "No players yet" in read(None).get("/ratings/?rules=group-11")


def test_a_newcomer_sees_all_missing_requirements(db: None, alice: User, bob: User, read: ReaderOf) -> None:
    finish("robo-runner", alice, bob)
    page = read(alice).get("/ratings/?rules=robo-runner")
    assert (
        "Play 19 more rated games. Play against 7 more people. Reduce your uncertainty by 272 points" in page
    )


def test_the_api_has_the_same_list(four: None) -> None:
    answer = Api().get("ratings").body["results"]
    assert answer[0] == {
        "place": 1,
        "robo_name": "Alice",
        "look": None,
        "rating": 1700,
        "uncertainty": 240,
        "games": 30,
    }
    assert Api().get("ratings?ruleset=robo-runner").body["results"] == []
    assert Api().get("ratings?ruleset=chess").status == 400


def test_the_list_reads_only_the_rows_it_shows(db: None) -> None:
    """With many players, Postgres reads the rows by index and does not sort."""
    RatingPool.objects.get_or_create(key="all")
    people = [cast.person(f"Crowd{number}") for number in range(120)]
    for number, person in enumerate(people):
        give_rating(person, mu=20 + number / 10)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE games_playerrating")
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(
            "EXPLAIN SELECT * FROM games_playerrating WHERE pool_id = 'all' AND listed"
            " ORDER BY floor DESC, user_id LIMIT 50"
        )
        plan = "\n".join(row[0] for row in cursor.fetchall())
    assert "ratings_listed" in plan
    assert "Sort" not in plan
    assert len(best_players(pool="all", now=NOW)) == 50
