"""What an open page of a game asks for after an event: the parts of it that have changed."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from hashlib import blake2s
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.errors import Malformed
from games.play.models import Game

PARTS: Final = ("board", "player", "panel", "crew", "log", "chat", "statistics")
"""The parts that are worth a name: all others are sent each time, as they are a line or two."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a script asks for: ``only`` these parts, and not those that it ``has``, by name and mark."""

    only: frozenset[str]
    has: Mapping[str, str]

    def wants(self, name: str, mark: str) -> bool:
        """Return whether to send a part that has this mark; without one, whether it may be wanted."""
        return name in self.only and not (mark and self.has.get(name) == mark)


def asked_in(request: HttpRequest) -> Asked:
    """Return what a request asks for: all parts, if it names none. Raises Malformed for one that is none."""
    only = [name for name in request.GET.get("only", "").split(",") if name]
    pairs = [pair.partition(":") for pair in request.GET.get("has", "").split(",") if pair]
    for name in (*only, *(pair[0] for pair in pairs)):
        if name not in PARTS:
            detail = _("“{name}” is no part of a game’s page. Its parts are: {parts}.")
            raise Malformed("part", detail.format(name=name[:40], parts=", ".join(PARTS)))
    return Asked(frozenset(only or PARTS), {pair[0]: pair[2] for pair in pairs})


def answer_parts(request: HttpRequest, asked: Asked, context: Mapping[str, Any]) -> HttpResponse:
    """Answer with the parts that a script asks for; with 304 where the whole page is as it was.

    What is asked for again before a game starts is always made again: its forms are not compared.
    """
    etag = "" if context["game"].status == Game.Status.OPEN else _etag(request, context)
    unchanged = get_conditional_response(request, etag=etag) if etag else None
    if unchanged is not None:
        return unchanged
    response = render(request, "play/game.html", {**context, "asked": asked, "layout": "play/parts.html"})
    if etag:
        response.headers["ETag"] = etag
    return response


_MADE_FROM: Final = (
    "crew",
    "panel",
    "votes",
    "says",
    "own",
    "offers",
    "delayed",
    "paused",
    "intervened",
    "missed",
    "ending",
    "state",
    "query",
    "last",
    "lesson",
    "too_late",
)


_LEFT_OUT: Final = ("starship", "head")
"""What stays the same, and what is another exactly when the turn is."""


def _etag(request: HttpRequest, context: Mapping[str, Any]) -> str:
    """Return what is another one when anything on the page may be: it is made of what its viewer may see.

    What goes by the clock is told again within a minute.
    """
    seen, chat, user = context["seen"], context["chat"], request.user
    told = [getattr(seen, each.name) for each in fields(seen) if each.name not in _LEFT_OUT]
    shown = [context.get(name) for name in _MADE_FROM]
    talk = chat and (chat.version, chat.talk.last, chat.talk.unread)
    reader = (user.pk, get_language(), timezone.get_current_timezone_name(), f"{timezone.now():%d%H%M}")
    return f'"{blake2s(repr((told, shown, talk, reader)).encode(), digest_size=12).hexdigest()}"'
