"""The ship of the week: chosen each Monday by a rule, and fixed for the week."""

from datetime import UTC, date, datetime, timedelta
from functools import partial

import pytest
from django.db import IntegrityError, transaction

from games.dock.models import ShipRating
from games.fleet.figures import choose_ship_of_the_week, ship_of_the_week
from games.fleet.models import Starship, StarshipWeek
from games.fleet.services import retire_starship
from tests.games.api_client import ApiOf
from tests.games.reader import ReaderOf
from tests.games.support import DUCTS, HALL, LANE, NOW
from tests.games.together import together

WEEK = timedelta(days=7)


def chosen_at(now: datetime) -> str:
    choose_ship_of_the_week(now=now)
    return StarshipWeek.objects.get(week=now.date() - timedelta(days=now.weekday())).starship.name


def rate(ship: Starship, total: int) -> None:
    ShipRating.objects.create(starship=ship, reviews=5, total=total, stars=total / 5, shrunk=total / 5)


@pytest.fixture
def fleet(db: None) -> list[Starship]:
    return [board.saved() for board in (HALL, LANE, DUCTS)]


def test_the_best_rated_ship_comes_first_then_the_oldest_and_then_all_again(fleet: list[Starship]) -> None:
    rate(fleet[2], 20)
    assert [chosen_at(NOW + number * WEEK) for number in range(4)] == ["Ducts", "Hall", "Lane", "Ducts"]
    last = StarshipWeek.objects.order_by("week").last()
    assert last and (last.stars, last.before) == (4, date(2026, 11, 16))


def test_the_choice_does_not_change_during_the_week(fleet: list[Starship]) -> None:
    assert choose_ship_of_the_week(now=NOW) == 1
    rate(fleet[2], 25)
    assert choose_ship_of_the_week(now=NOW + timedelta(days=1)) == 0
    assert [each.starship.name for each in StarshipWeek.objects.all()] == ["Hall"]


def test_a_week_starts_on_monday_in_utc(fleet: list[Starship]) -> None:
    choose_ship_of_the_week(now=datetime(2026, 11, 22, 23, 59, tzinfo=UTC))
    choose_ship_of_the_week(now=datetime(2026, 11, 23, 0, 0, tzinfo=UTC))
    assert [each.week for each in StarshipWeek.objects.all()] == [date(2026, 11, 23), date(2026, 11, 16)]
    with pytest.raises(IntegrityError), transaction.atomic():
        StarshipWeek.objects.create(week=date(2026, 11, 24), starship=fleet[0], chosen_at=NOW)


def test_a_week_has_one_ship(fleet: list[Starship]) -> None:
    choose_ship_of_the_week(now=NOW)
    with pytest.raises(IntegrityError), transaction.atomic():
        StarshipWeek.objects.create(week=date(2026, 11, 16), starship=fleet[1], chosen_at=NOW)


@pytest.mark.django_db(transaction=True)
def test_of_two_simultaneous_workers_one_chooses() -> None:
    HALL.saved()
    chooses = partial(choose_ship_of_the_week, now=NOW)
    assert sorted(together(chooses, chooses)) == [0, 1]
    assert StarshipWeek.objects.count() == 1


def test_a_ship_retired_during_its_week_is_hidden(fleet: list[Starship], read: ReaderOf) -> None:
    choose_ship_of_the_week(now=NOW)
    assert ship_of_the_week(now=NOW)
    assert "Ship of the week: Hall" in read(None).get("/")
    retire_starship(starship_id=fleet[0].pk)
    assert ship_of_the_week(now=NOW) is None
    assert "Ship of the week" not in read(None).get("/")
    assert "It is retired now" in read(None).get("/starships/weeks/")


def test_the_library_shows_the_ship_and_the_reason(fleet: list[Starship], read: ReaderOf) -> None:
    rate(fleet[1], 22)
    choose_ship_of_the_week(now=NOW)
    page = read(None).get("/starships/")
    assert "Ship of the week Lane" in page
    assert "This is its first time as ship of the week. It has 4.4 of 5 stars." in page
    assert "Week of 16 November 2026" in read(None).get("/starships/weeks/")


def test_missions_prototypes_and_retired_ships_are_never_chosen(db: None, read: ReaderOf) -> None:
    assert "No ship of the week yet" in read(None).get("/starships/weeks/")
    LANE.saved(section="missions")
    DUCTS.saved(section="prototypes")
    retire_starship(starship_id=HALL.saved().pk)
    assert choose_ship_of_the_week(now=NOW) == 0


def test_the_api_lists_ships_of_the_week(fleet: list[Starship], api: ApiOf) -> None:
    choose_ship_of_the_week(now=NOW)
    assert api(None).get("starships/weeks").body["results"] == [
        {"week": "2026-11-16", "starship": fleet[0].pk, "name": "Hall", "stars": None, "before": None}
    ]
