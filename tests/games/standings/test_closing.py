"""Each month closes once and gives its awards, however many workers run."""

from datetime import UTC, date, datetime, timedelta
from functools import partial

import pytest

from accounts.models import Audience, User
from games.people.services.deletion import delete_account
from games.play.models import Game
from games.standings import services
from games.standings.awards import AWARDS, rank_for
from games.standings.models import Award, MonthClose
from games.standings.selectors.awards import rank_of, top
from games.standings.services import close_months
from games.work.jobs import note_ended
from tests import cast
from tests.games.standings.months import NOVEMBER, OCTOBER, store_month
from tests.games.support import NOW
from tests.games.together import together


def won(key: str) -> list[tuple[str, int]]:
    return list(
        Award.objects.filter(key=key).order_by("place", "user").values_list("user__robo_name", "place")
    )


def test_the_best_three_win_each_award(db: None, alice: User, bob: User, carol: User, dave: User) -> None:
    for player, repaired, deaths in ((alice, 30, 4), (bob, 50, 0), (carol, 20, 9), (dave, 10, 2)):
        store_month(player, repaired=repaired, deaths=deaths)
    assert close_months(now=NOW) == 1
    assert won("hull-welder") == [("Bob", 1), ("Alice", 2), ("Carol", 3)]
    assert won("survivor") == [("Bob", 1), ("Dave", 2), ("Alice", 3)]
    assert won("bumper") == [], "nobody has pushed a robot"
    assert Award.objects.get(key="hull-welder", place=1).value == 5.0


def test_awards_compare_averages_per_game_and_require_enough_games(
    db: None, alice: User, bob: User, carol: User
) -> None:
    store_month(alice, games=10, destroyed=10)
    store_month(bob, games=40, destroyed=30)
    store_month(carol, games=9, destroyed=90)
    close_months(now=NOW)
    assert won("demolisher") == [("Alice", 1), ("Bob", 2)]


def test_the_minimum_number_of_games_is_a_setting(db: None, alice: User, settings: object) -> None:
    settings.AWARD_GAMES = 2  # type: ignore[attr-defined]
    store_month(alice, games=2, won=1)
    close_months(now=NOW)
    assert won("champion") == [("Alice", 1)]


def test_testing_prototypes_requires_no_other_games(db: None, alice: User) -> None:
    store_month(alice, games=0, tested=2)
    close_months(now=NOW)
    assert list(Award.objects.values_list("key", "value")) == [("test-pilot", 2.0)]


def test_equal_players_win_the_same_and_more_games_break_ties(
    db: None, alice: User, bob: User, carol: User
) -> None:
    store_month(alice, games=12, pushed=12)
    store_month(bob, games=12, pushed=12)
    store_month(carol, games=10, pushed=10)
    close_months(now=NOW)
    assert won("bumper") == [("Alice", 1), ("Bob", 1), ("Carol", 3)]


def test_players_with_private_statistics_take_no_part(db: None, alice: User, bob: User) -> None:
    User.objects.filter(pk=alice.pk).update(shows_statistics=Audience.PLAYERS)
    store_month(alice, won=9)
    store_month(bob, won=1)
    close_months(now=NOW)
    assert won("champion") == [("Bob", 1)]


def test_a_month_closes_once_and_the_current_month_stays_open(db: None, alice: User, bob: User) -> None:
    store_month(alice, won=5)
    store_month(bob, NOVEMBER, won=5)
    assert (close_months(now=NOW), close_months(now=NOW)) == (1, 0)
    assert list(MonthClose.objects.values_list("month", flat=True)) == [OCTOBER]
    store_month(bob, OCTOBER, won=9)
    assert close_months(now=NOW) == 0
    assert won("champion") == [("Alice", 1)], "what is closed stays"


def test_closing_waits_for_uncounted_games_but_not_forever(duel: Game, alice: User) -> None:
    store_month(alice, won=5)
    end = datetime(2026, 11, 1, tzinfo=UTC)
    Game.objects.filter(pk=duel.pk).update(status="over", ended_at=end - timedelta(minutes=1))
    note_ended(duel.pk, [services.MONTHS_JOB])
    assert close_months(now=end + timedelta(hours=1)) == 0
    assert close_months(now=end + services.WAIT_FOR_GAMES) == 1


def test_a_worker_that_dies_closes_nothing(db: None, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    store_month(alice, won=5)

    def die(*, key: str, month: date) -> None:
        if key == list(AWARDS)[-1]:
            raise RuntimeError("killed")

    monkeypatch.setattr(services, "winners", lambda **asked: die(**asked) or top(**asked))
    with pytest.raises(RuntimeError):
        close_months(now=NOW)
    assert not MonthClose.objects.exists() and not Award.objects.exists()
    monkeypatch.undo()
    assert close_months(now=NOW) == 1


@pytest.mark.django_db(transaction=True)
def test_ten_workers_close_one_month() -> None:
    people = [cast.alice(), cast.bob(), cast.carol()]
    for number, person in enumerate(people, 1):
        store_month(person, won=number, turns=number)
    assert sum(together(*[partial(close_months, now=NOW)] * 10)) == 1
    assert won("champion") == [("Carol", 1), ("Bob", 2), ("Alice", 3)]


def test_awards_lead_to_ranks_and_are_deleted_with_the_account(db: None, alice: User, bob: User) -> None:
    store_month(alice, won=5, repaired=3)
    store_month(bob, won=4)
    close_months(now=NOW)
    first = rank_of(user=alice)
    places = Award.objects.filter(user=alice).values_list("place", flat=True)
    assert first["points"] == sum({1: 5, 2: 3, 3: 2}[place] for place in places) > 0
    assert first["key"] == rank_for(first["points"]).key
    assert rank_of(user=cast.dave()) == {"key": "cadet", "points": 0, "next": "ensign", "missing": 2}
    delete_account(user=alice, now=NOW)
    assert not Award.objects.filter(user=alice).exists()


def test_each_award_compares_existing_columns(db: None, alice: User) -> None:
    row = store_month(
        alice, **{column: 10 for each in AWARDS.values() for column in each.columns if column != "games"}
    )
    for key, award in AWARDS.items():
        if award.any_games or row.games >= 10:
            (line,) = top(key=key, month=OCTOBER)
            assert line.value == award.value_of(row)
    assert len(AWARDS) >= 12
