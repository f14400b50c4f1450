"""Long lists, page by page."""

from datetime import UTC, datetime
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from games.api.queries import MOST_GAMES
from games.errors import Malformed

Row = TypeVar("Row", bound=Model)


class GamePages(CursorPagination):
    """The newest first; a page is found by its cursor, so that new games shift nothing."""

    page_size = 50
    page_size_query_param = "limit"
    max_page_size = MOST_GAMES
    ordering = ("-created_at", "-id")

    def page_of(self, rows: QuerySet[Row], request: Request) -> list[Row]:
        """Return the rows of the page asked for; raises Malformed for a cursor that is none."""
        try:
            return self.paginate_queryset(rows, request) or []
        except (NotFound, ValidationError):
            detail = _("This cursor is none: take it from “next” or “previous” of another page.")
            raise Malformed("cursor", detail) from None

    def decode_cursor(self, request: Request) -> Any:
        """Return the cursor of a request, if any; raises NotFound for one that holds no moment."""
        cursor: Any = super().decode_cursor(request)  # the stubs have its position as a number
        if cursor is None or cursor.position is None:
            return cursor
        try:
            moment = datetime.fromisoformat(cursor.position).astimezone(UTC)
        except (ValueError, OverflowError):
            raise NotFound from None
        return cursor._replace(position=str(moment))

    def in_answer(self, page: dict[str, Any]) -> dict[str, Any]:
        return {"next": self.get_next_link(), "previous": self.get_previous_link(), **page}


class OfferPages(GamePages):
    """Games with seats to be taken over, the last offered first."""

    ordering = ("-offered_at", "-id")


class ReviewPages(GamePages):
    """Reviews of a starship, the newest first."""

    ordering = ("-written_at", "-id")


def numbered(
    request: Request, rows: QuerySet[Row], *, page: int, limit: int
) -> tuple[list[Row], dict[str, Any]]:
    """Return the rows of a page by its number, from 1, and what an answer says of the pages.

    Past the end there are none.
    """
    pages = Paginator(rows, limit)

    def address(number: int) -> str:
        return replace_query_param(request.build_absolute_uri(), "page", number)

    told = {
        "count": pages.count,
        "next": address(page + 1) if page < pages.num_pages else None,
        "previous": address(min(page - 1, pages.num_pages)) if page > 1 else None,
    }
    return list(pages.page(page)) if page <= pages.num_pages else [], told
