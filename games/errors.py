"""Errors of the service, and problems in documents, orders and URLs.

Pages and API share these errors, and map them to responses.
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
    """The OpenAPI schema of a value, for `Annotated`, if the value's Python type is not enough."""

    schema: dict[str, Any]

    @classmethod
    def named(cls, name: str) -> "Shape":
        """Return a schema that refers to a named component of the OpenAPI document."""
        return cls({"$ref": f"#/components/schemas/{name}"})


def view_of_row(kind: type[Written], row: object, **others: Any) -> Written:
    """Return a dataclass or TypedDict with values from a row's attributes and from ``others``."""
    names = [field.name for field in fields(kind)] if is_dataclass(kind) else kind.__annotations__
    return kind(**{name: getattr(row, name) for name in names if name not in others}, **others)


def has_format(field: str, expected: str) -> Q:
    """Return the condition that a JSON field stores an object whose key ``format`` has the expected value.

    The condition also checks that the key exists. Otherwise a missing key would pass: the result of comparing
    it is unknown, and a constraint accepts that.
    """
    return Q(**{f"{field}__has_key": "format", f"{field}__format": expected})


# --- Refusals -----------------------------------------------------------------------------------------------


ProblemDocument = dict[str, Any]
"""One problem in an error response, as a dict with the keys of `ProblemView`."""

COUNT_FROM_1 = Shape({"type": "integer", "minimum": 1})


class ProblemView(TypedDict):
    """One problem in a request. `register`, `row` and `column` count from 1."""

    code: str
    detail: Annotated[str, "The reason, as a sentence for people."]
    register: NotRequired[Annotated[int, COUNT_FROM_1]]
    row: NotRequired[Annotated[int, COUNT_FROM_1]]
    column: NotRequired[Annotated[int, COUNT_FROM_1]]
    key: NotRequired[Annotated[str, "The key with the problem."]]


class ErrorView(TypedDict):
    """The reason for an error. If the status is below 500, the request changed nothing."""

    error: Annotated[str, "The reason, as a code for programs."]
    detail: Annotated[str, "The reason, as a sentence for people."]
    problems: Annotated[list[ProblemView], "All problems, if there can be several."]


class ServiceError(Exception):
    """A refusal of a request or an action. Unless the subclass is `Unavailable`, nothing was changed.

    ``code`` is for programs, and ``detail`` is a sentence for people. ``problems`` lists every problem if
    there can be several. ``status`` is the HTTP status.
    """

    status = 400

    def __init__(self, code: str, detail: str, problems: Iterable[Mapping[str, Any]] = ()) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.problems: list[ProblemDocument] = [dict(problem) for problem in problems]

    @property
    def document(self) -> dict[str, Any]:
        """The error as a JSON object. If input was refused, there is at least one problem."""
        problems = self.problems
        if not problems and self.status in (Malformed.status, Invalid.status):
            problems = [{"code": self.code, "detail": self.detail}]
        return {"error": self.code, "detail": self.detail, "problems": problems}


class Malformed(ServiceError):
    """Input in the wrong form, such as an unknown key or a wrong type."""

    status = 400


class Forbidden(ServiceError):
    """An action that the person is not allowed to take, on an object that they can see."""

    status = 403


class NotFound(ServiceError):
    """An object that does not exist, or is hidden from the requesting person. Both cases look the same."""

    status = 404


class Gone(NotFound):
    """An object that staff have taken down."""

    status = 410


class NoLongerIn(NotFound):
    """A game that this person has left, and that is now hidden from them."""

    def __init__(self) -> None:
        super().__init__("no-game", _("You are no longer in this game."))


class DeadLink(NotFound):
    """A secret link that is incomplete, replaced or withdrawn."""

    def __init__(self, code: str) -> None:
        super().__init__(
            code, _("This link is incomplete or no longer works. Ask the person who sent it for a new one.")
        )


class Conflict(ServiceError):
    """An action in conflict with the present state, such as orders for a past turn, or a full game."""

    status = 409


class Invalid(ServiceError):
    """Well-formed but invalid input. ``problems`` lists every problem."""

    status = 422


class TooMany(ServiceError):
    """Too many requests. ``wait`` is the number of seconds until the next request is allowed."""

    status = 429

    def __init__(self, detail: str, wait: float) -> None:
        super().__init__("too-many", detail)
        self.wait = max(1, math.ceil(wait))


