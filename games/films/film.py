"""Films of played turns: instants, poses, marks, sounds and captions."""

from collections.abc import Mapping, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from django.utils.translation import gettext

import rules
from games.films.instants import instants
from games.films.scenery import Grid, Moment, Scenery, moment_of
from games.films.selectors import Replay, replay_of_events
from games.films.story import cue_of, driver_of, faces_of, labels_of, marks_of, sentences_of
from games.wording import WORDS
from rules import events as ev
from rules.drawing import Drawable
from rules.drawing.robots import ALONE, Figure, Stance, drawing_order, stances
from rules.grid import AFTER, opposite
from rules.view import update_view

Document = dict[str, Any]

Pose = dict[str, Any]


FRAME_KEYS = (
    "poses",
    "shots",
    "bumps",
    "marks",
    "labels",
    "arms",
    "crushers",
    "cues",
    "acting",
    "driving",
    "faces",
    "checkpoints",
    "crew",
    "hull",
    "yours",
    "hit",
)
"""The fields of a `Frame` that its JSON document leaves out if they are empty."""


@dataclass(frozen=True, slots=True)
class Executed:
    """A chip that a robot executes. ``number`` is empty if it does not decide the move order.

    ``colour`` is the number of the robot's picture, or 0 for a scanner.
    """

    robot: str
    colour: int
    letter: str
    kind: str
    number: int | str


@dataclass(slots=True)
class Frame:
    """One instant of a film: all events of that moment, and their captions.

    ``poses`` has the robots whose pose changed. ``shots``, ``bumps``, ``marks``, ``labels``, ``arms``,
    ``crushers`` and the sounds ``cues`` belong only to this instant. ``acting`` lists the robots involved,
    and ``driving`` is the one that moves by its own chip.

    The other fields hold changes that last beyond the instant: closed launch bays (``doors``),
    ``checkpoints``, ``links``, robots in the table (``crew``), the repairs left (``hull``), and ``faces``.

    For a viewer with a robot, ``yours`` are the captions that say “you”, and ``hit`` is true if the robot is
    pushed or damaged.
    """

    index: int
    phase: int
    sentences: list[str] = field(default_factory=list)
    chips: list[Executed] = field(default_factory=list)
    poses: dict[str, Pose] = field(default_factory=dict)
    shots: list[Document] = field(default_factory=list)
    bumps: list[Document] = field(default_factory=list)
    marks: list[Document] = field(default_factory=list)
    labels: list[Document] = field(default_factory=list)
    arms: list[list[Any]] = field(default_factory=list)
    crushers: list[list[int]] = field(default_factory=list)
    cues: list[str] = field(default_factory=list)
    acting: list[str] = field(default_factory=list)
    driving: str = ""
    doors: list[list[int]] | None = None
    checkpoints: dict[int, str] = field(default_factory=dict)
    links: str | None = None
    crew: dict[str, Document] = field(default_factory=dict)
    hull: dict[int, int] = field(default_factory=dict)
    faces: dict[str, str] = field(default_factory=dict)
    yours: list[str] = field(default_factory=list)
    hit: bool = False

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
    """The instants of one phase, or those before the first phase or after the last one."""

    title: str
    phase: int
    frames: list[Frame]

    @property
    def chips(self) -> list[Executed]:
        """The chips executed in the scene, in order."""
        return [chip for frame in self.frames for chip in frame.chips]

    @property
    def captioned(self) -> list[Frame]:
        """The frames of the scene that have captions."""
        return [frame for frame in self.frames if frame.sentences]


