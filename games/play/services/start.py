"""Starting a game: robots go to their places; headings are chosen, or the first hand is dealt."""

from datetime import datetime

import rules
from games import live
from games.people.contacts import live_together
from games.play import stored
from games.play.history import UNRATED
from games.play.models import Game
from games.play.selectors.heads import first_head_of
from games.play.services.clocks import fill_banks
from games.play.services.history import note
from games.play.services.opening import ask_ahead, open_turn
from roborunner.postgres.queries import Pipeline


def start(*, game: Game, now: datetime) -> None:
    """Start a game whose row is held and whose seats are all taken, and save it.

    With two players who live together it changes no ratings, and all who see it read that.
    """
    setup = stored.setup_of(game)
    seats = list(game.players.select_related("user").order_by("number"))
    dealt = rules.begin(
        setup,
        [seat.robo_name for seat in seats],
        game.seed,
        squads=[seat.squad for seat in seats if seat.squad],
        models=[seat.model for seat in seats if seat.model],
    )
    game.status = Game.Status.RUNNING
    game.started_at = game.moved_at = now
    fill_banks(game=game)
    game.players.update(excused=stored.absence_of(game).excused or 0)
    head = first_head_of(game, seats)
    batch = Pipeline()
    ahead = ask_ahead(game=game, batch=batch)
    batch.send()
    open_turn(game=game, setup=setup, dealt=dealt, head=head, ahead=ahead, batch=batch, now=now)
    batch.send()
    game.save()
    if game.may_be_rated and live_together(seat.user_id for seat in seats):
        note(game=game, by=None, kind=UNRATED, now=now)
    live.announce_change(game)
