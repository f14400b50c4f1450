"""Films of played turns: instants, marks, sounds and text, cached for all viewers."""

from collections.abc import Callable, Iterable, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from typing import Any, Final, NamedTuple

from django.template.loader import render_to_string
from django.utils.translation import get_language, gettext

import rules
from games.content_cache import LRUCache
from games.films import selectors
from games.films.pages.scenery import Grid, Moment, Scenery, moment_of
from games.films.selectors import Replay
from games.play import stored
from games.play.models import Game, Turn
from games.play.selectors import played_turn
from games.wording import sentence_of
from rules import events as ev
from rules.drawing import Drawable
from rules.drawing.robots import stances
from rules.grid import AFTER, opposite
from rules.view import update_view

MOTIONS = (ev.Move, ev.Turn)
ONE_BY_ONE = frozenset({"chip", "push", "arm", "oil"})
"""Causes that move robots one after another. Other causes move them together."""


def instants(events: Iterable[rules.Event]) -> list[int]:
    """Return the number of each event's instant.

    Events of one kind and step share an instant, unless robots act one after another. Then an instant is one
    step of one robot, with the robots that it pushes.
    """
    numbers: list[int] = []
    number = 0
    before: tuple[object, ...] | None = None
    seen: set[int | None] = set()
    for event in events:
        actor, robot = _actor(event), getattr(event, "robot", None)
        family = "motion" if isinstance(event, MOTIONS) else type(event).__name__
        key = (event.phase, event.step, family, actor)
        again = actor is not None and robot in seen
        if before is not None and (key != before or again):
            number += 1
            seen = set()
        before = key
        seen.add(robot)
        numbers.append(number)
    return numbers


def _actor(event: rules.Event) -> int | None:
    """Return the acting robot if robots act one after another, else None."""
    match event:
        case ev.Move(robot=robot, by=by, pusher=pusher) if by in ONE_BY_ONE:
            return robot if pusher is None else pusher
        case ev.Turn(robot=robot, by="chip"):
            return robot
    return None


Document = dict[str, Any]

MARKED: dict[type, str] = {
    ev.Damage: "damage",
    ev.Repair: "repair",
    ev.Weld: "weld",
    ev.Inspect: "inspect",
    ev.Archive: "archive",
    ev.Destroyed: "destroyed",
    ev.Enter: "enter",
    ev.Real: "real",
    ev.Virtual: "virtual",
    ev.Power: "power",
    ev.Finish: "finish",
}
"""Events that leave a mark on a cell, with the name of the mark."""

CUES: dict[type, str] = {
    ev.Phase: "phase",
    ev.Shot: "laser",
    ev.Damage: "hit",
    ev.Destroyed: "destroyed",
    ev.Repair: "repair",
    ev.Weld: "repair",
    ev.Inspect: "inspect",
    ev.Over: "win",
}
"""The sounds of events. The sound of a move depends on its cause."""

MOVING = {"push": "push", "arm": "push", "beam": "beam", "transporter": "beam", "twister": "beam"}


def _cue_of(event: rules.Event) -> str:
    """Return the sound of an event, or an empty string."""
    if isinstance(event, (ev.Move, ev.Turn)):
        return MOVING.get(event.by, "step")
    return CUES.get(type(event), "")


def _mark_of(ship: rules.Starship, seen: rules.View, event: rules.Event) -> Document | None:
    """Return an event's mark, with its ``kind`` and its cell ``at``.

    Events off the board leave no mark.
    """
    kind = MARKED.get(type(event))
    if kind is None:
        return None
    if isinstance(event, ev.Power):
        kind = "down" if event.down else "up"
    cell = _cell(ship, seen, event)
    if cell is None or not ship.inside(cell):
        return None
    mark: Document = {"kind": kind, "at": list(ship.pos(cell))}
    if isinstance(event, ev.Destroyed):
        mark["by"] = event.by
    return mark


def _cell(ship: rules.Starship, seen: rules.View, event: rules.Event) -> int | None:
    match event:
        case ev.Weld(checkpoint=number):
            return ship.checkpoints[number]
        case ev.Destroyed(at=at) | ev.Archive(at=at) | ev.Enter(at=at):
            return at
    robot: int | None = getattr(event, "robot", None)
    return None if robot is None else seen.robots[robot].cell


Pose = dict[str, Any]


FRAME_KEYS = (
    "poses",
    "shots",
    "bumps",
    "marks",
    "arms",
    "crushers",
    "cues",
    "acting",
    "checkpoints",
    "crew",
    "hull",
)
"""Fields left out of a frame's document if empty."""


