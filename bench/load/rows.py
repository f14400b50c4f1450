"""Make any number of rows in Postgres. Rows of a kind are equal except for computed columns."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db import connection, models

PRIME: Final = 1_000_003
"""A prime number that is larger than the number of rows in most tables."""


@dataclass(frozen=True)
class Kind:
    """Rows of one kind: ``each`` rows for every ``group`` of players.

    All rows are copies of ``row``, except in columns that have an SQL expression in ``values``. An expression
    may use ``i``, the number of the group; ``s``, the row's number in its group; and ``n``, the row's number
    among all rows. All three count from 1. ``only`` is an SQL condition, and rows that do not meet it are
    left out. A kind that does not grow with the site has ``fixed`` groups.
    """

    row: models.Model
    values: Mapping[str, str]
    group: int = 1
    each: int = 1
    only: str = "TRUE"
    fixed: int = 0

    def making(self, before: int, after: int) -> tuple[str, list[Any]]:
        """Return the SQL statement for the rows of additional players, and its parameters.

        The number of players grows from ``before`` to ``after``.
        """
        first, last = before // self.group + 1, after // self.group
        if self.fixed:
            first, last = 1, 0 if before else self.fixed
        columns, values, given = [], [], []
        for field in self.row._meta.concrete_fields:
            expression = self.values.get(field.name)
            if expression is None and (field.generated or isinstance(field, models.AutoField)):
                continue
            columns.append(connection.ops.quote_name(field.column))
            values.append(expression or "%s")
            if expression is None:
                given.append(field.get_db_prep_save(getattr(self.row, field.attname), connection))
        statement = (
            f"INSERT INTO {self.row._meta.db_table} ({', '.join(columns)}) SELECT {', '.join(values)}"
            f" FROM generate_series({first}, {last}) AS i CROSS JOIN generate_series(1, {self.each}) AS s"
            f" CROSS JOIN LATERAL (SELECT (i - 1) * {self.each} + s AS n) AS rows WHERE {self.only}"
        )
        return statement.replace("%", "%%").replace("%%s", "%s"), given


def spread(number: str, stream: int = 0) -> str:
    """Return an SQL expression for a pseudo-random number from 0 to `PRIME` - 1.

    Within a ``stream``, different numbers below `PRIME` have different results.
    """
    return f"(({number})::bigint * {611_953 + 7_919 * stream} % {PRIME})"
