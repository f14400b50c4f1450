"""The preview of a tournament's rounds, against the rounds that are really played."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from accounts.models import User
from games.competitions.models import Tournament
from games.competitions.selectors.plans import PlannedRound, average_game, plan_of
from games.competitions.services.tournaments import confirm_entry
from games.fleet.models import Starship
from tests.games.competitions.hosting import START, crowd, games_of, last_round, opened, play_round, step
from tests.games.support import LANE, NOW, Table

HOUR = timedelta(hours=1)


def played(cup: Tournament, people: list[User]) -> list[tuple[int, ...]]:
    """Play a tournament to its end. Return the sizes of the tables in each round, the largest first."""
    found: list[tuple[int, ...]] = []
    now = START
    while cup.ended_at is None:
        step(now)
        cup.refresh_from_db()
        made = last_round(cup)
        if made.number > len(found):
            sizes = made.tables.values_list("size", flat=True)
            found.append(tuple(sorted(sizes, reverse=True)))
            play_round(cup, people, now=now)
        now += HOUR
    return found


def sizes_in(rounds: list[PlannedRound]) -> list[tuple[int, ...]]:
    return [each.sizes for each in rounds]


@pytest.mark.parametrize(
    ("kind", "size", "players"),
    [
        ("swiss", 2, 2),
        ("swiss", 2, 5),
        ("swiss", 3, 4),
        ("swiss", 3, 7),
        ("swiss", 4, 10),
        ("knockout", 2, 3),
        ("knockout", 2, 6),
        ("knockout", 2, 8),
        ("knockout", 3, 7),
        ("knockout", 4, 5),
        ("knockout", 4, 9),
        ("knockout", 4, 17),
        ("league", 2, 5),
        ("league", 3, 3),
        ("league", 3, 6),
        ("league", 4, 9),
    ],
)
def test_a_plan_has_the_tables_that_are_played(
    table: Table, erin: User, kind: str, size: int, players: int
) -> None:
    cup = opened(table, erin, kind=kind, size=size, rounds=3, most=32)
    plan = plan_of(cup, players=players)
    assert plan
    people = crowd(players)
    for person in people:
        cup.entrants.create(user=person, joined_at=NOW, strength=1500)
    assert played(cup, people) == sizes_in(plan.rounds)


def test_rounds_that_take_all_their_time_start_at_the_latest_time_of_the_plan(
    table: Table, erin: User, alice: User, bob: User, carol: User
) -> None:
    cup = opened(table, erin, alice, bob, carol, rounds=3, hours=48)
    plan = plan_of(cup, players=3)
    assert plan
    for planned in plan.rounds:
        step(planned.starts_by)
        made = last_round(cup)
        assert (made.number, made.started_at) == (planned.number, planned.starts_by)
        step(made.ends_at)
        for entrant in cup.entrants.filter(confirmed=False):
            confirm_entry(user=entrant.user, tournament_id=cup.pk, now=made.ends_at)
            Tournament.objects.filter(pk=cup.pk).update(due_at=made.ends_at + timedelta(hours=24))
    cup.refresh_from_db()
    assert cup.ended_at == plan.ends_by


def test_a_plan_names_the_starship_of_each_round(table: Table, erin: User, alice: User, bob: User) -> None:
    other: Starship = LANE.saved()
    ships = [other.pk, table.starship.pk]
    cup = opened(table, erin, alice, bob, rounds=3, starships=ships)
    plan = plan_of(cup, players=2)
    assert plan
    assert [each.starship.pk for each in plan.rounds if each.starship] == [*ships, other.pk]
    now = START
    for planned in plan.rounds:
        step(now)
        assert {game.revision.starship_id for game in games_of(last_round(cup))} == {
            planned.starship and planned.starship.pk
        }
        play_round(cup, [alice, bob], now=now)
        now += HOUR
        step(now)


def test_a_plan_needs_a_starship_that_fits(table: Table, erin: User) -> None:
    cup = opened(table, erin)
    cup.ships.all().delete()
    assert plan_of(cup, players=4) is None


def test_a_plan_keeps_its_hours_when_summer_time_begins(table: Table, erin: User) -> None:
    cup = opened(table, erin, rounds=2)
    cup.starts_at = datetime(2027, 3, 27, 20, tzinfo=ZoneInfo("Europe/Berlin"))
    plan = plan_of(cup, players=2)
    assert plan
    first, second = plan.rounds
    passed = second.starts_about.timestamp() - first.starts_about.timestamp()
    assert timedelta(seconds=passed) == average_game(24, [table.starship])
