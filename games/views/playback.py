"""A turn as a film: what its events show, instant by instant.

The page's script moves robots from pose to pose and draws shots; what leads to which pose is worked out
here, by folding the events over the view at the turn's start.
"""

from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import rules
from games.selectors.replay import Replay
from games.views.pictures import letter_of
from rules import events as ev
from rules.drawing import Drawable
from rules.drawing.figures import stances
from rules.grid import AFTER
from rules.view import watch

Document = dict[str, Any]
Pose = dict[str, Any]

MOTIONS = (ev.Move, ev.Turn)
ONE_BY_ONE = frozenset({"chip", "push", "arm", "oil"})
"""What moves robots one after another; by anything else they move together."""


@dataclass(frozen=True, slots=True)
class Executed:
    """A chip that a robot executes in a phase; ``colour`` is that of the robot's look, 0 for a scanner.

    A pause has no ``number``: it is empty.
    """

    robot: str
    colour: int
    letter: str
    kind: str
    number: int | str


@dataclass(slots=True)
class Frame:
    """One instant: what is seen to happen at once, and what is said about it.

    ``poses`` are those of robots that it changes; ``doors`` are the launch bays closed from now on,
    where that changes; ``left`` the repairs left by checkpoint, where that changes.
    """

    index: int
    phase: int
    sentences: list[str] = field(default_factory=list)
    chips: list[Executed] = field(default_factory=list)
    poses: dict[str, Pose] = field(default_factory=dict)
    shots: list[Document] = field(default_factory=list)
    bumps: list[Document] = field(default_factory=list)
    doors: list[list[int]] | None = None
    left: dict[int, int] = field(default_factory=dict)

    @property
    def document(self) -> Document:
        """What the script needs of it."""
        document: Document = {"phase": self.phase}
        for key in ("poses", "shots", "bumps", "left"):
            if value := getattr(self, key):
                document[key] = value
        if self.doors is not None:
            document["doors"] = self.doors
        return document


@dataclass(frozen=True, slots=True)
class Part:
    """The instants of one phase, or of what comes before the first or after the last."""

    title: str
    phase: int
    frames: list[Frame]

    @property
    def chips(self) -> list[Executed]:
        """The chips executed in it, in the order of execution."""
        return [chip for frame in self.frames for chip in frame.chips]

    @property
    def told(self) -> list[Frame]:
        """The frames that something is said about."""
        return [frame for frame in self.frames if frame.sentences]


