"""Sitting down at a game, and standing up before it starts."""

from datetime import datetime

from django.db import transaction

import rules
from accounts.models import User
from games.errors import Conflict, Forbidden
from games.models import Game, Seat
from games.selectors import game_for
from games.services.locking import locked_game
from games.services.seating import crew_for
from games.services.starting import start


def join_game(
    *, user: User, game_id: int, link: str = "", squad: str = "", model: str = "", now: datetime
) -> Game:
    """Take the first free seat; with the last one the game starts.

    ``link`` is the token of a private game's link. In rulesets with squads or models, those not asked for
    are the squad with fewer players, and the first model that nobody has. Raises NotFound where the
    person may not know of the game, Conflict when it or the squad is full, when it started, or they sit
    there already, and Invalid for a squad or a model that the ruleset does not have.
    """
    game_for(viewer=user, game_id=game_id, link=link)
    with transaction.atomic():
        game = locked_game(game_id)
        seats = list(game.players.all())
        if any(seat.user_id == user.pk for seat in seats):
            raise Conflict("already-joined", "You have a seat in this game already.")
        if game.status == Game.Status.CANCELLED:
            raise Conflict("cancelled", "This game was cancelled.")
        if game.status != Game.Status.OPEN or len(seats) >= game.seats:
            raise Conflict("full", "This game is full: all its seats are taken.")
        taken = {seat.number for seat in seats}
        number = next(number for number in range(1, game.seats + 1) if number not in taken)
        ruleset = rules.ruleset(game.ruleset)
        crew = crew_for(ruleset=ruleset, seats=game.seats, taken=seats, squad=squad, model=model)
        Seat.objects.create(game=game, number=number, user=user, joined_at=now, **crew)
        if len(seats) + 1 == game.seats:
            start(game=game, now=now)
        else:
            game.moved_at = now
            game.save(update_fields=["moved_at"])
    return game


def leave_game(*, user: User, game_id: int, now: datetime) -> Game:
    """Stand up before the game starts. The host's part goes to the next in seat order; without any
    player left the game is cancelled.

    Raises NotFound where the person may not know of the game, Forbidden without a seat, and Conflict
    once it has started.
    """
    game_for(viewer=user, game_id=game_id)
    with transaction.atomic():
        game = locked_game(game_id)
        seats = {seat.user_id: seat for seat in game.players.select_related("user")}
        if user.pk not in seats:
            raise Forbidden("no-seat", "You have no seat in this game.")
        if game.status != Game.Status.OPEN:
            raise Conflict("started", "The game has started: nobody can leave it any more.")
        seats.pop(user.pk).delete()
        if not seats:
            game.status = Game.Status.CANCELLED
            game.ended_at = now
        elif game.host_id == user.pk:
            game.host = min(seats.values(), key=lambda seat: seat.number).user
        game.moved_at = now
        game.save()
    return game
