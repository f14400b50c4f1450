"""Connections to Postgres: health checks and prepared plans."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import NotSupportedError, OperationalError, connection

from roborunner.postgres.base import DatabaseWrapper
from roborunner.postgres.connections import PREPARES_AFTER, configuration
from tests.games.together import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

Connect = Callable[..., DatabaseWrapper]


@pytest.fixture
def connect() -> Iterator[Connect]:
    """A function that opens more connections to the test database."""
    opened = []

    def connect(*, pool: bool = False, prepares: bool = False) -> DatabaseWrapper:
        settings: dict[str, Any] = copy.deepcopy(connection.settings_dict)
        described = configuration({}, pool=pool, prepares=prepares)
        settings["OPTIONS"] |= described["OPTIONS"]
        settings |= {"CONN_MAX_AGE": 0, "CONN_HEALTH_CHECKS": described["CONN_HEALTH_CHECKS"]}
        opened.append(DatabaseWrapper(settings, alias="further"))
        opened[-1].ensure_connection()
        return opened[-1]

    yield connect
    for each in opened:
        each.close()
        each.close_pool()


def plans(database: DatabaseWrapper) -> int:
    """Return the number of prepared plans of a connection."""
    with database.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_prepared_statements")
        return int(cursor.fetchone()[0])


def ask(database: DatabaseWrapper, text: str, *values: Any) -> Any:
    with database.prepared_cursor() as cursor:
        cursor.execute(text, values)
        return cursor.fetchone()[0]


def test_a_repeated_statement_is_planned_once(connect: Connect) -> None:
    database = connect(prepares=True)
    answers = [ask(database, "SELECT %s::int + 1", number) for number in range(PREPARES_AFTER + 3)]
    assert answers == list(range(1, PREPARES_AFTER + 4))
    assert plans(database) == 1


def test_plans_are_only_kept_if_set(connect: Connect) -> None:
    database = connect()
    for number in range(PREPARES_AFTER + 3):
        ask(database, "SELECT %s::int + 1", number)
    assert plans(database) == 0


def ask_together(database: DatabaseWrapper, number: int) -> Any:
    return database.run_together([("SELECT %s::int + 1", [number]), ("SELECT %s", ["x"])])


def test_statements_of_one_message_are_planned_once(connect: Connect) -> None:
    database = connect(prepares=True)
    answers = [ask_together(database, number) for number in range(PREPARES_AFTER + 3)]
    assert answers == [[[(number,)], [("x",)]] for number in range(1, PREPARES_AFTER + 4)]
    assert plans(database) == 2


def test_statements_of_one_message_begin_a_transaction_without_autocommit(connect: Connect) -> None:
    database = connect(prepares=True)
    database.set_autocommit(False)
    database.run_together([("CREATE TABLE undone ()", []), ("SELECT 1", [])])
    database.rollback()
    database.set_autocommit(True)
    assert database.run_together([("SELECT to_regclass('undone')", [])]) == [[(None,)]]


def test_statements_are_planned_again_after_all_plans_were_dropped(connect: Connect) -> None:
    """psycopg drops all plans after a rollback if the transaction prepared any."""
    database = connect(prepares=True)
    for _ in range(PREPARES_AFTER + 1):
        ask(database, "SELECT %s::int + 1", 1)
        ask_together(database, 1)
    assert plans(database) == 3
    database.set_autocommit(False)
    ask(database, "SELECT %s::int + 1", 1)
    database.rollback()
    database.set_autocommit(True)
    assert plans(database) == 0
    assert ask_together(database, 1) == [[(2,)], [("x",)]]


def test_a_connection_is_closed_after_an_interrupted_message(connect: Connect) -> None:
    database = connect(prepares=True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [database.connection.info.backend_pid])
    with pytest.raises(OperationalError):
        for _ in range(1_000_000):
            ask_together(database, 1)
    assert not database.is_usable()


@pytest.fixture
def table() -> Iterator[None]:
    """Create a table for the test, and drop it afterwards."""
    _change("CREATE TABLE word AS SELECT 'robot'::varchar(5) AS text")
    yield
    _change("DROP TABLE word")


def _change(text: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(text)


def test_a_plan_made_invalid_by_a_migration_fails_once(connect: Connect, table: None) -> None:
    database = connect(prepares=True)
    for _ in range(PREPARES_AFTER + 1):
        ask(database, "SELECT text FROM word WHERE text <> %s", "")
    _change("ALTER TABLE word ALTER COLUMN text TYPE text")
    with pytest.raises(NotSupportedError):
        ask(database, "SELECT text FROM word WHERE text <> %s", "")
    assert ask(database, "SELECT text FROM word WHERE text <> %s", "") == "robot"


def test_an_invalid_plan_fails_a_message_only_once(connect: Connect, table: None) -> None:
    database = connect(prepares=True)
    for _ in range(PREPARES_AFTER + 1):
        database.run_together([("SELECT text FROM word WHERE text <> %s", [""])])
    _change("ALTER TABLE word ALTER COLUMN text TYPE text")
    with pytest.raises(NotSupportedError):
        database.run_together([("SELECT text FROM word WHERE text <> %s", [""])])
    assert not database.keeps_plans
    assert ask(database, "SELECT text FROM word WHERE text <> %s", "") == "robot"


def _last_asked(database: DatabaseWrapper) -> str:
    """Return the last statement of the given connection. Another connection looks it up."""
    with connection.cursor() as cursor:
        pid = database.connection.info.backend_pid
        cursor.execute("SELECT query FROM pg_stat_activity WHERE pid = %s", [pid])
        return str(cursor.fetchone()[0])


def test_a_recently_used_connection_is_not_checked(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    database = connect()
    ask(database, "SELECT 'asked'")
    assert database.is_usable()
    assert _last_asked(database) == "SELECT 'asked'"
    monkeypatch.setattr("roborunner.postgres.connections.FRESH_SECONDS", 0.0)
    assert database.is_usable()
    assert _last_asked(database) != "SELECT 'asked'"


def test_a_connection_ended_by_postgres_is_unusable_even_if_recent(
    connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("roborunner.postgres.connections.FRESH_SECONDS", 1000.0)
    database = connect()
    ask(database, "SELECT 1")
    assert database.is_usable()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [database.connection.info.backend_pid])
    wait_until(lambda: not database.is_usable())


def test_a_pool_gives_no_connection_ended_by_postgres(connect: Connect) -> None:
    database = connect(pool=True)
    for _ in range(3):
        ask(database, "SELECT 1")
        ended = database.connection.info.backend_pid
        database.close()  # returns it to the pool
        _change(f"SELECT pg_terminate_backend({ended}, 5000)")
        assert ask(database, "SELECT pg_backend_pid()") != ended
