"""Query parameters of the API, and pagination of its long lists."""

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

import rules
from games.errors import Malformed
from games.fleet.inputs import LONGEST_SEARCH, MOST_PLAYERS
from games.fleet.lists import LIST_ORDERS, NEWEST
from games.fleet.models import Starship
from games.fleet.search import CLASSES, ELEMENTS, LENGTHS, ORDERS, RECOMMENDED
from games.lobby import lists
from games.play.models import Game
from games.play.progress import log_position, read_cursor
from games.web.inputs import Choice, Number, ReadMark, Strict, Switch, Text, Words

MOST_GAMES = 100
"""The maximum number of games on one page."""

MOST_STARSHIPS = 100
"""The maximum number of starships on one page."""

LARGEST_CURSOR = 2**31 - 1
"""The largest page number, version number or number of games to skip in a request."""


class ListQuery(Strict):
    """Filters and pagination of lists of games."""

    ruleset = Choice(lists.RULESETS, required=False, help_text="Only games with this ruleset.")
    pace = Choice(
        lists.PACES, required=False, help_text="Only games at this pace. `day` means 5 to 24 hours per turn."
    )
    seats = Choice(lists.SEATS, required=False, help_text="Only games with this number of seats.")
    size = Choice(
        lists.SIZES,
        required=False,
        help_text="Only games on boards of this size, by the cells of the longer side.",
    )
    cursor = Text(required=False, help_text="The cursor, from `next` or `previous` of another page.")
    limit = Number(
        required=False, min_value=1, max_value=MOST_GAMES, help_text="The number of games per page."
    )


class GamesQuery(ListQuery):
    """Filters of the list of games."""

    status = Choice(Game.Status.choices, required=False, help_text="Only games with this status.")
    mine = Switch(default=False, help_text="1: only games in which you have a seat.")
    club = Text(default="", allow_blank=True, help_text="The `slug` of a club: only its games.")
    free = Choice(
        lists.FREE_SEATS, required=False, help_text="Only lobbies with at least this number of free seats."
    )


class StarshipsQuery(Strict):
    """Filters and pagination of the list of starships.

    Without `page` and `limit`, the answer has all starships on one page.
    """

    q = Text(
        default="",
        allow_blank=True,
        max_length=LONGEST_SEARCH,
        help_text="Words from the name or builder.",
    )

    section = Choice(Starship.Section.choices, required=False, help_text="Only starships of this section.")
    ruleset = Choice(
        [(key, ruleset.name) for key, ruleset in rules.RULESETS.items()],
        required=False,
        help_text="Only starships that suit this ruleset.",
    )
    players = Number(
        required=False,
        min_value=1,
        max_value=MOST_PLAYERS,
        help_text="Only starships built for this number of players.",
    )
    length = Choice(
        [each.key for each in LENGTHS],
        required=False,
        help_text="Only starships with games of this length, played or estimated.",
    )
    elements = Words(
        words=ELEMENTS,
        required=False,
        help_text=f"Only starships with all of these elements, separated by commas: {', '.join(ELEMENTS)}.",
    )
    stars = Number(
        required=False,
        min_value=1,
        max_value=5,
        help_text="Only starships with at least this number of stars.",
    )
    sort = Choice([RECOMMENDED, *ORDERS], required=False, help_text="The order. Default: section by section.")
    page = Number(
        required=False,
        min_value=1,
        max_value=LARGEST_CURSOR,
        help_text="The number of the page, from 1. A page past the end is empty.",
    )
    limit = Number(
        required=False, min_value=1, max_value=MOST_STARSHIPS, help_text="The number of starships per page."
    )

    def get_fields(self) -> dict[str, Any]:
        """Return the fields, including ``class``, which is a Python keyword."""
        only = Choice(
            [each.key for each in CLASSES], required=False, help_text="Only starships of this class."
        )
        return {**super().get_fields(), "class": only}


class StarshipListsQuery(Strict):
    """Filters and pagination of the public lists of starships."""

    q = Text(
        default="",
        allow_blank=True,
        max_length=LONGEST_SEARCH,
        help_text="Words from the name or maker.",
    )
    sort = Choice(
        LIST_ORDERS, default=NEWEST, help_text="The order: last changed first, or most ships first."
    )
    page = Number(
        default=1,
        min_value=1,
        max_value=LARGEST_CURSOR,
        help_text="The number of the page, from 1. A page past the end is empty.",
    )
    limit = Number(
        default=20, min_value=1, max_value=MOST_STARSHIPS, help_text="The number of lists per page."
    )