class Film:
    """A turn, instant by instant. It is the same for all viewers, except for copies made by `shown_to`."""

    def __init__(self, replay: Replay) -> None:
        self.turn = replay.turn
        self.frames: list[Frame] = []
        self._events: list[list[rules.Event]] = []  # by frame
        self._documents: list[list[Document]] = []  # by frame
        self._replay = replay
        self._ship = replay.ship
        self._grid: Grid | None = None
        self._announced = dict(replay.announced)
        self._hull = dict(replay.start.hull)
        self._view = deepcopy(replay.start)
        self._poses = _poses(self._ship, self._view)
        self._faces: dict[str, tuple[str, int]] = {}  # by robot, with the phase
        self._closed: list[list[int]] = []
        self._moments: list[Moment] = []  # by frame
        self._crews: dict[int, list[dict[str, Document]]] = {}  # by damage limit, then by frame
        self.start = self._poses
        pairs = zip(replay.events, replay.documents, strict=True)
        for _, instant in groupby(zip(pairs, instants(replay.events), strict=True), key=lambda item: item[1]):
            self._add([pair for pair, _ in instant])
        self._open_doors()

    def shown_to(
        self, scenery: Scenery | None = None, grid: Grid | None = None, mine: int | None = None
    ) -> "Film":
        """Return a copy of the film for a viewer.

        A ``scenery`` adds the changes of the board around the robots. A ``grid`` adds the changes in the
        table of robots. The robot with index ``mine`` lies on top of others in its cell, and captions say
        “you” in place of its name.
        """
        film = copy(self)
        film.frames = [replace(frame) for frame in self.frames]
        if mine is not None:
            self._address(film.frames, mine)
            film._lift(mine)
        if grid:
            film._grid = grid
            for frame, crew in zip(film.frames, self._crew(grid.limit), strict=True):
                frame.crew = grid.opened(crew)
        if scenery:
            for frame, moment in zip(film.frames, self._moments, strict=True):
                changes = scenery.follow(moment)
                frame.checkpoints, frame.links = changes.get("checkpoints", {}), changes.get("links")
        return film

    def _lift(self, mine: int) -> None:
        """Put a robot on top of those in its cell, at the start of the film and in each frame."""
        indexes = {robot.name: robot.index for robot in self._replay.start.robots}
        name = self._replay.start.robots[mine].name
        plain, shown = self.start, _with_on_top(self.start, name, indexes)
        self.start = shown
        for frame in self.frames:
            plain, before = plain | frame.poses, shown
            shown = _with_on_top(plain, name, indexes)
            frame.poses = {each: pose for each, pose in shown.items() if pose != before[each]}

    def _address(self, frames: Sequence[Frame], mine: int) -> None:
        """Say “you” in the captions of these frames in place of a robot's name, and mark hits on it."""
        me = self._replay.start.robots[mine].name
        words = rules.ToYou(me, WORDS)
        for frame, events, documents in zip(frames, self._events, self._documents, strict=True):
            frame.hit = any(_hits(event, mine) for event in events)
            told = sentences_of(events, documents), sentences_of(events, documents, words)
            said = {sentence: to_you for sentence, to_you in zip(*told, strict=True) if sentence != to_you}
            frame.sentences = [said.get(sentence, sentence) for sentence in frame.sentences]
            frame.yours = list(said.values())

    def way_of(self, racer: str | None) -> tuple[int | None, ...]:
        """Return the number of a robot's next checkpoint at the start of the film and after each frame.

        A number is None if the robot has no next checkpoint. Robots with the same numbers need the same
        scenery.
        """
        moments = (moment_of(self._replay.start), *self._moments)
        return tuple(moment.nexts.get(racer or "") for moment in moments)

    def _crew(self, limit: int) -> list[dict[str, Document]]:
        """Return each frame's changes in the table of robots, for viewers without a robot.

        ``limit`` is the damage that destroys a robot. The result is cached for each limit.
        """
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
        """The film for the page's script: the robots' poses and statuses at the start, and all frames."""
        crew = {"crew": self._grid.start} if self._grid else {}
        return {"start": self.start, **crew, "frames": [frame.document for frame in self.frames]}

    @property
    def entering(self) -> frozenset[str]:
        """The names of the robots that come onto the board during the turn."""
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
        events, documents = [event for event, _ in pairs], [document for _, document in pairs]
        frame.labels = labels_of(self._ship, self._view, events)
        frame.driving = driver_of(self._view, events)
        frame.sentences = sentences_of(events, documents)
        frame.faces = self._make_faces(first.phase, events)
        for event, document in pairs:
            self._add_event(frame, event, document)
            update_view(self._view, event)
        poses = _poses(self._ship, self._view)
        frame.poses = {name: pose for name, pose in poses.items() if pose != self._poses[name]}
        self._poses = poses
        if isinstance(first, ev.Phase):
            frame.doors = self._closed or None
            self._announce(frame)
        frame.hull = {number: left for number, left in self._view.hull.items() if left != self._hull[number]}
        self._hull |= frame.hull
        self._add_frame(frame, pairs)

    def _make_faces(self, phase: int, events: Sequence[rules.Event]) -> dict[str, str]:
        """Return the faces that change in an instant, by robot name.

        A face stays for the rest of its phase, and for the first instant of the next phase.
        """
        begins = not self.frames or self.frames[-1].phase != phase
        before = self._faces
        made = {name: (face, phase) for event in events for name, face in faces_of(self._view, event).items()}
        lasting = {name: (face, since) for name, (face, since) in before.items() if begins or since == phase}
        self._faces = {name: face for name, face in (lasting | made).items() if face[0]}
        usual = ("", phase)
        now = {name: self._faces.get(name, usual)[0] for name in sorted(before.keys() | self._faces.keys())}
        return {name: face for name, face in now.items() if face != before.get(name, usual)[0]}

    def _announce(self, frame: Frame) -> None:
        """Add sentences to a frame about the robots that will switch off after the turn.

        Only the first frame with running programs gets these sentences.
        """
        for index, sentence in self._announced.items():
            frame.sentences.append(sentence)
            _note(frame.acting, self._view.robots[index].name)
        self._announced.clear()

    def _add_event(self, frame: Frame, event: rules.Event, document: Document) -> None:
        _note(frame.cues, cue_of(event))
        for mark in marks_of(self._ship, self._view, event):
            _note(frame.marks, mark)
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
        ranked = any(robot.rank for robot in robots)
        chips = sorted(event.chips.items(), key=lambda item: (robots[item[0]].rank, -item[1].number))
        return [
            Executed(robots[index].name, *badge_of(index), chip.kind, "" if ranked else chip.number or "")
            for index, chip in chips
        ]

    def _close_doors(self, event: rules.Event) -> None:
        """Update the doors of launch bays at the start or end of a phase.

        Doors are closed during the phases of their bay, and open otherwise (RR-3.1). If doors open at the end
        of a phase, the film gets an extra frame. If doors close at the start of a phase, the next frame shows
        it.
        """
        ends = isinstance(event, ev.Phase) or event.phase == AFTER or event.step == "bay doors open"
        if ends:
            self._open_doors()
        if isinstance(event, ev.Phase):
            bays = self._ship.bays.items()
            self._closed = [list(self._ship.pos(cell)) for cell, phases in bays if event.phase in phases]

    def _open_doors(self) -> None:
        if self._closed:
            self._add_frame(Frame(len(self.frames), self.frames[-1].phase, doors=[]), [])
            self._closed = []

    def _add_frame(self, frame: Frame, pairs: Sequence[tuple[rules.Event, Document]]) -> None:
        self.frames.append(frame)
        self._events.append([event for event, _ in pairs])
        self._documents.append([document for _, document in pairs])
        self._moments.append(moment_of(self._view))


