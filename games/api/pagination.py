"""Long lists, page by page."""

from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request

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

    def in_answer(self, page: dict[str, Any]) -> dict[str, Any]:
        return {"next": self.get_next_link(), "previous": self.get_previous_link(), **page}


class OfferPages(GamePages):
    """Games with seats to be taken over, the last offered first."""

    ordering = ("-offered_at", "-id")


class ReviewPages(GamePages):
    """Reviews of a starship, the newest first."""

    ordering = ("-written_at", "-id")
