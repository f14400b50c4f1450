"""Who may come into a game that asks for reliable players."""

from django.utils.translation import gettext as _

from accounts.models import User
from games.errors import Forbidden
from games.play.models import Game
from games.reliability.selectors import reliability_of


def refuse_unreliable(*, game: Game, user: User) -> None:
    """Raise Forbidden for someone less reliable than a game asks for, unless its host has invited them."""
    percent = reliability_of(user).percent
    if percent >= game.least_reliability:
        return
    if not game.invitations.filter(user=user, invited_by=game.host_id).exists():
        raise Forbidden(
            "unreliable",
            _(
                "This game is for players with a reliability of at least {minimum} %. Yours is {yours} %."
            ).format(minimum=game.least_reliability, yours=percent),
        )
