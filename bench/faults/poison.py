"""Poison rows of the site's tables. Each kind of poison makes one column unreadable, in a separate game.

The kinds of poison come from the models, so new columns are included automatically. Most columns are made
unreadable in one way. Columns with JSON documents, compressed or not, also lose each of their keys in turn.

Some kinds of poison cannot be planted, because the database rejects them or the games have no such row. The
report lists these kinds separately.
"""

import json
import zlib
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from django.apps import apps
from django.db import DatabaseError, IntegrityError, connection, models, transaction
from psycopg.sql import SQL, Composable, Identifier

from accounts.models import User
from games.clocks.models import Boot, Heartbeat
from games.play.models import Game
from games.work.models import Alarm

APPS: Final = ("games", "accounts")
"""The Django apps whose tables are poisoned."""

UNPOISONED_MODELS: Final = (Alarm, Boot, Heartbeat)
"""The sweeper's own tables. They do not belong to a game, so they are not poisoned."""

NONSENSE: Final = "\u2620 poison"
"""The text that makes a column unreadable. It replaces the column's text, or each value in its document."""

INFINITE_TIME: Final = "infinity"
"""A time that Postgres can store but Python cannot represent."""

DOCUMENTS: Final = (models.JSONField, models.BinaryField)
"""The classes of columns with JSON documents. Binary columns compress them (`games.play.stored`)."""

MAX_DEPTH: Final = 4
"""The maximum number of foreign keys to follow from a table to its game."""


@dataclass(frozen=True)
class Kind:
    """A way to make one column unreadable.

    ``key`` is the key that is removed from the column's document, if the way is ``lacks``.
    """

    model: type[models.Model]
    field: Any
    way: str
    key: str = ""

    def __str__(self) -> str:
        lost = f" {self.key}" if self.key else ""
        return f"{self.model._meta.model_name}.{self.field.name}: {self.way}{lost}"


@dataclass
class Planted:
    """A poison planted in one column of a row, with the original value of that column."""

    kind: Kind
    game: int
    row: int
    before: Any
    turn: int
    due: Any = None
    told: str = ""
    went_on: bool = False
    breaches: list[str] = field(default_factory=list)

    @property
    def is_spared(self) -> bool:
        """Whether the poison is in a deadline. If it is, the test must not change the game's deadlines."""
        return self.kind.field.name == "deadline"

    def restore(self) -> None:
        """Restore the original value of the poisoned column.

        If the site has created a new row that conflicts with the original row, delete the poisoned row
        instead.
        """
        try:
            with transaction.atomic():
                _write(self.kind, self.row, self.before)
        except IntegrityError:
            self.kind.model._default_manager.filter(pk=self.row).delete()


def kinds() -> list[Kind]:
    """Return all kinds of poison: each column of the apps' tables, with each way to make it unreadable."""
    return [
        Kind(model, column, way)
        for label in APPS
        for model in apps.get_app_config(label).get_models()
        if model not in UNPOISONED_MODELS and not model._meta.proxy
        for column in model._meta.concrete_fields
        for way in _ways(column)
    ]


def _ways(column: Any) -> tuple[str, ...]:
    """Return the ways to make a column unreadable, or () if all values of the column are valid."""
    if column.primary_key or isinstance(column, models.BooleanField):
        return ()
    if isinstance(column, models.ForeignKey):
        return (
            ("points nowhere", "points to a guest") if column.related_model is User else ("points nowhere",)
        )
    if isinstance(column, models.BinaryField):
        return ("torn", "empty", "nonsense")
    if isinstance(column, models.JSONField):
        return ("empty", "nonsense")
    if isinstance(column, models.DateField | models.DurationField):
        return ("for ever",)
    if isinstance(column, models.IntegerField):
        return ("out of range",)
    return ("nonsense",) if isinstance(column, models.CharField | models.TextField) else ()


def lost_keys(every: Iterable[Kind], game: Game, person: User) -> Iterator[Kind]:
    """Yield a kind of poison for each key in a document of the game or the player."""
    for column, model in {(kind.field, kind.model): None for kind in every}:
        sample = Kind(model, column, "lacks")
        row = row_of(sample, game, person)
        document = _read(sample, row) if row and isinstance(column, DOCUMENTS) else None
        for key in document if isinstance(document, dict) else ():
            if key != "format":
                yield Kind(model, column, "lacks", key)


def plant(kind: Kind, game: Game, person: User, guest: User) -> Planted | str:
    """Make a column unreadable in a row of a game or person.

    Returns the planted poison, or the reason if it cannot be planted.
    """
    row = row_of(kind, game, person)
    if row is None:
        return "no row"
    before = _read(kind, row)
    try:
        with transaction.atomic():
            _write(kind, row, _poison(kind, before, guest))
            with connection.cursor() as cursor:
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    except DatabaseError as refused:
        return f"refused by the database ({type(refused).__name__})"
    return Planted(kind, game.pk, row, before, game.turn or 0)


