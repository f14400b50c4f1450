"""A part of what is held about a person: which rows it has, and which of their columns are told."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from django.db.models import Case, F, Model, Q, When

from accounts.models import User

Document = dict[str, Any]

PORTION: Final = 50
"""Rows that are read at a time: a draft may take a megabyte."""


def columns(names: str) -> tuple[str, ...]:
    return tuple(names.split())


@dataclass(frozen=True, slots=True)
class Holding:
    """A part of what is held: the rows of a ``model`` that lead to the person by one of the ``paths``.

    ``shown`` are the columns that are told, and ``without`` those that are not: hashes and keys, of use only
    to a thief, and what belongs to others. Where ``only`` has a condition for a column, the other rows have
    None there. Rows that lead to the person's address, by ``address``, are theirs as well. Where seats pass
    on, a path does not tell whose a row is: ``theirs`` does, in place of the paths.
    """

    key: str
    model: type[Model]
    paths: tuple[str, ...]
    shown: tuple[str, ...]
    without: tuple[str, ...] = ()
    only: Mapping[str, Q] = field(default_factory=dict)
    address: str = ""
    theirs: Callable[[User], Q] | None = None

    def rows(self, user: User) -> Iterator[Document]:
        condition = self.theirs(user) if self.theirs else Q()
        for path in self.paths:
            condition |= Q(**{path: user.pk})
        if self.address and user.email:
            condition |= Q(**{f"{self.address}__iexact": user.email})
        rows = self.model._default_manager.filter(condition).distinct().order_by("pk")
        told = {f"told_{name}": Case(When(fulfilled, then=F(name))) for name, fulfilled in self.only.items()}
        plain = [name for name in self.shown if name not in self.only]
        read = rows.values(*plain, **told, row_key=F("pk"))
        portion = list(read[:PORTION])
        while portion:
            for row in portion:
                yield {name: row[f"told_{name}" if name in self.only else name] for name in self.shown}
            last = portion[-1]["row_key"]
            portion = list(read.filter(pk__gt=last)[:PORTION]) if len(portion) == PORTION else []
