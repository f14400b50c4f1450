"""Queries compiled only once, and statements sent to Postgres in one message.

Compiling the queries again for each request took half of the time to submit orders. `PreparedQuery` keeps the
SQL from Django. `Pipeline` collects statements and sends them together. It compiles the SQL of an insert once
for each model.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from datetime import UTC, date, datetime
from functools import lru_cache
from threading import Lock
from typing import Any, Final, Generic, TypeVar, cast

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.models import Model
from django.db.models.query import QuerySet, get_related_populators
from django.db.models.sql.compiler import SQLCompiler
from psycopg.adapt import Transformer

from roborunner.postgres.connections import Statement

Act = Callable[[], object]

NOTHING: Final = "ON CONFLICT DO NOTHING"
"""The clause of an insert to skip rows that already exist."""


class Answer:
    """The ``rows`` returned by a statement, available after the pipeline is sent."""

    def __init__(self) -> None:
        self.rows: list[tuple[Any, ...]] = []


class Pipeline:
    """Collects statements and sends them together, in order.

    Each statement sees the effects of earlier statements. All run in the current transaction. Statements that
    are not sent before the end of the transaction are lost.
    """

    def __init__(self) -> None:
        self._statements: list[Statement] = []
        self._answers: list[Answer] = []
        self._acts: list[Act] = []

    def ask(self, text: str, *values: Any) -> Answer:
        """Add a statement with ``%s`` for each value. Return an object that gets the answer.

        A value that is a list becomes an array of known length, so that Postgres can plan for the length.
        """
        has_lists = any(isinstance(value, list) for value in values)
        self._statements.append(_unfolded(text, values) if has_lists else (text, values))
        self._answers.append(Answer())
        return self._answers[-1]

    def then(self, act: Act) -> None:
        """Add a function to call after the pipeline is sent."""
        self._acts.append(act)

    def insert(self, rows: Sequence[Model], conflict: str = "", *, keys: bool = False) -> None:
        """Add a statement that inserts new rows of one model.

        ``conflict`` is the clause for rows that already exist, such as `NOTHING`. If ``keys`` is true,
        sending the pipeline sets the primary keys of the new rows. A row that already has a key keeps it.
        """
        for with_key in (True, False):
            some = [row for row in rows if (row.pk is not None) == with_key]
            if some:
                self._insert(some, conflict, with_key=with_key, keys=keys and not with_key)

    def _insert(self, rows: Sequence[Model], conflict: str, *, with_key: bool, keys: bool) -> None:
        head, row_text, columns = _insertion(type(rows[0]), with_key)
        text = f"{head} {', '.join([row_text] * len(rows))} {conflict}"
        values = [value for row in rows for value in _values(columns, row)]
        answer = self.ask(text + (" RETURNING id" if keys else ""), *values)
        if keys:
            self.then(lambda: _give_keys(rows, answer))
        for row in rows:
            row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS

    def update(self, row: Model, names: Sequence[str], **texts: str) -> None:
        """Add a statement that updates the fields ``names`` of a row.

        ``texts`` are further columns, each with an SQL expression for its new value.
        """
        text, columns = _changing(type(row), tuple(names), tuple(texts.items()))
        self.ask(text, *_values(columns, row), row.pk)

    def send(self) -> None:
        """Send the collected statements, and then call the functions from `then`.

        The pipeline can be used again.
        """
        statements, answers, acts = self._statements, self._answers, self._acts
        self._statements, self._answers, self._acts = [], [], []
        if statements:
            for answer, rows in zip(answers, _rows(statements), strict=True):
                answer.rows = rows
        for act in acts:
            act()


def excluded(names: Iterable[str], unique: str) -> str:
    """Return the clause of an insert to update the columns ``names`` of rows that already exist.

    A new row already exists if the table has a row with the same value in the column ``unique``.
    """
    values = ", ".join(f'"{name}" = excluded."{name}"' for name in names)
    return f'ON CONFLICT ("{unique}") DO UPDATE SET {values}'


def _rows(statements: Sequence[Statement]) -> list[list[tuple[Any, ...]]]:
    """Run statements in order. Return the rows of each statement."""
    database: Any = connections[DEFAULT_DB_ALIAS]
    if database.keeps_plans:
        return cast("list[list[tuple[Any, ...]]]", database.run_together(statements))
    found = []
    with database.cursor() as cursor:
        known = Transformer(cursor.connection)
        cursor.execute(";\n".join(_filled(text, values, known) for text, values in statements))
        for _ in statements:
            found.append(cursor.fetchall() if cursor.description is not None else [])
            cursor.nextset()
    return found


def _unfolded(text: str, values: Sequence[Any]) -> Statement:
    """Return a statement with a separate placeholder for each item of its list values."""
    parts = text.split("%s")
    found, flat = parts[0], []
    for value, part in zip(values, parts[1:], strict=True):
        if isinstance(value, list):
            found += f"ARRAY[{', '.join(['%s'] * len(value))}]{part}"
            flat += value
        else:
            found += f"%s{part}"
            flat.append(value)
    return found, flat


def _filled(text: str, values: Sequence[Any], known: Any) -> str:
    """Return a statement with its values filled in.

    This is faster than psycopg, because psycopg would parse long statements again at each use.
    """
    parts = _parts(text)
    assert len(parts) == len(values) + 1, text
    filled = [parts[0]]
    for value, part in zip(values, parts[1:], strict=True):
        filled += (known.as_literal(value).decode(), part)
    return "".join(filled)


@lru_cache(maxsize=512)
def _parts(text: str) -> list[str]:
    return text.split("%s")


PLAIN: Final = (
    *(models.BooleanField, models.CharField, models.TextField, models.IntegerField),
    *(models.DateTimeField, models.ForeignKey),
)
"""The classes of fields with values that Postgres accepts unchanged."""

Column = tuple[str, Callable[[Any, Any], Any] | None]
"""The name of a row's attribute, and the function to convert its value for Postgres, or None."""


