"""Rows that Postgres makes, any number of them: all alike but for the columns that follow from a number."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db import connection, models

PRIME: Final = 1_000_003
"""More than there are rows of a kind in most tables."""


@dataclass(frozen=True)
class Kind:
    """Rows of one kind: ``each`` of them for every ``group`` of players, where ``only`` holds.

    They are like ``row``, but for the columns that ``values`` has an expression for. In these, ``i`` counts
    groups, ``s`` the rows of a group, and ``n`` all rows, each from 1. Of a kind that does not grow with the
    site there are ``fixed`` groups.
    """

    row: models.Model
    values: Mapping[str, str]
    group: int = 1
    each: int = 1
    only: str = "TRUE"
    fixed: int = 0

    def making(self, before: int, after: int) -> tuple[str, list[Any]]:
        """Return the statement that makes what more players bring about, and its parameters."""
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
    """Return an expression for a number below `PRIME` that looks as if it came by chance.

    Numbers up to `PRIME` have each another one, in each ``stream``.
    """
    return f"(({number})::bigint * {611_953 + 7_919 * stream} % {PRIME})"
