"""Notices by mail: text and HTML, with the board as a picture and a link straight to the game."""

from email.mime.image import MIMEImage
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import timezone

import rules
from accounts.models import User
from accounts.services import unsubscribe_url
from games import stored
from games.models import Game, LogEntry, Notice, Seat, Turn
from games.notify.digest import digest
from games.notify.lobby import of_lobby
from games.notify.picture import board_picture
from rules.sentences import joined

BOARD = "board"


class IllustratedMail(EmailMultiAlternatives):
    """A mail whose pictures belong to its HTML, and are no files to save."""

    mixed_subtype = "related"


def send(notice: Notice) -> None:
    """Send a notice to its person; raises whatever keeps the mail server from taking it."""
    compose(notice).send()


def compose(notice: Notice) -> EmailMultiAlternatives:
    """Return the mail that tells a notice, in its reader's own time."""
    user = notice.user
    of_turn = notice.kind in (Notice.Kind.TURN, Notice.Kind.OVER)
    context, picture = _of_turn(notice, user) if of_turn and user else of_lobby(notice)
    context |= {"site_url": settings.BASE_URL, "board_id": BOARD}
    template = f"games/mail/{notice.kind}"
    with timezone.override(user.time_zone if user else "UTC"):
        mail = IllustratedMail(
            subject=render_to_string(f"{template}_subject.txt", context).strip(),
            body=render_to_string(f"{template}.txt", context),
            to=[user.email if user else notice.email],
            headers=_headers(notice, context.get("unsubscribe_url")),
        )
        mail.attach_alternative(render_to_string(f"{template}.html", context), "text/html")
    image = MIMEImage(picture, "png")
    image.add_header("Content-ID", f"<{BOARD}>")
    image.add_header("Content-Disposition", "inline", filename=f"{BOARD}.png")
    mail.attach(image)
    return mail


def _headers(notice: Notice, unsubscribe: str | None) -> dict[str, str]:
    """Return headers by which one click stops the mail (RFC 8058), and a game's mails are a conversation."""
    host = urlsplit(settings.BASE_URL).hostname
    headers = {"Message-ID": f"<notice-{notice.pk}@{host}>", "References": f"<game-{notice.game_id}@{host}>"}
    if unsubscribe:
        headers["List-Unsubscribe"] = f"<{unsubscribe}>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return headers


def _of_turn(notice: Notice, user: User) -> tuple[dict[str, Any], bytes]:
    """Return what the templates tell, and the picture: the board as it was when the notice was left."""
    game = notice.game
    seat = Seat.objects.select_related("user").get(game=game, user=user)
    turn = Turn.objects.get(game=game, number=notice.turn)
    setup = stored.setup_of(game)
    ship = setup.starship
    state = stored.start_of(turn, ship) if notice.kind == Notice.Kind.TURN else stored.end_of(turn, ship)
    seen = rules.view(state)
    url = f"{settings.BASE_URL}{game.get_absolute_url()}"
    context = {
        "game": game.name,
        "name": user.robo_name,
        "turn": notice.turn,
        "before": notice.turn - 1,
        "begun": turn.number == (0 if setup.ruleset.opening else 1),
        "players": joined([robot.name for robot in seen.robots if not (robot.scanner or robot.crystal)]),
        "robot": seen.robots[seat.number - 1],
        "checkpoints": stored.checkpoints_of(setup),
        "lines": _happened(notice, user),
        "deadline": turn.deadline,
        "time_zone": user.time_zone,
        "lost": not game.winner,
        "ending": _ending(game, seat),
        "url": url,
        "unsubscribe_url": unsubscribe_url(user),
        "board_name": ship.name,
    }
    return context, board_picture(ship=ship, seen=seen, looks=stored.looks_of(game), robot=seat.number - 1)


def _ending(game: Game, seat: Seat) -> str:
    """Say for one reader how a game ended."""
    if not game.winner:
        return "the game is lost"
    if seat.squad:
        return (
            f"your squad, {seat.squad}, has won"
            if seat.squad == game.winner
            else f"the {game.winner} squad has won"
        )
    return "you have won" if game.winner == seat.robo_name else f"{game.winner} has won"


def _happened(notice: Notice, user: User) -> list[str]:
    """Return the digest of the turn that led to the notice."""
    told = notice.turn if notice.kind == Notice.Kind.OVER else notice.turn - 1
    entries = LogEntry.objects.filter(game=notice.game_id, turn__number=told).order_by("seq")
    return digest((entry.event for entry in entries), robot=user.robo_name)
