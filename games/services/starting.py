"""Starting a game: robots go to their places, and turn 0 asks for headings."""

from datetime import datetime

import rules
from games import stored
from games.models import Game
from games.services.opening import open_turn


def start(*, game: Game, now: datetime) -> None:
    """Start a game whose row is held and whose seats are all taken, and save it."""
    setup = stored.setup_of(game)
    names = [seat.user.robo_name for seat in game.players.select_related("user").order_by("number")]
    state = rules.new_game(setup, names, game.seed)
    game.status = Game.Status.RUNNING
    game.started_at = game.moved_at = now
    open_turn(game=game, setup=setup, state=state, hands={}, now=now)
    game.save()
