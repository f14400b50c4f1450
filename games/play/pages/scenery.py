"""The layers of a board that a turn changes, as its film needs them: drawn again where they change."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import rules
from games.fleet.pictures import PREFIX
from games.play.selectors.replay import Replay
from games.wording import WORDS
from rules.drawing import CELL, Changing, Drawable, describe

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
