"""Write lines in the chat of a game, and mark lines as read."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Greatest
from django.utils.translation import gettext as _

from accounts.models import User
from games import live
from games.chat.models import ChatLine
from games.chat.selectors import is_rude, mentions_player
from games.errors import Forbidden, TooMany
from games.news.models import Notice
from games.news.services import notify_once
from games.people.contacts import blocked_by, reachable
from games.play.models import Game, Seat
from games.play.services import locked_game
from games.play.viewers import game_for, own_seat, refuse_words
from games.work.models import lock_person

FLOOD_LINES = 20
"""The maximum number of chat lines by one person within `FLOOD_WINDOW`, in all games together."""

FLOOD_WINDOW = timedelta(minutes=1)


def post_line(*, user: User, game_id: int, text: str, now: datetime) -> ChatLine:
    """Write a line in the chat of a game. The game may be open, running or over.

    `NewLine` must have checked the text. The author's read mark moves to the new line, and mentioned players
    (“@Name”) get a notification. Raises NotFound if the person may not see the game; Forbidden for guests,
    for muted players and for people without a seat; Invalid for a link in a newcomer's text; and TooMany if
    the person has written too many lines recently.
    """
    game = game_for(viewer=user, game_id=game_id)
    if user.is_guest:
        raise Forbidden("guest", _("Guests can’t write in chats. Sign up to write."))
    refuse_words(user=user, words=[text], now=now)
    rude = is_rude(text)
    with transaction.atomic():
        # The lock makes lines visible in the order of their IDs, so that no read mark skips a line.
        game = locked_game(game.pk)
        if not game.players.filter(user=user).exists():
            raise Forbidden("no-seat", _("Only players of this game can write in its chat."))
        lock_person(user)
        _check_flood(user, now)
        line = ChatLine.objects.create(
            game=game, user=user, name=user.robo_name, text=text, at=now, rude=rude
        )
        _note_read(user, line)
        _tell_mentioned(line, game, now)
        live.announce_change(game)
    return line


def read_chat(*, user: User, game_id: int, line_id: int) -> int:
    """Mark the chat of a game as read, up to a line. Return the number of lines still unread.

    The mark never moves back, and never past the last line. Raises NotFound if the person may not see the
    game, and Forbidden if the person has no seat.
    """
    game = game_for(viewer=user, game_id=game_id)
    seat = own_seat(user=user, game=game)
    if line := game.chat.filter(pk__lte=line_id).order_by("pk").last():
        _note_read(user, line)
        seat.refresh_from_db()
    unread = game.chat.filter(pk__gt=seat.read_chat).exclude(user=user)
    return unread.exclude(user__in=blocked_by(user)).count()


def _check_flood(user: User, now: datetime) -> None:
    """Raise TooMany if a person has written `FLOOD_LINES` lines within `FLOOD_WINDOW`."""
    times = ChatLine.objects.filter(user=user).order_by("-pk").values_list("at", flat=True)[:FLOOD_LINES]
    latest = list(times)
    if len(latest) < FLOOD_LINES or latest[-1] <= now - FLOOD_WINDOW:
        return
    wait = latest[-1] + FLOOD_WINDOW - now
    seconds = max(1, round(wait.total_seconds()))
    raise TooMany(
        _("You are writing too fast. Try again in {seconds} s. Your text is kept.").format(seconds=seconds),
        seconds,
    )


def _note_read(user: User, line: ChatLine) -> None:
    Seat.objects.filter(game=line.game_id, user=user, read_chat__lt=line.pk).update(
        read_chat=Greatest(F("read_chat"), line.pk)
    )


def _tell_mentioned(line: ChatLine, game: Game, now: datetime) -> None:
    """Notify the players whom a line mentions.

    In each turn, a player gets one notification about mentions, and another one only after seeing the
    previous one.
    """
    seats = game.players.select_related("user").exclude(user=None).exclude(user=line.user)
    named = [seat.user for seat in seats if seat.user and mentions_player(line.text, seat.user.robo_name)]
    if line.user and (people := reachable(user=line.user, people=named)):
        notify_once(users=people, kind="mention", game=game, again=[Notice.Status.SEEN], now=now)
