"""Branches: turns played again with other orders or other headings.

A branch begins at the start of a played turn. The robots that it does not change keep their orders, and
scanners keep the chips that they revealed. Then computers may play a few more turns for all players. The
same arguments always give the same turns.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from rules import events as ev
from rules.chance import Seed, computer_seed
from rules.computers import choose, stays_off
from rules.dealing import Hand, deal, switch_on
from rules.document import RulesError
from rules.engine import fold, resolve_turn
from rules.events import Event
from rules.grid import OFF
from rules.language import N_, Sentence
from rules.orders import REGISTERS, Chip, Orders
from rules.programming import OrderProblem, complete, needs_orders, problems
from rules.review.credit import Played, public, with_revealed
from rules.setup import Setup
from rules.state import State
from rules.view import view

MAX_MORE: Final = 5
"""The maximum number of turns that computers play after the changed turn."""

LEVEL: Final = "pilot"
"""The level of the computers that play on."""


class BranchError(RulesError):
    """Raised if the changes of a branch are not allowed. ``refused`` has the problems by robot index."""

    def __init__(self, found: Mapping[int, Sequence[OrderProblem]]) -> None:
        super().__init__(Sentence(N_("These changes are not allowed.")))
        self.refused = found


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes of a branch: whole orders, and headings at the start of the turn, by robot index.

    ``more`` is the number of turns that computers play afterwards.
    """

    orders: Mapping[int, Orders] = field(default_factory=dict)
    headings: Mapping[int, int] = field(default_factory=dict)
    more: int = 0


def revealed(setup: Setup, played: Played, own: int | None) -> Played:
    """Return a played turn without the parts that a running game hides from the player of the robot ``own``.

    If ``own`` is None, these are the parts that it hides from everyone. The orders of a played turn are
    public. Of another robot's hand, only the chips in its orders are.
    """
    state = with_revealed(public(setup, played.state, own), played.events)
    hands = {
        index: played.hands[index]
        if index == own and index in played.hands
        else tuple(chip for chip in orders.registers if chip and chip.number)
        for index, orders in played.orders.items()
    }
    return Played(state, hands, played.orders, played.events)


def executed(events: Sequence[Event]) -> dict[int, dict[int, Chip]]:
    """Return the chips that robots executed in a turn, by robot index and register, from 0."""
    chips: dict[int, dict[int, Chip]] = {}
    for event in events:
        if isinstance(event, ev.Phase):
            for index, chip in event.chips.items():
                chips.setdefault(index, {})[event.phase - 1] = chip
    return chips


def branch(setup: Setup, played: Played, changes: Changes, seed: Seed) -> Iterator[Played]:
    """Yield the changed turn, and then the turns that computers play, until the game is over.

    Raises BranchError if the changes are against the rules.
    """
    state = _turned(played, changes)
    if found := _problems(setup, state, played, changes):
        raise BranchError(found)
    changed = {
        index: complete(setup, state, index, tuple(played.hands.get(index, ())), orders, seed)
        for index, orders in changes.orders.items()
    }
    orders = {**_scanners(state, played.events), **played.orders, **changed}
    outcome = resolve_turn(setup, state, {}, orders, seed)
    yield Played(state, played.hands, orders, outcome.events)
    after = outcome.state
    for _ in range(changes.more):
        if after.over:
            return
        following = _by_computers(setup, after, seed)
        yield following
        after = fold(following.state, following.events)


def _turned(played: Played, changes: Changes) -> State:
    """Return the state at the start of the turn with the changed headings."""
    state = played.state.copy()
    for index, heading in changes.headings.items():
        if _has_heading(state, index):
            state.robots[index].heading = heading
    return state


def _has_heading(state: State, index: int) -> bool:
    robot = state.robots[index]
    return robot.alive and robot.cell != OFF and robot.heading is not None and not robot.crystal


def _problems(
    setup: Setup, state: State, played: Played, changes: Changes
) -> dict[int, Sequence[OrderProblem]]:
    found: dict[int, list[OrderProblem]] = {}
    for index in changes.headings:
        if not _has_heading(state, index):
            form = N_("This robot has no heading at the start of this turn.")
            found.setdefault(index, []).append(OrderProblem("heading", Sentence(form)))
    for index, orders in changes.orders.items():
        if faults := problems(setup, state, index, played.hands.get(index, ()), orders):
            found.setdefault(index, []).extend(faults)
    return {index: tuple(faults) for index, faults in found.items()}


def _scanners(state: State, events: Sequence[Event]) -> dict[int, Orders]:
    chips = executed(events)
    return {
        robot.index: Orders(
            registers=tuple(chips.get(robot.index, {}).get(register) for register in range(REGISTERS))
        )
        for robot in state.robots
        if robot.scanner
    }


def _by_computers(setup: Setup, state: State, seed: Seed) -> Played:
    """Return the next turn with orders by computers for all players."""
    dealt = deal(setup, state, seed)
    state, hands = dealt.state, dict(dealt.hands)
    orders: dict[int, Orders] = {}
    for index in (robot.index for robot in state.players):
        if not needs_orders(setup, state, index):
            continue
        if stays_off(setup, view(state), index):
            orders[index] = Orders(stay_down=True)
            continue
        if state.robots[index].was_down and index not in hands:
            state, hands[index] = switch_on(setup, state, hands, index, seed)
        hand: Hand = hands.get(index, ())
        mood = computer_seed(seed, state.turn, index + 1)
        orders[index] = choose(setup, view(state, index), index, hand, LEVEL, mood)
    outcome = resolve_turn(setup, state, hands, orders, seed)
    return Played(state, hands, orders, outcome.events)