@dataclass(frozen=True, slots=True)
class Executed:
    """A chip executed by a robot. ``colour`` is the robot's look, 0 for a scanner.

    A pause has an empty ``number``.
    """

    robot: str
    colour: int
    letter: str
    kind: str
    number: int | str


@dataclass(slots=True)
class Frame:
    """One instant: all simultaneous events and their caption.

    ``poses`` has the changed robots. ``shots``, ``bumps``, ``marks``, ``arms``, ``crushers`` and the sounds
    ``cues`` belong to this instant only, and ``acting`` lists the robots involved. The other fields hold
    changes that stay: closed launch bays (``doors``), ``checkpoints``, ``links``, robots in the grid
    (``crew``), and repairs left in the ``hull``.
    """

    index: int
    phase: int
    sentences: list[str] = field(default_factory=list)
    chips: list[Executed] = field(default_factory=list)
    poses: dict[str, Pose] = field(default_factory=dict)
    shots: list[Document] = field(default_factory=list)
    bumps: list[Document] = field(default_factory=list)
    marks: list[Document] = field(default_factory=list)
    arms: list[list[Any]] = field(default_factory=list)
    crushers: list[list[int]] = field(default_factory=list)
    cues: list[str] = field(default_factory=list)
    acting: list[str] = field(default_factory=list)
    doors: list[list[int]] | None = None
    checkpoints: dict[int, str] = field(default_factory=dict)
    links: str | None = None
    crew: dict[str, Document] = field(default_factory=dict)
    hull: dict[int, int] = field(default_factory=dict)

    @property
    def document(self) -> Document:
        document: Document = {"phase": self.phase}
        for key in FRAME_KEYS:
            if value := getattr(self, key):
                document[key] = value
        for key in ("doors", "links"):
            if (value := getattr(self, key)) is not None:
                document[key] = value
        return document


@dataclass(frozen=True, slots=True)
class Scene:
    """The instants of one phase, or before the first or after the last."""

    title: str
    phase: int
    frames: list[Frame]

    @property
    def chips(self) -> list[Executed]:
        """The chips executed in it, in order."""
        return [chip for frame in self.frames for chip in frame.chips]

    @property
    def told(self) -> list[Frame]:
        """The frames with captions."""
        return [frame for frame in self.frames if frame.sentences]


