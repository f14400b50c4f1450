"""PNG pictures of boards match the drawing, and are rendered only once."""

import json
import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO
from itertools import count
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
import redis
import resvg_py
from PIL import Image, ImageChops, ImageStat

import rules
from games import content_cache
from games.fleet import raster
from games.fleet.raster import WIDTH, board_picture
from rules.drawing import Figure, draw
from rules.drawing.palette import palette
from tests.games.support import WORKSHOP, YARD, Board

FLEET = Path(__file__).parents[3] / "fixtures" / "starships"

TELLS = Board("Tells", ("a1 t:red . .", ". .+i1 .+i2*2 t:red", "a2 o . .+i3"))

ENOUGH = count()


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clear the pictures that other tests have stored."""
    edition = f"{__name__}-{next(ENOUGH)}-{Path(__file__).stat().st_mtime_ns}-{id(monkeypatch)}"
    monkeypatch.setattr(content_cache, "_release_hash", lambda: edition)
    forget()


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list that records each rendering: "board" or "figure"."""
    done: list[str] = []
    pixels = raster.pixels

    def watched(svg: str, width: int) -> Image.Image:
        done.append("board" if width == WIDTH else "figure")
        return pixels(svg, width)

    monkeypatch.setattr(raster, "pixels", watched)
    return done


def forget() -> None:
    """Clear the memory caches, as in a new process."""
    raster.PIECES.clear()
    raster.PICTURES.clear()


def ship_of(board: Board) -> rules.Starship:
    return rules.read_starship(board.document)


def robots_on(ship: rules.Starship) -> list[Figure]:
    """Return eight robots in different states on a ship. Two of them share a cell."""
    cells = [number for number, _ in ship.numbered()]
    at = [cells[(3 + 7 * index) % len(cells)] for index in range(8)]
    return [
        Figure(0, "A", at[0], 0),
        Figure(1, "B", at[1], 1, damage=4),
        Figure(2, "C", at[2], 2, damage=9),
        Figure(3, "D", at[3], 3, down=True),
        Figure(4, "E", at[4], None),
        Figure(5, "F", at[5], 1, virtual=True),
        Figure(6, "G", at[5], 2, virtual=True),
        Figure(7, "1", at[6], 3, scanner=True),
    ]


def image_of(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data)).convert("RGB")


def apart(one: bytes, other: bytes) -> float:
    """Return the average difference between two pictures, from 0 to 255."""
    difference = ImageChops.difference(image_of(one), image_of(other))
    return max(ImageStat.Stat(difference).mean)


@pytest.mark.parametrize(("name", "theme"), [("08-knuckle-works", "light"), ("47-transporters", "dark")])
def test_a_picture_matches_the_drawing(name: str, theme: str) -> None:
    ship = rules.read_starship(json.loads((FLEET / f"{name}.json").read_text()))
    crystal = next(number for number, _ in ship.numbered())
    looks = {index: 8 - index for index in range(7)}
    robots = robots_on(ship)
    svg = draw(ship, robots, next_checkpoint=2, crystal=crystal, looks=looks, theme=theme)
    whole = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=WIDTH))
    made = board_picture(ship, robots=robots, following=2, crystal=crystal, looks=looks, theme=theme)
    assert image_of(made).size == image_of(whole).size
    assert apart(made, whole) < 0.8
    assert apart(made, board_picture(ship, theme=theme)) > 2 * apart(made, whole), "robots would be missed"
    assert len(made) < 0.7 * len(whole)


@pytest.mark.parametrize(
    "game",
    [
        {"following": 2},
        {"hull": {2: 1}},
        {"hull": {2: 0}},
        {"looks": {0: 5, 1: 2}},
        {"crystal": (2, 2)},
        {"links": {(1, 0): (3, 1)}},
    ],
    ids=str,
)
def test_changes_during_a_game_are_in_its_picture(game: dict[str, Any]) -> None:
    ship = ship_of(TELLS)
    if "crystal" in game:
        game = {"crystal": ship.cell(*game["crystal"])}
    if "links" in game:
        game = {"links": {ship.cell(*one): ship.cell(*other) for one, other in game["links"].items()}}
    said = {"next_checkpoint" if name == "following" else name: value for name, value in game.items()}
    svg, plain = draw(ship, theme="light", **said), draw(ship, theme="light")
    whole, without = (bytes(resvg_py.svg_to_bytes(svg_string=each, width=WIDTH)) for each in (svg, plain))
    made = board_picture(ship, **game)
    assert apart(made, whole) < apart(made, without) / 2


BUSY = [
    *("b2:NE", "g+", ".+wN", "o", "t:red", "~", ".+wN+p13N", "h2"),
    *(".+l2W+wW", ".+r135S", "d24", ".+cE+wE", "k"),
]


def busy(columns: int, rows: int) -> rules.Starship:
    """Return a large board with many elements, and hull damage in its first row."""
    cells = [BUSY[at * 7 % len(BUSY)] if at % 3 else "." for at in range(columns * rows)]
    cells[:4] = ["a1", ".+i1*2", ".", ".+i2"]
    text = [" ".join(cells[at : at + columns]) for at in range(0, columns * rows, columns)]
    return rules.read_starship({"format": "starship/1", "rows": text})


