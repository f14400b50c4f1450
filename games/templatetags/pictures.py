"""Template tags and filters for robots, chips, tips, thumbnails and previews."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final
from zlib import crc32

from django import template
from django.conf import settings
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

import rules
from accounts.models import LOOKS
from accounts.services import DELETED_PREFIX
from games import wording
from games.films.scenery import Grid, Row
from games.fleet.models import Starship
from games.fleet.pages.drawings import THUMBNAIL_CELL
from games.fleet.pictures import robot_picture
from games.play import stored
from games.play.models import Game, Seat
from games.play.pages.crew import CHIPS, PIECES, CrewRobot, tips_script
from games.sharing.drawing import PICTURE_SIZE
from games.sharing.selectors import SharedPage, is_shared, last_turn_of, page_of_game
from rules.drawing.pen import CELL, MARGIN
from rules.drawing.robots import SILHOUETTES

register = template.Library()


@register.simple_tag
def robot(look: int | str) -> SafeString:
    """Draw robot picture number ``look`` (from 1) as a decoration beside the robot's name."""
    return robot_picture(int(look))


@register.simple_tag
def player_robot(name: str, look: int | str | None = None) -> SafeString:
    """Draw a player's robot small, as decoration. Without a ``look``, the name decides which robot it is."""
    number = look or crc32(name.encode()) % LOOKS + 1
    picture = '<svg class="player-robot" aria-hidden="true"><use href="{}#robot-{}"></use></svg>'
    return format_html(picture, static("site/robots.svg"), number)


@register.simple_tag(takes_context=True)
def robo_link(
    context: template.Context, name: str, *, computer: object = "", page: str = "people:person"
) -> SafeString:
    """Return a player's name as an inline link to a ``page`` about them.

    Computers, deleted accounts and the reader, if a guest, have no page.
    """
    user = context.get("user")
    guest = user is not None and user.is_authenticated and user.is_guest and user.robo_name == name
    if computer or is_placeholder(name) or guest:
        return format_html("{}", name)
    return format_html('<a class="robo-name" href="{}">{}</a>', reverse(page, args=[name]), name)


@register.simple_tag(takes_context=True)
def robo_name(context: template.Context, name: str, look: int | str | None = None, **more: str) -> SafeString:
    """Return a player's robot and name, with the link of `robo_link`. A deleted account has no robot."""
    link = robo_link(context, name, **more)
    if is_placeholder(name):
        return link
    return format_html('<span class="player">{}{}</span>', player_robot(name, look), link)


@register.simple_tag(takes_context=True)
def seat_name(context: template.Context, seat: Seat, *, favourite: object = False) -> SafeString:
    """Return a seat's robot and name: with ``favourite``, the robot of the player's profile."""
    own = favourite and seat.user and not seat.robot
    look = seat.user.look if own and seat.user else seat.look
    no_page = "companion" if seat.is_companion else seat.computer
    return robo_name(context, seat.robo_name, look, computer=no_page)


@register.simple_tag(takes_context=True)
def crew_row(context: template.Context, robot: CrewRobot) -> SafeString:
    """Draw a robot's row beside the board.

    The row is cached unless it shows a deadline or hands that the player has put aside.
    """
    game, query = context["game"], context.get("query", "")
    if robot.deadline or robot.aside:
        return render_to_string("play/mate.html", {"robot": robot, "game": game, "query": query})
    return _crew_row(robot, game.pk, query, get_language())


@lru_cache(maxsize=1024)
def _crew_row(robot: CrewRobot, game: int, query: str, language: str | None) -> SafeString:
    return render_to_string("play/mate.html", {"robot": robot, "game": {"pk": game}, "query": query})


@register.simple_tag
def grid_row(row: Row, grid: Grid) -> SafeString:
    """Draw a robot's row in a film's table.

    The same cached result serves all viewers except the robot's own player.
    """
    status = row.status
    fixed = row.name, row.colour, row.letter, row.mine, row.chips, row.program
    shown = *fixed, status["health"], status["lives"], status["state"]
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
    """Return the name of a robot picture by its number.

    >>> look_name(1)
    'beetle'
    """
    return gettext(SILHOUETTES[int(look) - 1].name)


@register.filter
def look_slogan(look: int | str) -> str:
    """Return the slogan of a robot picture by its number."""
    return str(wording.SLOGANS_OF_LOOKS[SILHOUETTES[int(look) - 1].name])


@register.simple_tag
def chip(kind: str, number: int | str = "", *, small: object = False, locked: object = False) -> SafeString:
    """Draw a chip. A chip in a locked register is drawn without its number."""
    return _chip(kind, number, bool(small), bool(locked), get_language(), static("site/chips.svg"))


@register.filter
def chip_name(kind: str) -> SafeString:
    """Return the name of a kind of chip.

    >>> chip_name("L")
    'Turn left'
    """
    return _name(kind, get_language())


@register.simple_tag
def chip_options(hand: Sequence[Mapping[str, Any]], chosen: int | str | None) -> SafeString:
    """Return the chips of a hand as HTML options. Equal chips without numbers are counted."""
    language = get_language()
    counts, seen = Counter(chip["kind"] for chip in hand), Counter[str]()
    options = []
    for chip in hand:
        seen[kind := chip["kind"]] += 1
        of = (seen[kind], counts[kind])
        options.append(_option(chip["value"], kind, chip["number"], chip["value"] == chosen, of, language))
    return SafeString("".join(options))


