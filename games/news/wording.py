"""What a notice tells, by whichever channel it goes."""

from datetime import datetime
from typing import Any, NamedTuple

from django.template.loader import render_to_string
from django.utils import timezone

from accounts.time_zones import zone_of
from games.news.lobby_texts import of_lobby
from games.news.models import Notice
from games.news.models.notices import OF_GAMES
from games.news.picture import Draw
from games.news.turn_texts import of_game, of_replaced

Context = dict[str, Any]


class Brief(NamedTuple):
    """A notice in short, for programs and small screens: the subject that a mail has, and where it leads."""

    subject: str
    lines: list[str]
    deadline: datetime | None
    url: str


def told(notice: Notice) -> tuple[Context, Draw]:
    """Return what the templates tell of a notice, and what draws the picture that goes with it."""
    if notice.user and notice.kind in OF_GAMES:
        return of_game(notice, notice.user)
    if notice.user and notice.kind == Notice.Kind.REPLACED:
        return of_replaced(notice, notice.user)
    return of_lobby(notice)


def subject_of(name: str, context: Context) -> str:
    """Return what a message is about in one line; ``name`` is a notice's kind, or "daily"."""
    return render_to_string(f"news/mail/{name}_subject.txt", context).strip()


def brief(notice: Notice) -> Brief:
    """Return a notice in short, with times as its reader's clock has them."""
    context, _ = told(notice)
    with timezone.override(zone_of(notice.user.time_zone if notice.user else "UTC")):
        subject = subject_of(notice.kind, context)
    return Brief(subject, context.get("lines", []), context.get("deadline"), context["url"])
