"""The chat on a game's page and on its own page: read it, write a line, and mark it as read."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from games.chat.inputs import NewLine
from games.chat.models import MAX_LINE_LENGTH
from games.chat.selectors import ChatLines, chat_lines, latest_lines, lines_after, visible_lines
from games.chat.services import post_line, read_chat
from games.errors import Malformed, ServiceError, TooMany, number_in
from games.play.models import Game, Seat
from games.play.pages.actions import action
from games.play.pages.console import PageContext, game_in, link_in, path_of
from games.play.progress import Cursor, chat_position
from games.play.viewers import Viewer, seat_of
from games.web.pages import handle_missing, user_of, viewer_of

LINES_ON_GAME_PAGE = 60
"""The maximum number of chat lines on a game's page. The chat's own page has all lines."""


@dataclass(frozen=True, slots=True)
class ChatPanel:
    """The chat of a game, as a page shows it. ``typed`` is text that the reader has typed but not sent."""

    talk: ChatLines
    address: str
    read_address: str
    query: str
    may_write: bool
    plays: bool
    signed_in: bool
    guest: bool
    typed: str = ""
    longest: int = MAX_LINE_LENGTH

    @property
    def version(self) -> str:
        """A string that changes whenever scripts must load the panel again."""
        return f"{self.may_write:d}-{self.plays:d}"


def chat_panel(page: PageContext) -> dict[str, Any]:
    """Return the template context for the chat of a game, with the page's ``cursor`` for later updates.

    The chat is None in missions and in games with one seat. The function makes two queries if the game's
    seats are already loaded.
    """
    game, viewer = page.game, page.viewer
    if game.mission_id is not None or game.seats == 1:
        return {"chat": None, "cursor": Cursor(game.last_seq, 0)}
    chat = chat_of(
        viewer=viewer,
        game=game,
        seat=page.seat,
        talk=latest_lines(viewer=viewer, game=game, limit=LINES_ON_GAME_PAGE),
        link=link_in(page.request),
        typed=page.request.POST.get("text", ""),
    )
    return {"chat": chat, "cursor": Cursor(game.last_seq, chat.talk.last)}


def chat_of(
    *, viewer: Viewer, game: Game, seat: Seat | None, talk: ChatLines, link: str = "", typed: str = ""
) -> ChatPanel:
    """Return the chat panel of a game, with the given lines."""
    guest = isinstance(viewer, User) and viewer.is_guest
    return ChatPanel(
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


LINES_PER_PAGE = 100
"""The number of chat lines on one page of the whole chat."""

LINES_PER_ANSWER = 100
"""The maximum number of chat lines in one answer to a script."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@handle_missing
def chat(request: HttpRequest, game_id: int) -> HttpResponse:
    """Show the whole chat of a game. For scripts, return the lines after a cursor. On POST, write a line."""
    if request.method == "POST":
        if wants_json(request):
            return _post_for_script(request, game_id)
        return _post_and_redirect(request, game_id=game_id)
    game = game_in(request, game_id)
    if wants_json(request):
        return _refusal_as_json(lambda: _lines_after(request, game, request.GET.get("after", "0")))
    return _whole_chat(request, game)


@action
def _post_and_redirect(request: HttpRequest, game: Game) -> HttpResponse:
    _post_line(request, game)
    return redirect(f"{path_of(request, game.pk)}#chat")


def _post_line(request: HttpRequest, game: Game) -> None:
    line = NewLine(data={"text": request.POST.get("text", "")})
    post_line(user=user_of(request), game_id=game.pk, **line.allowed(), now=timezone.now())


def _post_for_script(request: HttpRequest, game_id: int) -> HttpResponse:
    """Write a chat line for a script. Return all lines after the last line on the script's page."""
    game = game_in(request, game_id)
    if not request.user.is_authenticated:
        detail = _("You were logged out. Log in again, in this window or another.")
        return JsonResponse({"error": "not-signed-in", "detail": detail, "problems": []}, status=401)

    def post() -> HttpResponse:
        after = request.POST.get("after", "0")
        chat_position(after)  # refuse a malformed cursor before writing the line
        _post_line(request, game)
        return _lines_after(request, game, after)

    return _refusal_as_json(post)


@action
def read(request: HttpRequest, game: Game) -> HttpResponse:
    """Mark the chat of a game as read, up to the submitted line."""
    line = number_in(request.POST.get("line"))
    if line is None:
        raise Malformed("line", _("Send the number of the last message that you read."))
    unread = read_chat(user=user_of(request), game_id=game.pk, line_id=line)
    if wants_json(request):
        return JsonResponse({"unread": unread})
    return redirect(f"{path_of(request, game.pk)}#chat")


def wants_json(request: HttpRequest) -> bool:
    """Return whether a request asks for JSON. Scripts do, and browsers do not."""
    return "application/json" in request.headers.get("Accept", "")


def _lines_after(request: HttpRequest, game: Game, after: str) -> HttpResponse:
    viewer = viewer_of(request)
    talk = lines_after(viewer=viewer, game=game, after=chat_position(after), limit=LINES_PER_ANSWER)
    lines = render_to_string("chat/lines.html", {"talk": talk}, request)
    return JsonResponse({"lines": lines, "last": talk.last, "more": len(talk.lines) == LINES_PER_ANSWER})


def _whole_chat(request: HttpRequest, game: Game) -> HttpResponse:
    """Show the whole chat on numbered pages. The first page has the latest lines."""
    viewer = viewer_of(request)
    pages = Paginator(chat_lines(game=game).order_by("-pk"), LINES_PER_PAGE)
    page = pages.get_page(request.GET.get("page"))
    seat = seat_of(viewer=viewer, game=game)
    lines = visible_lines(viewer=viewer, game=game, lines=list(page)[::-1])
    talk = ChatLines(lines, earlier=False)
    shown = chat_of(viewer=viewer, game=game, seat=seat, talk=talk, link=link_in(request))
    return render(
        request,
        "chat/page.html",
        {"game": game, "page": page, "chat": shown, "way_back": path_of(request, game.pk)},
    )


def _refusal_as_json(act: Callable[[], HttpResponse]) -> HttpResponse:
    """Run a view for a script. Return service errors as JSON."""
    try:
        return act()
    except ServiceError as refusal:
        answer = JsonResponse(refusal.document, status=refusal.status)
        if isinstance(refusal, TooMany):
            answer.headers["Retry-After"] = str(refusal.wait)
        return answer
