"""Pausing games: no clock runs for a while, and anyone who wants to may play all the same."""

from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _

from games import live
from games.clocks import clock
from games.clocks.clock import Span
from games.errors import Conflict, Invalid
from games.play import stored
from games.play.models import Game, Turn
from games.play.selectors.pauses import PAUSED, is_paused
from games.play.services.clocks import pause_all_clocks
from games.work import enqueue

LONGEST_PAUSE: Final = 28 * clock.DAY
"""How long a pause may last from when it is settled."""


def pause_game(*, game: Game, until: datetime, now: datetime) -> None:
    """Stop all clocks of a running game until an instant; its row is held.

    A game that is paused already is so until then, be it later or sooner. Deadlines are put off at once by as
    long as the clocks stand still: nothing is to be done for a pause to end. Raises Conflict for a game that
    is not being played, or that has no clocks, and Invalid for a pause that is over before it begins, or too
    long.
    """
    _check_running(game)
    if stored.pace_of(game) is None:
        raise Conflict("no-clocks", _("This game has no time limit: there are no clocks to stop."))
    if not now < until <= now + LONGEST_PAUSE:
        detail = _("A pause must end in the future, and can last {days} days at most.").format(
            days=LONGEST_PAUSE.days
        )
        raise Invalid("no-pause", detail, [{"code": "until", "detail": detail}])
    begun = game.paused_at if is_paused(game=game, now=now) else now
    _pause(game, begun or now, until)


def resume_game(*, game: Game, now: datetime) -> None:
    """Have the clocks of a paused game run again, from now on; its row is held.

    Deadlines come forward again, by as much as the pause is shorter than was said. Raises Conflict for a
    game that is not paused.
    """
    _check_running(game)
    if not is_paused(game=game, now=now) or game.paused_at is None:
        raise Conflict("not-paused", _("This game is not paused."))
    _pause(game, game.paused_at, now)
    turn = game.turns.filter(status=Turn.Status.OPEN, deadline__lte=now + enqueue.SOON).first()
    if turn is not None and turn.deadline is not None:
        enqueue.keep_deadline(turn.pk, deadline=turn.deadline, now=now)


def _pause(game: Game, begun: datetime, until: datetime) -> None:
    pause_all_clocks(game=game, pause=Span(begun, until), reason=PAUSED)
    over = until <= begun
    game.paused_at, game.paused_until = (None, None) if over else (begun, until)
    game.save(update_fields=["paused_at", "paused_until"])
    live.announce_change(game)


def _check_running(game: Game) -> None:
    if game.status != Game.Status.RUNNING:
        raise Conflict("not-running", _("Only a game that is being played can be paused."))
