"""Worlds: rows that many tests begin with.

Services make them once for each process. Fixtures that made the same people, starships and games took half
the time of the tests. Now a process stores the rows of each step (`once`), and inserts copies of these rows
for later tests. Each test still has an empty database with the rows of its fixtures, and no others.

A step is copied only if its result would be the same. It must be in a fixture, follow the same steps from an
empty database, and have the settings of most tests and the time `NOW`. If the clock of a test runs, its steps
still have the time of the test's start. Steps in a test's body always run, and so do all steps that notify a
worker.
"""

import fcntl
import pickle
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path as File
from typing import Any, TypeVar, cast

import time_machine
from django.apps import apps
from django.conf import UserSettingsHolder, settings
from django.db import connection, transaction
from django.db.models import Model
from django.utils import timezone
from psycopg import sql

from tests.support.clock import NOW

T = TypeVar("T")
Path = tuple[Any, ...]

_ADDRESSES = {"BASE_URL", "EMAIL_BACKEND", "EMAIL_HOST", "EMAIL_PORT"}
_OF_HOLDERS = {"_deleted", "default_settings"}
_SOON = timedelta(minutes=5)


@dataclass(frozen=True)
class _Step:
    """The rows of a step as SQL statements, and its pickled return value."""

    statements: str
    returned: bytes


_kept: dict[Path, _Step | None] = {}
"""The stored steps. A key names a step and all steps before it. The value is None for steps not to copy."""

_path: Path | None = None
"""The steps since the database was empty. None while no steps are copied, such as after any other write."""

_committed = False
_deleted = False
_usual: tuple[object, ...] | None = None
_lasting = 0


def usual() -> None:
    """Record the current settings as the settings of most tests."""
    global _usual
    _usual = _surroundings()


@contextmanager
def beginning(*, committed: bool = False) -> Iterator[None]:
    """Copy the stored rows of steps (see `once`) in the block, instead of running the steps again.

    The block must begin with an empty database. The test rolls back the block's transaction, unless
    ``committed`` is True.
    """
    global _path, _committed
    _path, _committed = None if _lasting else (), committed
    with connection.execute_wrapper(_watch):
        try:
            yield
        finally:
            _path = None


def end() -> None:
    """Copy no more steps in this test, because later steps must notify other processes."""
    global _path
    _path = None


@contextmanager
def never() -> Iterator[None]:
    """Copy no steps in the block, because the database is not empty there."""
    global _path, _lasting
    _path = None
    _lasting += 1
    try:
        yield
    finally:
        _lasting -= 1


def once(make: Callable[..., T], *arguments: Any, **options: Any) -> T:
    """Return ``make(*arguments, **options)``, or a copy of an earlier call's result."""
    global _path
    if _path is None or _surroundings() != _usual or not _in_the_time_of_tests():
        return make(*arguments, **options)
    arguments = tuple(map(_at_the_beginning, arguments))
    options = {name: _at_the_beginning(value) for name, value in options.items()}
    with time_machine.travel(NOW, tick=False):
        return _once(make, *arguments, **options)


def _once(make: Callable[..., T], *arguments: Any, **options: Any) -> T:
    global _path
    assert _path is not None
    before, _path = _path, None
    path = (*before, make.__qualname__, _named(arguments), _named(options))
    if path not in _kept:
        returned = _keep(path, make, *arguments, **options)
    elif step := _kept[path]:
        if step.statements:
            with connection.cursor() as cursor:
                cursor.execute(step.statements)
        returned = pickle.loads(step.returned)
    else:
        return make(*arguments, **options)
    _path = path if _kept[path] else None
    return returned


def _keep(path: Path, make: Callable[..., T], *arguments: Any, **options: Any) -> T:
    global _deleted
    _deleted = False
    _kept[path] = None
    step = transaction.atomic()
    step._from_testcase = True  # type: ignore[attr-defined] # durable transactions may lie within
    with step:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint")
            (since,) = cursor.fetchone()
        returned = make(*arguments, **options)
        if not _deleted:
            _kept[path] = _Step(written(since), pickle.dumps(returned))
    return returned


