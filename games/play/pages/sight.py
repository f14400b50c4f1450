"""A game before its viewer's eyes, from which all rooms make what they show on its page.

`games.panels` lists what other rooms show there, and hands it down when the service starts.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

import rules
from games.play.models import Game, Seat
from games.play.selectors.games import GameView
from games.play.selectors.viewers import Viewer


@dataclass(frozen=True, slots=True)
class Sight:
    """Who looks at which game; ``seat`` is theirs, if they have one."""

    request: HttpRequest
    viewer: Viewer
    game: Game
    seen: GameView
    seat: Seat | None
    ruleset: rules.Ruleset


panels: Sequence[Callable[[Sight], dict[str, Any]]]
"""What other rooms add to the context of the page, in order; most is not there for each game."""
