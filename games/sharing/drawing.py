"""Pictures for link previews, and clips of turns. Neither contains text or names: robots have their looks.

A picture or clip therefore stays the same in all languages, and when a player is renamed or deleted.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from typing import Any, Final, NamedTuple

from PIL import Image

import rules
from games.content_cache import LRUCache, content_key, fetch, make_or_defer, store
from games.films.film import Document, Film, Frame, Pose
from games.films.selectors import Replay
from games.fleet.raster import board_picture, decoded, encoded, pixels
from rules.drawing import CELL, MARGIN
from rules.drawing.board import draw_crystal
from rules.drawing.palette import palette
from rules.drawing.pen import Sheet, area, box, centre, circle, line, moved, number, writing
from rules.drawing.robots import ALONE, Figure, Stance, draw_robot, look_of, robot_look
from rules.grid import AFTER

THEME: Final = "dark"
"""The theme of pictures and clips. They stand out on pages of any colour."""

PREFIX: Final = "s"
"""The beginning of all ids in drawings."""

_SVG: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" fill="none" stroke-linecap="round" stroke-linejoin="round"'
)

# --- Pictures -----------------------------------------------------------------------------------------------


PICTURE_SIZE: Final = (1200, 630)
"""The width and height of a picture in pixels. Services expect this size for previews of links."""

BOARD_ROOM: Final = (800, 590)
"""The maximum width and height of the board in a picture, in pixels."""

EDGE: Final = 20
"""The space around the board in a picture, in pixels."""

METALS: Final = ("#f2c14e", "#c9d2de", "#d08a5b")
"""The colours of the places 1 to 3."""

PICTURES: Final = LRUCache[bytes](4_000_000, len)


class Placing(NamedTuple):
    """A robot in the results of a game: the number of its look, and its place or None."""

    look: int
    place: int | None


def share_picture(
    ship: rules.Starship,
    seen: rules.View,
    *,
    looks: Mapping[int, int],
    placings: Iterable[Placing] = (),
    squares: Sequence[bool] = (),
) -> bytes:
    """Return the picture of a board with a result beside it, as a PNG file of `PICTURE_SIZE`.

    The result of a game has ``placings`` in order, the result of a daily run has filled and empty
    ``squares``. The picture is made once, and stored for a day.
    """
    rows = tuple(placings)
    state = rules.canonical(rules.view_to_json(ship, seen))
    name = content_key("share", ship.fingerprint, state, sorted(looks.items()), rows, tuple(squares))

    def make() -> bytes:
        if kept := fetch([name]).get(name):
            return kept
        board = board_picture(
            ship,
            robots=[each for each in seen.robots if not each.crystal],
            hull=seen.hull,
            links=seen.links,
            crystal=seen.crystal,
            looks=looks,
            theme=THEME,
        )
        made = encoded(_composed(decoded(board), rows, squares), level=6)
        store({name: made})
        return made

    return make_or_defer(name, lambda: PICTURES.get_or_make(name, make))


def _composed(board: Image.Image, placings: tuple[Placing, ...], squares: Sequence[bool]) -> Image.Image:
    """Return a picture with the board on the left, or in the middle if there is no result."""
    width, height = PICTURE_SIZE
    ratio = min(BOARD_ROOM[0] / board.width, BOARD_ROOM[1] / board.height)
    size = round(board.width * ratio), round(board.height * ratio)
    shrunk = board.convert("RGB").resize(size, Image.Resampling.LANCZOS)
    picture = Image.new("RGB", PICTURE_SIZE, palette(THEME).space)
    left = EDGE if placings or squares else (width - size[0]) // 2
    if placings or squares:
        draw = partial(_results, placings) if placings else partial(_row, squares)
        over = pixels(draw(left + size[0], width, height), width)
        picture.paste(over, (0, 0), over)
    picture.paste(shrunk, (left, (height - size[1]) // 2))
    return picture


def _results(placings: tuple[Placing, ...], left: int, width: int, height: int) -> str:
    """Draw the robots in the order of the results, between ``left`` and the right edge of a picture.

    The first robot is the largest.
    """
    sheet = Sheet(palette(THEME), PREFIX, still=True)
    first, *others = placings
    middle = (left + width) / 2
    columns = 2 if len(others) > 3 else 1
    rows = -(-len(others) // columns)
    top = 210 if others else height / 2
    parts = [_placed(sheet, first, middle, top, 6.2)]
    step = min(110, 300 / max(rows, 1))
    apart = min(170, (width - left) / 2)
    for index, placing in enumerate(others):
        row, column = divmod(index, columns)
        x = middle + (column - (columns - 1) / 2) * apart
        parts.append(_placed(sheet, placing, x, 385 + row * step, min(2.4, step / 40)))
    return f'{_SVG} viewBox="0 0 {width} {height}">{sheet.definitions()}{"".join(parts)}</svg>'


def _row(squares: Sequence[bool], left: int, width: int, height: int) -> str:
    """Draw squares in a row, between ``left`` and the right edge of a picture."""
    ink = palette(THEME)
    step = (width - left) / (len(squares) + 1)
    side = 0.7 * step
    edge = f' stroke="{METALS[0]}" stroke-width="5"'
    parts = [
        box((left + place * step, height / 2), side, side, side / 8, METALS[0] if filled else ink.space, edge)
        for place, filled in enumerate(squares, 1)
    ]
    return f'{_SVG} viewBox="0 0 {width} {height}">{"".join(parts)}</svg>'


def _placed(sheet: Sheet, placing: Placing, x: float, y: float, scale: float) -> str:
    """Draw a robot with the number of its place, if it has one."""
    look = robot_look(sheet, placing.look)
    robot = draw_robot(sheet, Figure(placing.look - 1, "", 0), look, nosed=False)
    medal = ""
    if placing.place:
        colour = METALS[placing.place - 1] if placing.place <= len(METALS) else sheet.ink.quiet
        digits = line(writing(str(placing.place), 0, 0, 6.6), "#101a2b", 1.5)
        medal = f'<g transform="translate(-21 0)">{circle(6.6, colour, "#101a2b", 0.8)}{digits}</g>'
    shift = 8 if medal else 0
    at = f"translate({number(x + shift * scale)} {number(y)})scale({number(scale)})"
    return f'<g transform="{at}">{medal}{robot}</g>'


# --- Clips --------------------------------------------------------------------------------------------------


CLIP_SIDE: Final = 480
"""The maximum width and height of a clip, in pixels."""

MOST_CLIP_BYTES: Final = 1_500_000
"""The maximum size of a clip, in bytes."""

MOST_STILLS: Final = 200
"""The maximum number of pictures in a clip. In longer turns, robots move in fewer steps."""

QUALITIES: Final = ((1.0, 80), (0.75, 65), (0.5, 50), (0.35, 30))
"""The scale and the quality of a clip, for each attempt to keep it below `MOST_CLIP_BYTES`."""

MOVE_STEPS: Final = 5
"""The number of pictures of a move."""

# Times in milliseconds, as in static/play/film.js.
MOVE: Final = 230
SHOWN: Final = 450
PHASE: Final = 350
FIRST: Final = 700
LAST: Final = 2500

SHAPES: Final = {
    "damage": "M0-15L3.6-5.6L13-8L6.4 0L13 8L3.6 5.6L0 15L-3.6 5.6L-13 8L-6.4 0L-13-8L-3.6-5.6z",
    "destroyed": "M-11-11L11 11M11-11L-11 11",
    "inspect": "M-11 1L-4 8L11-8",
    "goal": "M-11 1L-4 8L11-8",
    "repair": "M-3-13H3V-3H13V3H3V13H-3V3H-13V-3H-3z",
    "win": "M0-20L5.5-7.6L19-6.2L9 2.9L11.8 16.2L0 9.4L-11.8 16.2L-9 2.9L-19-6.2L-5.5-7.6z",
}
"""The shapes of marks, as in static/play/effects.js. All other marks are rings."""

RING: Final = "M0-14A14 14 0 1 1 0 14A14 14 0 1 1 0-14z"


class ClipTooLarge(Exception):
    """A turn whose clip is larger than `MOST_CLIP_BYTES`, even at the lowest quality."""


@dataclass(frozen=True, slots=True)
class _Turned:
    """A robot in a drawing of a clip. Its heading may lie between two directions."""

    index: int
    name: str
    cell: int
    heading: Any  # a number of quarter turns
    damage: int
    virtual: bool
    down: bool
    scanner: bool


def make_clip(replay: Replay, progress: Callable[[int], bool] = lambda percent: True) -> bytes:
    """Return a turn as an animated WebP file that repeats.

    ``progress`` is called with the progress in percent. If it returns False, the work stops with
    InterruptedError. Raises ClipTooLarge.
    """
    stills: list[tuple[Image.Image, int]] = []
    clip = _Clip(replay)
    for image, time in clip.stills():
        stills.append((image, time))
        if not progress(90 * len(stills) // clip.length):
            raise InterruptedError
    for scale, quality in QUALITIES:
        made = _webp(stills, scale, quality)
        if len(made) <= MOST_CLIP_BYTES:
            return made
    raise ClipTooLarge


def _webp(stills: list[tuple[Image.Image, int]], scale: float, quality: int) -> bytes:
    images = [image for image, _ in stills]
    if scale != 1:
        size = round(images[0].width * scale), round(images[0].height * scale)
        images = [image.resize(size, Image.Resampling.LANCZOS) for image in images]
    file = BytesIO()
    images[0].save(
        file,
        "WEBP",
        save_all=True,
        append_images=images[1:],
        duration=[time for _, time in stills],
        loop=0,
        quality=quality,
        method=2,
    )
    return file.getvalue()


class _Clip:
    """Draws the pictures of a clip, one for each step of each instant of a turn's film."""

    def __init__(self, replay: Replay) -> None:
        self._replay = replay
        self._ship = replay.ship
        self._film = Film(replay)
        moving = sum(bool(frame.poses) for frame in self._film.frames)
        others = len(self._film.frames) - moving + 2
        self._steps = max(1, min(MOVE_STEPS, (MOST_STILLS - others) // max(moving, 1)))
        self.length = moving * self._steps + others
        self._by_name = {robot.name: robot for robot in replay.start.robots}
        self._shut: list[list[int]] = []
        self._ground: tuple[object, Image.Image] | None = None

    def stills(self) -> Iterator[tuple[Image.Image, int]]:
        """Yield the pictures of the turn, each with its time in milliseconds."""
        hull, links, poses = dict(self._replay.start.hull), self._replay.start.links, self._film.start
        yield self._drawn(hull, links, poses, None, 0), FIRST
        for frame in self._film.frames:
            if frame.doors is not None:
                self._shut = frame.doors
            hull |= frame.hull
            after = poses | frame.poses
            if frame.poses:
                for step in range(1, self._steps + 1):
                    between = _between(poses, after, step / self._steps)
                    last = step == self._steps
                    told = frame if last or frame.shots else None
                    extra = SHOWN if last and (frame.marks or frame.shots) else 0
                    yield self._drawn(hull, links, between, told, frame.phase), MOVE // self._steps + extra
            else:
                time = SHOWN if frame.shots or frame.marks else PHASE if frame.chips else MOVE // 2
                yield self._drawn(hull, links, after, frame, frame.phase), time
            poses = after
        yield self._drawn(hull, self._replay.end.links, poses, None, 0), LAST

    def _drawn(
        self,
        hull: Mapping[int, int],
        links: Mapping[int, int],
        poses: Mapping[str, Pose],
        frame: Frame | None,
        phase: int,
    ) -> Image.Image:
        ground = self._board(hull, links)
        sheet = Sheet(palette(THEME), PREFIX, still=True)
        parts = [self._door(sheet, *at) for at in self._shut]
        parts += [self._robot(sheet, name, pose) for name, pose in _lowest_first(poses) if pose["at"]]
        if frame:
            parts += [_shot(sheet, shot) for shot in frame.shots]
            parts += [_mark(sheet, mark) for mark in frame.marks]
        if 0 < phase < AFTER:
            parts.append(self._phase(sheet, phase))
        width, height = (side * CELL + 2 * MARGIN for side in (self._ship.width, self._ship.height))
        document = (
            f'{_SVG} viewBox="{-MARGIN} {-MARGIN} {width} {height}">'
            f"{sheet.definitions()}{''.join(parts)}</svg>"
        )
        picture = ground.copy()
        over = pixels(document, ground.width)
        picture.paste(over, (0, 0), over)
        return picture

    def _board(self, hull: Mapping[int, int], links: Mapping[int, int]) -> Image.Image:
        """Return the board without robots. It is drawn again only if it changes."""
        state = sorted(hull.items()), sorted(links.items())
        if self._ground is None or self._ground[0] != state:
            data = board_picture(self._ship, hull=hull, links=links, looks=self._replay.looks, theme=THEME)
            image = decoded(data).convert("RGB")
            ratio = CLIP_SIDE / max(image.size)
            size = max(1, round(image.width * ratio)), max(1, round(image.height * ratio))
            self._ground = state, image.resize(size, Image.Resampling.LANCZOS)
        return self._ground[1]

    def _robot(self, sheet: Sheet, name: str, pose: Pose) -> str:
        robot = self._by_name[name]
        column, row = pose["at"]
        if pose.get("crystal"):
            return draw_crystal(sheet, self._ship, self._ship.cell(round(column), round(row)))
        shown = _Turned(
            robot.index,
            "",
            0,
            pose["heading"],
            pose["damage"],
            pose.get("virtual", False),
            pose.get("down", False),
            robot.scanner,
        )
        look = look_of(sheet, shown, self._replay.start.robots, self._replay.looks)
        dx, dy, scale, _ = pose.get("stance", (0, 0, 1, 1))
        stance = Stance((dx, dy), scale) if "stance" in pose else ALONE
        return f'<g transform="{moved(centre(column, row))}">{draw_robot(sheet, shown, look, stance)}</g>'

    def _door(self, sheet: Sheet, x: int, y: int) -> str:
        """Draw the closed doors of a launch bay."""
        at = centre(x, y)
        seam = line(f"M{number(at[0])} {number(at[1] - 11)}v22", sheet.ink.metal_dark, 1.2)
        return box(at, 24, 24, 3, sheet.ink.machine, f' stroke="{sheet.ink.metal}"') + seam

    def _phase(self, sheet: Sheet, phase: int) -> str:
        """Draw the number of the phase in the corner."""
        at = f'transform="translate({-MARGIN / 2 + 1} {-MARGIN / 2 + 1})scale(1.1)"'
        plate = circle(6.6, sheet.ink.checkpoint)
        return f"<g {at}>{plate}{line(writing(str(phase), 0, 0, 7), sheet.ink.checkpoint_ink, 1.5)}</g>"


def _between(before: Mapping[str, Pose], after: Mapping[str, Pose], share: float) -> dict[str, Pose]:
    """Return the poses of robots on their way, when ``share`` of their way is behind them."""
    return {
        name: pose if share == 1 else _on_the_way(before[name], pose, _eased(share))
        for name, pose in after.items()
    }


def _eased(share: float) -> float:
    return share * share * (3 - 2 * share)


def _on_the_way(before: Pose, after: Pose, share: float) -> Pose:
    if before == after or before["at"] is None or after["at"] is None:
        return before
    ways = zip(before["at"], after["at"], strict=True)
    pose = before | {"at": [start + (end - start) * share for start, end in ways]}
    old, new = before.get("heading"), after.get("heading")
    if old is not None and new is not None:
        pose["heading"] = old + ((new - old + 2) % 4 - 2) * share  # the shorter way round
    return pose


def _lowest_first(poses: Mapping[str, Pose]) -> list[tuple[str, Pose]]:
    """Return the robots in the order to draw them. Smaller ones lie below, as on the site's boards."""
    return sorted(
        poses.items(), key=lambda item: (item[1].get("virtual", False), (item[1]["at"] or [0, 0])[1])
    )


def _shot(sheet: Sheet, shot: Document) -> str:
    """Draw a shot, from the front of the robot that fires to the near side of its target."""
    (x1, y1), (x2, y2) = centre(*shot["from"]), centre(*shot["to"])
    dx, dy = (x2 > x1) - (x2 < x1), (y2 > y1) - (y2 < y1)
    begin, end = 9 if shot["robot"] else -9, -7 if shot["hit"] else 14
    way = (
        f"M{number(x1 + dx * begin)} {number(y1 + dy * begin)}"
        f"L{number(x2 + dx * end)} {number(y2 + dy * end)}"
    )
    return line(way, sheet.ink.laser, 2.6) + line(way, sheet.ink.spark, 0.9)


def _mark(sheet: Sheet, mark: Document) -> str:
    """Draw a mark on a cell. Its dark edge keeps it visible on every floor."""
    ink, shape = sheet.ink, SHAPES.get(mark["kind"], RING)
    colours = {"damage": ink.laser, "destroyed": ink.laser, "inspect": ink.checkpoint, "goal": ink.checkpoint}
    colour = colours.get(mark["kind"], ink.rail)
    fill = {"damage": ink.spark, "win": ink.checkpoint, "repair": "#63cd9f"}.get(mark["kind"])
    form = area(shape, fill, colour, 1.5) if fill else line(shape, colour, 3)
    return f'<g transform="{moved(centre(*mark["at"]))}">{line(shape, ink.rail_edge, 6)}{form}</g>'
