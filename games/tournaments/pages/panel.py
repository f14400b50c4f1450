"""Of which tournament a game is a table, for the page of the game."""

from typing import Any

from games.play.models import Game
from games.play.pages.sight import Sight
from games.tournaments.models import Round


def tournament_panel(sight: Sight) -> dict[str, Any]:
    """Return the round of a tournament that a game belongs to; only rated games do."""
    if sight.game.rated != Game.Rated.YES:
        return {}
    rounds = Round.objects.select_related("tournament")
    return {"round_of_tournament": rounds.filter(tables__link__game=sight.game).first()}
