"""The chat on a game's page: its latest lines, and whether the reader may write."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from accounts.models import User
from games.chat.models import LONGEST_LINE
from games.chat.selectors import Talk, latest_talk
from games.play.models import Game, Seat
from games.play.pages.requests import link_in
from games.play.pages.sight import Sight
from games.play.selectors.cursors import Cursor
from games.play.selectors.viewers import Viewer

LINES = 60
"""Lines on a game's page; a page of its own has all of them."""


@dataclass(frozen=True, slots=True)
class Chat:
    """What a page shows of a chat. ``typed`` is what the reader wrote and could not send."""

    talk: Talk
    address: str
    read_address: str
    query: str
    may_write: bool
    plays: bool
    signed_in: bool
    guest: bool
    typed: str = ""
    longest: int = LONGEST_LINE

    @property
    def version(self) -> str:
        """What changes when a script cannot keep the part up to date by itself."""
        return f"{self.may_write:d}-{self.plays:d}"


def chat_panel(sight: Sight) -> dict[str, Any]:
    """Return the chat of a game, None where there is no one to talk to, and the ``cursor`` up to which
    the page shows log and chat. It takes two queries, where the seats were gathered.
    """
    game, viewer = sight.game, sight.viewer
    if game.mission_id is not None or game.seats == 1:
        return {"chat": None, "cursor": Cursor(game.last_seq, 0)}
    chat = chat_of(
        viewer=viewer,
        game=game,
        seat=sight.seat,
        talk=latest_talk(viewer=viewer, game=game, limit=LINES),
        link=link_in(sight.request),
        typed=sight.request.POST.get("text", ""),
    )
    return {"chat": chat, "cursor": Cursor(game.last_seq, chat.talk.last)}


def chat_of(
    *,
    viewer: Viewer,
    game: Game,
    seat: Seat | None,
    talk: Talk,
    link: str = "",
    typed: str = "",
) -> Chat:
    """Return some lines of a game's chat with all that is shown around them."""
    guest = isinstance(viewer, User) and viewer.is_guest
    return Chat(
        talk=talk,
        address=reverse("games:chat", args=[game.pk]),
        read_address=reverse("games:read_chat", args=[game.pk]),
        query=f"?{urlencode({'link': link})}" if link and not seat else "",
        may_write=seat is not None and not guest,
        plays=seat is not None,
        signed_in=isinstance(viewer, User),
        guest=guest,
        typed=typed,
    )
