"""Robots in templates, by their looks."""

from functools import lru_cache
from typing import Any, Final

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from accounts.services import DELETED_PREFIX
from games import wording
from games.fleet.pictures import robot_picture
from games.play.pages.crew import Mate
from games.play.pages.grid import Grid, Row
from rules.drawing.robots import SILHOUETTES

register = template.Library()


@register.simple_tag
def robot(look: int | str) -> SafeString:
    """Draw the robot of a look, counted from 1, as decoration beside its name."""
    return robot_picture(int(look))


@register.simple_tag(takes_context=True)
def robo_name(context: template.Context, name: str) -> SafeString:
    """Return a player's name with the link to their page, to stand within a sentence."""
    return render_to_string("components/robo_name.html", {"name": name, "user": context.get("user")})


@register.simple_tag(takes_context=True)
def mate_row(context: template.Context, mate: Mate) -> SafeString:
    """Draw one robot of the crew: once for all who see it alike, unless it says how much time is left."""
    game, query = context["game"], context.get("query", "")
    if mate.deadline or mate.aside:
        return render_to_string("play/mate.html", {"mate": mate, "game": game, "query": query})
    return _mate(mate, game.pk, query, get_language())


@lru_cache(maxsize=1024)
def _mate(mate: Mate, game: int, query: str, language: str | None) -> SafeString:
    return render_to_string("play/mate.html", {"mate": mate, "game": {"pk": game}, "query": query})


@register.simple_tag
def grid_row(row: Row, grid: Grid) -> SafeString:
    """Draw one robot of a film: once for all who see it alike, which only its own player does not."""
    status = row.status
    told = row.name, row.colour, row.letter, row.mine, row.chips, row.program
    shown = *told, status["health"], status["lives"], status["state"]
    return _grid_row(shown, grid.limit, grid.programs, get_language())


_ROW: Final = ("name", "colour", "letter", "mine", "chips", "program", "health", "lives", "state")


@lru_cache(maxsize=1024)
def _grid_row(shown: tuple[Any, ...], limit: int, programs: bool, language: str | None) -> SafeString:
    row = dict(zip(_ROW, shown, strict=True))
    return render_to_string("play/grid_row.html", {"row": row, "limit": limit, "programs": programs})


@register.filter
def is_placeholder(name: str) -> bool:
    """Return whether a name stands for someone whose account was deleted: there is no page of them."""
    return name.startswith(DELETED_PREFIX)


@register.filter
def look_name(look: int | str) -> str:
    """Say what a robot looks like.

    >>> look_name(1)
    'beetle'
    """
    return gettext(SILHOUETTES[int(look) - 1].name)


@register.filter
def look_slogan(look: int | str) -> str:
    """Return what a robot of a look says of itself."""
    return str(wording.SLOGANS_OF_LOOKS[SILHOUETTES[int(look) - 1].name])
