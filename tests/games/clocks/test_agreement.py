"""Clocks that jump delete nothing, and send no mail unless both agree."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts.models import User
from games import tasks
from games.alarms import failing_jobs
from games.clocks import agreement
from games.clocks.models import Heartbeat, Outage
from games.clocks.selectors.outages import since_when
from games.news.models import Notice
from games.people.services.guests import forget_sign_ups
from games.play import news
from games.play.models import Game
from games.sweeper import CLOCKS, sweep_by_clocks
from tests.games.support import NOW, Table, later, open_turn

JUMPS = [timedelta(days=days) for days in (3, 40, -3, -40)]


@pytest.fixture
def house(table: Table, duel: Game, alice: User, bob: User) -> dict[type, int]:
    """A game under way, a lobby, a guest, a sign-up and a session; a worker has just swept."""
    table.game(alice, seats=2)
    User.objects.create(robo_name="Guest-1", is_guest=True, date_joined=later(days=-29), last_login=NOW)
    User.objects.create(robo_name="Waiting", email="", date_joined=NOW)
    Session.objects.create(session_key="a", session_data="", expire_date=later(days=14))
    sweep_by_clocks(process=NOW, database=NOW)
    return number_of_rows()


def number_of_rows() -> dict[type, int]:
    return {
        User: User.objects.count(),
        Session: Session.objects.count(),
        Game: Game.objects.filter(status=Game.Status.OPEN).count(),
    }


def test_the_house_would_be_emptied_otherwise(house: dict[type, int]) -> None:
    """Each kind goes in time while the service is there."""
    assert house == {User: 4, Session: 1, Game: 1}
    for day in range(1, 41):
        Heartbeat.objects.update(at=later(days=day, minutes=-1))
        sweep_by_clocks(process=later(days=day), database=later(days=day))
    assert number_of_rows() == {User: 2, Session: 0, Game: 0}


@pytest.mark.parametrize("jump", JUMPS, ids=str)
@pytest.mark.parametrize("jumps", ["worker", "database"])
def test_a_jump_of_one_clock_changes_nothing_and_raises_an_alarm(
    house: dict[type, int], jumps: str, jump: timedelta
) -> None:
    minute = later(minutes=1)
    times = {"process": minute, "database": minute}
    times["process" if jumps == "worker" else "database"] += jump
    notices = Notice.objects.count()
    turn = open_turn(Game.objects.get(status=Game.Status.RUNNING))
    assert sweep_by_clocks(**times) is None
    assert number_of_rows() == house
    assert Notice.objects.count() == notices
    assert not Outage.objects.exists()
    assert open_turn(turn.game).deadline == turn.deadline
    assert failing_jobs() == [CLOCKS]
    assert sweep_by_clocks(process=later(minutes=2), database=later(minutes=2)) is not None
    assert failing_jobs() == []
    assert number_of_rows() == house


@pytest.mark.parametrize("jump", JUMPS, ids=str)
def test_if_both_clocks_agree_the_service_was_away_and_nothing_is_deleted(
    house: dict[type, int], jump: timedelta
) -> None:
    then = NOW + jump
    for minutes in (0, 1, 2):
        at = then + timedelta(minutes=minutes)
        assert sweep_by_clocks(process=at, database=at) is not None
    assert number_of_rows() == house
    forward = jump > timedelta()
    assert Outage.objects.exists() == forward
    assert Notice.objects.filter(kind=news.OUTAGE.name).exists() == forward
    assert failing_jobs() == []


def test_the_task_asks_the_database(duel: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of tests stands still, and that of the database does not."""
    tasks.sweep()
    assert failing_jobs() == [CLOCKS]
    assert not Heartbeat.objects.exists()
    monkeypatch.setattr(agreement, "database_time", timezone.now)
    tasks.sweep()
    assert failing_jobs() == []
    assert Heartbeat.objects.exists()


def test_after_an_outage_a_sign_up_has_the_rest_of_its_day(db: None) -> None:
    User.objects.create(robo_name="Waiting", email="", date_joined=NOW)
    Outage.objects.create(began_at=later(hours=20), ended_at=later(hours=92))
    assert forget_sign_ups(now=later(hours=95, minutes=59)) == 0
    assert forget_sign_ups(now=later(hours=96)) == 1


def test_time_in_outages_counts_once(db: None) -> None:
    day = timedelta(days=1)
    assert since_when(period=day, now=NOW) == NOW - day
    Outage.objects.create(began_at=NOW - 3 * day, ended_at=NOW - day / 2)
    Outage.objects.create(began_at=NOW - 2 * day, ended_at=NOW - day)
    Outage.objects.create(began_at=NOW - 30 * day, ended_at=NOW - 20 * day)
    assert since_when(period=day, now=NOW) == NOW - 3.5 * day
    assert since_when(period=day / 4, now=NOW) == NOW - day / 4
