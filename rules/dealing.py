"""Dealing: the state is made ready for the next turn, and hands are dealt (G-3, G-7.3)."""

from collections.abc import Iterable
from dataclasses import dataclass

from rules.chance import Chance, Seed
from rules.chips import DECK, REGISTERS, Chip, hand_size
from rules.ruleset import Setup
from rules.state import Robot, State

Hand = tuple[Chip, ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """The state of the turn to be programmed, and the hands by robot: none for one that is down or out."""

    state: State
    hands: dict[int, Hand]


def deal(setup: Setup, state: State, seed: Seed) -> Deal:
    """Begin the next turn: clear unlocked registers, fill locked ones that are empty, deal hands."""
    state = state.copy()
    state.turn += 1
    chance = Chance(seed, state.turn)
    for robot in state.robots:
        for register in range(REGISTERS):
            if register not in robot.locked:
                robot.registers[register] = None
    deck = _Decks(setup, state, chance)
    hands: dict[int, Hand] = {}
    for robot in state.robots:
        if not robot.alive:
            continue
        for register in robot.locked:
            if robot.registers[register] is None:
                robot.registers[register] = deck.draw(robot)
        if not robot.down:
            hands[robot.index] = tuple(deck.draw(robot) for _ in range(hand_size(robot.damage)))
    return Deal(state, hands)


def _locked(robots: Iterable[Robot]) -> set[Chip]:
    return {chip for robot in robots for register in robot.locked if (chip := robot.registers[register])}


class _Decks:
    """One shuffled deck for all robots, or one for each, less the locked chips (G-3.3)."""

    def __init__(self, setup: Setup, state: State, chance: Chance) -> None:
        self.shared = setup.ruleset.shared_deck
        self.chance = chance
        self.decks: dict[int, list[Chip]] = {}
        self.locked = _locked(state.robots)

    def draw(self, robot: Robot) -> Chip:
        key = -1 if self.shared else robot.index
        if key not in self.decks:
            kept = self.locked if self.shared else _locked([robot])
            purpose = "deck" if self.shared else f"deck/{robot.index}"
            self.decks[key] = self.chance.stream(purpose).shuffled(chip for chip in DECK if chip not in kept)
        return self.decks[key].pop()
