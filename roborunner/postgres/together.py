"""Statements that Postgres is given in one message, whose plans it keeps: values are given beside them.

That is the protocol's own way (a pipeline), which poolers know that keep prepared statements.
"""

from collections.abc import Callable, Generator, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

import psycopg
from psycopg import generators
from psycopg.adapt import PyFormat, Transformer
from psycopg.pq import ExecStatus, TransactionStatus

Statement = tuple[str, Sequence[Any]]
"""A text with ``%s`` in the place of each value, and these values."""

Row = tuple[Any, ...]

KEPT: Final = 250
"""How many plans a connection keeps for such statements; others are planned each time."""


class Plans:
    """What a connection has had planned: the name of each plan, and how often other statements were used."""

    def __init__(self) -> None:
        self._names: dict[str, bytes] = {}
        self._uses: dict[str, int] = {}
        self._last = 0

    def name(self, text: str) -> bytes | None:
        """Return what the plan of a statement is called, if it has one."""
        return self._names.get(text)

    def new_name(self, text: str, after: int) -> bytes | None:
        """Count a use of a statement without a plan; return a name for one, if it was used often enough."""
        uses = self._uses[text] = self._uses.get(text, 0) + 1
        if uses <= after or len(self._names) >= KEPT:
            if len(self._uses) > 2 * KEPT:
                self._uses.clear()
            return None
        self._last += 1
        return b"together_%d" % self._last

    def keep(self, text: str, name: bytes) -> None:
        """Note that Postgres has a plan."""
        self._names[text] = name
        self._uses.pop(text, None)

    def forget(self) -> None:
        """Note that Postgres has none any more."""
        self._names.clear()


def run(connection: Any, statements: Sequence[Statement]) -> list[list[Row]]:
    """Give Postgres these statements, in the transaction under way or a new one; return the rows of each."""
    with connection.lock:
        return _Message(connection).run(statements)


class _Message:
    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._plans: Plans = connection.plans
        self._known = Transformer(connection)
        self._acts: list[Callable[[], object] | None] = []
        """What is done once each command has succeeded; None for those whose rows are returned."""

    def run(self, statements: Sequence[Statement]) -> list[list[Row]]:
        given = [(text, *self._given(values)) for text, values in statements]
        pgconn = self._connection.pgconn
        try:
            pgconn.enter_pipeline_mode()
            self._begin(pgconn)
            for text, values, formats in given:
                self._add(pgconn, text, values, formats)
            pgconn.pipeline_sync()
            results = self._connection.wait(_exchange(pgconn, len(self._acts)))
            pgconn.exit_pipeline_mode()
        except BaseException:
            pgconn.finish()  # answers that are still to come would be taken for those of other statements
            raise
        return self._read(results)

    def _given(self, values: Sequence[Any]) -> tuple[list[Any], list[int] | None]:
        """Return values as Postgres reads them, and the format of each where not all are text."""
        formats = [int(isinstance(value, bytes)) for value in values]
        return [self._written(value) for value in values], formats if any(formats) else None

    def _written(self, value: Any) -> Any:
        if value is None or isinstance(value, bytes):
            return value
        if isinstance(value, str):
            if "\0" in value:
                raise psycopg.DataError("PostgreSQL text fields cannot contain NUL (0x00) bytes")
            return value.encode()
        if isinstance(value, bool):
            return b"t" if value else b"f"
        if isinstance(value, int):
            return b"%d" % value
        if type(value) is datetime:
            return str(value).encode()
        return self._known.get_dumper(value, PyFormat.TEXT).dump(value)

    def _begin(self, pgconn: Any) -> None:
        if not self._connection.autocommit and pgconn.transaction_status == TransactionStatus.IDLE:
            pgconn.send_query_params(self._connection._get_tx_start_command(), None)
            self._acts.append(_nothing)

    def _add(self, pgconn: Any, text: str, values: list[Any], formats: list[int] | None) -> None:
        name = self._plans.name(text)
        if name is None and (new := self._plans.new_name(text, self._connection.prepare_threshold)):
            pgconn.send_prepare(new, _numbered(text))
            self._acts.append(lambda: self._plans.keep(text, new))
            name = new
        if name is None:
            pgconn.send_query_params(_numbered(text), values, param_formats=formats)
        else:
            pgconn.send_query_prepared(name, values, param_formats=formats)
        self._acts.append(None)

    def _read(self, results: Sequence[Any]) -> list[list[Row]]:
        found = []
        failed = None
        for result, act in zip(results, self._acts, strict=True):
            if result.status not in _DONE:
                failed = failed or result
            elif act is not None:
                act()
            else:
                self._known.set_pgresult(result)
                found.append(self._known.load_rows(0, result.ntuples, tuple))
        if failed is not None:
            self._fail(failed)
        return found

    def _fail(self, result: Any) -> None:
        error = psycopg.errors.error_from_result(result, encoding="utf-8")
        if isinstance(error, psycopg.errors.FeatureNotSupported):
            self._connection.prepare_threshold = None  # a migration has changed what a plan returns
        if isinstance(error, psycopg.errors.InvalidSqlStatementName):
            self._plans.forget()
        raise error


_DONE: Final = (ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK)


def _nothing() -> None:
    """Stand for what is to be done about an answer that says nothing."""


def _exchange(pgconn: Any, number: int) -> Generator[Any, Any, list[Any]]:
    """Send what was collected; return the result of each of so many commands."""
    yield from generators.send(pgconn)
    results: list[Any] = []
    for _ in range(number):
        results += yield from generators.fetch_many(pgconn)
    yield from generators.fetch_many(pgconn)  # that was all
    return results


@lru_cache(maxsize=1024)
def _numbered(text: str) -> bytes:
    """Return a statement with its values by number, as the protocol has them."""
    parts = text.split("%s")
    numbered = parts[0] + "".join(f"${number}{part}" for number, part in enumerate(parts[1:], 1))
    return numbered.encode()
