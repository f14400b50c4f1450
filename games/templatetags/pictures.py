"""Robots, chips, tips, thumbnails and previews, for templates."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from django import template
from django.conf import settings
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

import rules
from accounts.services import DELETED_PREFIX
from games import wording
from games.films.pages.scenery import Grid, Row
from games.fleet.models import Starship
from games.fleet.pages.drawings import THUMBNAIL_CELL
from games.fleet.pictures import robot_picture
from games.play import stored
from games.play.models import Game
from games.play.pages.crew import CHIPS, PIECES, CrewRobot, tips_script
from rules.drawing.pen import CELL, MARGIN
from rules.drawing.robots import SILHOUETTES

register = template.Library()


@register.simple_tag
def robot(look: int | str) -> SafeString:
    """Draw the robot with a look (from 1), as decoration beside its name."""
    return robot_picture(int(look))


@register.simple_tag(takes_context=True)
def robo_name(context: template.Context, name: str) -> SafeString:
    """Return a player's name as an inline link to their page."""
    return render_to_string("components/robo_name.html", {"name": name, "user": context.get("user")})


@register.simple_tag(takes_context=True)
def crew_row(context: template.Context, robot: CrewRobot) -> SafeString:
    """Draw a robot beside the board. Cached, unless it shows a deadline or hands."""
    game, query = context["game"], context.get("query", "")
    if robot.deadline or robot.aside:
        return render_to_string("play/mate.html", {"robot": robot, "game": game, "query": query})
    return _crew_row(robot, game.pk, query, get_language())


@lru_cache(maxsize=1024)
def _crew_row(robot: CrewRobot, game: int, query: str, language: str | None) -> SafeString:
    return render_to_string("play/mate.html", {"robot": robot, "game": {"pk": game}, "query": query})


@register.simple_tag
def grid_row(row: Row, grid: Grid) -> SafeString:
    """Draw a robot in a film's table, cached for all viewers except its own player."""
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
    """Return whether a name belongs to a deleted account, which has no page."""
    return name.startswith(DELETED_PREFIX)


@register.filter
def look_name(look: int | str) -> str:
    """Return the name of a robot's look.

    >>> look_name(1)
    'beetle'
    """
    return gettext(SILHOUETTES[int(look) - 1].name)


@register.filter
def look_slogan(look: int | str) -> str:
    """Return the slogan of a robot's look."""
    return str(wording.SLOGANS_OF_LOOKS[SILHOUETTES[int(look) - 1].name])


@register.simple_tag
def chip(kind: str, number: int | str = "", *, small: object = False, locked: object = False) -> SafeString:
    """Draw a chip. In a locked register, it has no number."""
    return _chip(kind, number, bool(small), bool(locked), get_language(), static("site/chips.svg"))


@register.filter
def chip_name(kind: str) -> SafeString:
    """Return the name of a kind of chip.

    >>> chip_name("L")
    'Turn left'
    """
    return _name(kind, get_language())


@register.simple_tag
def chip_options(
    hand: Iterable[Mapping[str, Any]], chosen: int | str | None, *, by_name: object
) -> SafeString:
    """List the chips of a hand as options. ``by_name`` puts names before numbers."""
    language = get_language()
    return SafeString(
        "".join(
            _option(
                chip["value"], chip["kind"], chip["number"], chip["value"] == chosen, bool(by_name), language
            )
            for chip in hand
        )
    )


@register.simple_tag
def meter(left: int, of: int, *, name: str = "") -> SafeString:
    """Draw a robot's health. ``name`` is the key of its tip."""
    return _meter(left, of, name, get_language())


@lru_cache(maxsize=1024)
def _meter(left: int, of: int, name: str, language: str | None) -> SafeString:
    return render_to_string("components/meter.html", {"left": left, "of": of, "name": name})


@lru_cache(maxsize=4096)
def _option(
    value: int | str, kind: str, number: int | str, chosen: bool, by_name: bool, language: str | None
) -> SafeString:
    name = _name(kind, language)
    text = f"{number} {name}" if not by_name else f"{name} ({number})" if number else name
    selected = SafeString(" selected") if chosen else ""
    return format_html('<option value="{}" data-kind="{}"{}>{}</option>', value, kind, selected, text)


@lru_cache(maxsize=4096)
def _chip(
    kind: str, number: int | str, small: bool, locked: bool, language: str | None, picture: str
) -> SafeString:
    """Render a chip. ``picture`` is only part of the cache key."""
    context = {"kind": kind, "number": number, "small": small, "locked": locked}
    return render_to_string("components/chip.html", context)


@lru_cache(maxsize=64)
def _name(kind: str, language: str | None) -> SafeString:
    return SafeString(render_to_string("components/chip_name.html", {"kind": kind}).strip())


@register.simple_tag
def board_tips(ship: rules.Starship, ruleset: rules.Ruleset | None = None) -> SafeString:
    """Return the descriptions of all cells as JSON, for tips.js, once per page."""
    return tips_script(ship, ruleset)


@register.filter
def chip_tip(kind: str) -> str:
    """Return the tip for a kind of chip.

    >>> chip_tip("L")
    'Turn left: a quarter turn in place.'
    """
    return str(CHIPS.get(kind, ""))


@register.filter
def tip(piece: str) -> str:
    """Return the tip for a thing around the board, or an empty string.

    >>> tip("lives")
    'Lives left, including the current one. A robot that loses its last life is out of the game.'
    """
    return str(PIECES.get(piece, ""))


@register.filter
def thumbnail_pixels(cells: int) -> int:
    """Return the pixels of a thumbnail along a number of cells.

    >>> thumbnail_pixels(9)
    120
    """
    return (cells * CELL + 2 * MARGIN) * THUMBNAIL_CELL // CELL


@register.inclusion_tag("site/preview.html")
def preview_of_game(game: Game, turn: int | None = None) -> dict[str, Any]:
    """Show the board after a turn, by default the last one. Empty for a private game."""
    if game.private:
        return {}
    number = turn if isinstance(turn, int) else _last_played(game)
    return {"title": game.name, "picture": _address_of_board(game, number)}


@register.simple_tag
def board_of_game(game: Game, theme: str) -> str:
    """Return the URL of the board after the last turn played, empty before that."""
    number = _last_played(game)
    return "" if number is None else reverse("games:picture", args=[game.pk, number, theme])


@register.inclusion_tag("site/preview.html")
def preview_of_starship(starship: Starship) -> dict[str, Any]:
    """Show a starship without robots."""
    return {"title": starship.name, "picture": _address_of(starship.current_id)}


def _last_played(game: Game) -> int | None:
    """Return the number of the last turn known to be played."""
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
