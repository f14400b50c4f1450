"""API calls for the chat of a game."""

from typing import Annotated, TypedDict

from django.utils import timezone
from rest_framework.request import Request

from games.chat import services
from games.chat.inputs import ChatQuery, LinesRead, NewLine
from games.chat.selectors import ChatLineView, ChatView, chat_after, chat_line
from games.web.api import Answered, Values, call, game_of, person


class UnreadView(TypedDict):
    """The number of chat messages that you have not read."""

    unread: Annotated[int, "Unread messages by other players."]


@call("GET", "Read the chat", ChatView, query=ChatQuery, strangers=True)
def get_chat(request: Request, game_id: int, asked: Values) -> Answered:
    """Returns the chat messages after a cursor, in order."""
    game = game_of(request, game_id, asked)
    return chat_after(viewer=request.user, game=game, after=asked["after"])


@call(
    "POST", "Write in the chat", ChatLineView, 422, status=201, takes=NewLine, example={"text": "Good luck!"}
)
def send_message(request: Request, game_id: int, asked: Values) -> Answered:
    """Writes a message in the chat of one of your games.

    429 after 20 messages in a minute, in all games together.
    """
    line = services.post_line(user=person(request), game_id=game_id, text=asked["text"], now=timezone.now())
    return chat_line(viewer=request.user, line=line)


@call("POST", "Mark the chat as read", UnreadView, takes=LinesRead, example={"line": 17})
def mark_chat_read(request: Request, game_id: int, asked: Values) -> Answered:
    """Marks the chat as read, up to a message. You get no mail about messages that you have read."""
    unread = services.read_chat(user=person(request), game_id=game_id, line_id=asked["line"])
    return {"unread": unread}
