"""On which ladder a game is a challenge, for the page of the game."""

from typing import Any

from games.ladders.models import LadderGame
from games.play.models import Game
from games.play.pages.sight import Sight


def ladder_panel(sight: Sight) -> dict[str, Any]:
    """Return the challenge that a game is; only rated games are."""
    if sight.game.rated != Game.Rated.YES:
        return {}
    return {"challenge": LadderGame.objects.filter(game=sight.game).first()}
