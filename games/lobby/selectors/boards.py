"""The board of a game, as one asks for it when creating a game."""

from typing import Any

from games.play import stored
from games.play.models import Game

Document = dict[str, Any]


def board_of(game: Game) -> Document:
    """Return how a game's board is asked for: the starship, or the same pieces with what was set on them.

    Checkpoints that chance has placed are not asked for: it places them again.
    """
    if game.course is None:
        return {"starship_id": game.revision.starship_id, "boards": None, "checkpoints": None, "start": None}
    ship = stored.ship_of(game)
    starts = [*ship.airlocks, *ship.starts.values()]
    sets_start = stored.edition_of(game).sets_start and len(starts) == 1
    set_here = {} if game.options.get("random_checkpoints") else ship.checkpoints
    return {
        "starship_id": None,
        "boards": [
            {
                "starship": piece.revision.starship_id,
                "at": [piece.column, piece.row],
                "turned": piece.turned,
            }
            for piece in game.course.pieces.select_related("revision")
        ],
        "checkpoints": [list(ship.pos(cell)) for _, cell in sorted(set_here.items())] or None,
        "start": list(ship.pos(starts[0])) if sets_start else None,
    }
