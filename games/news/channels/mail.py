"""Notices by mail: text and HTML, with the board as a picture and a link straight to the game."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.mime.image import MIMEImage
from functools import partial
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.services import unsubscribe_url
from accounts.time_zones import zone_of
from games.alone import alone
from games.news.channels.bounces import MARK, mark_of, return_address
from games.news.links import lobby_stop_url, stop_url
from games.news.models import Notice
from games.news.models.notices import OF_GAMES
from games.news.turn_texts import of_game
from games.news.wording import Context, subject_of, told

BOARD = "board"

PICTURES = 6
"""The most boards that the mail of a day shows."""


NEVER = datetime.max.replace(tzinfo=UTC)
"""The deadline of what has none, where the most urgent comes first."""


class IllustratedMail(EmailMultiAlternatives):
    """A mail whose pictures belong to its HTML, and are no files to save."""

    mixed_subtype = "related"

    metadata: dict[str, str]
    """What a provider of mail tells with all that becomes of it; no mail server gets to see it."""


def send(notice: Notice) -> None:
    """Send a notice to its person; raises whatever keeps the mail server from taking it."""
    compose(notice).send()


def send_daily(user: User, notices: Sequence[Notice]) -> None:
    """Send somebody what a day has brought in one mail; raises as `send` does."""
    compose_daily(user, notices).send()


def compose(notice: Notice) -> EmailMultiAlternatives:
    """Return the mail that tells a notice, in its reader's own time."""
    user = notice.user
    context, draw = told(notice)
    if user and stops_all(notice):
        context |= _ways_out(user)
        if notice.kind in OF_GAMES:
            context["stop_url"] = stop_url(user_id=user.pk, game_id=notice.game_id)
    else:
        context["unsubscribe_url"] = context["lobby_stop_url"] = lobby_stop_url(notice)
    context["board_id"] = BOARD
    host = _host()
    headers = {"Message-ID": f"<notice-{notice.pk}@{host}>", "References": f"<game-{notice.game_id}@{host}>"}
    address = user.email if user else notice.email
    mail = _written(notice.kind, context, {BOARD: draw()}, to=address, reader=user, headers=headers)
    return _returning(mail, notice)


def compose_daily(user: User, notices: Sequence[Notice]) -> EmailMultiAlternatives:
    """Return the mail of a day: games that wait first, the most urgent before all, then those that are over,
    votes, and what was said. Games that cannot be read come last, by name alone.
    """
    order: list[str] = [Notice.Kind.TURN, Notice.Kind.OVER, Notice.Kind.VOTE, Notice.Kind.MENTION]
    parts, pictures = [], {}
    told, unreadable = [], []
    for notice in sorted(notices, key=lambda each: each.pk):
        if read := alone(partial(of_game, notice, user), notice.game):
            told.append((notice, *read))
        else:
            url = f"{settings.BASE_URL}{notice.game.get_absolute_url()}"
            unreadable.append({"kind": "unreadable", "game": notice.game.name, "url": url})
    told.sort(key=lambda each: (order.index(each[0].kind), each[1].get("deadline") or NEVER))
    for number, (notice, part, draw) in enumerate(told):
        illustrated = number < PICTURES and notice.kind not in (Notice.Kind.MENTION, Notice.Kind.VOTE)
        if illustrated and (picture := alone(draw, notice.game)):
            part["board_id"] = f"{BOARD}-{number}"
            pictures[part["board_id"]] = picture
        parts.append(part | {"kind": notice.kind})
    parts += unreadable
    waiting = {notice.game_id for notice in notices if notice.kind == Notice.Kind.TURN}
    news = {notice.game_id for notice in notices} - waiting
    context = {"name": user.robo_name, "parts": parts, "waiting": len(waiting), "news": len(news)}
    last = max(notices, key=lambda notice: notice.pk)
    headers = {"Message-ID": f"<daily-{last.pk}@{_host()}>"}
    context |= _ways_out(user)
    return _returning(_written("daily", context, pictures, to=user.email, reader=user, headers=headers), last)


def stops_all(notice: Notice) -> bool:
    """Return whether one click on a notice's mail stops all mail about games, or that about lobbies alone."""
    return notice.user is not None and (notice.kind in OF_GAMES or notice.game.started_at is not None)


def _returning(mail: IllustratedMail, notice: Notice) -> IllustratedMail:
    """Have a mail come back, if it has to, where the site learns of it, and no machine answer it."""
    mail.extra_headers["Auto-Submitted"] = "auto-generated"
    mail.metadata = {MARK: mark_of(notice, mail.to[0])}
    if address := return_address(notice, mail.to[0]):
        mail.extra_headers["From"] = mail.from_email
        mail.from_email = address
    return mail


def _written(
    name: str,
    context: Context,
    pictures: Mapping[str, bytes],
    *,
    to: str,
    reader: User | None,
    headers: dict[str, str],
) -> IllustratedMail:
    """Return a mail from its templates; one click stops all mail of its sort (RFC 8058)."""
    context = context | {"site_url": settings.BASE_URL}
    headers["List-Unsubscribe"] = f"<{context['unsubscribe_url']}>"
    headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    template = f"news/mail/{name}"
    with timezone.override(zone_of(reader.time_zone if reader else "UTC")):
        mail = IllustratedMail(
            subject=subject_of(name, context),
            body=render_to_string(f"{template}.txt", context),
            to=[to],
            headers=headers,
        )
        mail.attach_alternative(render_to_string(f"{template}.html", context), "text/html")
    for key, picture in pictures.items():
        image = MIMEImage(picture, "png")
        image.add_header("Content-ID", f"<{key}>")
        image.add_header("Content-Disposition", "inline", filename=f"{key}.png")
        mail.attach(image)
    return mail


def _ways_out(user: User) -> Context:
    """Return where a reader settles how they are told, and where they stop it at once."""
    settled = settings.BASE_URL + reverse("people:news")
    return {"unsubscribe_url": unsubscribe_url(user), "news_url": settled}


def _host() -> str | None:
    return urlsplit(settings.BASE_URL).hostname
