"""What other programs show of a page when someone shares its address: a title and a picture."""

from typing import Any

from django import template
from django.conf import settings
from django.urls import reverse

from games.fleet.models import Starship
from games.play import stored
from games.play.models import Game

register = template.Library()


@register.inclusion_tag("site/preview.html")
def preview_of_game(game: Game, turn: int | None = None) -> dict[str, Any]:
    """Show the board as a turn left it, by default the last that was played; of a private game nothing."""
    if game.private:
        return {}
    number = turn if isinstance(turn, int) else _last_played(game)
    return {"title": game.name, "picture": _address_of_board(game, number)}


@register.simple_tag
def board_of_game(game: Game, theme: str) -> str:
    """Return the address of the board as the last turn that was played left it; empty before that."""
    number = _last_played(game)
    return "" if number is None else reverse("games:picture", args=[game.pk, number, theme])


@register.inclusion_tag("site/preview.html")
def preview_of_starship(starship: Starship) -> dict[str, Any]:
    """Show a starship without robots."""
    return {"title": starship.name, "picture": _address_of(starship.current_id)}


def _last_played(game: Game) -> int | None:
    """Return the number of the last turn that was played for certain."""
    if game.turn is None:
        return None
    by_the_rules = game.status == Game.Status.OVER and not game.ending
    last = game.turn if by_the_rules else game.turn - 1
    first = 0 if stored.edition_of(game).opening else 1
    return last if last >= first else None


def _address_of_board(game: Game, number: int | None) -> str:
    if number is not None:
        return settings.BASE_URL + reverse("games:picture", args=[game.pk, number, "light"])
    revision = None if game.course_id else game.revision
    return "" if revision is None or revision.starship.taken_down_at else _address_of(revision.pk)


def _address_of(revision_id: int | None) -> str:
    return settings.BASE_URL + reverse("starships:picture", args=[revision_id, "light"])