def _hits(event: rules.Event, robot: int) -> bool:
    """Return whether an event pushes or damages a robot."""
    match event:
        case ev.Move(robot=hit, by="push") | ev.Damage(robot=hit) | ev.Destroyed(robot=hit):
            return hit == robot
    return False


def _note(noted: list[Any], value: Any) -> None:
    """Append a value to a list, unless the value is empty or the list already contains it."""
    if value and value not in noted:
        noted.append(value)


def _title(turn: int, phase: int) -> str:
    if phase == AFTER:
        return gettext("End of the turn")
    if phase:
        return gettext("Phase {phase}").format(phase=phase)
    return gettext("Headings") if turn == 0 else gettext("Before phase 1")


def _poses(ship: rules.Starship, view: rules.View) -> dict[str, Pose]:
    """Return the poses of all robots and of the power crystal by name. The crystal's pose has only its cell.

    ``stance`` is the robot's position in its cell, its scale, and the scale of its letter.
    """
    poses: dict[str, Pose] = {
        robot.name: {"at": list(ship.pos(robot.cell)) if ship.inside(robot.cell) else None, "crystal": True}
        for robot in view.robots
        if robot.crystal
    }
    visible = (robot for robot in view.robots if not robot.crystal)
    robots = sorted(visible, key=lambda robot: drawing_order(robot, None))
    for cell, group in groupby(robots, key=lambda robot: robot.cell):
        sharing: list[Drawable] = list(group)
        if not ship.inside(cell):
            poses |= {robot.name: {"at": None} for robot in sharing}
            continue
        column, row = ship.pos(cell)
        for robot, stance in zip(sharing, list(stances(sharing)), strict=True):
            pose: Pose = {"at": [column, row], "heading": robot.heading, "damage": robot.damage}
            pose |= {key: True for key in ("virtual", "down") if getattr(robot, key)}
            poses[robot.name] = _stanced(pose, stance)
    return poses


def _stanced(pose: Pose, stance: Stance) -> Pose:
    """Return a pose with another stance. A robot of full size in the middle of its cell has none."""
    plain = {key: value for key, value in pose.items() if key != "stance"}
    if stance == ALONE:
        return plain
    numbers = (*stance.shift, stance.scale, stance.letter_scale)
    return plain | {"stance": [round(number, 2) for number in numbers]}


def _with_on_top(poses: dict[str, Pose], own: str, indexes: Mapping[str, int]) -> dict[str, Pose]:
    """Return poses in which a viewer's ``own`` robot lies on top of others in its cell."""
    if "stance" not in poses[own]:
        return poses
    at, top = poses[own]["at"], indexes[own]
    sharing: list[Drawable] = [
        Figure(indexes[name], name, 0, virtual=pose.get("virtual", False))
        for name, pose in poses.items()
        if pose["at"] == at and not pose.get("crystal")
    ]
    sharing.sort(key=lambda robot: drawing_order(robot, top))
    placed = zip(sharing, list(stances(sharing, top)), strict=True)
    return poses | {robot.name: _stanced(poses[robot.name], stance) for robot, stance in placed}


def film_of_events(
    *,
    turn: int,
    ship: rules.Starship,
    start: rules.State,
    events: tuple[rules.Event, ...],
    looks: Mapping[int, int],
    mine: int | None,
    goal: int | None,
) -> tuple[Document, Film]:
    """Return the film of a turn outside of games: its document for the script, and the film for its text.

    ``looks`` are the pictures of the robots by index, ``mine`` is the index of the reader's robot or None,
    and ``goal`` is the number of the last checkpoint.
    """
    replay = replay_of_events(turn=turn, ship=ship, start=start, events=events, looks=looks)
    scenery = Scenery(replay, None if mine is None else start.robots[mine].name, goal)
    film = Film(replay).shown_to(scenery, mine=mine)
    document = {
        "turn": turn,
        "film": film.document,
        "board": scenery.board(film.entering),
        "words": scenery.words,
        "log": "",
        "grid": "",
    }
    return document, film