class Film:
    """A turn, instant by instant, the same for all viewers."""

    def __init__(self, replay: Replay) -> None:
        self.turn = replay.turn
        self.frames: list[Frame] = []
        self._events: list[list[rules.Event]] = []  # of each frame
        self._replay = replay
        self._ship = replay.ship
        self._grid: Grid | None = None
        self._announced = dict(replay.announced)
        self._hull = dict(replay.start.hull)
        self._view = deepcopy(replay.start)
        self._poses = _poses(self._ship, self._view)
        self._closed: list[list[int]] = []
        self._moments: list[Moment] = []  # of each frame
        self._crews: dict[int, list[dict[str, Document]]] = {}  # of each frame, by the damage limit
        self.start = self._poses
        pairs = zip(replay.events, replay.documents, strict=True)
        for _, instant in groupby(zip(pairs, instants(replay.events), strict=True), key=lambda item: item[1]):
            self._add([pair for pair, _ in instant])
        self._open_doors()

    def shown_to(self, scenery: Scenery | None = None, grid: Grid | None = None) -> "Film":
        """Return a copy for a viewer.

        A ``scenery`` adds changes of the board around the robots, and a ``grid`` the state of all robots.
        """
        film = copy(self)
        film.frames = [replace(frame) for frame in self.frames]
        if grid:
            film._grid = grid
            for frame, crew in zip(film.frames, self._crew(grid.limit), strict=True):
                frame.crew = grid.opened(crew)
        if scenery:
            for frame, moment in zip(film.frames, self._moments, strict=True):
                changes = scenery.follow(moment)
                frame.checkpoints, frame.links = changes.get("checkpoints", {}), changes.get("links")
        return film

    def way_of(self, racer: str | None) -> tuple[int | None, ...]:
        """Return a robot's next checkpoint at each moment. It decides the scenery."""
        moments = (moment_of(self._replay.start), *self._moments)
        return tuple(moment.nexts.get(racer or "") for moment in moments)

    def _crew(self, limit: int) -> list[dict[str, Document]]:
        """Return each frame's changes to the grid for viewers without a robot, cached."""
        if limit not in self._crews:
            grid, view = Grid(self._replay, limit=limit), deepcopy(self._replay.start)
            crews = []
            for events in self._events:
                crew: dict[str, Document] = {}
                for event in events:
                    update_view(view, event)
                    crew |= grid.follow(view, event)
                crews.append(crew)
            self._crews[limit] = crews
        return self._crews[limit]

    @property
    def document(self) -> Document:
        """The data for the script: poses and grid at the start, and all frames."""
        crew = {"crew": self._grid.start} if self._grid else {}
        return {"start": self.start, **crew, "frames": [frame.document for frame in self.frames]}

    @property
    def entering(self) -> frozenset[str]:
        """The robots coming onto the board during the turn."""
        away = {name for name, pose in self.start.items() if pose["at"] is None}
        shown = (name for frame in self.frames for name, pose in frame.poses.items() if pose["at"])
        return frozenset(away.intersection(shown))

    @property
    def parts(self) -> list[Scene]:
        return [
            Scene(_title(self.turn, phase), phase, list(frames))
            for phase, frames in groupby(self.frames, key=lambda frame: frame.phase)
        ]

    def _add(self, pairs: Sequence[tuple[rules.Event, Document]]) -> None:
        first = pairs[0][0]
        self._close_doors(first)
        frame = Frame(len(self.frames), first.phase)
        for event, document in pairs:
            self._show(frame, event, document)
            update_view(self._view, event)
            if sentence := _sentence(event, document):
                frame.sentences.append(sentence)
        poses = _poses(self._ship, self._view)
        frame.poses = {name: pose for name, pose in poses.items() if pose != self._poses[name]}
        self._poses = poses
        if isinstance(first, ev.Phase):
            frame.doors = self._closed or None
            self._announce(frame)
        frame.hull = {number: left for number, left in self._view.hull.items() if left != self._hull[number]}
        self._hull |= frame.hull
        self._keep(frame, [event for event, _ in pairs])

    def _announce(self, frame: Frame) -> None:
        """Announce power-downs once, when programs begin to run."""
        for index, sentence in self._announced.items():
            frame.sentences.append(sentence)
            _note(frame.acting, self._view.robots[index].name)
        self._announced.clear()

    def _show(self, frame: Frame, event: rules.Event, document: Document) -> None:
        _note(frame.cues, _cue_of(event))
        _note(frame.marks, _mark_of(self._ship, self._view, event))
        for index in (getattr(event, "pusher", None), getattr(event, "robot", None)):
            if index is not None:
                _note(frame.acting, self._view.robots[index].name)
        match event:
            case ev.Move(by="arm", pusher=None):
                heading = self._ship.steps.index(event.to - event.origin)
                _note(frame.arms, [*self._ship.pos(event.origin), rules.LETTERS[opposite(heading)]])
            case ev.Destroyed(by="crusher"):
                _note(frame.crushers, list(self._ship.pos(event.at)))
            case ev.Phase():
                frame.chips = self._executed(event)
            case ev.Shot():
                frame.shots.append(
                    {
                        "from": document["from"],
                        "to": document["to"],
                        "robot": document.get("robot"),
                        "hit": event.hit is not None,
                        **({"back": True} if event.reflected else {}),
                    }
                )
            case ev.Blocked():
                frame.bumps.append({"robot": document["robot"], "heading": event.heading})

    def _executed(self, event: ev.Phase) -> list[Executed]:
        # In move order. Without ranks, all are equal, and chip numbers decide (G-4.5).
        robots, badge_of = self._view.robots, self._replay.badge_of
        chips = sorted(event.chips.items(), key=lambda item: (robots[item[0]].rank, -item[1].number))
        return [
            Executed(robots[index].name, *badge_of(index), chip.kind, chip.number or "")
            for index, chip in chips
        ]

    def _close_doors(self, event: rules.Event) -> None:
        """Open the bays of the last phase in a frame, and close the bays of the next.

        Bays are closed from the start of their phase to its end (RR-3.1).
        """
        ends = isinstance(event, ev.Phase) or event.phase == AFTER or event.step == "bay doors open"
        if ends:
            self._open_doors()
        if isinstance(event, ev.Phase):
            bays = self._ship.bays.items()
            self._closed = [list(self._ship.pos(cell)) for cell, phases in bays if event.phase in phases]

    def _open_doors(self) -> None:
        if self._closed:
            self._keep(Frame(len(self.frames), self.frames[-1].phase, doors=[]), [])
            self._closed = []

    def _keep(self, frame: Frame, events: list[rules.Event]) -> None:
        self.frames.append(frame)
        self._events.append(events)
        self._moments.append(moment_of(self._view))


