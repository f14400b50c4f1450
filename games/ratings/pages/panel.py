"""What a rated game changed, for the page of the game."""

from typing import Any

from games.play.models import Game
from games.play.pages.sight import Sight
from games.ratings.selectors.standings import changes_by


def ratings_panel(sight: Sight) -> dict[str, Any]:
    """Return what a game that is over has changed in its players' ratings."""
    if sight.game.status != Game.Status.OVER:
        return {}
    return {"rating_changes": changes_by(game=sight.game)}
