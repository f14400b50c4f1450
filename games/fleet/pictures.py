"""Drawings of boards in pages, and a legend with a sentence for each element."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, Protocol

from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, gettext_lazy as _

import rules
from games.content_cache import cached_text
from games.wording import WORDS
from rules.drawing import Figure, draw, legend, portrait
from rules.drawing.robots import SILHOUETTES, STICKER_LETTERS
from rules.drawing.words import kinds_of
from rules.elements import read_cell
from rules.language import N_
from rules.rulebook import welds
from rules.setup import COMMON_ELEMENTS

# --- Drawings -----------------------------------------------------------------------------------------------


Document = Mapping[str, Any]
Looks = Mapping[int, int]
"""A mapping of each robot's index to its look: the number of the robot's picture, from 1 to 8."""

PREFIX = "board"
"""The prefix of all HTML IDs in the drawing of a game's board. A page has only one such drawing."""

END: Final = "</svg>"

SIZED_BY_STYLE: Final[Any] = {"cell": 1, "unit": "em"}
"""The options of a drawing without a fixed cell size. The style sheet sets the size that the reader chose."""


class Board(Protocol):
    """The state of a game's board, as visible to a viewer."""

    @property
    def robots(self) -> Sequence[Document]: ...
    @property
    def hull(self) -> Mapping[str, int]: ...
    @property
    def links(self) -> Sequence[Sequence[Sequence[int]]]: ...
    @property
    def crystal(self) -> Sequence[int] | None: ...


def board_of(
    ship: rules.Starship,
    seen: Board,
    *,
    looks: Looks,
    robot: str | None = None,
    own: str | None = None,
    goal: int | None = None,
) -> SafeString:
    """Draw the board of a game as a viewer sees it. Mark the next checkpoint of the robot named ``robot``.

    ``own`` is the name of the viewer's robot, which lies on top. ``goal`` is the number of the last
    checkpoint, if the game has checkpoints.
    """
    following = next((each["next"] for each in seen.robots if each["name"] == robot), None)
    links = {ship.cell(*origin): ship.cell(*to) for origin, to in seen.links}
    hull = {int(number): left for number, left in seen.hull.items()}
    stone = None if seen.crystal is None else ship.cell(*seen.crystal)
    return _in_play(ship, figures(ship, seen.robots), looks, hull, following, goal, links, stone, own)


def board_at(
    view: rules.View,
    ship: rules.Starship,
    *,
    looks: Looks,
    robot: str | None = None,
    own: str | None = None,
    goal: int | None = None,
) -> SafeString:
    """Draw the board of a game from the ``view`` that the engine gives of the game's state.

    ``robot``, ``own`` and ``goal`` have the same meaning as in `board_of`.
    """
    following = next((each.next for each in view.robots if each.name == robot), None)
    robots = [
        Figure(
            each.index, each.name, each.cell, each.heading, each.damage, each.virtual, each.down, each.scanner
        )
        for each in view.robots
        if not each.crystal
    ]
    return _in_play(ship, robots, looks, view.hull, following, goal, view.links, view.crystal, own)


def empty_board(
    ship: rules.Starship, *, theme: str = "page", cell: int | None = None, rulers: bool = False
) -> SafeString:
    """Draw a starship without robots.

    ``cell`` is the size of a cell in pixels. Without it, the style sheet sets the size. With ``rulers``,
    columns and rows have numbers.
    """
    size = SIZED_BY_STYLE if cell is None else {"cell": cell}
    return _cached(
        "board",
        ship.name,
        ship.fingerprint,
        theme,
        cell,
        rulers,
        get_language(),
        make=lambda: draw(ship, theme=theme, **size, rulers=rulers, words=WORDS),
    )


def _in_play(
    ship: rules.Starship,
    robots: Sequence[Figure],
    looks: Looks,
    hull: Mapping[int, int],
    following: int | None,
    goal: int | None,
    links: Mapping[int, int],
    crystal: int | None,
    own: str | None,
) -> SafeString:
    cells = Counter(robot.cell for robot in robots)
    top = next((robot.index for robot in robots if robot.name == own and cells[robot.cell] > 1), None)
    state = (
        tuple(robots),
        *(sorted(each.items()) for each in (looks, hull, links)),
        following,
        goal,
        crystal,
        top,
    )
    return _cached(
        "game",
        ship.name,
        ship.fingerprint,
        state,
        get_language(),
        make=lambda: _drawn(ship, robots, looks, hull, following, goal, links, crystal, top),
        everywhere=False,
    )


def lay_over(board: str, marks: str) -> SafeString:
    """Return the drawing of a board with ``marks`` on top. ``marks`` are SVG elements."""
    return SafeString(f"{board.removesuffix(END)}{marks}{END}")


def _cached(*contents: object, make: Callable[[], str], everywhere: bool = True) -> SafeString:
    """Return a drawing from the cache, or make and cache it.

    The cache stores drawings without their end tag.
    """
    return SafeString(
        cached_text(*contents, make=lambda: make().removesuffix(END), everywhere=everywhere) + END
    )