def refusal(kind: Kind, game: Game, person: User, guest: User) -> str:
    """Return the reason if a poison cannot be planted, or an empty string if it can.

    This does not plant the poison.
    """
    with transaction.atomic():
        tried = plant(kind, game, person, guest)
        transaction.set_rollback(True)
    return tried if isinstance(tried, str) else ""


def has_healed(planted: Planted) -> bool:
    """Return whether the site has replaced a poisoned deadline with a later deadline."""
    return planted.is_spared and _read(planted.kind, planted.row) != INFINITE_TIME


def row_of(kind: Kind, game: Game, person: User) -> int | None:
    """Return the primary key of the row to poison, or None if the table has no such row.

    Prefers the newest row of the person, and rows with a value in the column.
    """
    rows = _rows(kind.model, game, person)
    if rows is None:
        return None
    filled = rows.exclude(**{f"{kind.field.name}__isnull": True})
    mine = [path for path in ("seat__user", "user") if _has(kind.model, path)]
    for some in [*(filled.filter(**{path: person}) for path in mine), filled, rows]:
        found = some.order_by("-pk").values_list("pk", flat=True).first()
        if found is not None:
            return int(found)
    return None


def _has(model: type[models.Model], path: str) -> bool:
    first, _, rest = path.partition("__")
    names = {each.name: each for each in model._meta.concrete_fields}
    return first in names and (not rest or _has(names[first].related_model, rest))


def _rows(model: type[models.Model], game: Game, person: User) -> Any:
    """Return the rows of a table that belong to a game or a person.

    Returns None if the table is related to neither.
    """
    objects = model._default_manager
    if model is Game:
        return objects.filter(pk=game.pk)
    if model is User:
        return objects.filter(pk=person.pk)
    boards = {"starshiprevision": game.revision_id, "starship": game.revision.starship_id}
    if (name := model._meta.model_name or "") in boards:
        return objects.filter(pk=boards[name])
    if path := _path(model, Game):
        return objects.filter(**{path: game.pk})
    if path := _path(model, User):
        return objects.filter(**{path: person.pk})
    return None


def _path(model: type[models.Model], target: type[models.Model]) -> str | None:
    """Return the shortest path of foreign keys from a table to the target table, or None if there is none."""
    queue: deque[tuple[type[models.Model], str, int]] = deque([(model, "", 0)])
    while queue:
        here, path, depth = queue.popleft()
        for column in here._meta.concrete_fields:
            if not isinstance(column, models.ForeignKey):
                continue
            further = f"{path}__{column.name}" if path else column.name
            if column.related_model is target:
                return further
            if depth < MAX_DEPTH and column.related_model is not User:
                queue.append((column.related_model, further, depth + 1))
    return None


def _poison(kind: Kind, before: Any, guest: User) -> Any:
    column = kind.field
    match kind.way:
        case "points nowhere":
            return None
        case "points to a guest":
            return guest.pk
        case "out of range":
            return connection.ops.integer_field_range(column.get_internal_type())[1]
        case "for ever":
            return "1000000000 days" if isinstance(column, models.DurationField) else INFINITE_TIME
    if kind.way == "torn":
        return _packed(before)[: len(_packed(before)) // 2]
    if isinstance(column, DOCUMENTS):
        known = before if isinstance(before, dict) else {}
        form = {"format": known["format"]} if "format" in known else {}
        match kind.way:
            case "empty":
                return form
            case "lacks":
                return {key: value for key, value in known.items() if key != kind.key}
        return {**dict.fromkeys(known, NONSENSE), **form} if known else NONSENSE
    return NONSENSE[: column.max_length] if column.max_length else NONSENSE


def _read(kind: Kind, row: int) -> Any:
    """Return the value of a column: its document, or for other columns the text of the value in SQL."""
    query = SQL("SELECT {column}::text FROM {table} WHERE {key} = %s").format(**_names(kind))
    with connection.cursor() as cursor:
        cursor.execute(query.as_string(None), [row])
        found = cursor.fetchone()
    text = found[0] if found else None
    if text is None or not isinstance(kind.field, DOCUMENTS):
        return text
    return json.loads(text if isinstance(kind.field, models.JSONField) else _unpacked(text))


def _unpacked(text: str) -> bytes:
    return zlib.decompress(bytes.fromhex(text.removeprefix("\\x")))


def _packed(document: Any) -> bytes:
    return zlib.compress(json.dumps(document).encode())


def _write(kind: Kind, row: int, value: Any) -> None:
    if isinstance(kind.field, models.BinaryField) and value is not None:
        value = "\\x" + (value if isinstance(value, bytes) else _packed(value)).hex()
    elif isinstance(kind.field, models.JSONField) and value is not None:
        value = json.dumps(value)
    query = SQL("UPDATE {table} SET {column} = %s::text::{type} WHERE {key} = %s").format(**_names(kind))
    with connection.cursor() as cursor:
        cursor.execute(query.as_string(None), [None if value is None else str(value), row])


def _names(kind: Kind) -> dict[str, Composable]:
    table = kind.model._meta
    return {
        "column": Identifier(kind.field.column),
        "table": Identifier(table.db_table),
        "key": Identifier(table.pk.column),
        "type": SQL(kind.field.db_type(connection)),
    }
