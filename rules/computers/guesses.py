"""What the others may order: hands drawn from the chips that cannot be seen, programmed with sense."""

from collections.abc import Sequence

from rules.chance import Stream
from rules.chips import DECK, Chip, hand_size
from rules.computers import pilot
from rules.computers.task import Task
from rules.orders import Orders
from rules.programming import complete
from rules.state import Robot


class Guesses:
    """The orders that the other robots may give, guess by guess."""

    def __init__(self, task: Task) -> None:
        self.task = task
        state = task.state
        self.others = [
            robot
            for robot in state.robots
            if robot.index != task.index and robot.alive and not (robot.crystal or robot.finished)
        ]
        self._tasks = {
            robot.index: Task(task.setup, state, robot.index, (), task.seed) for robot in self.others
        }

    def guess(self, number: int) -> dict[int, Orders]:
        """Return orders of all others, the same for the same number."""
        stream = self.task.chance(f"guess/{number}")
        hands = self._hands(stream)
        return {
            index: self._orders(index, hand, f"{self.task.seed}/guess/{number}")
            for index, hand in hands.items()
        }

    def _hands(self, stream: Stream) -> dict[int, tuple[Chip, ...]]:
        """Deal hands to the others from what this robot does not see (G-3.3)."""
        shared = self.task.setup.ruleset.shared_deck
        everyone = self.task.state.robots
        kept = _locked(everyone) | set(self.task.hand)
        deck = stream.shuffled(chip for chip in DECK if chip not in kept)
        hands = {}
        for robot in self.others:
            if not shared:
                kept = _locked([robot])
                deck = stream.shuffled(chip for chip in DECK if chip not in kept)
            size = 0 if robot.down else hand_size(robot.damage)
            hands[robot.index] = tuple(deck.pop() for _ in range(min(size, len(deck))))
        return hands

    def _orders(self, index: int, hand: tuple[Chip, ...], seed: str) -> Orders:
        task = self._tasks[index]
        robot = task.robot
        if robot.scanner:
            return complete(task.setup, task.state, index, hand, None, seed) if hand else Orders()
        if robot.down:
            return task.while_off()
        return pilot.choose(task.with_hand(hand))


def _locked(robots: Sequence[Robot]) -> set[Chip]:
    return {chip for robot in robots for register in robot.locked if (chip := robot.registers[register])}
