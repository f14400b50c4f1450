"""Taking over a seat that a computer holds, and coming back to one's own."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games.absence.selectors.open_seats import seat_to_return_to, why_not_back
from games.absence.services.admission import refuse_limited, refuse_others
from games.absence.services.replacements import replace_by_person
from games.errors import Conflict, Forbidden, NotFound, refuse_guests
from games.play.models import Game, Replacement
from games.play.selectors.viewers import game_for
from games.play.services.locks import locked_game


def take_seat(*, user: User, game_id: int, seat: int, link: str = "", now: datetime) -> Game:
    """Take a seat over from the computer that holds it; the player who had it comes back.

    ``link`` is the token of a private game's link. Raises NotFound where the person may not know of the game,
    and for a seat that there is not; Conflict where it is not offered (any more), where they have a seat, and
    once the game is over; and Forbidden for guests, for those whom others have had replaced in this game, and
    for those whom the game is not for, unless it is their own seat.
    """
    refuse_guests(user)
    game_for(viewer=user, game_id=game_id, link=link)
    with transaction.atomic():
        game = locked_game(game_id)
        found = game.players.filter(number=seat).first()
        if found is None:
            raise NotFound("no-such-seat", _("This game has no seat {number}.").format(number=seat))
        if game.status != Game.Status.RUNNING:
            raise Conflict("not-running", _("You can take over a seat only while the game is being played."))
        if game.players.filter(user=user).exists():
            raise Conflict("already-joined", _("You have a seat in this game already."))
        _check_may_return(game, user)
        if not found.is_offered:
            detail = _(
                "This seat cannot be taken over: another player has it, or its robot is out of the game."
            )
            raise Conflict("not-offered", detail)
        own = seat_to_return_to(user=user, game=game)
        if own != found:
            refuse_others(game=game, user=user)
            refuse_limited(user=user, now=now)
        reason = Replacement.Reason.CAME_BACK if own == found else Replacement.Reason.TAKEN_OVER
        replace_by_person(game=game, seat=found, user=user, reason=reason, now=now)
    return game


def _check_may_return(game: Game, user: User) -> None:
    if why := why_not_back(user=user, game=game):
        raise Forbidden("sent-away", why)
