"""A page or answer about a game shows one state of it: all its statements read one snapshot of the database.

A turn is played between any two statements. The snapshot is that of a transaction which only reads
(REPEATABLE READ), so it waits for nobody and never fails for what others write. It takes two messages to the
database, BEGIN and COMMIT.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.core.handlers.exception import response_for_exception
from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import SimpleTemplateResponse

from accounts.limits import SAFE
from games.kept import answering, leaving_blanks

GAME: Final = "game_id"
"""What an address names that is about a game."""

STAFF_PAGES: Final = frozenset({"admin:games_game_change", "admin:games_game_history"})
"""Pages of a game in the admin, whose addresses name any object."""


@contextmanager
def snapshot(using: str = DEFAULT_DB_ALIAS) -> Iterator[None]:
    """Have everything in the block read one state of the database, and write nothing.

    Within a transaction this changes nothing: what it sees was settled when it began.
    """
    database: Any = connections[using]
    with leaving_blanks():
        if database.in_atomic_block:
            yield
            return
        with database.reading_one_state(), transaction.atomic(using):
            yield


def shows_a_game(request: HttpRequest, place: dict[str, Any]) -> bool:
    """Return whether a request only reads, and its address names a game."""
    match = request.resolver_match
    return request.method in SAFE and (GAME in place or bool(match and match.view_name in STAFF_PAGES))


class SnapshotMiddleware:
    """Answers each page and fragment of a game from one snapshot; calls of the API see to it themselves.

    It is the last middleware, so the view is called here.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer a request, and make what its answer left out while it read a snapshot."""
        with answering() as answer:
            response = self.get_response(request)
        answer.fill_in(response)
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, more: dict[str, Any]
    ) -> HttpResponse | None:
        """Call the view of a game within a snapshot; the API notes who asks before its own."""
        match = request.resolver_match
        if not shows_a_game(request, more) or (match and match.app_name == "api"):
            return None
        with snapshot():
            try:
                response = view(request, *args, **more)
                return response.render() if isinstance(response, SimpleTemplateResponse) else response
            except Http404 as missing:  # its page shows the menu, which counts games
                return response_for_exception(request, missing)