@lru_cache(maxsize=1024)
def robot_picture(look: int, *, scanner: bool = False, damage: int = 0) -> SafeString:
    """Draw a robot or a scanner as decoration.

    ``look`` is the number of the robot's picture or, if ``scanner`` is True, the number of the scanner. Both
    count from 1.
    """
    return SafeString(portrait(look - 1, scanner=scanner, damage=damage, theme="page", cell=None))


def robots_sheet() -> str:
    """Return the file ``static/site/robots.svg``, with every robot as a symbol without references."""
    symbols = "".join(
        f'<symbol id="robot-{look}" viewBox="-16 -16 32 32" fill="none" stroke-linecap="round"'
        f' stroke-linejoin="round">{_flat(robot_picture(look))}</symbol>\n'
        for look in range(1, len(SILHOUETTES) + 1)
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg">\n{symbols}</svg>\n'


def _flat(picture: str) -> str:
    """Return the contents of a picture with each `use` replaced by what it draws."""
    defined, _end, drawn = picture.partition("<defs>")[2].removesuffix(END).partition("</defs>")
    parts = dict(re.findall(r'<g id="([^"]+)">(.*?)</g>(?=<g id=|$)', defined))
    while "<use" in drawn:
        drawn = re.sub(r'<use href="#([^"]+)"([^>]*)/>', lambda use: f"<g{use[2]}>{parts[use[1]]}</g>", drawn)
    return re.sub(r' class="[^"]*"', "", drawn).replace("<g></g>", "")


def letter_of(look: int) -> str:
    """Return the letter on a robot's sticker. ``look`` is the number of the robot's picture, from 1.

    >>> letter_of(2)
    'B'
    """
    return STICKER_LETTERS[(look - 1) % len(STICKER_LETTERS)]


def figures(ship: rules.Starship, robots: Sequence[Document]) -> list[Figure]:
    """Convert robots from JSON documents to `Figure` objects, for a drawing of a board."""
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
    goal: int | None,
    links: Mapping[int, int],
    crystal: int | None,
    own: int | None = None,
) -> SafeString:
    drawing = draw(
        ship,
        robots,
        hull=hull,
        next_checkpoint=following,
        goal=goal,
        links=links,
        crystal=crystal,
        looks=looks,
        own=own,
        theme="page",
        **SIZED_BY_STYLE,
        rulers=True,
        prefix=PREFIX,
        words=WORDS,
    )
    return SafeString(drawing)


# --- Legend -------------------------------------------------------------------------------------------------


Words = str | Promise

TRANSPORTER: Final = _(
    "Beams a robot to another transporter of the same colour. Its destination stays secret until a robot"
    " has used it."
)
VISITED: Final = _("Drive onto it or over it. Reach the checkpoints in numerical order.")

MEANINGS: Final[Mapping[str, Words]] = {
    N_("Airlock"): _("Robots start here, and come back here after they are destroyed."),
    N_("Red squad airlock"): _(
        "Robots of the red squad start here, come back here, and must bring the power crystal here."
    ),
    N_("Blue squad airlock"): _(
        "Robots of the blue squad start here, come back here, and must bring the power crystal here."
    ),
    N_("Start cell"): _("The robot with this seat number starts here."),
    N_("Crystal grappler"): _("The power crystal arrives here, and destroys a robot on this cell."),
    N_("Checkpoint"): _("Be on it at the end of a phase. Reach the checkpoints in numerical order."),
    N_("Checkpoint with hull damage"): _(
        "Nothing passes it until lasers have welded it as many times as its number shows."
    ),
    N_("Rail"): _("Neither robots nor lasers can pass it."),
    N_("Slide rail"): _("A rail that is open in the phases shown."),
    N_("Power coupling"): _("A robot stopped by its rail takes 1 damage."),
    N_("Cooling shaft"): _("A robot that enters it is destroyed."),
    N_("Space"): _("A robot that enters it is destroyed."),
    N_("Launch bay"): _(
        "Its doors are closed in the phases shown. In all other phases it is a cooling shaft."
    ),
    N_("Beam of speed 1"): _("Pulls a robot one cell along in each phase, after the chips are executed."),
    N_("Beam of speed 2"): _("Pulls a robot two cells along in each phase."),
    N_("Beam of speed 3"): _("Pulls a robot three cells along in each phase."),
    N_("Beam, curve"): _("Turns a robot while pulling it around the curve."),
    N_("Beam, intersection"): _("Robots can enter from more than one side."),
    N_("Docking arm"): _("Pushes a robot away from its edge in each phase."),
    N_("Docking arm with phases"): _("Pushes a robot away from its edge in the phases shown."),
    N_("Twister, right"): _("Turns a robot a quarter turn to the right."),
    N_("Twister, left"): _("Turns a robot a quarter turn to the left."),
    N_("Twister, half turn"): _("Turns a robot around."),
    N_("Transporter, purple"): TRANSPORTER,
    N_("Transporter, red"): TRANSPORTER,
    N_("Transporter, blue"): TRANSPORTER,
    N_("Transporter, yellow"): TRANSPORTER,
    N_("Thruster"): _("Lifts a moving robot over everything. Burns a robot that stops on it."),
    N_("Repair depot"): _("Repairs damage at the end of the turn, and refills ammunition."),
    N_("Oil"): _("A robot slides to the end of the oil, and one cell further."),
    N_("Laser"): _("Shoots along its line in each phase."),
    N_("Crusher"): _("Destroys a robot on its cell in the phases shown."),
}
"""A sentence about the effect of each element. The elements are in the order in which newcomers meet them."""