class Film:
    """A turn, instant by instant."""

    def __init__(self, replay: Replay) -> None:
        self.turn = replay.turn
        self.frames: list[Frame] = []
        self._ship = replay.ship
        self._looks = replay.looks
        self._view = deepcopy(replay.start)
        self._poses = _poses(self._ship, self._view)
        self._closed: list[list[int]] = []
        self.start = self._poses
        pairs = zip(replay.events, replay.documents, strict=True)
        for _, instant in groupby(zip(pairs, instants(replay.events), strict=True), key=lambda item: item[1]):
            self._add([pair for pair, _ in instant])

    @property
    def document(self) -> Document:
        """What the script needs: the poses at the start, and all frames."""
        return {"start": self.start, "frames": [frame.document for frame in self.frames]}

    @property
    def entering(self) -> frozenset[str]:
        """The robots that are not on the board at the start, and come onto it."""
        away = {name for name, pose in self.start.items() if pose["at"] is None}
        shown = (name for frame in self.frames for name, pose in frame.poses.items() if pose["at"])
        return frozenset(away.intersection(shown))

    @property
    def parts(self) -> list[Part]:
        """The frames, phase by phase, for reading."""
        return [
            Part(_title(self.turn, phase), phase, list(frames))
            for phase, frames in groupby(self.frames, key=lambda frame: frame.phase)
        ]

    def _add(self, pairs: Sequence[tuple[rules.Event, Document]]) -> None:
        first = pairs[0][0]
        self._close_doors(first)
        frame = Frame(len(self.frames), first.phase)
        for event, document in pairs:
            self._show(frame, event, document)
            watch(self._view, event)
            if sentence := _sentence(event, document):
                frame.sentences.append(sentence)
        poses = _poses(self._ship, self._view)
        frame.poses = {name: pose for name, pose in poses.items() if pose != self._poses[name]}
        self._poses = poses
        if isinstance(first, ev.Phase):
            frame.doors = self._closed or None
        self.frames.append(frame)

    def _show(self, frame: Frame, event: rules.Event, document: Document) -> None:
        match event:
            case ev.Phase():
                frame.chips = self._executed(event)
            case ev.Shot():
                frame.shots.append(
                    {
                        "from": document["from"],
                        "to": document["to"],
                        "robot": document.get("robot"),
                        "hit": event.hit is not None,
                        "back": event.reflected,
                    }
                )
            case ev.Blocked():
                frame.bumps.append({"robot": document["robot"], "heading": event.heading})
            case ev.Weld():
                frame.left[event.checkpoint] = event.left

    def _executed(self, event: ev.Phase) -> list[Executed]:
        # By rank; where there are none all are alike, and it goes by the chips' numbers (G-4.5).
        robots = sorted(
            (self._view.robots[index] for index in event.chips),
            key=lambda robot: (robot.rank, -event.chips[robot.index].number),
        )
        return [self._executed_by(robot, event.chips[robot.index]) for robot in robots]

    def _executed_by(self, robot: rules.RobotView, chip: rules.Chip) -> Executed:
        if robot.scanner:
            before = (other for other in self._view.robots[: robot.index] if other.scanner)
            colour, letter = 0, str(1 + sum(1 for _ in before))
        else:
            colour = self._looks[robot.index]
            letter = letter_of(colour)
        return Executed(robot.name, colour, letter, chip.kind, chip.number or "")

    def _close_doors(self, event: rules.Event) -> None:
        """Open the bays of the phase before, in a frame of their own, and close those of the one that begins.

        RR-3.1: they are closed from the start of their phase to its end.
        """
        ends = isinstance(event, ev.Phase) or event.phase == AFTER or event.step == "bay doors open"
        if ends and self._closed:
            self.frames.append(Frame(len(self.frames), self.frames[-1].phase, doors=[]))
            self._closed = []
        if isinstance(event, ev.Phase):
            bays = self._ship.bays.items()
            self._closed = [list(self._ship.pos(cell)) for cell, phases in bays if event.phase in phases]


def instants(events: Iterable[rules.Event]) -> Iterator[int]:
    """Yield for each event the number of the instant to which it belongs.

    Events of one kind and step are of one instant, unless robots act one after another: then an
    instant is one step of one robot, with those that it pushes.
    """
    number = 0
    before: tuple[object, ...] | None = None
    seen: set[int] = set()
    for event in events:
        actor = _actor(event)
        key = (event.phase, event.step, _family(event), actor)
        again = actor is not None and _robot(event) in seen
        if before is not None and (key != before or again):
            number += 1
            seen = set()
        before = key
        seen.add(_robot(event))
        yield number


def _family(event: rules.Event) -> str:
    return "motion" if isinstance(event, MOTIONS) else type(event).__name__


def _actor(event: rules.Event) -> int | None:
    """Return the robot whose turn it is, where robots act one after another."""
    match event:
        case ev.Move(robot=robot, by=by, pusher=pusher) if by in ONE_BY_ONE:
            return robot if pusher is None else pusher
        case ev.Turn(robot=robot, by="chip"):
            return robot
    return None


def _robot(event: rules.Event) -> int:
    robot: int | None = getattr(event, "robot", None)
    return -1 if robot is None else robot


def _sentence(event: rules.Event, document: Document) -> str:
    """Return what is said about an event; a phase has its title, and a shot that misses is only seen."""
    if isinstance(event, ev.Phase) or (isinstance(event, ev.Shot) and event.hit is None):
        return ""
    return rules.sentence(document)


def _title(turn: int, phase: int) -> str:
    if phase == AFTER:
        return "End of the turn"
    if phase:
        return f"Phase {phase}"
    return "Headings" if turn == 0 else "Before phase 1"


def _poses(ship: rules.Starship, view: rules.View) -> dict[str, Pose]:
    """Return how each robot is to be seen; ``stance`` is where in its cell it stands, and how large.

    The power crystal has a pose as well, which is a place alone: nothing stands beside it.
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
        for robot, stance in zip(sharing, stances(sharing), strict=True):
            pose: Pose = {"at": list(ship.pos(cell)), "heading": robot.heading, "damage": robot.damage}
            pose |= {key: True for key in ("virtual", "down") if getattr(robot, key)}
            if stance.scale != 1:
                pose["stance"] = [*(round(number, 1) for number in stance.shift), round(stance.scale, 2)]
            poses[robot.name] = pose
    return poses
