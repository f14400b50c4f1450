"""Write in the chat of a game, and mark its lines as read."""

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
"""Limit of lines per person within `FLOOD_WINDOW`, over all games."""

FLOOD_WINDOW = timedelta(minutes=1)


def post_line(*, user: User, game_id: int, text: str, now: datetime) -> ChatLine:
    """Write a line into the chat of a game: before, during or after it.

    `NewLine` has checked the text. Earlier lines count as read by the author, and mentioned players (“@Name”)
    get a notification. Raises NotFound if the person may not see the game, Forbidden for guests, for muted
    players and without a seat, Invalid for a newcomer's link, and TooMany after many lines in a short time.
    """
    game = game_for(viewer=user, game_id=game_id)
    if user.is_guest:
        raise Forbidden("guest", _("Guests can’t write in chats. Sign up to write."))
    refuse_words(user=user, words=[text], now=now)
    rude = is_rude(text)
    with transaction.atomic():
        # The lock makes lines visible in the order of their ids, so that no read mark skips one.
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
    """Mark a chat as read up to a line. Return the number of unread lines.

    The mark never moves back, nor past the last line. Raises NotFound if the person may not see the game, and
    Forbidden without a seat.
    """
    game = game_for(viewer=user, game_id=game_id)
    seat = own_seat(user=user, game=game)
    if line := game.chat.filter(pk__lte=line_id).order_by("pk").last():
        _note_read(user, line)
        seat.refresh_from_db()
    unread = game.chat.filter(pk__gt=seat.read_chat).exclude(user=user)
    return unread.exclude(user__in=blocked_by(user)).count()


def _check_flood(user: User, now: datetime) -> None:
    """Raise TooMany if a person has written too many lines in a short time."""
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
    """Notify mentioned players once a turn, or again if they saw the last one."""
    seats = game.players.select_related("user").exclude(user=None).exclude(user=line.user)
    named = [seat.user for seat in seats if seat.user and mentions_player(line.text, seat.user.robo_name)]
    if line.user and (people := reachable(user=line.user, people=named)):
        notify_once(users=people, kind="mention", game=game, again=[Notice.Status.SEEN], now=now)
