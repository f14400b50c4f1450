"""The chat of a game."""

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.queries import ChatQuery
from games.api.requests import ReadSerializer, SaySerializer
from games.api.responses.chat import ChatLineSerializer, ChatSerializer, UnreadSerializer
from games.api.schema import describe
from games.api.views.base import Call, PublicCall, body, game_of, person
from games.chat.selectors import chat_after, chat_line
from games.chat.services import read_chat, say


class ChatCall(PublicCall):
    """``GET`` and ``POST games/{id}/chat``."""

    @describe("get_chat", "Read the chat", ChatSerializer, 400, 404, query=ChatQuery, tag="chat")
    def get(self, request: Request, game_id: int) -> Response:
        """Lines after a cursor, in order; an answer without lines says that there are no more yet."""
        game, asked = game_of(request, game_id, ChatQuery)
        return Response(chat_after(viewer=request.user, game=game, after=asked["after"]))

    @describe(
        "send_message",
        "Write in the chat",
        ChatLineSerializer,
        403,
        404,
        422,
        status=201,
        takes=SaySerializer,
        example={"text": "Good luck!"},
        tag="chat",
    )
    def post(self, request: Request, game_id: int) -> Response:
        """Write a line into the chat of a game that I play in; 429 after 20 lines within a minute."""
        asked = body(request, SaySerializer)
        line = say(user=person(request), game_id=game_id, text=asked["text"], now=timezone.now())
        return Response(chat_line(viewer=request.user, line=line), status=201)


class ReadChat(Call):
    """``POST games/{id}/chat/read``."""

    @describe(
        "mark_chat_read",
        "Mark the chat as read",
        UnreadSerializer,
        403,
        404,
        takes=ReadSerializer,
        example={"line": 17},
        tag="chat",
    )
    def post(self, request: Request, game_id: int) -> Response:
        """Note that I have read up to a line; it never goes back. No mail tells me of what I have read."""
        asked = body(request, ReadSerializer)
        unread = read_chat(user=person(request), game_id=game_id, line_id=asked["line"])
        return Response({"unread": unread})
