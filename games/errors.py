"""What the service refuses, and why: for pages and API alike, which map the kinds to answers."""

import math
from collections.abc import Collection, Iterable, Mapping
from itertools import islice
from typing import Annotated, Any, Final, NotRequired, TypedDict

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import rules
from accounts.models import User
from games import language
from games.documents import Shape

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
    """Something that cannot be done.

    ``code`` is for programs, ``detail`` a sentence for people, ``problems`` every single fault where
    there can be several; ``status`` is the answer that HTTP has for it. Nothing was changed.
    """

    status = 400

    def __init__(self, code: str, detail: str, problems: Iterable[Mapping[str, Any]] = ()) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.problems: list[ProblemDocument] = [dict(problem) for problem in problems]

    @property
    def document(self) -> dict[str, Any]:
        """What a program is told of it, as JSON; input that is refused has one problem at least."""
        problems = self.problems
        if not problems and self.status in (Malformed.status, Invalid.status):
            problems = [{"code": self.code, "detail": self.detail}]
        return {"error": self.code, "detail": self.detail, "problems": problems}


class Malformed(ServiceError):
    """Input that is not in the form asked for: an unknown key, a wrong type."""

    status = 400


class Forbidden(ServiceError):
    """Something that this person may not do, to something that they may know of."""

    status = 403


class NotFound(ServiceError):
    """Something that is not there, or that this person may not know of: the two look the same."""

    status = 404


class Gone(NotFound):
    """Something that was there, and that staff have taken down."""

    status = 410


class NoLongerIn(NotFound):
    """A game that this person joined, and may not see since they left or were taken out."""

    def __init__(self) -> None:
        super().__init__("no-game", _("You are no longer in this game."))


class DeadLink(NotFound):
    """A secret link that opens nothing: it is incomplete, or was replaced or taken back."""

    def __init__(self, code: str) -> None:
        super().__init__(
            code,
            _("This link is incomplete, or no longer valid. Ask the person who sent it for a new one."),
        )


class Conflict(ServiceError):
    """Something that things as they are now do not allow: a stale turn, a full game."""

    status = 409


class Invalid(ServiceError):
    """Well-formed input that the rules do not allow; ``problems`` has every fault."""

    status = 422


class TooMany(ServiceError):
    """More than is taken at once; ``wait`` is the number of seconds after which to try again."""

    status = 429

    def __init__(self, detail: str, wait: float) -> None:
        super().__init__("too-many", detail)
        self.wait = max(1, math.ceil(wait))


class Unavailable(ServiceError):
    """Nothing at all, while the database is away or has too much to do; ``wait`` is as for `TooMany`.

    Whether what was asked for was done is not known, as with each connection that breaks.
    """

    status = 503
    wait = 5

    def __init__(self) -> None:
        super().__init__("unavailable", _("The server is busy or being repaired. Try again soon."))


def of_orders(problems: Iterable[rules.OrderProblem]) -> list[ProblemDocument]:
    """Write what is wrong with orders."""
    return [
        {"code": problem.code, "detail": language.told(problem.detail)}
        | ({} if problem.register is None else {"register": problem.register})
        for problem in problems
    ]


MOST_PROBLEMS: Final = 500
"""Problems that an answer names. It counts the others."""


def of_document(code: str, problems: Collection[rules.Problem]) -> list[ProblemDocument]:
    """Write what is wrong with a document, each fault with its key, row and column where it has them."""
    named = [
        {"code": problem.code or code, "detail": problem.told(language.WORDS)}
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
    """Say what went wrong, for staff; what Postgres adds is the row, and the secrets in it."""
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
