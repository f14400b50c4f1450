"""Players by name."""

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from games.errors import NotFound


def player_named(robo_name: str, *, among: QuerySet[User] | None = None) -> User:
    """Return the player with a Robo Name, in any case; raises NotFound for a name that no one has."""
    players = User.objects.players() if among is None else among
    person = players.filter(robo_name__iexact=robo_name).first() if robo_name.isprintable() else None
    if person is None:
        raise NotFound("no-player", _("There is no player “{name}”.").format(name=robo_name))
    return person