BY_STEP: Final[Mapping[tuple[str, str], Words]] = {
    ("repair", "Checkpoint"): _("Repairs 1 damage at the end of the turn."),
    ("inspection", "Checkpoint"): MEANINGS["Checkpoint"],
    ("checkpoints passed", "Checkpoint"): VISITED,
    ("checkpoints counted", "Checkpoint"): VISITED,
    ("flags and repair fields", "Checkpoint"): _(
        "Be on it at the end of a phase. Reach the checkpoints in numerical order."
    ),
    ("goals", "Checkpoint"): _("Be on it at the end of a phase. The last one is the finish."),
    ("repair", "Repair depot"): _("Repairs damage at the end of the turn."),
    ("ammunition", "Repair depot"): MEANINGS["Repair depot"],
    ("repair fields", "Repair depot"): _("Repairs damage."),
}
"""Special effects of elements, by step and element. They apply in rulesets that have the step.

If several entries for an element apply, the last one counts.
"""


@dataclass(frozen=True, slots=True)
class LegendLine:
    """An element in the legend: its name, its effect and its picture."""

    name: str
    meaning: Words
    picture: SafeString
    elements: frozenset[str]


@lru_cache(maxsize=8)
def _lines(language: str | None) -> tuple[LegendLine, ...]:
    """Return the legend lines of all elements, with untranslated names."""
    entries = {entry.name: entry for entry in legend(theme="page", words=WORDS)}
    return tuple(
        LegendLine(
            name,
            meaning,
            SafeString(entries[name].picture),
            frozenset(read_cell(entries[name].token).elements),
        )
        for name, meaning in MEANINGS.items()
    )


def legend_of(ship: rules.Starship, ruleset: rules.Ruleset | None = None) -> SafeString:
    """Return the legend for the elements on a board, with their effects in a ruleset.

    Without a ruleset, the usual effects are used.
    """
    language = get_language()

    def render() -> str:
        standing = frozenset().union(*map(kinds_of, set(ship.cells)))
        return _rendered_legend([line for line in _lines(language) if line.name in standing], ruleset)

    meanings = [str(each) for each in meanings_in(ruleset).values()]
    return SafeString(cached_text("legend", ship.fingerprint, meanings, language, make=render))


def legend_for(ruleset: rules.Ruleset) -> SafeString:
    """Return the legend for all elements of a ruleset."""
    return _rendered_legend(lines_for(ruleset), ruleset)


def lines_for(ruleset: rules.Ruleset) -> list[LegendLine]:
    """Return the legend lines for all elements of a ruleset."""
    known = COMMON_ELEMENTS | ruleset.elements
    return [line for line in _lines(get_language()) if line.elements <= known]


def meanings_in(ruleset: rules.Ruleset | None) -> Mapping[str, Words]:
    """Return the effects of elements in a ruleset. Without a ruleset, return the usual effects."""
    if ruleset is None:
        return MEANINGS
    steps = {step.name for step in (*ruleset.phase, *ruleset.entering, *ruleset.end)}
    meanings = {**MEANINGS} | {element: text for (step, element), text in BY_STEP.items() if step in steps}
    meanings |= _starts_in(ruleset)
    if "crushers" not in steps:
        meanings["Crusher"] = _("Plain floor in this game: crushers are off.")
    if not welds(ruleset):
        meanings["Checkpoint with hull damage"] = meanings["Checkpoint"]
    return meanings


def _starts_in(ruleset: rules.Ruleset) -> Mapping[str, Words]:
    """Return the effects of airlocks and start cells that differ in a ruleset from the usual ones."""
    if not ruleset.start.on_board:
        plain = _("Plain floor here: robots start on checkpoint 1.")
        return {"Airlock": plain, "Start cell": plain}
    if ruleset.start.own:
        return {"Airlock": _("Robots start here if the board has no start cells.")}
    if ruleset.sets_start:
        one = _(
            "All robots start on one cell: the host’s choice, or else the first airlock or the start cell"
            " with the lowest number."
        )
        return {"Airlock": one, "Start cell": one}
    if ruleset.squads:
        plain = _("Plain floor here: each squad starts on the airlock of its colour.")
        return {"Airlock": plain, "Start cell": plain}
    return {"Start cell": _("The robot with this seat number starts here if the board has no airlock.")}


def _rendered_legend(found: list[LegendLine], ruleset: rules.Ruleset | None) -> SafeString:
    meanings = meanings_in(ruleset)
    lines = [replace(line, name=gettext(line.name), meaning=str(meanings[line.name])) for line in found]
    return render_to_string("fleet/legend.html", {"legend": lines})