@register.simple_tag
def meter(left: int, of: int, *, name: str = "") -> SafeString:
    """Draw a meter of a robot's health. ``name`` is the key of the meter's tip."""
    return _meter(left, of, name, get_language())


@lru_cache(maxsize=1024)
def _meter(left: int, of: int, name: str, language: str | None) -> SafeString:
    return render_to_string("components/meter.html", {"left": left, "of": of, "name": name})


@lru_cache(maxsize=4096)
def _option(
    value: int | str, kind: str, number: int | str, chosen: bool, of: tuple[int, int], language: str | None
) -> SafeString:
    text: str = _name(kind, language)
    if number:
        text = f"{number} {text}"
    elif of[1] > 1:
        text = gettext("{chip} ({number} of {count})").format(chip=text, number=of[0], count=of[1])
    selected = SafeString(" selected") if chosen else ""
    return format_html('<option value="{}" data-kind="{}"{}>{}</option>', value, kind, selected, text)


@lru_cache(maxsize=4096)
def _chip(
    kind: str, number: int | str, small: bool, locked: bool, language: str | None, picture: str
) -> SafeString:
    """Render a chip.

    ``picture`` serves only as a part of the cache key, so that a new picture file is used at once.
    """
    context = {"kind": kind, "number": number, "small": small, "locked": locked}
    return render_to_string("components/chip.html", context)


@lru_cache(maxsize=64)
def _name(kind: str, language: str | None) -> SafeString:
    return SafeString(render_to_string("components/chip_name.html", {"kind": kind}).strip())


@register.simple_tag
def board_tips(ship: rules.Starship, ruleset: rules.Ruleset | None = None) -> SafeString:
    """Return the tips for all cells of a board as JSON, for tips.js. Use it only once on each page."""
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
    """Return the tip for an item in the list of robots beside the board, or an empty string if there is none.

    >>> tip("lives")
    'Lives left, including the current one. A robot that loses its last life is out of the game.'
    """
    return str(PIECES.get(piece, ""))


@register.filter
def thumbnail_pixels(cells: int) -> int:
    """Return the width or height of a thumbnail in pixels, from its width or height in cells.

    >>> thumbnail_pixels(9)
    120
    """
    return (cells * CELL + 2 * MARGIN) * THUMBNAIL_CELL // CELL


@register.inclusion_tag("site/preview.html")
def preview_of_page(page: SharedPage, alt: str = "") -> dict[str, Any]:
    """Return the link preview of a shared page. By default, its picture shows only a board."""
    width, height = PICTURE_SIZE
    alt = alt or gettext("The board.")
    return {"page": page, "site": settings.SITE_NAME, "alt": alt, "width": width, "height": height}


@register.inclusion_tag("site/preview.html")
def preview_of_game(game: Game, turn: int | None = None) -> dict[str, Any]:
    """Return the link preview of a game, or of one of its turns.

    A finished public game has a page to share. For a running game, the preview is the board after the last
    turn played. The preview is empty for a private game.
    """
    if game.private:
        return {}
    number = turn if isinstance(turn, int) else None
    if is_shared(game):
        alt = gettext("The board, and the robots in the order of the results.")
        return preview_of_page(page_of_game(game, number), alt)
    shown = _last_played(game) if number is None else number
    return {"title": game.name, "picture": _address_of_board(game, shown)}


@register.inclusion_tag("sharing/share.html")
def share_game(game: Game, turn: int | None = None) -> dict[str, Any]:
    """Return the links and codes to share a finished public game or one of its turns, or nothing."""
    if not is_shared(game):
        return {}
    number = turn if isinstance(turn, int) else None
    clip_of = last_turn_of(game) if number is None else number
    return {"page": page_of_game(game, number), "game": game, "number": number, "clip_of": clip_of}


@register.simple_tag
def board_of_game(game: Game, theme: str) -> str:
    """Return the URL of the board after the last turn played, or an empty text before the first turn."""
    number = _last_played(game)
    return "" if number is None else reverse("games:picture", args=[game.pk, number, theme])


@register.inclusion_tag("site/preview.html")
def preview_of_starship(starship: Starship) -> dict[str, Any]:
    """Return the link preview of a starship, without robots."""
    return {"title": starship.name, "picture": _address_of(starship.current_id)}


def _last_played(game: Game) -> int | None:
    """Return the number of the last turn that was certainly played in a game, or None if there is none."""
    if game.turn is None:
        return None
    by_the_rules = game.status == Game.Status.OVER and not game.ending
    last = game.turn if by_the_rules else game.turn - 1
    first = stored.first_turn(game)
    return last if last >= first else None


def _address_of_board(game: Game, number: int | None) -> str:
    if number is not None:
        return settings.BASE_URL + reverse("games:picture", args=[game.pk, number, "light"])
    revision = None if game.course_id else game.revision
    return "" if revision is None or revision.starship.taken_down_at else _address_of(revision.pk)


def _address_of(revision_id: int | None) -> str:
    return settings.BASE_URL + reverse("starships:picture", args=[revision_id, "light"])
