"""API calls for the chat of a game."""

from typing import Annotated, TypedDict

from django.utils import timezone
from rest_framework.request import Request

from games.chat import services
from games.chat.inputs import ChatQuery, LinesRead, NewLine
from games.chat.selectors import ChatLineView, ChatView, chat_after, chat_line
from games.web.api import Answered, Values, call, game_of, person


class UnreadView(TypedDict):
    """What is left to be read."""

    unread: Annotated[int, "Lines of others that I have not read."]


@call("GET", "Read the chat", ChatView, query=ChatQuery, strangers=True)
def get_chat(request: Request, game_id: int, asked: Values) -> Answered:
    """Lines after a cursor, in order; an answer without lines says that there are no more yet."""
    game = game_of(request, game_id, asked)
    return chat_after(viewer=request.user, game=game, after=asked["after"])


@call(
    "POST", "Write in the chat", ChatLineView, 422, status=201, takes=NewLine, example={"text": "Good luck!"}
)
def send_message(request: Request, game_id: int, asked: Values) -> Answered:
    """Write a line into the chat of a game that I play in; 429 after 20 lines within a minute."""
    line = services.say(user=person(request), game_id=game_id, text=asked["text"], now=timezone.now())
    return chat_line(viewer=request.user, line=line)


@call("POST", "Mark the chat as read", UnreadView, takes=LinesRead, example={"line": 17})
def mark_chat_read(request: Request, game_id: int, asked: Values) -> Answered:
    """Note that I have read up to a line; it never goes back. No mail tells me of what I have read."""
    unread = services.read_chat(user=person(request), game_id=game_id, line_id=asked["line"])
    return {"unread": unread}