class Unavailable(ServiceError):
    """The database is down or too busy. ``wait`` is the number of seconds until a retry makes sense.

    The request may or may not have been carried out, as after any broken connection.
    """

    status = 503
    wait = 5

    def __init__(self) -> None:
        super().__init__("unavailable", _("The server is busy or under maintenance. Try again soon."))


class UnderMaintenance(ServiceError):
    """The operator works on the site. ``wait`` is the number of seconds until the announced end."""

    status = 503

    def __init__(self, *, wait: float) -> None:
        self.wait = max(1, math.ceil(wait))
        super().__init__(
            "maintenance", _("The site is under maintenance. All clocks are stopped. Try again later.")
        )


def order_problems(problems: Iterable[rules.OrderProblem]) -> list[ProblemDocument]:
    """Convert the problems of orders to problems of an error response."""
    return [
        {"code": problem.code, "detail": wording.translate(problem.detail)}
        | ({} if problem.register is None else {"register": problem.register})
        for problem in problems
    ]


MAX_PROBLEMS: Final = 500
"""The maximum number of problems to list in a response. Further problems are only counted."""


def document_problems(code: str, problems: Collection[rules.Problem]) -> list[ProblemDocument]:
    """Convert the problems of a document to problems of an error response.

    Adds the key, row and column of a problem if they are known. Problems without a code get the given
    ``code``.
    """
    named = [
        {"code": problem.code or code, "detail": problem.in_words(wording.WORDS)}
        | ({} if problem.key is None else {"key": problem.key})
        | ({} if problem.row is None else {"row": problem.row})
        | ({} if problem.column is None else {"column": problem.column})
        for problem in islice(problems, MAX_PROBLEMS)
    ]
    if (more := len(problems) - MAX_PROBLEMS) > 0:
        detail = ngettext("There is {number} more problem.", "There are {number} more problems.", more)
        named.append({"code": code, "detail": detail.format(number=more)})
    return named


def describe_error(error: Exception) -> str:
    """Describe an error for staff, without row data from Postgres, which may be secret."""
    return f"{type(error).__name__}: {error}".partition("\nDETAIL:")[0]


def refuse_guests(user: User) -> None:
    """Raise Forbidden for a guest. Guests can only fly missions and play against computers."""
    if user.is_guest:
        raise Forbidden(
            "guest",
            _("You need an account for this. Sign up, and you keep the games that you played as a guest."),
        )


# --- Players ------------------------------------------------------------------------------------------------


def player_named(robo_name: str, *, among: QuerySet[User] | None = None) -> User:
    """Return the player with this Robo Name, ignoring case. Raises NotFound if there is none."""
    players = User.objects.players() if among is None else among
    person = players.filter(robo_name__iexact=robo_name).first() if robo_name.isprintable() else None
    if person is None:
        raise NotFound("no-player", _("There is no player “{name}”.").format(name=robo_name))
    return person


# --- Addresses ----------------------------------------------------------------------------------------------


def number_in(text: str | None, *, digits: int = 18) -> int | None:
    """Return the whole number in a text, or None for other text or too many digits.

    >>> number_in("20"), number_in("-1"), number_in("²"), number_in("123", digits=2)
    (20, None, None, None)
    """
    if text is None or not text.isascii() or not text.isdecimal() or len(text) > digits:
        return None
    return int(text)


def new_token() -> str:
    """Return a new token for a secret link."""
    return secrets.token_urlsafe(24)


SLUG_NUMBER_LENGTH: Final = 8
"""The number of characters of a slug to leave free for a number."""


def lock_slugs(of: type[models.Model]) -> None:
    """Lock all slugs of a table until the transaction ends."""
    with connection.cursor() as cursor:
        lock = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"
        cursor.execute(lock, [f"slugs:{of._meta.db_table}"])


def free_slug(name: str, *, of: type[models.Model], usual: str, reserved: Collection[str] = ()) -> str:
    """Return an unused slug for a name, with a number if needed.

    ``usual`` is the slug for a name without Latin letters and digits. The table's slugs stay locked until the
    transaction ends, so that two rows never get the same slug.
    """
    lock_slugs(of)
    field = of._meta.get_field("slug")
    assert isinstance(field, models.SlugField) and field.max_length
    longest = field.max_length
    start = slugify(name)[: longest - SLUG_NUMBER_LENGTH].strip("-_") or usual
    taken = {*of._default_manager.filter(slug__startswith=start).values_list("slug", flat=True), *reserved}
    slugs = (start if number == 1 else f"{start}-{number}" for number in count(1))
    return next(slug for slug in slugs if slug not in taken)
