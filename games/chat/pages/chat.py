"""Chatting: saying something, reading what was said, and noting that it was read.

Without a script these are forms and a page; a script asks for the same in JSON, and gets the lines as
the page would have them.
"""

from collections.abc import Callable

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.chat.pages.panel import chat_of
from games.chat.selectors import Talk, chat_lines, talk_after, talk_of
from games.chat.services import read_chat, say
from games.errors import Malformed, ServiceError, TooMany
from games.pages import hides_what_is_not_there, number_in, user_of, viewer_of
from games.play.models import Game
from games.play.pages.actions import action
from games.play.pages.programs import SIGNED_OUT, wants_json
from games.play.pages.requests import game_in, link_in, path_of
from games.play.selectors.cursors import chat_place
from games.play.selectors.viewers import seat_of

PAGE = 100
"""Lines on a page of the chat's own."""

AT_A_TIME = 100
"""Lines that a script gets in one answer, at most."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@hides_what_is_not_there
def chat(request: HttpRequest, game_id: int) -> HttpResponse:
    """Say something; or read all that was said, or what was said after a line."""
    if request.method == "POST":
        return _told(request, game_id) if wants_json(request) else _say(request, game_id)
    game = game_in(request, game_id)
    if wants_json(request):
        return _refusing(lambda: _lines_after(request, game, request.GET.get("after", "0")))
    return _whole(request, game)


@action
def _say(request: HttpRequest, game: Game) -> HttpResponse:
    say(user=user_of(request), game_id=game.pk, text=request.POST.get("text", ""), now=timezone.now())
    return redirect(f"{path_of(request, game.pk)}#chat")


def _told(request: HttpRequest, game_id: int) -> HttpResponse:
    """Say something, and answer with all lines since the last one that the page has."""
    game = game_in(request, game_id)
    if not request.user.is_authenticated:
        return JsonResponse(SIGNED_OUT, status=401)

    def tell() -> HttpResponse:
        after = request.POST.get("after", "0")
        chat_place(after)  # what is refused is not said
        say(user=user_of(request), game_id=game.pk, text=request.POST.get("text", ""), now=timezone.now())
        return _lines_after(request, game, after)

    return _refusing(tell)


@hides_what_is_not_there
def read(request: HttpRequest, game_id: int) -> HttpResponse:
    """Note that a player has read the chat up to a line."""
    return _read(request, game_id)


@action
def _read(request: HttpRequest, game: Game) -> HttpResponse:
    line = number_in(request.POST.get("line"))
    if line is None:
        raise Malformed("line", _("Give the number of the line that you have read."))
    unread = read_chat(user=user_of(request), game_id=game.pk, line_id=line)
    if wants_json(request):
        return JsonResponse({"unread": unread})
    return redirect(f"{path_of(request, game.pk)}#chat")


def _lines_after(request: HttpRequest, game: Game, after: str) -> HttpResponse:
    viewer = viewer_of(request)
    talk = talk_after(viewer=viewer, game=game, after=chat_place(after), limit=AT_A_TIME)
    lines = render_to_string("chat/lines.html", {"talk": talk}, request)
    return JsonResponse({"lines": lines, "last": talk.last, "more": len(talk.lines) == AT_A_TIME})


def _whole(request: HttpRequest, game: Game) -> HttpResponse:
    """Show the chat on a page of its own, the latest lines first to be seen."""
    viewer = viewer_of(request)
    pages = Paginator(chat_lines(game=game).order_by("-pk"), PAGE)
    page = pages.get_page(request.GET.get("page"))
    seat = seat_of(viewer=viewer, game=game)
    lines = talk_of(viewer=viewer, game=game, lines=list(page)[::-1])
    talk = Talk(lines, earlier=False)
    shown = chat_of(viewer=viewer, game=game, seat=seat, talk=talk, link=link_in(request))
    return render(
        request,
        "chat/page.html",
        {"game": game, "page": page, "chat": shown, "way_back": path_of(request, game.pk)},
    )


def _refusing(act: Callable[[], HttpResponse]) -> HttpResponse:
    """Answer a script in JSON, whatever is refused."""
    try:
        return act()
    except ServiceError as refusal:
        answer = JsonResponse(refusal.document, status=refusal.status)
        if isinstance(refusal, TooMany):
            answer.headers["Retry-After"] = str(refusal.wait)
        return answer
