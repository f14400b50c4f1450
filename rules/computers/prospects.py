"""What ways through a turn are worth once the next turn begins, each worked out once."""

from rules.computers.chart import NEVER
from rules.computers.lane import Lane
from rules.computers.tracks import OFFSET
from rules.computers.worth import Aim, Worth


class Prospects:
    """What it is worth to a robot, with so many lives before, to stand somewhere after phase 5."""

    def __init__(self, lane: Lane, worth: Worth, lives: int) -> None:
        self.lane, self.worth, self.lives = lane, worth, lives
        self._known: tuple[dict[int, float], dict[int, float]] = {}, {}
        self._aims: dict[int, Aim | None] = {}

    def of(self, stand: int, *, power_down: bool = False) -> float:
        """Return what a stand after phase 5 is worth: by that to which the end of the turn leads."""
        known = self._known[power_down]
        found = known.get(stand)
        if found is None:
            found = known[stand] = self._between(self.lane.end(stand, power_down=power_down))
        return found

    def _between(self, end: int) -> float:
        """Return what it is worth to stand so between two turns."""
        lane, aims = self.lane, self._aims
        number, node = end >> lane.bits, (end & lane.mask) - OFFSET
        if number not in aims:
            aims[number] = self.worth.aim(lane.stand(end), self.lives)
        aim = aims[number]
        if aim is not None and node >= 0:
            way = float(aim.ways[node])
            if way < NEVER:
                return self.worth.along(aim, way)
        return self.worth.of(lane.stand(end), self.lives)
