"""The surroundings of the robots in a film: the changing parts of the board, and the table of robots."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import rules
from games.films.selectors import Replay
from games.fleet.pictures import PREFIX
from games.wording import WORDS
from rules import events as ev
from rules.drawing import CELL, Changing, Drawable, describe
from rules.orders import REGISTERS

Status = dict[str, Any]
Chips = tuple[rules.Chip | None, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A robot in the table of robots.

    ``chips`` are the chips in its registers, with None for a chip that the viewer never sees. ``colour`` is
    the number of the robot's picture, or 0 for a scanner. ``program`` is False if the robot is off or out of
    the game.
    """

    name: str
    colour: int
    letter: str
    mine: bool
    chips: Chips
    program: bool
    status: Status


class Grid:
    """Follows the events of a turn, and returns the changes in the table of robots after each event.

    ``limit`` is the damage that destroys a robot. ``mine`` is the index of the viewer's robot, or None. The
    program of the viewer's robot, and the locked registers of all robots, are face up from the start. Other
    registers are turned face up in their phase. ``pays`` means that robots pay a life to come back, and that
    the table shows only spare lives.
    """

    def __init__(self, replay: Replay, *, limit: int, mine: int | None = None) -> None:
        self.limit = limit
        self.hull = any(replay.start.hull.values())
        self.pays = any(robot.pays for robot in replay.start.robots)
        self._replay = replay
        self._mine = mine
        self._executed = dict(_executed(replay))
        self._open: set[tuple[int, int]] = set()
        self._lost: set[int] = set()
        for robot in replay.start.robots:
            own = robot.index == mine
            locked = robot.locked if robot.alive else ()
            self._open |= {
                (robot.index, register)
                for register, chip in enumerate(self._chips(robot))
                if chip and (own or register in locked)
            }
        self._now = self.start = self._statuses(replay.start)
        self._own = next((robot.name for robot in replay.start.robots if robot.index == mine), None)

    @property
    def rows(self) -> list[Row]:
        """The robots at the start of the turn: players' robots, then scanners, the viewer's robot last."""
        return [self._row(robot) for robot in self._robots(self._replay.start)]

    @property
    def programs(self) -> bool:
        """Whether any robot has a program. In turn 0, none has."""
        return bool(self._executed)

    def opened(self, crew: Mapping[str, Status]) -> dict[str, Status]:
        """Return changes in the table of robots as the viewer sees them.

        ``crew`` has the changes that all viewers see. For the viewer's own robot, all registers stay face up.
        """
        if self._own is None or self._own not in crew:
            return dict(crew)
        return {**crew, self._own: {**crew[self._own], "open": self.start[self._own]["open"]}}

    def follow(self, seen: rules.View, event: rules.Event) -> dict[str, Status]:
        """Return the statuses that an event has changed, by robot name.

        ``seen`` is the view after the event.
        """
        if isinstance(event, ev.Phase):
            self._open |= {(index, event.phase - 1) for index in event.chips}
        elif isinstance(event, ev.Destroyed):
            self._lost.add(event.robot)
        before, self._now = self._now, self._statuses(seen)
        return {name: status for name, status in self._now.items() if status != before[name]}

    def _robots(self, seen: rules.View) -> list[rules.RobotView]:
        robots = [robot for robot in seen.robots if not robot.crystal]
        return sorted(robots, key=lambda robot: (robot.index == self._mine, robot.scanner, robot.index))

    def _statuses(self, seen: rules.View) -> dict[str, Status]:
        return {robot.name: self._status(robot) for robot in self._robots(seen)}

    def _status(self, robot: rules.RobotView) -> Status:
        return {
            "health": max(0, self.limit - robot.damage) if robot.alive else 0,
            "lives": None if robot.scanner else robot.shown_lives,
            "open": [number + 1 for number in range(REGISTERS) if (robot.index, number) in self._open],
            "locked": [number + 1 for number in robot.locked] if robot.alive else [],
            "state": self._state(robot),
        }

    def _state(self, robot: rules.RobotView) -> str:
        """Return the robot's state: "out", "lost", "down", or an empty string for none of these.

        A robot that was destroyed stays "lost" for the rest of the turn.
        """
        if robot.out:
            return "out"
        if robot.index in self._lost or not robot.alive:
            return "lost"
        return "down" if robot.down else ""

    def _row(self, robot: rules.RobotView) -> Row:
        colour, letter = self._replay.badge_of(robot.index)
        return Row(
            name=robot.name,
            colour=colour,
            letter=letter,
            mine=robot.index == self._mine,
            chips=self._chips(robot),
            program=any(index == robot.index for index, _ in self._executed),
            status=self.start[robot.name],
        )

    def _chips(self, robot: rules.RobotView) -> Chips:
        """Return the chips in a robot's registers.

        A chip is None if it was not executed and the viewer does not know it.
        """
        program = self._replay.programs.get(robot.index, ()) if robot.index == self._mine else ()
        known = [*program, *[None] * (REGISTERS - len(program))]
        for register in robot.locked if robot.alive else ():
            known[register] = known[register] or robot.registers[register]
        return tuple(
            self._executed.get((robot.index, register)) or known[register] for register in range(REGISTERS)
        )