class ReviewsQuery(Strict):
    """Filters and pagination of a starship's reviews."""

    version = Number(
        required=False, min_value=1, max_value=LARGEST_CURSOR, help_text="Only reviews of this version."
    )
    cursor = Text(required=False, help_text="The cursor, from `next` or `previous` of another page.")
    limit = Number(
        required=False, min_value=1, max_value=MOST_GAMES, help_text="The number of reviews per page."
    )


class VersionQuery(Strict):
    """The version of a starship to review."""

    version = Number(
        required=False,
        min_value=1,
        max_value=LARGEST_CURSOR,
        help_text="The version. Default: the newest that you reviewed.",
    )


class RatingsQuery(Strict):
    """The ruleset of the ratings to show."""

    ruleset = Choice(
        lists.RULESETS,
        required=False,
        help_text="The ruleset of the ratings. Default: all rulesets together.",
    )


class MonthQuery(Strict):
    """The month of the award to show."""

    month = Text(
        required=False,
        max_length=7,
        help_text="The month, such as `2026-11`, in UTC. Default: the current month.",
    )


class SeasonQuery(Strict):
    """The page of a season's divisions to show."""

    page = Number(
        required=False,
        min_value=1,
        max_value=LARGEST_CURSOR,
        help_text="The number of the page. Default: the page with your division.",
    )


class PersonQuery(Strict):
    """The part of a player's list of past games to show."""

    start = Number(
        default=0,
        min_value=0,
        max_value=LARGEST_CURSOR,
        help_text="The number of games to skip. The latest game comes first.",
    )


class LinkQuery(Strict):
    """The link of a private game, for people without a seat in it."""

    link = Text(
        default="",
        allow_blank=True,
        help_text="The secret of a private game's link. It opens the game to anyone.",
    )


class LogQuery(LinkQuery):
    """The position in a game's log to read from."""

    after = ReadMark(
        read=log_position,
        default=0,
        help_text="Only events with a larger `seq`. A number, or the id of an event in the stream.",
    )


class EventsQuery(LinkQuery):
    """The position in a game's stream of events to continue from."""

    after = ReadMark(
        read=read_cursor,
        default=None,
        help_text="The id of the last event that you received, or a `seq` of the log. The stream first sends"
        " all newer events. The header `Last-Event-ID` takes precedence.",
    )


Row = TypeVar("Row", bound=Model)


class GamePages(CursorPagination):
    """Cursor pagination of games, newest first. New games do not shift the pages."""

    page_size = 50
    page_size_query_param = "limit"
    max_page_size = MOST_GAMES
    ordering = ("-created_at", "-id")

    def page_of(self, rows: QuerySet[Row], request: Request) -> list[Row]:
        """Return the rows of the requested page. Raises Malformed for an invalid cursor."""
        try:
            return self.paginate_queryset(rows, request) or []
        except (NotFound, ValidationError):
            detail = _(
                "This cursor is not valid. Use one from the “next” or “previous” link of another page."
            )
            raise Malformed("cursor", detail) from None

    def decode_cursor(self, request: Request) -> Any:
        """Return the cursor of a request, or None if the request has no cursor.

        Raises NotFound if the cursor's position is not a time.
        """
        cursor: Any = super().decode_cursor(request)  # the stubs declare its position as int
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
    """Cursor pagination of games with open seats, the most recently opened seat first."""

    ordering = ("-offered_at", "-id")


class ReviewPages(GamePages):
    """Cursor pagination of a starship's reviews, newest first."""

    ordering = ("-written_at", "-id")


def numbered(
    request: Request, rows: QuerySet[Row], *, page: int, limit: int
) -> tuple[list[Row], dict[str, Any]]:
    """Return the rows of page number ``page``, and values for the response.

    The values are the number of all rows (``count``), and the URLs of the next and the previous page. Pages
    count from 1. A page past the end is empty.
    """
    pages = Paginator(rows, limit)

    def address(number: int) -> str:
        return replace_query_param(request.build_absolute_uri(), "page", number)

    page_info = {
        "count": pages.count,
        "next": address(page + 1) if page < pages.num_pages else None,
        "previous": address(min(page - 1, pages.num_pages)) if page > 1 else None,
    }
    return list(pages.page(page)) if page <= pages.num_pages else [], page_info
