"""Refusals of the service, and the problems of what people send: documents, orders and addresses.

Pages and API share these errors, and map them to answers.
"""

import math
import secrets
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from itertools import count, islice
from typing import Annotated, Any, Final, NotRequired, TypedDict, TypeVar

from django.db import connection, models
from django.db.models import Q, QuerySet
from django.utils.text import slugify
from django.utils.translation import gettext as _, ngettext

import rules
from accounts.models import User
from games import wording

# --- Documents ----------------------------------------------------------------------------------------------


Written = TypeVar("Written")


@dataclass(frozen=True, eq=False)
class Shape:
    """The JSON of a value, as an OpenAPI schema in `Annotated`, if a type is not enough."""

    schema: dict[str, Any]

    @classmethod
    def named(cls, name: str) -> "Shape":
        """Refer to what the OpenAPI document describes under a name."""
        return cls({"$ref": f"#/components/schemas/{name}"})


def written(kind: type[Written], row: object, **others: Any) -> Written:
    """Return a document of a kind, a dataclass or a TypedDict: attributes of a row, beside what is given."""
    names = [field.name for field in fields(kind)] if is_dataclass(kind) else kind.__annotations__
    return kind(**{name: getattr(row, name) for name in names if name not in others}, **others)


def has_format(field: str, expected: str) -> Q:
    """Return the condition that a field holds an object of that format.

    The key has to be there: a comparison with what is missing is unknown, and a constraint lets that pass.
    """
    return Q(**{f"{field}__has_key": "format", f"{field}__format": expected})


# --- Refusals -----------------------------------------------------------------------------------------------


ProblemDocument = dict[str, Any]
"""One fault, as `ProblemView` describes it."""

PLACE = Shape({"type": "integer", "minimum": 1})


class ProblemView(TypedDict):
    """One fault. `register` counts from 1, as do `row` and `column` of a starship's document."""

    code: str
    detail: Annotated[str, "A sentence for people."]
    register: NotRequired[Annotated[int, PLACE]]
    row: NotRequired[Annotated[int, PLACE]]
    column: NotRequired[Annotated[int, PLACE]]
    key: NotRequired[Annotated[str, "The key that it is about."]]


class ErrorView(TypedDict):
    """Why something was not done; nothing was changed."""

    error: Annotated[str, "A code for programs."]
    detail: Annotated[str, "A sentence for people."]
    problems: Annotated[list[ProblemView], "Every single fault, where there can be several."]


class ServiceError(Exception):
    """A refusal. Nothing was changed.

    ``code`` is for programs, ``detail`` is a sentence for people, ``problems`` has every single fault if
    there can be several, and ``status`` is the status of HTTP.
    """

    status = 400

    def __init__(self, code: str, detail: str, problems: Iterable[Mapping[str, Any]] = ()) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.problems: list[ProblemDocument] = [dict(problem) for problem in problems]

    @property
    def document(self) -> dict[str, Any]:
        """The error as JSON. Refused input has at least one problem."""
        problems = self.problems
        if not problems and self.status in (Malformed.status, Invalid.status):
            problems = [{"code": self.code, "detail": self.detail}]
        return {"error": self.code, "detail": self.detail, "problems": problems}


class Malformed(ServiceError):
    """Input that is not in the form asked for: an unknown key, a wrong type."""

    status = 400


class Forbidden(ServiceError):
    """An action that this person may not do, on something that they may see."""

    status = 403


class NotFound(ServiceError):
    """Something that does not exist, or that this person may not see: the two look the same."""

    status = 404


class Gone(NotFound):
    """Something that staff have taken down."""

    status = 410


class NoLongerIn(NotFound):
    """A game that this person joined, and may not see since they left or were removed."""

    def __init__(self) -> None:
        super().__init__("no-game", _("You are no longer in this game."))


class DeadLink(NotFound):
    """A secret link that opens nothing: it is incomplete, was replaced or was withdrawn."""

    def __init__(self, code: str) -> None:
        super().__init__(
            code, _("This link is incomplete, or no longer valid. Ask the person who sent it for a new one.")
        )


class Conflict(ServiceError):
    """An action that the present state does not allow: a stale turn, a full game."""

    status = 409


class Invalid(ServiceError):
    """Well-formed input that is not allowed. ``problems`` has every fault."""

    status = 422