def test_a_large_stamped_board_matches_the_drawing() -> None:
    ship, theme = busy(23, 23), "dark"
    assert raster.is_large(ship)
    game: dict[str, Any] = {"hull": {1: 1}, "looks": {0: 4}}
    made = board_picture(ship, following=2, theme=theme, **game)
    svg, plain = draw(ship, next_checkpoint=2, theme=theme, **game), draw(ship, theme=theme)
    whole, without = (
        bytes(resvg_py.svg_to_bytes(svg_string=each, width=image_of(made).width)) for each in (svg, plain)
    )
    assert image_of(made).size == image_of(whole).size
    assert apart(made, whole) < 2.5
    first = (0, 0, 6 * 40, 60)
    of_game = [image_of(each).crop(first) for each in (made, whole, without)]
    near, far = (max(ImageStat.Stat(ImageChops.difference(of_game[0], each)).mean) for each in of_game[1:])
    assert near < far / 2, "checkpoints and letters are those of the game"


def pixels_of(picture: Image.Image) -> dict[object, int]:
    """Return the number of pixels of each colour."""
    return {colour: number for number, colour in picture.getcolors(1 << 20) or ()}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [(10, 3), (23, 23)], ids=["small", "large"])
def test_the_ways_of_robots_are_lines_in_their_colours(size: tuple[int, int], theme: str) -> None:
    """Eight robots and a scanner drive through the same row."""
    ship, looks, ink = busy(*size), {robot: robot + 1 for robot in range(8)}, palette(theme)
    row = [ship.cell(column, 2) for column in range(9)]
    drawn = image_of(board_picture(ship, looks=looks, tracks={n: [row[n:]] for n in range(9)}, theme=theme))
    plain = image_of(board_picture(ship, looks=looks, theme=theme))
    for colour in (*(ink.robot(look - 1) for look in looks.values()), ink.scanner):
        pixel = tuple(bytes.fromhex(colour.removeprefix("#")))
        with_ways, without = (pixels_of(each).get(pixel, 0) for each in (drawn, plain))
        assert with_ways > without + 20, colour


def test_an_element_in_many_cells_of_a_large_board_is_rendered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    pixels = raster.pixels

    def watched(svg: str, width: int) -> Image.Image:
        asked[-1] += svg.count("<use ")
        return pixels(svg, width)

    monkeypatch.setattr(raster, "pixels", watched)
    monkeypatch.setattr(raster, "draw", None)
    for rows in (26, 52):
        asked.append(0)
        board_picture(busy(26, rows))
    assert asked[0] == asked[1] < 200


@pytest.mark.parametrize(
    ("columns", "rows", "size"),
    [(12, 24, (960, 1847)), (5, 60, (283, 2878)), (100, 100, (1010, 1010)), (8, 100, (171, 1919))],
)
def test_the_size_of_a_picture_is_bounded(columns: int, rows: int, size: tuple[int, int]) -> None:
    ship = rules.read_starship({"format": "starship/1", "rows": [" ".join("." * columns)] * rows})
    assert image_of(board_picture(ship)).size == size


def test_a_reached_checkpoint_leaves_bare_hull() -> None:
    ship = ship_of(TELLS)
    svg = draw(ship, next_checkpoint=3, theme="light")
    whole = image_of(bytes(resvg_py.svg_to_bytes(svg_string=svg, width=WIDTH)))
    made = image_of(board_picture(ship, following=3))
    x, y = 2 * WIDTH // 5, WIDTH // 2  # beside the reached checkpoint, within its cell
    flat = whole.getpixel((x, y))
    assert made.getpixel((x, y)) == flat


def test_a_board_is_rendered_once(drawn: list[str]) -> None:
    ship = ship_of(YARD)
    board_picture(ship)
    assert drawn == ["board"]
    board_picture(ship, robots=[Figure(0, "A", ship.cell(1, 1))])
    board_picture(ship, robots=[Figure(0, "A", ship.cell(2, 1))])
    assert drawn == ["board", "figure"], "the robot is the same in another cell"
    board_picture(ship, robots=[Figure(0, "A", ship.cell(2, 1), heading=2)])
    assert drawn == ["board", "figure", "figure"]


def test_cells_of_a_game_are_cut_from_its_board_once(drawn: list[str]) -> None:
    ship = ship_of(WORKSHOP)
    board_picture(ship, following=1, looks={0: 3, 1: 5})
    assert drawn == ["board", "board"]
    board_picture(ship, looks={0: 3})
    board_picture(ship, looks={1: 5}, following=1)
    assert drawn == ["board", "board"], "letters and checkpoints were there before"
    board_picture(ship, looks={1: 5}, following=2)
    assert drawn == ["board", "board", "board"]


