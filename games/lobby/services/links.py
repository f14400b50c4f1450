"""The secret link of a private game, which opens the game to everyone who has it."""

import secrets
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games.errors import Conflict, Forbidden, refuse_guests
from games.play.models import Game
from games.play.selectors.viewers import game_for
from games.play.services.history import note
from games.play.services.locks import locked_game, touch


def new_token() -> str:
    """Return the token of a link that no one can guess."""
    return secrets.token_urlsafe(24)


def replace_link(game: Game) -> None:
    """Give a game whose row is held another link; the one before opens nothing from then on."""
    game.link_token = new_token()
    game.save(update_fields=["link_token"])


def renew_link(*, user: User, game_id: int, now: datetime) -> Game:
    """Make a new link to a private game, for its host: the old one leaked, or went to too many.

    Raises NotFound where the person may not know of the game, Forbidden for guests and for everyone but the
    host, and Conflict for a public game, which everyone finds, and for one that was cancelled.
    """
    refuse_guests(user)
    game_for(viewer=user, game_id=game_id)
    with transaction.atomic():
        game = locked_game(game_id)
        if game.host_id != user.pk:
            raise Forbidden("not-host", _("Only the host may make a new link."))
        if game.status == Game.Status.CANCELLED:
            raise Conflict("cancelled", _("This game was cancelled."))
        if not game.private:
            raise Conflict("public", _("This game is public: anyone can find it without a link."))
        replace_link(game)
        if game.status == Game.Status.OPEN:
            note(game=game, by=user, kind="new-link", player=user.robo_name, now=now)
        touch(game, now)
    return game
