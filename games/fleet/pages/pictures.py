"""Boards as pictures in a page."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Protocol

from django.utils.safestring import SafeString
from django.utils.translation import get_language

import rules
from games.kept import text_of
from games.language import WORDS
from rules.drawing import Figure, draw, portrait
from rules.drawing.bodies import LETTERS

Document = Mapping[str, Any]
Looks = Mapping[int, int]
"""Which of the eight robots one looks like, from 1, by robot index."""

PREFIX = "board"
"""What all ids of a game's board begin with: there is one such drawing in a page."""

END: Final = "</svg>"

BY_STYLE: Final[Any] = {"cell": 1, "unit": "em"}
"""The size of a board whose cells the style sheet makes as large as the reader has set."""


class Board(Protocol):
    """What is drawn of a game as its viewer sees it."""

    @property
    def robots(self) -> Sequence[Document]: ...
    @property
    def hull(self) -> Mapping[str, int]: ...
    @property
    def links(self) -> Sequence[Sequence[Sequence[int]]]: ...
    @property
    def crystal(self) -> Sequence[int] | None: ...


def board_of(ship: rules.Starship, seen: Board, *, looks: Looks, robot: str | None = None) -> SafeString:
    """Draw the board of a game as its viewer sees it; the next checkpoint of ``robot``, a name, is marked."""
    following = next((each["next"] for each in seen.robots if each["name"] == robot), None)
    links = {ship.cell(*origin): ship.cell(*to) for origin, to in seen.links}
    hull = {int(number): left for number, left in seen.hull.items()}
    stone = None if seen.crystal is None else ship.cell(*seen.crystal)
    return _in_play(ship, figures(ship, seen.robots), looks, hull, following, links, stone)


def board_at(view: rules.View, ship: rules.Starship, *, looks: Looks, robot: str | None = None) -> SafeString:
    """Draw the board of a game as it is in a view."""
    following = next((each.next for each in view.robots if each.name == robot), None)
    robots = [
        Figure(
            each.index,
            each.name,
            each.cell,
            each.heading,
            each.damage,
            each.virtual,
            each.down,
            each.scanner,
        )
        for each in view.robots
        if not each.crystal
    ]
    return _in_play(ship, robots, looks, view.hull, following, view.links, view.crystal)


def empty_board(
    ship: rules.Starship, *, theme: str = "page", cell: int | None = None, rulers: bool = False
) -> SafeString:
    """Draw a starship without robots, by the page's style sheet or with `cell` pixels a cell.

    With ``rulers``, columns and rows are numbered.
    """
    size = BY_STYLE if cell is None else {"cell": cell}
    return _kept(
        "board",
        ship.name,
        ship.fingerprint,
        theme,
        cell,
        rulers,
        get_language(),
        make=lambda: draw(ship, theme=theme, **size, rulers=rulers, words=WORDS),
    )


def staged_board(ship: rules.Starship, robots: int = 4) -> SafeString:
    """Draw a starship with robots here and there on plain hull, as in a game."""
    hull = [number for number, cell in ship.numbered() if cell.elements == ("hull",)]
    apart = max(1, len(hull) // (robots + 1))
    places = hull[apart // 2 :: apart][:robots]
    shown = [Figure(index, "", cell, heading=(index * 3 + 1) % 4) for index, cell in enumerate(places)]
    return _kept(
        "staged",
        ship.name,
        ship.fingerprint,
        robots,
        get_language(),
        make=lambda: _drawn(ship, shown, {}, None, None, {}, None),
    )


def _in_play(
    ship: rules.Starship,
    robots: Sequence[Figure],
    looks: Looks,
    hull: Mapping[int, int],
    following: int | None,
    links: Mapping[int, int],
    crystal: int | None,
) -> SafeString:
    state = (tuple(robots), *(sorted(each.items()) for each in (looks, hull, links)), following, crystal)
    return _kept(
        "game",
        ship.name,
        ship.fingerprint,
        state,
        get_language(),
        make=lambda: _drawn(ship, robots, looks, hull, following, links, crystal),
        everywhere=False,
    )


def lay_over(board: str, marks: str) -> SafeString:
    """Return the drawing of a board with ``marks``, a part of a drawing, on top."""
    return SafeString(f"{board.removesuffix(END)}{marks}{END}")


def _kept(*contents: object, make: Callable[[], str], everywhere: bool = True) -> SafeString:
    """Return a drawing by what it follows from; its end is not kept, for `lay_over`."""
    return SafeString(text_of(*contents, make=lambda: make().removesuffix(END), everywhere=everywhere) + END)


@lru_cache(maxsize=1024)
def robot_picture(look: int, *, scanner: bool = False, damage: int = 0) -> SafeString:
    """Draw the robot of a look from 1, or scanner number ``look``, as decoration beside its name."""
    return SafeString(portrait(look - 1, scanner=scanner, damage=damage, theme="page", cell=None))


def letter_of(look: int) -> str:
    """Return what the sticker of a robot says, by its look from 1.

    >>> letter_of(2)
    'B'
    """
    return LETTERS[(look - 1) % len(LETTERS)]


def figures(ship: rules.Starship, robots: Sequence[Document]) -> list[Figure]:
    """Return what can be drawn of robots as documents tell of them."""
    return [
        Figure(
            index=robot["seat"] - 1,
            name=robot["name"],
            cell=rules.OFF if robot["at"] is None else ship.cell(*robot["at"]),
            heading=None if robot["heading"] is None else rules.LETTERS.index(robot["heading"]),
            damage=robot["damage"],
            virtual=robot["virtual"],
            down=robot["down"],
            scanner=robot["scanner"],
        )
        for robot in robots
    ]


def _drawn(
    ship: rules.Starship,
    robots: Sequence[Figure],
    looks: Looks,
    hull: Mapping[int, int] | None,
    following: int | None,
    links: Mapping[int, int],
    crystal: int | None,
) -> SafeString:
    drawing = draw(
        ship,
        robots,
        hull=hull,
        next_checkpoint=following,
        links=links,
        crystal=crystal,
        looks=looks,
        theme="page",
        **BY_STYLE,
        rulers=True,
        prefix=PREFIX,
        words=WORDS,
    )
    return SafeString(drawing)
