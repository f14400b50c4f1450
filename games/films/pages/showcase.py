"""The film on the front page: one turn of two robots, resolved by the rules engine."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import starmap
from typing import Any, Final

from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

import rules
from games.films.film import Film
from games.films.selectors import replay_of_events
from games.fleet.pictures import PREFIX, SIZED_BY_STYLE, lay_over
from games.wording import WORDS
from rules import events as ev
from rules.drawing import draw
from rules.drawing.pen import centre
from rules.events import read_log
from rules.grid import Pos
from rules.scenario import SCENARIO_FORMAT, read_scenario

SCENE: Final[dict[str, Any]] = {
    "format": SCENARIO_FORMAT,
    "ruleset": "robo-runner",
    "starship": {
        "format": "starship/1",
        "rows": ["~ . . b1:E .+i1 . ~", ". . . .+wN . o .", ". h1 . . . . .", "~ . . . . . ~"],
    },
    "robots": [
        {"name": "A", "at": [1, 3], "heading": "N", "rank": 2, "chips": ["2", "R", "3", "L", "1"]},
        {"name": "B", "at": [5, 2], "heading": "W", "rank": 1, "chips": ["1", "R", "1", "1", "U"]},
    ],
}
"""Robot A drives to the checkpoint with five chips. On its way, it pushes robot B down a cooling shaft.

The robots have the letters of their pictures as names.
"""

LOOKS: Final = {0: 1, 1: 2}


@dataclass(frozen=True, slots=True)
class Showcase:
    """The film for the front page, in one language.

    ``board`` is a drawing of the push, for readers without scripts or with reduced motion. ``chips`` has the
    kinds of robot A's chips. ``document`` is the film for the script, without its drawing of the board.
    """

    board: SafeString
    chips: tuple[str, ...]
    document: dict[str, Any]


def showcase() -> Showcase:
    """Return the film for the front page in the reader's language."""
    told = gettext(
        "Robot A drives forward, turns right and drives on. It pushes robot B down a cooling shaft. Then it"
        " turns left and reaches the checkpoint."
    )
    return _made(get_language(), told)


@lru_cache(maxsize=32)
def _made(language: str | None, told: str) -> Showcase:
    scene = read_scenario(SCENE)
    ship, start = scene.setup.starship, scene.state
    # Shots that miss would only distract here. They change nothing, so the film can do without them.
    events = tuple(
        event for event in read_log(scene.run().log) if not (isinstance(event, ev.Shot) and event.hit is None)
    )
    film = Film(replay_of_events(turn=start.turn, ship=ship, start=start, events=events, looks=LOOKS))
    return Showcase(
        board=_still(ship, start, events),
        chips=tuple(event.chips[0].kind for event in events if isinstance(event, ev.Phase)),
        document={"turn": start.turn, "film": film.document, "words": [told, told], "log": "", "grid": ""},
    )


def _still(ship: rules.Starship, start: rules.State, events: tuple[rules.Event, ...]) -> SafeString:
    """Draw the moment before the push, with the way of the pushing robot and an arrow for the push."""
    number, push = next(
        (number, event)
        for number, event in enumerate(events)
        if isinstance(event, ev.Move) and event.by == "push"
    )
    way = [
        ship.pos(event.origin)
        for event in events[:number]
        if isinstance(event, ev.Move) and (event.phase, event.robot) == (push.phase, push.pusher)
    ]
    seen = rules.view(rules.fold(start, events[:number]))
    board = draw(
        ship, seen.robots, looks=LOOKS, theme="page", **SIZED_BY_STYLE, prefix=PREFIX, words=WORDS, goal=1
    )
    points = " ".join(f"{x},{y}" for x, y in starmap(centre, [*way, ship.pos(push.origin)]))
    behind = f'<polyline class="way" points="{points}"/>'
    arrow = f'<path class="way way-push" d="{_arrow(ship.pos(push.origin), ship.pos(push.to))}"/>'
    below, robots, above = board.partition('<g class="robots">')
    return lay_over(f"{below}{behind}{robots}{above}", arrow)


def _arrow(origin: Pos, to: Pos) -> str:
    """Return the path data of an arrow from the front of a cell to the middle of the next cell."""
    (x, y), (dx, dy) = centre(*to), (to[0] - origin[0], to[1] - origin[1])
    wings = ((x - 7 * dx + 6 * side * dy, y - 7 * dy + 6 * side * dx) for side in (1, -1))
    (left_x, left_y), (right_x, right_y) = wings
    return f"M{x - 18 * dx} {y - 18 * dy}L{x} {y}M{left_x} {left_y}L{x} {y}L{right_x} {right_y}"
