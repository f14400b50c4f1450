"""Dealing: the state is made ready for the next turn, and hands are dealt (G-3, G-7.3)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rules.chance import Chance, Seed
from rules.chips import DECK, MOVES, REGISTERS, Chip, hand_size
from rules.models import ALBOT
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
    airlocks = setup.starship.airlocks
    for robot in state.robots:
        # Turn 0 is no turn that a robot could have left its airlock in.
        robot.camped = state.turn > 0 and robot.virtual and robot.cell in airlocks
    state.turn += 1
    chance = Chance(seed, state.turn)
    for robot in state.robots:
        for register in range(REGISTERS):
            if register not in robot.locked:
                robot.registers[register] = None
    deck = _Decks(setup, state, chance)
    hands: dict[int, Hand] = {}
    for robot in state.robots:
        if not robot.alive or robot.finished or robot.crystal:
            continue
        for register in robot.locked:
            if robot.registers[register] is None:
                robot.registers[register] = deck.draw(robot)
        if not robot.down:
            hands[robot.index] = deck.hand(robot)
    return Deal(state, hands)


def can_redeal(setup: Setup, state: State, index: int) -> bool:
    """Return whether a robot may have its hand dealt anew, once this turn (GR-1.2)."""
    robot = state.robots[index]
    return robot.model == ALBOT and robot.alive and not (robot.down or state.over)


def redeal(
    setup: Setup, state: State, hands: Mapping[int, Hand], index: int, seed: Seed, count: int = 0
) -> Hand:
    """Deal a robot's hand anew (GR-1.2), from the deck less locked chips and the hands of the others.

    ``hands`` are all as they are now; ``count`` says how many were dealt anew in this turn before.
    """
    shared = setup.ruleset.shared_deck
    robots = state.robots if shared else [state.robots[index]]
    kept = _locked(robots)
    if shared:
        kept |= {chip for other, hand in hands.items() if other != index for chip in hand}
    stream = Chance(seed, state.turn).stream(f"redeal/{count}/{index}")
    return tuple(stream.shuffled(chip for chip in DECK if chip not in kept)[: len(hands[index])])


def _locked(robots: Iterable[Robot]) -> set[Chip]:
    return {chip for robot in robots for register in robot.locked if (chip := robot.registers[register])}


class _Decks:
    """One shuffled deck for all robots, or one for each, less the locked chips (G-3.3)."""

    def __init__(self, setup: Setup, state: State, chance: Chance) -> None:
        self.shared = setup.ruleset.shared_deck
        self.redeals = setup.ruleset.redeals
        self.again = 0
        self.chance = chance
        self.decks: dict[int, list[Chip]] = {}
        self.locked = _locked(state.robots)

    def draw(self, robot: Robot) -> Chip:
        return self._deck(robot).pop()

    def hand(self, robot: Robot) -> Hand:
        """Deal a hand; where the ruleset says so, anew as long as it cannot move at all (AM-1.4)."""
        deck, size = self._deck(robot), hand_size(robot.damage)
        hand = [deck.pop() for _ in range(size)]
        while hand and self.redeals and not any(chip.kind in MOVES for chip in hand):
            self.again += 1
            deck[:] = self.chance.stream(f"deck again/{self.again}").shuffled([*deck, *hand])
            if not any(chip.kind in MOVES for chip in deck):
                return tuple(deck.pop() for _ in range(size))
            hand = [deck.pop() for _ in range(size)]
        return tuple(hand)

    def _deck(self, robot: Robot) -> list[Chip]:
        key = -1 if self.shared else robot.index
        if key not in self.decks:
            kept = self.locked if self.shared else _locked([robot])
            purpose = "deck" if self.shared else f"deck/{robot.index}"
            self.decks[key] = self.chance.stream(purpose).shuffled(chip for chip in DECK if chip not in kept)
        return self.decks[key]