class TooMany(ServiceError):
    """Too many requests. ``wait`` is the number of seconds to wait before another."""

    status = 429

    def __init__(self, detail: str, wait: float) -> None:
        super().__init__("too-many", detail)
        self.wait = max(1, math.ceil(wait))


class Unavailable(ServiceError):
    """No answer while the database is away or too busy. ``wait`` is as for `TooMany`.

    The request may have been done or not, as after any broken connection.
    """

    status = 503
    wait = 5

    def __init__(self) -> None:
        super().__init__("unavailable", _("The server is busy or being repaired. Try again soon."))


def of_orders(problems: Iterable[rules.OrderProblem]) -> list[ProblemDocument]:
    """Write the problems of orders."""
    return [
        {"code": problem.code, "detail": wording.told(problem.detail)}
        | ({} if problem.register is None else {"register": problem.register})
        for problem in problems
    ]


MOST_PROBLEMS: Final = 500
"""Problems that an answer names. It counts the others."""


def of_document(code: str, problems: Collection[rules.Problem]) -> list[ProblemDocument]:
    """Write the problems of a document, each with its key, row and column if it has them."""
    named = [
        {"code": problem.code or code, "detail": problem.told(wording.WORDS)}
        | ({} if problem.key is None else {"key": problem.key})
        | ({} if problem.row is None else {"row": problem.row})
        | ({} if problem.column is None else {"column": problem.column})
        for problem in islice(problems, MOST_PROBLEMS)
    ]
    if (more := len(problems) - MOST_PROBLEMS) > 0:
        detail = ngettext("There is {number} more problem.", "There are {number} more problems.", more)
        named.append({"code": code, "detail": detail.format(number=more)})
    return named


def reason_of(error: Exception) -> str:
    """Describe an error for staff, without what Postgres adds: the row, and secrets in it."""
    return f"{type(error).__name__}: {error}".partition("\nDETAIL:")[0]


def refuse_guests(user: User) -> None:
    """Raise Forbidden for a guest: guests fly missions and play against computers, and nothing else."""
    if user.is_guest:
        raise Forbidden(
            "guest",
            _(
                "You need an account for this, and you are a guest. Sign up to go on: you keep what you"
                " have played."
            ),
        )


# --- Players ------------------------------------------------------------------------------------------------


def player_named(robo_name: str, *, among: QuerySet[User] | None = None) -> User:
    """Return the player with a Robo Name, in any case. Raises NotFound without one."""
    players = User.objects.players() if among is None else among
    person = players.filter(robo_name__iexact=robo_name).first() if robo_name.isprintable() else None
    if person is None:
        raise NotFound("no-player", _("There is no player “{name}”.").format(name=robo_name))
    return person


# --- Addresses ----------------------------------------------------------------------------------------------


def number_in(text: str | None, *, digits: int = 18) -> int | None:
    """Return the whole number that a request or an address gives; None for all else, and for a longer one.

    >>> number_in("20"), number_in("-1"), number_in("²"), number_in("123", digits=2)
    (20, None, None, None)
    """
    if text is None or not text.isascii() or not text.isdecimal() or len(text) > digits:
        return None
    return int(text)


def new_token() -> str:
    """Return a new token for a secret link."""
    return secrets.token_urlsafe(24)


ROOM_FOR_A_NUMBER: Final = 8
"""Characters that the start of a slug leaves for a number."""


def hold_slugs(of: type[models.Model]) -> None:
    """Hold the slugs of a table until the transaction ends."""
    with connection.cursor() as cursor:
        lock = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"
        cursor.execute(lock, [f"slugs:{of._meta.db_table}"])


def free_slug(name: str, *, of: type[models.Model], usual: str, reserved: Collection[str] = ()) -> str:
    """Return a slug for a name that no row of a table has, with a number if needed.

    ``usual`` stands in for a name without Latin letters and digits. The slugs of the table are held until the
    transaction ends, so two rows never get the same one.
    """
    hold_slugs(of)
    field = of._meta.get_field("slug")
    assert isinstance(field, models.SlugField) and field.max_length
    longest = field.max_length
    start = slugify(name)[: longest - ROOM_FOR_A_NUMBER].strip("-_") or usual
    taken = {*of._default_manager.filter(slug__startswith=start).values_list("slug", flat=True), *reserved}
    slugs = (start if number == 1 else f"{start}-{number}" for number in count(1))
    return next(slug for slug in slugs if slug not in taken)