def shared(file: File, make: Callable[[], T]) -> T:
    """Return ``make()`` and store its result in the file, or return a copy of the result stored there.

    Another process of the test run may have stored the result. Its rows are then inserted. Call this in a
    transaction, on a database without rows.
    """
    with file.with_suffix(".lock").open("w") as lock, connection.cursor() as cursor:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if file.exists():
            rows, last, returned = pickle.loads(file.read_bytes())
            cursor.execute(rows)
            cursor.execute(
                "SELECT setval(format('%%I.%%I', schemaname, sequencename)::regclass,"
                " greatest(last_value, %s)) FROM pg_sequences",
                [last],
            )
            return cast("T", returned)
        cursor.execute("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint")
        (since,) = cursor.fetchone()
        returned = make()
        cursor.execute("SELECT max(last_value) FROM pg_sequences")
        (last,) = cursor.fetchone()
        unfinished = file.with_suffix(".unfinished")
        unfinished.write_bytes(pickle.dumps((written(since), last, returned)))
        unfinished.rename(file)
        return returned


def written(since: int) -> str:
    """Return SQL that inserts the rows of all transactions from ID `since` on."""
    statements: list[sql.Composed] = []
    with connection.cursor() as cursor:
        cursor.execute("SELECT relname FROM pg_stat_xact_user_tables WHERE n_tup_ins + n_tup_upd > 0")
        tables = {name for (name,) in cursor.fetchall()}
        for model in apps.get_models(include_auto_created=True):
            if model._meta.proxy or model._meta.db_table not in tables:
                continue
            table, key = sql.Identifier(model._meta.db_table), sql.Identifier(model._meta.pk.column)
            fields = [field for field in model._meta.local_concrete_fields if not field.generated]
            columns = _listed(sql.Identifier(field.column) for field in fields)
            texts = _listed(sql.SQL("{}::text").format(sql.Identifier(field.column)) for field in fields)
            cursor.execute(
                sql.SQL("SELECT {}, {}::text FROM {} WHERE xmin::text::bigint >= {} ORDER BY {}").format(
                    texts, key, table, since, key
                )
            )
            if rows := cursor.fetchall():
                keys = _listed(sql.Literal(row[-1]) for row in rows)
                values = _listed(sql.SQL("({})").format(_listed(map(sql.Literal, row[:-1]))) for row in rows)
                statements += [
                    sql.SQL("DELETE FROM {} WHERE {} IN ({})").format(table, key, keys),
                    sql.SQL("INSERT INTO {} ({}) VALUES {}").format(table, columns, values),
                ]
        return ";\n".join(each.as_string(cursor.connection) for each in statements)


def _listed(parts: Iterable[sql.Composable]) -> sql.Composed:
    return sql.SQL(", ").join(parts)


def _watch(execute: Callable[..., Any], text: Any, params: Any, many: bool, context: dict[str, Any]) -> Any:
    """Stop copying after a write that is not part of a step."""
    global _path, _deleted
    done = execute(text, params, many, context)
    verb = str(text).lstrip("(").split(None, 1)[0]
    if verb == "DELETE":
        _deleted = _deleted or context["cursor"].rowcount > 0
    if verb not in {"SELECT", "SAVEPOINT", "RELEASE"}:
        _path = None
    return done


def _surroundings() -> tuple[object, ...]:
    """Return the settings that rows may depend on, for comparison.

    No row contains addresses of servers, so settings of addresses are left out.
    """
    held = settings._wrapped
    while isinstance(held, UserSettingsHolder) and vars(held).keys() <= _ADDRESSES | _OF_HOLDERS:
        held = held.default_settings
    return held, transaction.on_commit


def _in_the_time_of_tests() -> bool:
    """Return whether the time is `NOW` or, for committed steps, less than five minutes later."""
    if _committed:
        return NOW <= timezone.now() < NOW + _SOON
    return connection.in_atomic_block and timezone.now() == NOW


def _at_the_beginning(value: Any) -> Any:
    """Return `NOW` for a time between the test's start and the present. Return other values unchanged."""
    return NOW if isinstance(value, datetime) and NOW <= value <= timezone.now() else value


def _named(value: Any) -> Any:
    """Return a hashable key for an argument of a step."""
    if isinstance(value, Model):
        return value._meta.label, value.pk
    if isinstance(value, (list, tuple)):
        return tuple(map(_named, value))
    if isinstance(value, dict):
        return tuple((key, _named(each)) for key, each in value.items())
    return repr(value)