def _note(noted: list[Any], value: Any) -> None:
    """Add a value to a list, unless it is empty or already there."""
    if value and value not in noted:
        noted.append(value)


def _sentence(event: rules.Event, document: Document) -> str:
    """Return the caption of an event. Phases and missed shots have none."""
    if isinstance(event, ev.Phase) or (isinstance(event, ev.Shot) and event.hit is None):
        return ""
    return sentence_of(document)


def _title(turn: int, phase: int) -> str:
    if phase == AFTER:
        return gettext("End of the turn")
    if phase:
        return gettext("Phase {phase}").format(phase=phase)
    return gettext("Headings") if turn == 0 else gettext("Before phase 1")


def _poses(ship: rules.Starship, view: rules.View) -> dict[str, Pose]:
    """Return the poses of robots and of the power crystal. The crystal only has a place.

    ``stance`` is the robot's place in its cell, its size, and the size of its letter.
    """
    poses: dict[str, Pose] = {
        robot.name: {"at": list(ship.pos(robot.cell)) if ship.inside(robot.cell) else None, "crystal": True}
        for robot in view.robots
        if robot.crystal
    }
    visible = (robot for robot in view.robots if not robot.crystal)
    robots = sorted(visible, key=lambda robot: (robot.cell, robot.virtual, robot.index))
    for cell, group in groupby(robots, key=lambda robot: robot.cell):
        sharing: list[Drawable] = list(group)
        if not ship.inside(cell):
            poses |= {robot.name: {"at": None} for robot in sharing}
            continue
        column, row = ship.pos(cell)
        for robot, stance in zip(sharing, list(stances(sharing)), strict=True):
            pose: Pose = {"at": [column, row], "heading": robot.heading, "damage": robot.damage}
            pose |= {key: True for key in ("virtual", "down") if getattr(robot, key)}
            if stance.scale != 1:
                numbers = (*stance.shift, stance.scale, stance.letter_scale)
                pose["stance"] = [round(number, 2) for number in numbers]
            poses[robot.name] = pose
    return poses


TURNS_KEPT: Final = 128
"""The maximum number of turns cached in each process."""

Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class TurnText:
    """A turn on its game's page: its number, its text, and the length of its film."""

    turn: int
    moments: int
    log: str


class StagedFilm(NamedTuple):
    """A film with the board's layers at the start, and the board in ``words``."""

    film: Film
    board: str
    words: list[str]


@dataclass
class TurnFilms:
    """A played turn in one language, the same for all viewers.

    ``copies`` are its films by viewer. ``staged_films`` are its films by the viewer's progress through the
    checkpoints. Each is made on first use.
    """

    setup: rules.Setup
    replay: Replay
    copies: dict[Any, bytes] = field(default_factory=dict)
    staged_films: dict[Key, StagedFilm] = field(default_factory=dict)

    @cached_property
    def film(self) -> Film:
        """The film, without viewer-specific parts."""
        return Film(self.replay)

    @cached_property
    def text(self) -> TurnText:
        log = render_to_string("play/log.html", {"film": self.film, "late": self.replay.late})
        return TurnText(self.film.turn, len(self.film.frames), log)

    def staged(self, racer: str | None) -> StagedFilm:
        """Return the film and the board for the player of a robot."""
        way = self.film.way_of(racer)
        if way not in self.staged_films:
            scenery = Scenery(self.replay, racer)
            film = self.film.shown_to(scenery)
            self.staged_films[way] = StagedFilm(film, scenery.board(film.entering), scenery.words)
        return self.staged_films[way]

    def copy(self, key: Any, make: Callable[[], bytes]) -> bytes:
        """Return a film, made on first use."""
        if key not in self.copies:
            self.copies[key] = make()
        return self.copies[key]


FILM_CACHE: Final = LRUCache[TurnFilms](TURNS_KEPT, lambda films: 1)


def turn_films(
    *, game: Game, number: int, turn: Turn | None = None, setup: rules.Setup | None = None
) -> TurnFilms:
    """Return a played turn, cached. Raises NotFound for any other.

    ``turn`` is that turn, and ``setup`` the game's, if they were read already. The cache key includes all
    sources, so changed names (of a deleted player, say) appear at once.
    """
    turn = turn or played_turn(game, number)
    setup = setup or stored.setup_of(game)

    def make() -> TurnFilms:
        return TurnFilms(setup, selectors.replay(game=game, number=number, turn=turn, setup=setup))

    # The cached films hold their setup, so its id stays unique.
    key = id(setup), number, bytes(turn.record or b""), tuple(stored.looks_of(game).items()), get_language()
    return FILM_CACHE.get_or_make(repr(key), make)
