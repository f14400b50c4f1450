"""One lock for each game, so that its changes come one after another.

Anyone who changes a game, its seats, its open turn or its programs holds the game's row first. With one
lock there is one order of locking, and no deadlock.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from games import live
from games.errors import NotFound
from games.play.models import Game
from roborunner.postgres.queries import Pipeline, PreparedQuery


def _held(**which: int) -> QuerySet[Game]:
    held = Game.objects.select_for_update(no_key=True, of=("self",))
    return held.select_related("revision__starship", "course").filter(**which).order_by()


_LOCKED: Final = PreparedQuery(lambda game_id: _held(pk=game_id), int)


def locked_game(game_id: int) -> Game:
    """Return the game as it is now, held until the transaction ends; raises NotFound."""
    return _found(_LOCKED.first(game_id))


def ask_locked(game_id: int, *, batch: Pipeline) -> Callable[[], Game]:
    """Have a batch ask for the game as it is then, held from there on; return what returns it, or raises."""
    rows = _LOCKED.ask(batch, game_id)
    return lambda: _found(next(iter(rows()), None))


def _found(game: Game | None) -> Game:
    if game is None:
        raise NotFound("no-game", _("There is no such game."))
    return game


def hold_person(user: User) -> None:
    """Hold a person's row until the transaction ends: always after the rows of games.

    What a person may do only so often, in all games together, is counted while their row is held.
    """
    User.objects.select_for_update(no_key=True).only("pk").get(pk=user.pk)


def hold_people(people: Sequence[int], *, batch: Pipeline | None = None) -> None:
    """Hold the rows of these people until the transaction ends: from now on, or from when a batch is sent."""
    sent = batch or Pipeline()
    sent.ask(_HOLD, sorted(people))
    if batch is None:
        sent.send()


_HOLD: Final = "SELECT id FROM accounts_user WHERE id = ANY(%s::bigint[]) ORDER BY id FOR NO KEY UPDATE"


def touch(game: Game, now: datetime) -> None:
    """Note when something was last done in a game whose row is held, and announce it."""
    game.moved_at = now
    game.save(update_fields=["moved_at"])
    live.announce_change(game)
