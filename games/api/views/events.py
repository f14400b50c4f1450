"""Streams of events, as far as they are a call of the API: they are answered in front of Django."""

from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.queries import EventsQuery
from games.api.schema import describe
from games.api.views.base import Call, game_of
from games.errors import ServiceError


class NoStreams(ServiceError):
    """A server that can only answer and be done: pages ask now and then instead."""

    status = 503

    def __init__(self) -> None:
        super().__init__("no-streams", "This server has no streams: ask for the log now and then instead.")


class Events(Call):
    """``GET games/{id}/events``."""

    @describe(
        "stream_events",
        "Stream the events of a game",
        OpenApiTypes.STR,
        400,
        404,
        503,
        query=EventsQuery,
        media="text/event-stream",
        tag="turns",
    )
    def get(self, request: Request, game_id: int) -> Response:
        """Server-sent events, as they happen: `ready`, `turn`, `chat`, `over` and `lobby`. The id of each is
        a cursor, which `after` takes here, in the log and in the chat.
        """
        game_of(request, game_id, EventsQuery)
        raise NoStreams
