"""What ways through a turn are worth once the next turn begins, each worked out once."""

from rules.computers.lane import Lane
from rules.computers.worth import Worth


class Prospects:
    """What it is worth to a robot, with so many lives before, to stand somewhere after phase 5."""

    def __init__(self, lane: Lane, worth: Worth, lives: int) -> None:
        self.lane, self.worth, self.lives = lane, worth, lives
        self._known: tuple[dict[int, float], dict[int, float]] = {}, {}

    def of(self, stand: int, *, power_down: bool = False) -> float:
        """Return what a stand after phase 5 is worth: by that to which the end of the turn leads."""
        known = self._known[power_down]
        found = known.get(stand)
        if found is None:
            end = self.lane.end(stand, power_down=power_down)
            found = known[stand] = self.worth.of(self.lane.stand(end), self.lives)
        return found
