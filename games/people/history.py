"""What is noted in the history of a game when a player's account is deleted."""

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext_lazy as _

from games.play.history import Sentence

HISTORY: Final[Mapping[str, Sentence]] = {
    "deleted": _("{player} left for good. A Rookie plays on."),
    "no-players": _("The game was called off because no players are left."),
}
