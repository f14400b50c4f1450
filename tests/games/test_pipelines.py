"""SQL statements that are sent together have the same effect as one by one."""

from datetime import timedelta

import psycopg
import pytest
from django.db import connection, transaction
from django.db.utils import DataError, IntegrityError
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.absence.models import Reliability
from games.news.models import Notice
from games.play.models import Game, Seat
from roborunner.postgres.queries import NOTHING, Pipeline, excluded
from tests import cast
from tests.games.support import HALL, NOW, Table

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("planning")]


@pytest.fixture
def alice() -> User:
    return cast.alice()


@pytest.fixture
def game(alice: User) -> Game:
    return Table(HALL.saved()).game(alice, cast.bob())


def notice(game: Game, user: User, kind: str) -> Notice:
    return Notice(kind=kind, user=user, game=game, turn=7, created_at=NOW, last_error="100 % of 'it'; or %s")


def test_each_statement_sees_the_effects_of_earlier_ones(game: Game) -> None:
    pipeline = Pipeline()
    before = pipeline.ask("SELECT name FROM games_game WHERE id = ANY(%s::bigint[])", [0, game.pk])
    pipeline.ask("UPDATE games_game SET name = %s WHERE id = %s", "It's 50 %; '%s'", game.pk)
    after = pipeline.ask("SELECT name, %s FROM games_game WHERE id = %s", None, game.pk)
    assert (before.rows, after.rows) == ([], [])
    with CaptureQueriesContext(connection) as messages:
        pipeline.send()
    assert len(messages) == 1
    assert (before.rows, after.rows) == ([(game.name,)], [("It's 50 %; '%s'", None)])


def test_rows_are_written_as_by_django(game: Game, alice: User) -> None:
    """The rows have each kind of field that a turn writes."""
    rows = [notice(game, alice, "turn"), notice(game, alice, "missed")]
    pipeline = Pipeline()
    pipeline.insert(rows, keys=True)
    pipeline.send()
    assert [Notice.objects.filter(pk=row.pk).values().get() for row in rows] == [
        {field.attname: getattr(row, field.attname) for field in Notice._meta.concrete_fields} for row in rows
    ]
    seat = Seat.objects.get(game=game, user=alice)
    seat.bank, seat.ready, seat.seen_turn, seat.visited_at = timedelta(hours=3), False, None, NOW
    game.pace = {**game.pace, "note": "Ångström's %s"}
    pipeline.update(seat, ["bank", "ready", "seen_turn", "visited_at"], read_chat="read_chat + 5")
    pipeline.update(game, ["pace"])
    pipeline.send()
    found = Seat.objects.get(pk=seat.pk)
    assert (found.bank, found.ready, found.seen_turn) == (seat.bank, False, None)
    assert (found.visited_at, found.read_chat) == (NOW, seat.read_chat + 5)
    assert Game.objects.get(pk=game.pk).pace == game.pace


def test_existing_rows_are_updated_or_left(alice: User) -> None:
    bob = cast.bob()
    kept = Reliability.objects.create(user=alice, turns=3, recent="111")
    kept.turns, kept.recent = 4, "1110"
    pipeline = Pipeline()
    pipeline.insert([kept, Reliability(user=bob, turns=1)], excluded(["turns", "recent"], "user_id"))
    pipeline.insert([Reliability(user=bob, turns=9)], NOTHING)
    pipeline.insert([])
    pipeline.send()
    rows = Reliability.objects.order_by("user").values_list("user", "turns", "recent")
    assert list(rows) == [(alice.pk, 4, "1110"), (bob.pk, 1, "")]


def test_a_follow_up_action_runs_once(game: Game) -> None:
    done: list[int] = []
    pipeline = Pipeline()
    found = pipeline.ask("SELECT id FROM games_game")
    pipeline.then(lambda: done.append(found.rows[0][0]))
    pipeline.send()
    pipeline.send()
    assert done == [game.pk]


def test_a_failure_undoes_all_statements(game: Game) -> None:
    pipeline = Pipeline()
    pipeline.ask("UPDATE games_game SET name = 'Other' WHERE id = %s", game.pk)
    pipeline.ask("UPDATE games_seat SET number = 1 WHERE game_id = %s", game.pk)
    with pytest.raises(IntegrityError), transaction.atomic():
        pipeline.send()
    game.refresh_from_db()
    assert game.name != "Other"


def test_statements_still_work_after_a_rollback(game: Game) -> None:
    def rename(name: str, number: int) -> None:
        pipeline = Pipeline()
        pipeline.ask("UPDATE games_game SET name = %s WHERE id = %s", name, game.pk)
        pipeline.ask("UPDATE games_seat SET number = %s WHERE game_id = %s AND number = 2", number, game.pk)
        pipeline.send()

    for name in ("First", "Second"):
        with pytest.raises(IntegrityError), transaction.atomic():
            rename("Undone", 1)
        rename(name, 2)
        game.refresh_from_db()
        assert game.name == name


def test_invalid_values_are_refused_before_any_statement_runs(game: Game) -> None:
    pipeline = Pipeline()
    pipeline.ask("UPDATE games_game SET name = %s WHERE id = %s", "Other", game.pk)
    pipeline.ask("UPDATE games_game SET name = %s WHERE id = %s", "a\0b", game.pk)
    with pytest.raises((DataError, psycopg.DataError)), transaction.atomic():
        pipeline.send()
    assert Game.objects.get(pk=game.pk).name == game.name
