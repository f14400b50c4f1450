"""Lock games, record visits, and change the mail settings of one game."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import Frequency, User
from games import live
from games.errors import NotFound, refuse_guests
from games.news.services import reconsider_held
from games.play.models import Game, Seat
from games.play.viewers import game_for, own_seat
from roborunner.postgres.queries import Pipeline, PreparedQuery


def _locking(**which: int) -> QuerySet[Game]:
    held = Game.objects.select_for_update(no_key=True, of=("self",))
    return held.select_related("revision__starship", "course").filter(**which).order_by()


_LOCKED: Final = PreparedQuery(lambda game_id: _locking(pk=game_id), int)


def locked_game(game_id: int) -> Game:
    """Lock a game's row until the transaction ends, and return the game. Raises NotFound if there is none."""
    return _found(_LOCKED.first(game_id))


def keep_game(game_id: int) -> None:
    """Keep a game from being deleted until the transaction ends. Raises NotFound if there is none.

    New rows that refer to the game are then safe. Other requests can still lock and change the game.
    """
    sent = Pipeline()
    found = sent.ask("SELECT id FROM games_game WHERE id = %s FOR KEY SHARE", game_id)
    sent.send()
    if not found.rows:
        raise no_game()


def ask_locked(game_id: int, *, pipeline: Pipeline) -> Callable[[], Game]:
    """Lock a game's row with a query in a pipeline.

    Returns a function to call once the pipeline has been sent. It returns the game or raises NotFound.
    """
    rows = _LOCKED.ask(pipeline, game_id)
    return lambda: _found(next(iter(rows()), None))


def _found(game: Game | None) -> Game:
    if game is None:
        raise no_game()
    return game


def no_game() -> NotFound:
    return NotFound("no-game", _("There is no such game."))


def lock_people(people: Sequence[int], *, pipeline: Pipeline | None = None) -> None:
    """Lock the rows of these users until the transaction ends.

    Without a ``pipeline``, the rows are locked at once. Otherwise they are locked when the pipeline is sent.
    """
    sent = pipeline or Pipeline()
    sent.ask(_LOCK_PEOPLE, sorted(people))
    if pipeline is None:
        sent.send()


_LOCK_PEOPLE: Final = (
    "SELECT id FROM accounts_user WHERE id = ANY(%s::bigint[]) ORDER BY id FOR NO KEY UPDATE"
)


def touch(game: Game, now: datetime) -> None:
    """Save ``now`` as the time of a game's last change, and tell open pages of the game to update.

    The caller must hold the lock on the game's row.
    """
    game.moved_at = now
    game.save(update_fields=["moved_at"])
    live.announce_change(game)


def change_game_mail(*, user: User, game_id: int, manner: str, now: datetime) -> Seat:
    """Set a player's mail frequency for one game.

    If ``manner`` is empty, the player's general setting applies. Raises NotFound if the person may not see
    the game, and Forbidden for guests and for people without a seat.
    """
    refuse_guests(user)
    game = game_for(viewer=user, game_id=game_id)
    seat = own_seat(user=user, game=game)
    seat.manner = manner
    seat.save(update_fields=["manner"])
    reconsider_held(user=user, now=now)
    return seat


def stop_mail_of_game(*, seat: Seat) -> None:
    """Stop all mail about a game to the player in this seat."""
    Seat.objects.filter(pk=seat.pk).update(manner=Frequency.NONE)


VISIT_PRECISION: Final = timedelta(minutes=1)
"""The minimum time between two recorded visits of a player to a game."""


def record_visit(*, user_id: int, game_id: int, now: datetime) -> bool:
    """Record a player's visit to a game. Return whether the time of the visit was saved.

    It is not saved if the last recorded visit was less than `VISIT_PRECISION` ago.
    """
    long_ago = Q(visited_at=None) | Q(visited_at__lte=now - VISIT_PRECISION)
    return Seat.objects.filter(long_ago, game=game_id, user=user_id).update(visited_at=now) > 0
