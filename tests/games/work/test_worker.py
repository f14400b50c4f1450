"""A worker's connections and priorities between tasks."""

import re
from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection

from accounts.models import User
from games.lobby.services import create_game
from games.news.models import Notice
from games.play.models import Game, Hand
from games.play.terms import Terms
from tests.games.support import NOW, Table, open_turn
from tests.games.together import wait_until
from tests.support.mailbox import Mailbox
from tests.support.worker import Worker

pytestmark = pytest.mark.django_db(transaction=True)


def others() -> set[int]:
    """Return the process IDs of all other connections to this database."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return {pid for (pid,) in cursor.fetchall()}


def _is_in(game: Game, number: int) -> bool:
    return open_turn(game).number == number


def test_its_connection_to_postgres_is_reused_for_each_turn(
    table: Table, duel: Game, alice: User, bob: User, start_worker: Callable[..., Worker]
) -> None:
    start_worker()
    seen = []
    for number in (1, 2):
        table.move(duel, alice, bob)
        wait_until(partial(_is_in, duel, number))
        seen.append(others())
    assert seen[0]
    assert seen[0] == seen[1]


def test_a_connection_lost_meanwhile_costs_no_turn(
    table: Table, duel: Game, alice: User, bob: User, start_worker: Callable[..., Worker], mailbox: Mailbox
) -> None:
    """The sweeper does not run, so it cannot repeat the message."""
    Notice.objects.all().delete()
    start_worker()
    table.move(duel, alice, bob)
    wait_until(partial(_is_in, duel, 1))
    wait_until(lambda: not duel.notices.filter(status=Notice.Status.PENDING).exists())
    broken = others()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(pid) FROM unnest(%s) AS pid", [list(broken)])
    wait_until(lambda: not others())
    table.move(duel, alice, bob)
    wait_until(partial(_is_in, duel, 2))
    assert not broken & others()


def test_it_resolves_turns_before_it_sends_notifications(
    table: Table, alice: User, bob: User, start_worker: Callable[..., Worker]
) -> None:
    names = "resolve_turn", "send_mail"
    games = [table.game(alice, bob) for _ in range(4)]  # with emails already waiting
    for game in games:
        table.move(game, alice, bob)
    worker = start_worker()
    wait_until(lambda: all(_is_in(game, 1) for game in games))
    begun = [
        name for name in re.findall(r"Task games\.tasks\.(\w+)\[\S+ received", worker.log) if name in names
    ]
    assert begun[: len(games)] == ["resolve_turn"] * len(games)


def test_a_turn_of_people_is_resolved_before_computers_have_thought(
    table: Table, duel: Game, alice: User, bob: User, start_worker: Callable[..., Worker]
) -> None:
    def start(name: str, queues: str) -> None:
        named = [f"--queues={queues}", f"--hostname={name}@%h", "--concurrency=1"]
        start_worker(command=["celery", "--app=roborunner", "worker", *named])

    crowd = _against_seven_computers(alice, duel)
    owing = Hand.objects.filter(turn__game=crowd, program=None).exclude(seat__computer="")
    start("turns", "sweeps,celery")
    table.move(duel, alice, bob)
    wait_until(partial(_is_in, duel, 1))
    assert owing.count() == 7
    start("thinker", "thinking")
    wait_until(lambda: not owing.exists())


def _against_seven_computers(host: User, duel: Game) -> Game:
    assert duel.revision
    ship = duel.revision.starship_id
    terms = Terms(name="Crowd", starship=ship, seats=8, computers=["rookie"] * 7, private=True)
    return create_game(host=host, terms=terms, now=NOW)