def test_names_of_boards_and_players_do_not_change_the_picture(drawn: list[str]) -> None:
    one = ship_of(YARD)
    other = ship_of(replace(YARD, name="Another yard"))
    first = board_picture(one, robots=[Figure(0, "Alice", one.cell(1, 1))])
    assert board_picture(other, robots=[Figure(0, "Bob", one.cell(1, 1))]) == first
    assert drawn == ["board", "figure"]


def test_themes_are_stored_separately() -> None:
    ship = ship_of(YARD)
    assert apart(board_picture(ship, theme="light"), board_picture(ship, theme="dark")) > 50


def test_another_process_finds_rendered_pictures(drawn: list[str]) -> None:
    ship = ship_of(WORKSHOP)
    game = {"robots": robots_on(ship), "following": 2, "looks": {0: 3}}
    first = board_picture(ship, **game)
    before = list(drawn)
    forget()
    assert board_picture(ship, **game) == first
    assert drawn == before


def test_a_release_with_another_drawing_ignores_old_pictures(
    drawn: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ship = ship_of(YARD)
    board_picture(ship)
    monkeypatch.setattr(content_cache, "_release_hash", lambda: f"{__name__}-next-{next(ENOUGH)}-{id(drawn)}")
    board_picture(ship)
    assert drawn == ["board", "board"]


class Away:
    """Stands in for a Redis that cannot be reached."""

    def mget(self, names: list[str]) -> list[bytes]:
        raise redis.ConnectionError("away")

    def pipeline(self, **options: Any) -> Any:
        raise redis.TimeoutError("away")


def test_without_redis_pictures_are_the_same(
    drawn: list[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ship = ship_of(WORKSHOP)
    game = {"robots": robots_on(ship), "following": 2, "looks": {0: 3}}
    first = board_picture(ship, **game)
    forget()
    monkeypatch.setattr(content_cache, "_client", Away)
    before = len(drawn)
    with caplog.at_level(logging.WARNING):
        assert board_picture(ship, **game) == first
    assert len(drawn) == 2 * before, "all was drawn again"
    assert "since Redis is away" in caplog.text
    raster.PICTURES.clear()
    assert board_picture(ship, **game) == first
    assert len(drawn) == 2 * before, "and the process remembers it"


@pytest.mark.parametrize("rubbish", [b"", b"\x89PNG\r\n\x1a\n cut off"])
def test_unreadable_pictures_are_rendered_again(rubbish: bytes, drawn: list[str]) -> None:
    ship = ship_of(YARD)
    first = board_picture(ship)
    client = content_cache._client()
    (name,) = raster.PIECES._things
    assert client.exists(content_cache.key_of(name))
    client.set(content_cache.key_of(name), rubbish)
    forget()
    assert board_picture(ship) == first
    assert drawn == ["board", "board"]
    forget()
    board_picture(ship)
    assert drawn == ["board", "board"], "and it is whole again"


def test_stored_pieces_expire_in_redis() -> None:
    board_picture(ship_of(YARD))
    (name,) = raster.PIECES._things
    left = content_cache._client().ttl(content_cache.key_of(name))
    assert 0 < left <= content_cache.EXPIRY.total_seconds()


def test_simultaneous_first_requests_get_the_same_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    ship = ship_of(WORKSHOP)
    together = Barrier(4)
    pixels = raster.pixels

    def all_at_once(svg: str, width: int) -> Image.Image:
        if width == WIDTH:
            together.wait(timeout=60)
        return pixels(svg, width)

    monkeypatch.setattr(raster, "pixels", all_at_once)
    with ThreadPoolExecutor(4) as pool:
        asked = [
            pool.submit(board_picture, ship, robots=robots_on(ship), following=1, looks={0: look})
            for look in range(1, 5)
        ]
        made = [each.result() for each in asked]
    monkeypatch.setattr(raster, "pixels", pixels)
    forget()
    for look, first in enumerate(made, start=1):
        assert board_picture(ship, robots=robots_on(ship), following=1, looks={0: look}) == first


class TestMemory:
    """The cache of pictures in a process's memory."""

    @pytest.fixture
    def memory(self) -> Iterator[content_cache.LRUCache[bytes]]:
        yield content_cache.LRUCache(10, len)

    def test_the_least_recently_used_entry_is_dropped(self, memory: content_cache.LRUCache[bytes]) -> None:
        memory.put({"one": b"1111", "two": b"2222"})
        memory.get(["one"])
        memory.put({"three": b"333"})
        assert memory.get(["one", "two", "three"]) == {"one": b"1111", "three": b"333"}

    def test_replacing_an_entry_counts_once(self, memory: content_cache.LRUCache[bytes]) -> None:
        memory.put({"one": b"1111"})
        memory.put({"one": b"11111"})
        memory.put({"two": b"22222"})
        assert set(memory.get(["one", "two"])) == {"one", "two"}

    def test_an_oversized_entry_replaces_all_others(self, memory: content_cache.LRUCache[bytes]) -> None:
        memory.put({"one": b"1111"})
        memory.put({"large": b"1" * 20})
        assert set(memory.get(["one", "large"])) == {"large"}
        memory.put({"one": b"1111"})
        assert set(memory.get(["one", "large"])) == {"one"}
