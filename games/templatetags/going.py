"""Ways on from the page one is on."""

from typing import Any

from django import template

from accounts.models import User
from games.lobby.selectors.rooms import next_waiting
from games.play.models import Game

register = template.Library()


@register.inclusion_tag("site/next_game.html", takes_context=True)
def next_game(context: template.Context, game: Game) -> dict[str, Any]:
    """Offer the reader the game that waits for them next, after this one; nothing where none does.

    It takes one query, and is meant for where a reader is done here.
    """
    user = context.get("user")
    following = next_waiting(user=user, after=game) if isinstance(user, User) else None
    return {"game": game, "following": following}
