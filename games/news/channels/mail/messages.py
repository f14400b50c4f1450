"""Notifications by mail: text and HTML, with the board as a picture and a link straight to the game."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.mime.image import MIMEImage
from functools import partial
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.urls import reverse
from django.utils import timezone

from accounts.mail import unsubscribe_url
from accounts.models import User
from accounts.time_zones import zone_of
from games.news.channels.mail.bounces import MARK, mark_of, return_address
from games.news.channels.mail.links import lobby_stop_url, starships_stop_url, stop_url
from games.news.kinds import KINDS, Context
from games.news.models import Notice
from games.news.wording import written
from games.reading import read_safely

BOARD = "board"

PICTURES = 6
"""The most boards that the mail of a day shows."""


UNREADABLE = "news/mail/unreadable.html"

NEVER = datetime.max.replace(tzinfo=UTC)
"""The deadline of what has none, where the most urgent comes first."""


class IllustratedMail(EmailMultiAlternatives):
    """A mail whose pictures belong to its HTML, and are no files to save."""

    mixed_subtype = "related"

    metadata: dict[str, str]
    """What a provider of mail tells with all that becomes of it; no mail server gets to see it."""


def compose(notice: Notice) -> EmailMultiAlternatives:
    """Return the mail that tells a notification, in its reader's own time."""
    user, kind = notice.user, KINDS[notice.kind]
    context, draw = kind.tell(notice)
    context |= {"board_id": BOARD, "topic": notice.heading}
    if user and notice.topic is user:
        context["news_url"] = _news_url()
        if not kind.always:
            context["unsubscribe_url"] = unsubscribe_url(user)
    elif user and notice.game_id is None:
        context["unsubscribe_url"] = context["starships_stop_url"] = starships_stop_url(user_id=user.pk)
        context["news_url"] = _news_url()
    elif user and notice.game_id and stops_all(notice):
        context["unsubscribe_url"] = unsubscribe_url(user)
        if kind.to_players:
            context["stop_url"] = stop_url(user_id=user.pk, game_id=notice.game_id)
            context["news_url"] = _news_url()
    else:
        context["unsubscribe_url"] = context["lobby_stop_url"] = lobby_stop_url(notice)
    host = urlsplit(settings.BASE_URL).hostname
    about = f"starship-{notice.starship_id}" if notice.starship_id else f"person-{notice.user_id}"
    of = f"game-{notice.game_id}" if notice.game_id else about
    headers = {"Message-ID": f"<notice-{notice.pk}@{host}>", "References": f"<{of}@{host}>"}
    with timezone.override(zone_of(user.time_zone if user else "UTC")):
        pictures = {BOARD: draw()} if kind.drawn else {}
        return _mail(notice, kind.template, context, pictures, headers)


def compose_daily(user: User, notices: Sequence[Notice]) -> EmailMultiAlternatives:
    """Return the daily mail: games that wait come first, the most urgent before the others, then all else.

    Games and starships that cannot be read come last, by name alone.
    """
    told, unreadable = [], []
    for notice in sorted(notices, key=lambda each: each.pk):
        kind, topic = KINDS[notice.kind], notice.topic
        if read := read_safely(partial(kind.tell, notice), topic):
            told.append((kind, notice, read))
        else:
            url = f"{settings.BASE_URL}{notice.path}"
            unreadable.append((UNREADABLE, {"topic": notice.heading, "url": url}))
    told.sort(key=lambda each: (each[0].daily, each[2].context.get("deadline") or NEVER))
    parts, pictures = [], {}
    for number, (kind, notice, (part, draw)) in enumerate(told):
        part["topic"] = notice.heading
        if kind.illustrated and number < PICTURES and (picture := read_safely(draw, notice.topic)):
            part["board_id"] = f"{BOARD}-{number}"
            pictures[part["board_id"]] = picture
        parts.append((kind.template, part))
    waiting = {notice.game_id for notice in notices if KINDS[notice.kind].calls}
    context = {
        "name": user.robo_name,
        "waiting": len(waiting),
        "news": len({notice.game_id for notice in notices} - waiting - {None}),
        "ships": len({notice.starship_id for notice in notices} - {None}),
        "unsubscribe_url": unsubscribe_url(user),
        "news_url": _news_url(),
    }
    last = max(notices, key=lambda notice: (notice.game_id is not None, notice.pk))
    if last.game_id is None:  # it tells of starships alone
        context["unsubscribe_url"] = context["starships_stop_url"] = starships_stop_url(user_id=user.pk)
    headers = {"Message-ID": f"<daily-{last.pk}@{urlsplit(settings.BASE_URL).hostname}>"}
    with timezone.override(zone_of(user.time_zone)):
        for form in ("txt", "html"):
            layout = f"daily_part.{form}"
            context[form] = [written(template, layout, part) for template, part in parts + unreadable]
        return _mail(last, "news/mail/daily.html", context, pictures, headers)


def stops_all(notice: Notice) -> bool:
    """Return whether one click on a mail stops all mail about games, or only about lobbies or starships."""
    if notice.user is None or notice.game is None:
        return False
    return KINDS[notice.kind].to_players or notice.game.started_at is not None


def _mail(
    notice: Notice,
    template: str,
    context: Context,
    pictures: Mapping[str, bytes],
    headers: Mapping[str, str],
) -> IllustratedMail:
    """Return a mail from its template.

    One click stops all mail of its sort (RFC 8058). No machine answers it. If it bounces, it comes back where
    the site learns about it.
    """
    context = context | {"site_url": settings.BASE_URL}
    to = notice.user.email if notice.user else notice.email
    mail = IllustratedMail(
        subject=written(template, "subject.txt", context),
        body=written(template, "mail.txt", context) + "\n",
        to=[to],
        headers={
            **headers,
            **_one_click(context),
            "Auto-Submitted": "auto-generated",
        },
    )
    mail.attach_alternative(written(template, "mail.html", context), "text/html")
    for key, picture in pictures.items():
        image = MIMEImage(picture, "png")
        image.add_header("Content-ID", f"<{key}>")
        image.add_header("Content-Disposition", "inline", filename=f"{key}.png")
        mail.attach(image)
    mail.metadata = {MARK: mark_of(notice, to)}
    if address := return_address(notice, to):
        mail.extra_headers["From"] = mail.from_email
        mail.from_email = address
    return mail


def _one_click(context: Context) -> dict[str, str]:
    """Return the headers by which one click stops mail, where there is such a click."""
    if "unsubscribe_url" not in context:
        return {}
    return {
        "List-Unsubscribe": f"<{context['unsubscribe_url']}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def _news_url() -> str:
    return settings.BASE_URL + reverse("people:news")
