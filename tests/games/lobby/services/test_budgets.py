"""Limits on the computing time that a person's games against computers may use."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.core.cache import cache
from pytest_django.fixtures import Settings

from accounts.models import User
from games.errors import Conflict, TooMany
from games.fleet.models import Starship
from games.lobby.practice import quick_game
from games.lobby.seats import start_game
from games.lobby.services import create_game
from games.play.computers import charge_thinking, play_computers, wait_for_thinking
from games.play.lifecycle import end_without_winner
from games.play.models import Game, Program
from games.play.terms import Terms
from games.shipyard.services import fly_draft
from games.work import enqueue
from tests.games.dock.prototypes import called
from tests.games.support import HALL, NOW, Board, open_turn

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_counted() -> None:
    cache.clear()


@pytest.fixture
def canoe(db: None) -> Starship:
    return Board("Tin Canoe", HALL.rows).saved()


@pytest.fixture
def two_games(canoe: Starship, alice: User, settings: Settings) -> list[Game]:
    """Start two games of Alice against computers. Her limit is two."""
    settings.COMPUTER_GAMES = 2
    return [quick_game(user=alice, now=NOW) for _ in range(2)]


def test_a_person_has_a_limited_number_of_running_games_against_computers(
    two_games: list[Game], alice: User, bob: User
) -> None:
    with pytest.raises(Conflict, match="You have 2 running games against computers, which is the limit"):
        quick_game(user=alice, now=NOW)
    assert Game.objects.count() == 2
    assert quick_game(user=bob, now=NOW).status == Game.Status.RUNNING
    end_without_winner(game=two_games[0], by=Game.Ending.RESIGNED, now=NOW)
    assert quick_game(user=alice, now=NOW).status == Game.Status.RUNNING


def test_a_lobby_with_only_computers_is_not_started_but_a_tournament_table_is(
    two_games: list[Game], canoe: Starship, alice: User
) -> None:
    terms = Terms(name="Lobby", starship=canoe.pk, seats=3, computers=["rookie"], starts_itself=False)
    lobby = create_game(host=alice, terms=terms, now=NOW)
    with pytest.raises(Conflict, match="running games against computers"):
        start_game(user=alice, game_id=lobby.pk, now=NOW)
    terms = Terms(name="Table", starship=canoe.pk, seats=2, computers=["rookie"])
    assert create_game(host=alice, terms=terms, placed=True, now=NOW).status == Game.Status.RUNNING


def test_flights_against_computers_are_refused_but_solo_ones_are_not(
    two_games: list[Game], alice: User
) -> None:
    draft = called(alice, "Raft", *HALL.rows)
    fly = partial(fly_draft, user=alice, draft_id=draft.pk, now=NOW)
    with pytest.raises(Conflict, match="running games against computers"):
        fly(computers=1)
    assert Game.objects.count() == 2
    assert fly().status == Game.Status.RUNNING


def test_computing_time_counts_for_the_host(canoe: Starship, alice: User, bob: User) -> None:
    game = quick_game(user=alice, strength="ace", now=NOW)
    play_computers(turn_id=open_turn(game).pk, now=NOW)
    counted = {key for key in _counted() if "limit:thinking:" in key}
    assert len(counted) == 1
    assert f"person:{alice.pk}:" in counted.pop()


def _counted() -> list[str]:
    client: Any = cache
    return [key.decode() for key in client._cache.get_client(None).keys("*")]


@pytest.fixture
def enough(alice: User, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """A function that uses up Alice's computing time for the day."""
    settings.COMPUTER_MINUTES = 1

    def think() -> None:
        times = iter([100.0, 100.0 + timedelta(minutes=1).total_seconds()])
        with monkeypatch.context() as patch:
            patch.setattr("games.play.computers.process_time", lambda: next(times))
            with charge_thinking(alice.pk):
                pass

    return think


def test_a_person_over_the_limit_of_computing_time_starts_no_game(
    canoe: Starship, alice: User, bob: User, enough: Callable[[], None]
) -> None:
    enough()
    with pytest.raises(TooMany, match="1 min of computing time for your games today") as refusal:
        quick_game(user=alice, now=NOW)
    assert 0 < refusal.value.wait <= 24 * 60 * 60
    assert wait_for_thinking(bob.pk) == 0


def test_running_games_over_the_limit_continue_with_low_priority(
    canoe: Starship,
    alice: User,
    enough: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    turn = open_turn(quick_game(user=alice, now=NOW))
    enough()
    sent: list[tuple[Any, ...]] = []
    monkeypatch.setattr(
        "games.work.enqueue.current_app.send_task", lambda task, **options: sent.append((task, options))
    )
    with django_capture_on_commit_callbacks(execute=True):
        assert play_computers(turn_id=turn.pk, now=NOW) == 0
    assert sent == [(enqueue.PLAY_COMPUTERS, {"args": [turn.pk], "queue": "lab", "kwargs": {"last": True}})]
    assert play_computers(turn_id=turn.pk, last=True, now=NOW) == 1
    assert Program.objects.filter(hand__turn=turn).count() == 1
