"""The whole picture: ground, floors, fittings, checkpoints, robots, one above the other."""

from collections.abc import Iterable, Mapping
from zlib import crc32

from rules.drawing.changing import checkpoints_of, draw_crystal, draw_links
from rules.drawing.figures import Drawable, draw_robots
from rules.drawing.fittings import draw_ray, fittings_of
from rules.drawing.floors import draw_floor
from rules.drawing.ground import draw_ground
from rules.drawing.lettering import number, writing
from rules.drawing.palette import own_style, palette
from rules.drawing.railing import draw_rails, draw_slide_rail
from rules.drawing.sheet import CELL, MARGIN, Sheet, centre, escaped
from rules.drawing.words import describe
from rules.language import ENGLISH, Words
from rules.starship import Starship


def draw(
    starship: Starship,
    robots: Iterable[Drawable] = (),
    *,
    hull: Mapping[int, int] | None = None,
    next_checkpoint: int | None = None,
    links: Mapping[int, int] | None = None,
    crystal: int | None = None,
    looks: Mapping[int, int] | None = None,
    theme: str = "auto",
    cell: int | None = 32,
    unit: str = "",
    margin: int = MARGIN,
    rulers: bool = False,
    prefix: str = "",
    words: Words = ENGLISH,
) -> str:
    """Return a starship with its robots as an SVG document, which may also stand inside a page.

    A cell measures 32 user units; that in column x and row y starts at (32x, 32y), with ``margin`` units of
    space around the board. ``cell`` is its size in pixels, or in another ``unit`` of CSS such as "em"; None
    is for a drawing that fills its container.
    ``hull`` has the repairs left by checkpoint number (what the board declares, where it is None);
    ``next_checkpoint`` stands out, those before it are quiet. ``links`` are transporter links that are known,
    and ``crystal`` is where the power crystal is; both by cell number. ``looks`` say which of the eight
    robots, counted from 1, one looks like, by robot index; by default that is its seat. Start cells bear the
    letter of the look that was said, else the number of their seat. ``theme`` is one of `THEMES`. ``rulers``
    number columns and rows in the margin. All ids start with ``prefix``, by default one
    that depends on the contents. ``words`` are those of the reader's language. Raises ValueError for an
    unknown theme.
    """
    shown = list(robots)
    left = dict(starship.hull_damage) if hull is None else dict(hull)
    if not prefix:
        chosen = (sorted(looks.items()),) if looks else ()
        prefix = _prefix(starship, shown, left, next_checkpoint, links, crystal, theme, *chosen)
    sheet = Sheet(palette(theme), prefix)
    layers = [
        draw_ground(sheet, starship, margin),
        _layer("floors", _floors(sheet, starship, looks or {})),
        draw_links(sheet, starship, links or {}),
        _layer("checkpoints", "".join(checkpoints_of(sheet, starship, left, next_checkpoint).values())),
        _rays(sheet, starship),
        draw_rails(sheet, starship),
        _layer("fittings", _fittings(sheet, starship)),
        draw_crystal(sheet, starship, crystal),
        f'<g class="robots">{draw_robots(sheet, starship, shown, looks)}</g>',
        _rulers(sheet, starship) if rulers else "",
    ]
    return _document(
        sheet,
        starship,
        theme,
        _size(starship, cell, unit, margin),
        margin,
        describe(starship, shown, left, next_checkpoint, words),
        layers,
    )


def _document(
    sheet: Sheet, ship: Starship, theme: str, size: str, margin: int, words: str, layers: list[str]
) -> str:
    width, height = ship.width * CELL + 2 * margin, ship.height * CELL + 2 * margin
    style = f"<style>{own_style()}</style>" if theme == "auto" else ""
    names = f"{sheet.prefix}-title {sheet.prefix}-words"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="starship starship-{theme}" role="img"'
        f' aria-labelledby="{names}" viewBox="{-margin} {-margin} {width} {height}"{size}'
        ' fill="none" stroke-linecap="round" stroke-linejoin="round">'
        f'<title id="{sheet.prefix}-title">{escaped(ship.name or "Starship")}</title>'
        f'<desc id="{sheet.prefix}-words">{escaped(words)}</desc>'
        f"{style}{sheet.definitions()}{''.join(layers)}</svg>"
    )


def _size(ship: Starship, cell: int | None, unit: str, margin: int) -> str:
    if cell is None:
        return ""
    width, height = (number((cells + 2 * margin / CELL) * cell) + unit for cells in (ship.width, ship.height))
    return f' width="{width}" height="{height}"'


def _prefix(ship: Starship, robots: list[Drawable], *rest: object) -> str:
    cells = " ".join(ship.tokens)
    people = [(r.index, r.name, r.cell, r.heading, r.damage, r.virtual, r.down, r.scanner) for r in robots]
    return f"s{crc32(repr((ship.name, ship.width, cells, people, rest)).encode()):08x}"


def _layer(name: str, contents: str, more: str = "") -> str:
    return f'<g class="{name}"{more}>{contents}</g>' if contents else ""


def _floors(sheet: Sheet, ship: Starship, looks: Mapping[int, int]) -> str:
    return "".join(
        draw_floor(sheet, ship.at(x, y).floor, x, y, looks)
        for y in range(ship.height)
        for x in range(ship.width)
    )


def _fittings(sheet: Sheet, ship: Starship) -> str:
    parts = []
    for y in range(ship.height):
        for x in range(ship.width):
            cell = ship.at(x, y)
            parts += [draw_slide_rail(sheet, slide, x, y) for slide in cell.slides]
            parts += fittings_of(sheet, cell, x, y)
    return "".join(parts)


def _rays(sheet: Sheet, ship: Starship) -> str:
    rays = "".join(draw_ray(sheet, ship, emitter, *ship.pos(cell)) for cell, emitter in ship.emitters)
    return _layer("rays", rays, f' stroke="{sheet.ink.laser}" stroke-width=".8" stroke-opacity=".6"')


def _rulers(sheet: Sheet, ship: Starship) -> str:
    columns = "".join(writing(str(x + 1), centre(x, 0)[0], -9, 6) for x in range(ship.width))
    rows = "".join(writing(str(y + 1), -9, centre(0, y)[1], 6) for y in range(ship.height))
    return f'<path class="rulers" stroke="{sheet.ink.quiet}" stroke-width="1.1" d="{columns}{rows}"/>'
