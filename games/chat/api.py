"""API calls for the chat of a game."""

from typing import Annotated, TypedDict

from django.utils import timezone
from rest_framework.request import Request

from games.chat import services
from games.chat.models import LONGEST_LINE
from games.chat.selectors import ChatLineView, ChatView, chat_after, chat_line
from games.web.api import Answered, Values, call, game_of, person
from games.web.inputs import LARGEST_ID, Strict, Text, WholeNumber
from games.web.queries import ChatQuery


class UnreadView(TypedDict):
    """What is left to be read."""

    unread: Annotated[int, "Lines of others that I have not read."]


class SaySerializer(Strict):
    """Something to be said."""

    text = Text(
        allow_blank=True,
        trim_whitespace=False,
        help_text=f"Plain text of 1 to {LONGEST_LINE} characters; lines may be broken in it.",
    )


class ReadSerializer(Strict):
    """How far I have read a chat."""

    line = WholeNumber(
        min_value=0, max_value=LARGEST_ID, help_text="The `id` of the last line that I have read."
    )


@call("GET", "Read the chat", ChatView, query=ChatQuery, strangers=True)
def get_chat(request: Request, game_id: int, asked: Values) -> Answered:
    """Lines after a cursor, in order; an answer without lines says that there are no more yet."""
    game = game_of(request, game_id, asked)
    return chat_after(viewer=request.user, game=game, after=asked["after"])


@call(
    "POST",
    "Write in the chat",
    ChatLineView,
    422,
    status=201,
    takes=SaySerializer,
    example={"text": "Good luck!"},
)
def send_message(request: Request, game_id: int, asked: Values) -> Answered:
    """Write a line into the chat of a game that I play in; 429 after 20 lines within a minute."""
    line = services.say(user=person(request), game_id=game_id, text=asked["text"], now=timezone.now())
    return chat_line(viewer=request.user, line=line)


@call("POST", "Mark the chat as read", UnreadView, takes=ReadSerializer, example={"line": 17})
def mark_chat_read(request: Request, game_id: int, asked: Values) -> Answered:
    """Note that I have read up to a line; it never goes back. No mail tells me of what I have read."""
    unread = services.read_chat(user=person(request), game_id=game_id, line_id=asked["line"])
    return {"unread": unread}
