"""The load test: copied games, queries that read whole tables, and a short run."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from accounts.models import User
from bench.load.crowd import missing
from bench.load.plans import watched
from bench.load.trial import spread
from bench.load.villages import Shape, Village, submit_random_orders, token_of
from games.lobby.practice import quick_game
from games.people.tokens import use_token
from games.play.models import Game, Hand, Seat, Turn
from games.play.resolution import resolve_turn
from games.staff.selectors import faults_of
from tests.games.support import NOW, later
from tests.support import fleet, schema

ROOT = Path(__file__).parents[2]

HAMLET = Shape(people=3, running=2, against=1, complete=1, over=1, open=1, seats=2)


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Use a separate database with three hamlets: a played one, and two copies of it."""
    with django_db_blocker.unblock(), schema.fresh():
        fleet.launch()
        village = Village(HAMLET, NOW)
        village.create()
        village.grow(3)
        yield


@pytest.fixture
def hamlets(made: None, db: None) -> None:
    """Give a test the three hamlets of `made`, and undo its changes."""


@pytest.mark.usefixtures("hamlets")
def test_copies_are_independent_games_that_continue() -> None:
    assert Game.objects.count() == 3 * HAMLET.games
    assert User.objects.count() == 3 * HAMLET.people
    last = Game.objects.filter(status=Game.Status.RUNNING, players__computer="").order_by("pk").last()
    assert last is not None
    faults = [fault for game in Game.objects.exclude(status="open") for fault in faults_of(game)]
    assert faults == []
    people = {move.person for move in missing([last.pk])}
    assert all(use_token(token=token_of(person), now=NOW).pk == person for person in people)
    submit_random_orders(last, HAMLET.seats, later(minutes=1))
    turn = last.turns.get(status=Turn.Status.OPEN)
    assert resolve_turn(turn_id=turn.pk, now=later(minutes=1))
    last.refresh_from_db()
    assert list(faults_of(last)) == []


@pytest.mark.usefixtures("hamlets")
def test_copies_are_in_all_stages() -> None:
    among_people = Game.objects.filter(status=Game.Status.RUNNING).exclude(players__user=None)
    given = [
        Hand.objects.filter(turn=turn, program__isnull=False).count()
        for turn in Turn.objects.filter(status=Turn.Status.OPEN, game__in=among_people)
    ]
    assert sorted(given) == sorted(3 * [0, 1, 2])
    assert Turn.objects.filter(status=Turn.Status.OPEN, ready_at__isnull=False).count() == 3
    assert len(missing()) == 3 * (2 + 1 + 1)


@pytest.mark.usefixtures("hamlets")
def test_new_rows_on_a_copied_site_take_the_next_numbers() -> None:
    before = {model: model.objects.latest("pk").pk for model in (Game, Seat)}
    host = User.objects.latest("pk")
    game = quick_game(user=host, now=NOW)
    assert game.pk == before[Game] + 1
    assert game.players.get(number=1).pk == before[Seat] + 1


@pytest.mark.usefixtures("hamlets")
def test_a_query_that_reads_a_whole_table_is_found() -> None:
    with transaction.atomic(), watched() as plans:
        list(Turn.objects.filter(attempts=7).order_by())
    assert plans.read_through(1) == {"games_turn"}
    assert plans.read_through(1 + plans.blocks) == set()
    assert "-> Seq Scan games_turn" in plans.text()


@pytest.mark.usefixtures("hamlets")
def test_watched_events_happen_once() -> None:
    with transaction.atomic(), watched() as plans:
        assert Game.objects.filter(status=Game.Status.OPEN).update(last_seq=7) == 3 * HAMLET.open
        User.objects.create_user("Once", "once@example.org")
    assert len(plans.found) == 2
    assert User.objects.filter(robo_name="Once").count() == 1


def test_times_are_reported_in_milliseconds() -> None:
    seconds = [number / 1000 for number in range(1, 101)]
    assert spread(seconds) == {"median": 51.0, "95 of 100": 96.0, "99 of 100": 100.0, "longest": 100.0}
    assert spread([]) == {}


def test_people_play_on_a_full_site(prepared: Path, tmp_path: Path) -> None:
    """A short run with the real processes and few games."""
    size = ["--games", "4", "--live", "3", "--rate", "120", "--minutes", "0.1", "--web", "1"]
    postgres = ["--pgbench", "1", "--branches", "1", "--backup", str(prepared)]
    done = subprocess.run(
        [sys.executable, "-m", "bench.load", "--directory", str(tmp_path), "play", *size, *postgres],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert report["breaches"] == []
    assert report["turns played without a break"]["turns"] == 1
    playing = report["people playing"]
    assert list(playing["answers"]) == ["200"]
    assert playing["turns played"] >= 1
    assert report["pgbench"]["for each turn"] > 0