def _column(field: Any) -> Column:
    return field.attname, None if isinstance(field, PLAIN) else field.get_db_prep_save


def _values(columns: Sequence[Column], row: Model) -> list[Any]:
    held, database = row.__dict__, connections[DEFAULT_DB_ALIAS]
    return [prepare(held[name], database) if prepare else held[name] for name, prepare in columns]


def _give_keys(rows: Sequence[Model], answer: Answer) -> None:
    for row, (key,) in zip(rows, answer.rows, strict=True):
        row.pk = key


@lru_cache
def _insertion(model: type[Model], with_key: bool) -> tuple[str, str, list[Column]]:
    fields: list[Any] = [field for field in model._meta.concrete_fields if with_key or not field.primary_key]
    names = ", ".join(_quoted(field.column) for field in fields)
    head = f"INSERT INTO {_quoted(model._meta.db_table)} ({names}) VALUES"
    return head, f"({', '.join(['%s'] * len(fields))})", [_column(field) for field in fields]


@lru_cache
def _changing(
    model: type[Model], names: tuple[str, ...], statements: tuple[tuple[str, str], ...]
) -> tuple[str, list[Column]]:
    fields: list[Any] = [model._meta.get_field(name) for name in names]
    changes = [f"{_quoted(field.column)} = %s" for field in fields]
    changes += [f"{_quoted(name)} = {text}" for name, text in statements]
    table = _quoted(model._meta.db_table)
    text = f"UPDATE {table} SET {', '.join(changes)} WHERE id = %s"  # noqa: S608 - names of fields
    return text, [_column(field) for field in fields]


def _quoted(name: str) -> str:
    return connections[DEFAULT_DB_ALIAS].ops.quote_name(name)


Row = TypeVar("Row", bound=Model)

_NUMBER: Final = 2_000_000_000
"""The offset of the integers that stand in for a query's values during compilation.

No row has such a high ID yet.
"""

_STAND_INS: Final[Mapping[type, Callable[[int], Any]]] = {
    int: lambda place: _NUMBER + place,
    str: lambda place: f"\x01value-{place}\x01",
    date: lambda place: date(9000 + place, 1, 1),
    datetime: lambda place: datetime(9000 + place, 1, 1, tzinfo=UTC),
}


