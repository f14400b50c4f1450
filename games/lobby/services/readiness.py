"""Agreeing to a game as it is set up, and starting it once all do."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games.errors import Conflict
from games.lobby.obstacles import not_ready, too_few
from games.lobby.selectors.terms import terms_mark
from games.lobby.services.locks import held_lobby, hosted_lobby
from games.lobby.services.robots import close_ranks
from games.play import stored
from games.play.models import Game, Seat
from games.play.selectors.viewers import game_for, own_seat
from games.play.services.budgets import refuse_beyond_budget
from games.play.services.locks import touch
from games.play.services.start import start
from games.wording import joined


def set_ready(*, user: User, game_id: int, ready: bool = True, terms: str = "", now: datetime) -> Game:
    """Agree to how a game is set up, or take that back; the last to agree may start it.

    ``terms`` is the mark of the terms that they saw (`terms_mark`). Raises NotFound where the person may not
    know of the game, Forbidden without a seat, and Conflict once it has started, or where the terms have
    changed since.
    """
    game_for(viewer=user, game_id=game_id)
    with transaction.atomic():
        game = held_lobby(game_id=game_id)
        seat = own_seat(user=user, game=game)
        if ready and terms not in ("", terms_mark(game)):
            detail = _(
                "The settings have changed since you saw them. Look at them, then say if you are ready."
            )
            raise Conflict("terms-changed", detail)
        if seat.ready != ready:
            seat.ready = ready
            seat.save(update_fields=["ready"])
            touch(game, now)
        start_if_ready(game=game, now=now)
    return game


def start_game(*, user: User, game_id: int, now: datetime) -> Game:
    """Start a game with those who are in its lobby, for its host, who need not be ready; free seats go.

    Raises NotFound, Forbidden for those who are not the host, and Conflict once it has started, while
    someone is not ready, and with fewer players than the ruleset needs or squads that differ.
    """
    game_for(viewer=user, game_id=game_id)
    with transaction.atomic():
        game = hosted_lobby(user=user, game_id=game_id)
        seats = list(game.players.select_related("user").order_by("number"))
        waiting = [seat.robo_name for seat in seats if not seat.ready and seat.user_id != user.pk]
        if waiting:
            raise Conflict("not-ready", not_ready(waiting))
        _check_crew(game, seats)
        _check_board(game)
        refuse_beyond_budget(game=game)
        close_ranks(seats)
        game.seats = len(seats)
        Seat.objects.filter(game=game).update(ready=True)
        start(game=game, now=now)
    return game


def start_if_ready(*, game: Game, placed: bool = False, now: datetime) -> None:
    """Start a game whose row is held, if it is to start by itself: once it is full and all are ready.

    Raises Conflict where its starship was taken down, and as `refuse_beyond_budget` does, unless its players
    were ``placed`` in it.
    """
    seats = list(game.players.all())
    if game.starts_itself and len(seats) == game.seats and all(seat.ready for seat in seats):
        _check_board(game)
        if not placed:
            refuse_beyond_budget(game=game)
        start(game=game, now=now)


def _check_board(game: Game) -> None:
    """Raise Conflict where staff have taken down what the game would be played on."""
    ships = [game.revision.starship] if game.revision else []
    if game.course:
        ships += [
            piece.revision.starship for piece in game.course.pieces.select_related("revision__starship")
        ]
    if gone := next((ship for ship in ships if ship.taken_down_at), None):
        detail = _(
            "Staff took {starship} down. The host must choose another starship before the game starts."
        )
        raise Conflict("taken-down", detail.format(starship=gone.name))


def _check_crew(game: Game, seats: list[Seat]) -> None:
    """Raise Conflict where those who are there cannot play the game among themselves."""
    ruleset = stored.edition_of(game)
    least = ruleset.seats[0]
    if len(seats) < least:
        raise Conflict("too-few", too_few(ruleset))
    if ruleset.squads:
        sizes = {squad: sum(seat.squad == squad for seat in seats) for squad in ruleset.squads}
        if len(set(sizes.values())) > 1:
            counted = [
                _("{number} in the {squad} squad").format(number=size, squad=squad)
                for squad, size in sizes.items()
            ]
            raise Conflict(
                "squads-differ",
                _("The squads must be of equal size: there are {squads}.").format(squads=joined(counted)),
            )