def _executed(replay: Replay) -> Iterator[tuple[tuple[int, int], rules.Chip]]:
    """Yield the chips that were executed, each with its robot's index and its register."""
    for event in replay.events:
        if isinstance(event, ev.Phase):
            for index, chip in event.chips.items():
                yield (index, event.phase - 1), chip


Document = dict[str, Any]


class Moment(NamedTuple):
    """The data that decides the scenery: repairs left, used transporter links, and next checkpoints."""

    hull: dict[int, int]
    links: dict[int, int]
    nexts: dict[str, int | None]


def moment_of(seen: rules.View) -> Moment:
    return Moment(dict(seen.hull), dict(seen.links), {robot.name: robot.next for robot in seen.robots})


class Scenery:
    """The parts of the board that change during a film: checkpoints, transporter links and the power crystal.

    ``racer`` is the name of the viewer's robot, if it has one. That robot's next checkpoint is highlighted.
    ``goal`` is the number of the last checkpoint, if the game has checkpoints.
    """

    def __init__(self, replay: Replay, racer: str | None = None, goal: int | None = None) -> None:
        self._ship = replay.ship
        self._start = replay.start
        self._racer = racer
        self._first = replay.ship.cell(0, 0)
        self._drawing = Changing(replay.ship, looks=replay.looks, theme="page", prefix=PREFIX, goal=goal)
        start = moment_of(replay.start)
        self._last_shown = self._shown(start)
        self._checkpoints = self._first_checkpoints = self._checkpoints_in(start)
        self._links = self._first_links = self._drawing.links(replay.start.links)
        self._words = self._words_for(replay.start)
        self._last_words = self._words_for(replay.end)

    def follow(self, seen: Moment) -> Document:
        """Return the changes since the last call: ``checkpoints`` by number, and ``links``, as SVG."""
        changes: Document = {}
        if (shown := self._shown(seen)) == self._last_shown:
            return changes
        self._last_shown = shown
        checkpoints, links = self._checkpoints_in(seen), self._drawing.links(seen.links)
        if changed := {
            number: drawn for number, drawn in checkpoints.items() if drawn != self._checkpoints[number]
        }:
            changes["checkpoints"] = changed
        if links != self._links:
            changes["links"] = links
        self._checkpoints, self._links = checkpoints, links
        return changes

    @property
    def words(self) -> list[str]:
        """Descriptions of the board at the start and at the end of the turn."""
        return [self._words, self._last_words]

    def board(self, entering: Collection[str]) -> str:
        """Draw the scenery at the start of the turn, as an SVG document.

        Robots that are ``entering`` are drawn in the first cell. The film moves them from there. The document
        contains the SVG definitions for itself and for the drawings that `follow` has returned.
        """
        layers = (
            self._first_links
            + f'<g class="checkpoints">{"".join(self._first_checkpoints.values())}</g>'
            + "".join(self._crystals(entering))
            + self._drawing.robots(self._robots(entering))
        )
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" class="starship starship-page"'
            f' viewBox="0 0 {self._ship.width * CELL} {self._ship.height * CELL}">'
            f"{self._drawing.definitions}{layers}</svg>"
        )

    def _shown(self, seen: Moment) -> tuple[object, ...]:
        """Return the data that decides how checkpoints and transporter links look. It rarely changes."""
        return seen.hull, seen.links, self._following(seen)

    def _checkpoints_in(self, seen: Moment) -> dict[int, str]:
        return self._drawing.checkpoints(seen.hull, self._following(seen))

    def _following(self, seen: Moment) -> int | None:
        return seen.nexts.get(self._racer or "")

    def _words_for(self, seen: rules.View) -> str:
        robots = [robot for robot in seen.robots if not robot.crystal]
        return describe(self._ship, robots, seen.hull, self._following(moment_of(seen)), WORDS)

    def _crystals(self, entering: Collection[str]) -> Iterator[str]:
        for robot in self._start.robots:
            if robot.crystal:
                yield self._drawing.crystal(self._first if robot.name in entering else robot.cell)

    def _robots(self, entering: Collection[str]) -> list[Drawable]:
        return [
            replace(robot, cell=self._first) if robot.name in entering else robot
            for robot in self._start.robots
            if not robot.crystal
        ]
