"""A robot's way through a turn, as if it were alone: single phases by the real engine, each played once.

A stand is a number here: that of what does not change from phase to phase as a rule, in which the node
(a cell times four plus a heading) makes up the lower bits. So most phases are an addition.
"""

from typing import Final

from rules.computers.alone import Alone
from rules.computers.chart import Chart, chart_of
from rules.computers.stand import Stand, placed
from rules.computers.tracks import DAMAGE, DARK, KINDS, LIVES, NODE, NOTHING, OFFSET, UNKNOWN, Row
from rules.grid import OFF
from rules.setup import Setup
from rules.state import State

PLACE: Final = {kind: place for place, kind in enumerate(KINDS)} | {"": NOTHING}
"""The place of each kind of chip in a row, and that of an empty register."""

REAL: Final = 0
VIRTUAL: Final = 1
BY_HULL: Final = 2
"""Real, on a ship whose hull is damaged."""
ODD: Final = 3
"""How a robot stands that no row is made for: off, off the board, or with the crystal about."""


class Lane:
    """The phases of one robot alone on its ship, by stands that are numbers."""

    def __init__(self, setup: Setup, state: State, index: int) -> None:
        self.alone = Alone(setup, state, index)
        self.chart: Chart = chart_of(setup, self.alone.turn.state.links)
        self.classes = self.chart.classes
        self.limit = setup.ruleset.damage_limit
        self.bits = (self.chart.nodes + OFFSET).bit_length()
        self.mask = (1 << self.bits) - 1
        self.done: list[bool] = []
        """By what stays the same: whether nothing more is executed."""
        self.manner: list[int] = []
        """By what stays the same: which rows it goes by."""
        self._rests: list[Stand] = []
        self._wins: list[bool] = []
        self._damaged: list[frozenset[int]] = []
        self._numbers: dict[Stand, int] = {}
        self._hurt: dict[tuple[int, int, bool], int] = {}
        self._known: list[dict[int, int]] = [{} for _ in self.classes]
        self._ends: tuple[dict[int, int], dict[int, int]] = {}, {}
        self._typical: tuple[dict[int, int], dict[int, int]] = {}, {}
        self.start = self.alone.start
        self.origin = self.number(self.start)

    # Stands and their numbers

    def number(self, stand: Stand) -> int:
        """Return the number of a stand."""
        rest = placed(stand, OFF, 0)
        number = self._numbers.get(rest)
        if number is None:
            number = self._numbers[rest] = len(self._rests)
            self._rests.append(rest)
            self.done.append(stand.done)
            self._wins.append(stand.won)
            self.manner.append(self._manner(stand))
            self._damaged.append(self._damaged_hull(stand))
        node = (stand.cell << 2 | stand.heading) + OFFSET
        return number << self.bits | node

    def stand(self, number: int) -> Stand:
        """Return the stand of a number."""
        node = (number & self.mask) - OFFSET
        return placed(self._rests[number >> self.bits], node >> 2, node & 3)

    def turned(self, number: int, heading: int) -> int:
        """Return the number of the same stand in another heading."""
        return number & ~3 | heading

    def _manner(self, stand: Stand) -> int:
        if stand.down or not stand.alive or self.alone.crystal:
            return ODD
        if stand.virtual:
            return VIRTUAL
        return BY_HULL if any(stand.hull) else REAL

    def won(self, number: int) -> bool:
        """Return whether the robot that stands so has won."""
        return self._wins[number >> self.bits]

    def _damaged_hull(self, stand: Stand) -> frozenset[int]:
        """Return the cells of damaged hull."""
        ship, numbers = self.alone.ship, self.alone.damaged_numbers
        left_at = zip(numbers, stand.hull, strict=True)
        return frozenset([ship.checkpoints[number] for number, left in left_at if left])

    # Phases

    def row(self, phase: int, stand: int) -> Row:
        """Return where each chip leads from a stand; what it says UNKNOWN of, `after` can tell."""
        node = stand & self.mask
        manner = self.manner[stand >> self.bits]
        if manner == ODD or node < OFFSET:
            return DARK
        if manner == REAL:
            return self.chart.rows[phase][node]
        if manner == VIRTUAL:
            return self.chart.ghost(phase, node)
        return self.chart.guarded(phase, node, self._damaged[stand >> self.bits])

    def after(self, phase: int, stand: int, place: int) -> int:
        """Return how the robot stands after a phase in which it executes the chip of a place in KINDS."""
        known = self._known[self.classes[phase]]
        key = stand << 4 | place
        found = known.get(key)
        if found is None:
            found = known[key] = self._after(phase, stand, place)
        return found

    def _after(self, phase: int, stand: int, place: int) -> int:
        to = self.row(phase, stand)[place]
        if to != UNKNOWN:
            node, damage = to & NODE, to >> DAMAGE
            rest = stand >> self.bits
            if not damage and node >= OFFSET:
                return rest << self.bits | node
            if damage + self._rests[rest].damage < self.limit:
                return self._changed(rest, damage, node < OFFSET) << self.bits | node
        return self.number(self._met(phase, stand, place))

    def _met(self, phase: int, number: int, place: int) -> Stand:
        """Return how the robot stands after a phase that meets something which is not the same for all.

        What it had suffered before makes no difference to that, as long as it survives and is not repaired.
        """
        stand, kind = self.stand(number), "" if place == NOTHING else KINDS[place]
        if self.manner[number >> self.bits] != ODD and stand.cell != OFF:
            suffered = 0 if self.chart.mends else stand.damage
            fresh = stand._replace(damage=stand.damage - suffered, lives=LIVES)
            key = self.classes[phase], place, fresh
            met = self.chart.met.get(key)
            if met is None:
                met = self.chart.met[key] = self.alone.play(phase, fresh, kind)
            if suffered + met.damage < self.limit:
                lives = max(0, stand.lives - LIVES + met.lives)
                return met._replace(damage=suffered + met.damage, lives=lives)
        return self.alone.play(phase, stand, kind)

    def _changed(self, rest: int, damage: int, lost: bool) -> int:
        """Return the number of what stays the same, after a robot was damaged, or lost."""
        key = rest, damage, lost
        if key not in self._hurt:
            before = self._rests[rest]
            after = before._replace(damage=before.damage + damage)
            if lost:
                after = after._replace(alive=False, lives=max(0, before.lives - 1))
            self._hurt[key] = self.number(after) >> self.bits
        return self._hurt[key]

    # The end of a turn

    def end(self, stand: int, *, power_down: bool = False) -> int:
        """Return how the robot stands when the next turn begins."""
        known = self._ends[power_down]
        node, after = stand & self.mask, self._typical[power_down].get(stand >> self.bits)
        if after is not None and not self.chart.ends_apart[node >> 2]:
            return after << self.bits | node
        found = known.get(stand)
        if found is None:
            found = known[stand] = self._end(stand, power_down)
        return found

    def _end(self, stand: int, power_down: bool) -> int:
        """Play the end of a turn, where it was not for a stand that it treats in the same way.

        It asks for no heading, and treats all cells alike but those that it cares for.
        """
        rest, node = self._rests[stand >> self.bits], stand & self.mask
        if rest.over or rest.won:
            return stand
        if self.alone.crystal:
            return self._played(stand, power_down)
        if node & 3:
            return self.end(stand & ~3, power_down=power_down) | node & 3
        if not rest.alive or node < OFFSET or self.chart.ends_apart[node >> 2]:
            return self._played(stand, power_down)
        number = stand >> self.bits
        known = self._typical[power_down]
        if number not in known:
            after = self._played(stand, power_down)
            if after & self.mask != node:
                return after
            known[number] = after >> self.bits
        return known[number] << self.bits | node

    def _played(self, stand: int, power_down: bool) -> int:
        return self.number(self.alone.end(self.stand(stand), power_down=power_down))
