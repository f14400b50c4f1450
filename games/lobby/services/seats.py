"""Sitting down at a game, and standing up before it starts."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games.absence.seats import refuse_housemate, refuse_limited, refuse_others
from games.errors import Conflict, refuse_guests
from games.lobby.models import Invitation
from games.lobby.selectors.invitations import people_in_lobby
from games.lobby.selectors.terms import terms_mark
from games.lobby.services.readiness import start_if_ready
from games.lobby.services.robots import crew_for, free_seat
from games.news.services import tell_of_lobby
from games.play import stored
from games.play.models import Game, Seat
from games.play.selectors.viewers import game_for, own_seat
from games.play.services.history import note
from games.play.services.locks import locked_game, touch


def join_game(
    *,
    user: User,
    game_id: int,
    link: str = "",
    squad: str = "",
    model: str = "",
    look: int | None = None,
    ready: bool = True,
    terms: str = "",
    placed: bool = False,
    now: datetime,
) -> Game:
    """Take the first free seat, ``ready`` for the game as it is set up; with the last one it may start.

    ``terms`` is the mark of the terms that they saw (`terms_mark`): where these have changed since, they
    are not ready. ``link`` is the token of a private game's link. In rulesets with squads or models, those
    not asked for are the squad with fewer players, and the first model that no one has; a look not asked
    for is the person's favourite, or else the first that no one has. Raises NotFound where the person may
    not know of the game, Conflict when it or the squad is full, when another robot looks like that, when it
    started, or they sit there already, Invalid for what there is not, and Forbidden for guests, and for
    those whom the game is not for (`refuse_others`). Unless a tournament, a ladder or the queue has
    ``placed`` them in it, Forbidden as well for those who may begin no further game (`refuse_limited`), or
    live with a player of a rated one (`refuse_housemate`).
    """
    refuse_guests(user)
    game_for(viewer=user, game_id=game_id, link=link)
    with transaction.atomic():
        game = locked_game(game_id)
        seats = list(game.players.all())
        if any(seat.user_id == user.pk for seat in seats):
            raise Conflict("already-joined", _("You have a seat in this game already."))
        if game.status == Game.Status.CANCELLED:
            raise Conflict("cancelled", _("This game was cancelled."))
        if game.status != Game.Status.OPEN:
            raise Conflict("full", _("This game is full: all its seats are taken."))
        refuse_others(game=game, user=user)
        if not placed:
            refuse_limited(user=user, now=now)
            refuse_housemate(game=game, seats=seats, user=user)
        number = free_seat(game, seats)
        ready = ready and terms in ("", terms_mark(game))
        crew = crew_for(
            ruleset=stored.edition_of(game),
            seats=game.seats,
            taken=seats,
            squad=squad,
            model=model,
            look=look,
            favourite=user.look,
        )
        Seat.objects.create(game=game, number=number, user=user, ready=ready, joined_at=now, **crew)
        game.invitations.filter(user=user).update(answer=Invitation.Answer.ACCEPTED, answered_at=now)
        note(game=game, by=user, kind="joined", player=user.robo_name, now=now)
        touch(game, now)
        start_if_ready(game=game, now=now)
    return game


def leave_game(*, user: User, game_id: int, now: datetime) -> Game:
    """Stand up before the game starts. The host's part goes to the next person in seat order; without
    any person left the game is cancelled.

    Raises NotFound where the person may not know of the game, Forbidden without a seat, and Conflict
    once it has started.
    """
    game_for(viewer=user, game_id=game_id)
    with transaction.atomic():
        game = locked_game(game_id)
        seat = own_seat(user=user, game=game)
        if game.status == Game.Status.CANCELLED:
            raise Conflict("cancelled", _("This game was cancelled."))
        if game.status != Game.Status.OPEN:
            raise Conflict("started", _("The game has started. You can no longer leave its lobby."))
        note(game=game, by=user, kind="left", player=user.robo_name, now=now)
        vacate(game=game, seat=seat, now=now)
    return game


def vacate(*, game: Game, seat: Seat, now: datetime) -> None:
    """Free a seat of a lobby whose row is held, and save the game: another may have to host it, or no one."""
    seat_id, user = seat.pk, seat.user
    Seat.objects.filter(pk=seat_id).delete()
    people = [other for other in game.players.select_related("user").order_by("number") if other.user]
    if not people:
        game.status = Game.Status.CANCELLED
        game.ended_at = now
        tell_of_lobby(users=people_in_lobby(game), kind="cancelled", game=game, now=now)
    elif user is not None and game.host_id == user.pk:
        assert people[0].user is not None
        game.host = people[0].user
        note(game=game, by=None, kind="host", player=game.host.robo_name, now=now)
    game.moved_at = now
    game.save()
