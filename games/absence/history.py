"""What is noted in the history of a game when players miss turns, resign, leave or come back."""

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext_lazy as _

from games.play.history import Sentence

HISTORY: Final[Mapping[str, Sentence]] = {
    "replaced": _("A Rookie plays {robot} from now on: too many turns were missed."),
    "back": _("{player} is back."),
    "took-over": _("{player} plays {robot} from now on."),
    "resigned": _("{player} resigned. A Rookie plays {robot} to the end."),
    "left-seat": _("{player} left. A Rookie plays {robot} until another player takes over the seat."),
    "resigned-last": _("{player} resigned. The game is over."),
    "left-last": _("{player} left. The game is over."),
    "deleted-last": _("{player} left for good. The game is over."),
    "unattended": _("The game was called off: {turns} turns had no orders."),
}
