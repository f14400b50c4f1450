"""Prepare a state for the next turn, and deal hands (G-3, G-7.3)."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from rules.chance import Chance, Seed, Stream
from rules.orders import DECK, MOVES, REGISTERS, Chip, hand_size
from rules.setup import Setup
from rules.state import ALBOT, Robot, State

Hand = tuple[Chip, ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """A state ready for programming, and the hands by robot index.

    Robots that are off or out have no hand. If a player may keep a robot switched off for another turn, the
    robot gets its hand from `switch_on`. ``aside`` has the hands that robots put aside publicly during the
    deal, in order (AM-1.2, AM-1.4).
    """

    state: State
    hands: dict[int, Hand]
    aside: dict[int, list[Hand]] = field(default_factory=dict)


def deal(setup: Setup, state: State, seed: Seed) -> Deal:
    """Begin the next turn: clear the unlocked registers, fill empty locked registers, and deal hands."""
    state = state.copy()
    airlocks = setup.starship.airlocks
    for robot in state.robots:
        # Robots cannot leave their airlocks in turn 0, so turn 0 does not count as camping. A position, which
        # is in turn 0 too, says which robots camped before it.
        robot.camped = (state.turn > 0 or robot.camped) and robot.virtual and robot.cell in airlocks
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
        if robot.was_down and not setup.ruleset.deals_before_staying_off:
            continue
        for register in robot.locked:
            if robot.registers[register] is None:
                robot.registers[register] = deck.draw(robot)
        if not robot.down:
            hands[robot.index] = deck.hand(robot)
    return Deal(state, hands, deck.aside)


def switch_on(
    setup: Setup, state: State, hands: Mapping[int, Hand], index: int, seed: Seed, count: int = 0
) -> tuple[State, Hand]:
    """Deal a hand to a robot after its player switches it on (AM-5.2, FA-5).

    First fills the robot's empty locked registers (G-7.3). Returns the state with these registers, and the
    hand. ``hands`` has the current hands of all robots. ``count`` is the number of earlier redraws and
    switch-ons in this turn.
    """
    state = state.copy()
    robot = state.robots[index]
    deck = _rest(setup, state, hands, index, Chance(seed, state.turn).stream(f"switch on/{count}/{index}"))
    for register in robot.locked:
        if robot.registers[register] is None:
            robot.registers[register] = deck.pop()
    return state, tuple(deck.pop() for _ in range(hand_size(robot.damage)))


def can_redeal(setup: Setup, state: State, index: int, hand: Hand, times: int = 0) -> bool:
    """Return whether a robot may redraw its hand, after ``times`` earlier redraws in this turn.

    Albot may redraw once a turn (GR-1.2). Any robot may redraw a hand that can be put aside (AM-1.4).
    """
    robot = state.robots[index]
    if not robot.alive or robot.down or state.over:
        return False
    return is_set_aside(setup, hand) or (robot.model == ALBOT and times == 0)


def is_set_aside(setup: Setup, hand: Hand) -> bool:
    """Return whether a player may put this hand aside, because it has only turning chips (AM-1.4)."""
    return setup.ruleset.sets_aside and bool(hand) and not _moves(hand)


def redeal(
    setup: Setup, state: State, hands: Mapping[int, Hand], index: int, seed: Seed, count: int = 0
) -> Hand:
    """Deal a robot another hand with the same number of chips.

    The deck excludes locked chips. A shared deck also excludes the other robots' hands. Albot's old hand
    returns to the deck (GR-1.2), but chips that are put aside do not (AM-1.4). ``hands`` has the current
    hands of all robots. ``count`` is the number of earlier redraws and switch-ons in this turn.
    """
    stream = Chance(seed, state.turn).stream(f"redeal/{count}/{index}")
    aside = hands[index] if setup.ruleset.sets_aside else ()
    return tuple(_rest(setup, state, hands, index, stream, aside)[: len(hands[index])])


def _rest(
    setup: Setup,
    state: State,
    hands: Mapping[int, Hand],
    index: int,
    stream: Stream,
    aside: Collection[Chip] = (),
) -> list[Chip]:
    """Return a robot's shuffled deck, without locked chips and chips put aside.

    A shared deck also excludes the chips in other robots' hands.
    """
    shared = setup.ruleset.shared_deck
    kept = _locked(state.robots if shared else [state.robots[index]]) | set(aside)
    if shared:
        kept |= {chip for other, hand in hands.items() if other != index for chip in hand}
    return stream.shuffled(chip for chip in DECK if chip not in kept)


def drawn_in_order(setup: Setup, dealt: Deal, robots: Iterable[int], seed: Seed) -> Deal:
    """Return the deal after these robots draw hands, one after another.

    A robot with a hand redraws it. A robot without a hand is switched on.
    """
    state, hands = dealt.state, dict(dealt.hands)
    for count, index in enumerate(robots):
        if index in hands:
            hands[index] = redeal(setup, state, hands, index, seed, count)
        else:
            state, hands[index] = switch_on(setup, state, hands, index, seed, count)
    return Deal(state, hands, dealt.aside)


def redeal_while_turning(
    setup: Setup, state: State, hands: Mapping[int, Hand], index: int, seed: Seed, count: int = 0
) -> list[Hand]:
    """Return the hands that a robot draws if it puts aside every hand without a move chip (AM-1.4).

    Computers and standing orders always do so. The last of these hands is used to program the robot. Drawing
    stops when the deck has no more move chips.
    """
    hands = dict(hands)
    drawn: list[Hand] = []
    elsewhere = {chip for other, hand in hands.items() if other != index for chip in hand}
    held = _locked(state.robots) | elsewhere if setup.ruleset.shared_deck else _locked([state.robots[index]])
    while is_set_aside(setup, hands.get(index, ())) and _moves(chip for chip in DECK if chip not in held):
        hands[index] = redeal(setup, state, hands, index, seed, count + len(drawn))
        drawn.append(hands[index])
    return drawn


def _moves(chips: Iterable[Chip]) -> bool:
    return any(chip.kind in MOVES for chip in chips)


def _locked(robots: Iterable[Robot]) -> set[Chip]:
    return {chip for robot in robots for register in robot.locked if (chip := robot.registers[register])}


class _Deck:
    """A deck, shuffled only as far as chips are drawn, because most chips are never drawn.

    The chips come in the same order as from a completely shuffled deck.
    """

    def __init__(self, stream: Stream, chips: Iterable[Chip]) -> None:
        self.chips = list(chips)
        self.stream: Stream | None = stream

    def pop(self) -> Chip:
        if self.stream is not None:
            self.stream.draw_last(self.chips)
        return self.chips.pop()

    def shuffled(self) -> list[Chip]:
        """Return the remaining chips. The next chip to draw is the last of the list."""
        if self.stream is not None:
            self.chips, self.stream = self.stream.shuffled(self.chips), None
        return self.chips


class _Decks:
    """The decks of one turn, without locked chips: a deck for all robots, or one for each robot (G-3.3)."""

    def __init__(self, setup: Setup, state: State, chance: Chance) -> None:
        self.shared = setup.ruleset.shared_deck
        rules = setup.ruleset
        self.redeals = rules.redeals or (rules.sets_aside and state.turn == 1)
        self.shows = rules.sets_aside
        self.aside: dict[int, list[Hand]] = {}
        self.again = 0
        self.chance = chance
        self.decks: dict[int, _Deck] = {}
        self.locked = _locked(state.robots)

    def draw(self, robot: Robot) -> Chip:
        return self._deck(robot).pop()

    def hand(self, robot: Robot) -> Hand:
        """Deal a hand to a robot. Some rulesets replace a hand that has no move chip (AM-1.2)."""
        deck, size = self._deck(robot), hand_size(robot.damage)
        hand = [deck.pop() for _ in range(size)]
        aside: list[Chip] = []
        while hand and self.redeals and not _moves(hand):
            self.again += 1
            if self.shows:
                self.aside.setdefault(robot.index, []).append(tuple(hand))
            if self.shows and len(deck.chips) >= size and _moves(deck.chips):
                aside += hand  # the next hand gets other chips (AM-1.4)
            else:
                stream = self.chance.stream(f"deck again/{self.again}")
                deck.chips = stream.shuffled([*deck.shuffled(), *hand])
            hopeless = not _moves(deck.chips)
            hand = [deck.pop() for _ in range(size)]
            if hopeless:
                break
        if aside:
            deck.chips = [*aside, *deck.shuffled()]
        return tuple(hand)

    def _deck(self, robot: Robot) -> _Deck:
        key = -1 if self.shared else robot.index
        if key not in self.decks:
            kept = self.locked if self.shared else _locked([robot])
            purpose = "deck" if self.shared else f"deck/{robot.index}"
            self.decks[key] = _Deck(self.chance.stream(purpose), (chip for chip in DECK if chip not in kept))
        return self.decks[key]
