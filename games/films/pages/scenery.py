"""What a film shows around its robots: layers of the board, and the table of all robots."""

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
    """One robot: who it is, and the chips of its registers, as far as they were ever seen.

    ``colour`` is that of the robot's look, 0 for a scanner. One that sleeps or is out has no program.
    """

    name: str
    colour: int
    letter: str
    mine: bool
    chips: Chips
    program: bool
    status: Status


class Grid:
    """Follows a turn, and says what each instant changes in the grid.

    ``limit`` is the damage that destroys, and ``mine`` the index of the viewer's robot: its program is open
    from the start, as locked registers are. All others open phase by phase. Lives are spares where robots
    ``pay`` one to come back.
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
        """The robots as they are at the start: players', then scanners."""
        return [self._row(robot) for robot in self._robots(self._replay.start)]

    @property
    def programs(self) -> bool:
        """Whether any robot has a program: none has while headings are chosen."""
        return bool(self._executed)

    def opened(self, crew: Mapping[str, Status]) -> dict[str, Status]:
        """Return how robots are for the viewer, of how they are for all: their own program stays open.

        It holds all that their robot executes.
        """
        if self._own is None or self._own not in crew:
            return dict(crew)
        return {**crew, self._own: {**crew[self._own], "open": self.start[self._own]["open"]}}

    def follow(self, seen: rules.View, event: rules.Event) -> dict[str, Status]:
        """Return who is otherwise after an event, with all that is shown of them."""
        if isinstance(event, ev.Phase):
            self._open |= {(index, event.phase - 1) for index in event.chips}
        elif isinstance(event, ev.Destroyed):
            self._lost.add(event.robot)
        before, self._now = self._now, self._statuses(seen)
        return {name: status for name, status in self._now.items() if status != before[name]}

    def _robots(self, seen: rules.View) -> list[rules.RobotView]:
        robots = [robot for robot in seen.robots if not robot.crystal]
        return sorted(robots, key=lambda robot: (robot.scanner, robot.index))

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
        """Say in a word how a robot is; one that was destroyed is lost for the rest of the turn."""
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
        """Return what its registers hold: what it executes, and what the viewer knows besides."""
        program = self._replay.programs.get(robot.index, ()) if robot.index == self._mine else ()
        known = [*program, *[None] * (REGISTERS - len(program))]
        for register in robot.locked if robot.alive else ():
            known[register] = known[register] or robot.registers[register]
        return tuple(
            self._executed.get((robot.index, register)) or known[register] for register in range(REGISTERS)
        )


def _executed(replay: Replay) -> Iterator[tuple[tuple[int, int], rules.Chip]]:
    """Yield what each robot executes, by its index and the register's."""
    for event in replay.events:
        if isinstance(event, ev.Phase):
            for index, chip in event.chips.items():
                yield (index, event.phase - 1), chip


Document = dict[str, Any]


class Moment(NamedTuple):
    """What scenery is drawn from: repairs left, links that were used, each robot’s next checkpoint."""

    hull: dict[int, int]
    links: dict[int, int]
    nexts: dict[str, int | None]


def moment_of(seen: rules.View) -> Moment:
    return Moment(dict(seen.hull), dict(seen.links), {robot.name: robot.next for robot in seen.robots})


class Scenery:
    """What surrounds the robots of a film: checkpoints, transporter links, the power crystal.

    The next checkpoint of ``racer`` (a robot's name) stands out.
    """

    def __init__(self, replay: Replay, racer: str | None = None) -> None:
        self._ship = replay.ship
        self._start = replay.start
        self._racer = racer
        self._first = replay.ship.cell(0, 0)
        self._drawing = Changing(replay.ship, looks=replay.looks, theme="page", prefix=PREFIX)
        start = moment_of(replay.start)
        self._last_shown = self._shown(start)
        self._checkpoints = self._first_checkpoints = self._checkpoints_in(start)
        self._links = self._first_links = self._drawing.links(replay.start.links)
        self._words = self._words_for(replay.start)
        self._last_words = self._words_for(replay.end)

    def follow(self, seen: Moment) -> Document:
        """Return what has changed since it was last asked: ``checkpoints`` by number, and ``links``."""
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
        """The board in words, at the start of the turn and at its end."""
        return [self._words, self._last_words]

    def board(self, entering: Collection[str]) -> str:
        """Draw these layers as they are at the turn's start, as an SVG document.

        Robots that are ``entering`` stand in the first cell: they are for the film to place. It has the
        definitions of all that was followed so far.
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
        """Return what checkpoints and links are drawn from: most instants change nothing of it."""
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
