"""Chat: players of a game say something to each other, and note what they have read."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Greatest
from django.utils.translation import gettext as _

from accounts.models import User
from games import live
from games.chat.models import ChatLine
from games.chat.selectors import is_rude, speaks_to
from games.errors import Forbidden, TooMany
from games.news.models import Notice
from games.news.services import tell_once
from games.people.contacts import blocked_by, reachable
from games.play.models import Game, Seat
from games.play.services import locked_game
from games.play.viewers import game_for, own_seat, refuse_words
from games.work.models import hold_person

MOST_LINES = 20
"""Lines that a person may write within `WHILE`, in all games together."""

WHILE = timedelta(minutes=1)


def say(*, user: User, game_id: int, text: str, now: datetime) -> ChatLine:
    """Write a line, as `NewLine` allows, into a game's chat: before its start, during it, and afterwards.

    Earlier lines count as read by its author, and mentioned players (“@Name”) get a notification. Raises
    NotFound for a game that the person may not see, Forbidden for guests, muted players and without a seat,
    Invalid for a newcomer's link, and TooMany for a person who has just written a lot.
    """
    game = game_for(viewer=user, game_id=game_id)
    if user.is_guest:
        raise Forbidden("guest", _("Guests can only read the chat. Sign up to write in it."))
    refuse_words(user=user, words=[text], now=now)
    rude = is_rude(text)
    with transaction.atomic():
        # The game is held, so that its lines are committed in the order of their ids: who has read
        # up to one has missed none.
        game = locked_game(game.pk)
        if not game.players.filter(user=user).exists():
            raise Forbidden("no-seat", _("Only players of a game can write in its chat."))
        hold_person(user)
        _check_flood(user, now)
        line = ChatLine.objects.create(
            game=game, user=user, name=user.robo_name, text=text, at=now, rude=rude
        )
        _note_read(user, line)
        _tell_mentioned(line, game, now)
        live.announce_change(game)
    return line


def read_chat(*, user: User, game_id: int, line_id: int) -> int:
    """Note that a player has read a game's chat up to a line, and return how many lines they have not.

    It never goes back, nor beyond the last line there is. Raises NotFound where the person may not know
    of the game, and Forbidden without a seat.
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
    times = ChatLine.objects.filter(user=user).order_by("-pk").values_list("at", flat=True)[:MOST_LINES]
    latest = list(times)
    if len(latest) < MOST_LINES or latest[-1] <= now - WHILE:
        return
    wait = latest[-1] + WHILE - now
    seconds = max(1, round(wait.total_seconds()))
    raise TooMany(
        _("You are writing too fast. Try again in {seconds} s: your text is kept.").format(seconds=seconds),
        seconds,
    )


def _note_read(user: User, line: ChatLine) -> None:
    Seat.objects.filter(game=line.game_id, user=user, read_chat__lt=line.pk).update(
        read_chat=Greatest(F("read_chat"), line.pk)
    )


def _tell_mentioned(line: ChatLine, game: Game, now: datetime) -> None:
    """Tell the players that a line speaks to: once a turn, or again if they saw it before the first went."""
    seats = game.players.select_related("user").exclude(user=None).exclude(user=line.user)
    named = [seat.user for seat in seats if seat.user and speaks_to(line.text, seat.user.robo_name)]
    if line.user and (people := reachable(user=line.user, people=named)):
        tell_once(users=people, kind="mention", game=game, again=[Notice.Status.SEEN], now=now)