class PreparedQuery(Generic[Row]):
    """A query compiled once, and then run with other values.

    On first use, ``build`` gets stand-ins for the values, one of each type in ``kinds``, and returns the
    query. Each stand-in must appear unchanged among the values of the query.

    For example, ``PreparedQuery(lambda person: Seat.objects.filter(user=person), int)`` is called with the
    ID of a person.
    """

    def __init__(self, build: Callable[..., "QuerySet[Row]"], *kinds: type) -> None:
        self._build = build
        self._stand_ins = [_STAND_INS[kind](place) for place, kind in enumerate(kinds)]
        self._compiler: SQLCompiler | None = None
        self._text = ""
        self._rows: QuerySet[Row]
        self._shapes: dict[str, _Shape] = {}
        self._places: list[tuple[int | None, Any]] = []
        self._lock = Lock()

    def __call__(self, *values: Any) -> list[Row]:
        self._written()
        connection: Any = connections[self._rows.db]
        with connection.prepared_cursor() as cursor:
            cursor.execute(self._text, self._parameters(values))
            rows = cursor.fetchall()
        return self._made(rows)

    def ask(self, pipeline: Pipeline, *values: Any) -> Callable[[], list[Row]]:
        """Add the query to a pipeline. Return a function to get the rows once the pipeline is sent."""
        self._written()
        answer = pipeline.ask(self._text, *self._parameters(values))
        return lambda: self._made(answer.rows)

    def _parameters(self, values: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(given if place is None else values[place] for place, given in self._places)

    def _made(self, rows: list[tuple[Any, ...]]) -> list[Row]:
        """Convert the rows from Postgres to model instances."""
        compiler = copy(self._written())
        database = self._rows.db
        compiler.connection = cast("Any", connections[database])
        if (shape := self._shapes.get(database)) is None:
            shape = self._shapes[database] = _Shape(compiler, database)
        return [shape.made(row) for row in compiler.results_iter(cast("Any", [rows]))]

    def first(self, *values: Any) -> Row | None:
        return next(iter(self(*values)), None)

    def _written(self) -> SQLCompiler:
        """Return the query's compiler.

        On first use, compiles the query and finds the positions of its values.
        """
        if self._compiler is not None:
            return self._compiler
        with self._lock:
            if self._compiler is None:
                self._rows = rows = self._build(*self._stand_ins)
                compiler = rows.query.get_compiler(rows.db)
                self._text, parameters = compiler.as_sql()
                self._places = [self._place(parameter) for parameter in parameters]
                missing = set(range(len(self._stand_ins))) - {place for place, _ in self._places}
                assert not missing, f"values {missing} are not in the query as they are: {self._text}"
                converters = compiler.get_converters([column for column, _, _ in compiler.select])
                compiler.get_converters = lambda _: converters
                self._compiler = compiler
            return self._compiler

    def _place(self, parameter: Any) -> tuple[int | None, Any]:
        for place, stand_in in enumerate(self._stand_ins):
            if parameter == stand_in and type(parameter) is type(stand_in):
                return place, None
        return None, parameter


class _Shape:
    """Builds model instances from the rows of a query, like Django's `ModelIterable`.

    The names and positions of the columns are found once, and not each time the query runs.
    """

    def __init__(self, compiler: Any, database: str) -> None:
        self._database = database
        columns, model = compiler.select, compiler.klass_info
        self._model = model["model"]
        self._own = slice(model["select_fields"][0], model["select_fields"][-1] + 1)
        self._names = [column[0].target.attname for column in columns[self._own]]
        self._related = cast("Any", get_related_populators)(model, columns, database)
        self._annotations = list(compiler.annotation_col_map.items())

    def made(self, row: Sequence[Any]) -> Any:
        one = self._model.from_db(self._database, self._names, row[self._own])
        for each in self._related:
            each.populate(row, one)
        for name, place in self._annotations:
            setattr(one, name, row[place])
        return one
