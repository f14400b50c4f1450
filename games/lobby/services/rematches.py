"""The same game again, with the same people."""

from dataclasses import replace
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games.clubs.selectors import club_of_game
from games.errors import Conflict, Forbidden, Invalid, refuse_guests
from games.lobby.models import Invitation
from games.lobby.services.creation import create_game
from games.lobby.services.seats import join_game
from games.news.services import tell_of_lobby
from games.people.contacts import reachable
from games.play.models import Game
from games.play.selectors.history import rematches
from games.play.selectors.viewers import game_for
from games.play.terms import terms_of


def rematch(*, user: User, game_id: int, now: datetime) -> Game:
    """Make the same game again for its players: the first to ask hosts it, who asks later joins it.

    Computers sit down at once, and people are invited. Raises NotFound where the person may not know of
    the game, Forbidden for guests and for those who had no seat, Conflict while it is under way and where the
    rematch is full, and Invalid where its starship cannot be played any more.
    """
    refuse_guests(user)
    game = game_for(viewer=user, game_id=game_id)
    if not game.players.filter(user=user).exists():
        raise Forbidden("no-seat", _("Only players of the game may ask for a rematch."))
    if game.status != Game.Status.OVER:
        raise Conflict("not-over", _("You can ask for a rematch once the game is over."))
    if made := rematches(game).first():
        return _join(made, user, now)
    try:
        with transaction.atomic():
            return _make(game, user, now)
    except IntegrityError:  # someone else was quicker
        if made := rematches(game).first():
            return _join(made, user, now)
        raise


def _join(game: Game, user: User, now: datetime) -> Game:
    if game.players.filter(user=user).exists():
        return game
    return join_game(user=user, game_id=game.pk, link=game.link_token, now=now)


def _make(game: Game, user: User, now: datetime) -> Game:
    if game.revision is None:
        raise Conflict(
            "test-flight", _("Test flights have no rematch. Fly the ship again from the shipyard.")
        )
    if not game.revision.starship.is_offered:
        raise Invalid(
            "no-game",
            _("{starship} is no longer available. Create a new game.").format(starship=game.board_name),
        )
    seats = list(game.players.select_related("user").order_by("number"))
    mine = next(seat for seat in seats if seat.user_id == user.pk)
    Game.objects.filter(rematch_of=game, status=Game.Status.CANCELLED).update(rematch_of=None)
    computers = [
        {"strength": seat.computer, "look": seat.look, "model": seat.model, "squad": seat.squad}
        for seat in seats
        if seat.computer and not seat.robot
    ]
    made = create_game(
        host=user,
        terms=replace(terms_of(game), computers=computers),
        squad=mine.squad,
        model=mine.model,
        look=mine.look,
        rematch_of=game,
        named=False,
        club=_club_of(game, user),
        now=now,
    )
    players = [seat.user for seat in seats if seat.user and seat.user_id != user.pk]
    others = reachable(user=user, people=players)
    Invitation.objects.bulk_create(
        Invitation(game=made, user=other, invited_by=user, created_at=now) for other in others
    )
    tell_of_lobby(users=others, kind="invited", game=made, now=now)
    return made


def _club_of(game: Game, user: User) -> str:
    """Return the club that a game is for, as long as its player belongs to it."""
    club = club_of_game(game.pk)
    return club.slug if club and club.memberships.filter(user=user).exists() else ""
