"""Queries that Django writes once, and not again for each use: that took half the time of an order."""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from datetime import UTC, date, datetime
from threading import Lock
from typing import Any, Final, Generic, Protocol, TypeVar, cast

from django.db import connections, models
from django.db.models.query import QuerySet, get_related_populators
from django.db.models.sql.compiler import SQLCompiler

Row = TypeVar("Row", bound=models.Model)

_NUMBER: Final = 2_000_000_000
"""No row has such a number yet: in the statement, it stands for a value."""

_STAND_INS: Final[Mapping[type, Callable[[int], Any]]] = {
    int: lambda place: _NUMBER + place,
    str: lambda place: f"\x01value-{place}\x01",
    date: lambda place: date(9000 + place, 1, 1),
    datetime: lambda place: datetime(9000 + place, 1, 1, tzinfo=UTC),
}


class Answer(Protocol):
    """What will hold the ``rows`` that were asked for."""

    rows: list[tuple[Any, ...]]


class Asks(Protocol):
    """What collects statements, such as a `games.batches.Batch`."""

    def ask(self, text: str, *values: Any) -> Answer:
        """Add a statement."""


class Statement(Generic[Row]):
    """A query whose values alone differ from one use to the next.

    ``build`` is given them when it is used first, as stand-ins of these ``kinds``, and returns the query. It
    must not look at them, as they are others each time: each is a value in the query, as it is.

    >>> of_person = Statement(lambda person: Seat.objects.filter(user=person), int)
    >>> of_person(7)
    [<Seat: ...>, <Seat: ...>]
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
        """Return the rows for these values."""
        self._written()
        connection: Any = connections[self._rows.db]
        with connection.prepared_cursor() as cursor:
            cursor.execute(self._text, self._parameters(values))
            rows = cursor.fetchall()
        return self._made(rows)

    def ask(self, batch: Asks, *values: Any) -> Callable[[], list[Row]]:
        """Have a batch ask for the rows for these values; return what returns them once it was sent."""
        self._written()
        answer = batch.ask(self._text, *self._parameters(values))
        return lambda: self._made(answer.rows)

    def _parameters(self, values: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(given if place is None else values[place] for place, given in self._places)

    def _made(self, rows: list[tuple[Any, ...]]) -> list[Row]:
        """Return what Postgres has answered as rows of their model."""
        compiler = copy(self._written())
        database = self._rows.db
        compiler.connection = cast("Any", connections[database])
        if (shape := self._shapes.get(database)) is None:
            shape = self._shapes[database] = _Shape(compiler, database)
        return [shape.made(row) for row in compiler.results_iter(cast("Any", [rows]))]

    def first(self, *values: Any) -> Row | None:
        """Return the first of the rows for these values, if there are any."""
        return next(iter(self(*values)), None)

    def _written(self) -> SQLCompiler:
        """Have Django write it when it is used first, and find where its values are."""
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
    """How rows are made of an answer: as by Django's `ModelIterable`, which finds that out each time."""

    def __init__(self, compiler: Any, database: str) -> None:
        self._database = database
        columns, model = compiler.select, compiler.klass_info
        self._model = model["model"]
        self._own = slice(model["select_fields"][0], model["select_fields"][-1] + 1)
        self._names = [column[0].target.attname for column in columns[self._own]]
        self._related = cast("Any", get_related_populators)(model, columns, database)
        self._annotations = list(compiler.annotation_col_map.items())

    def made(self, row: Sequence[Any]) -> Any:
        """Return a row with those that were read with it."""
        one = self._model.from_db(self._database, self._names, row[self._own])
        for each in self._related:
            each.populate(row, one)
        for name, place in self._annotations:
            setattr(one, name, row[place])
        return one
