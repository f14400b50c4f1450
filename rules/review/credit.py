"""Credit for one turn: how the deal, the decision and the other robots changed a player's chance to win.

- The **deal** is the worth of the best program of the hand, minus the average worth of the best programs of
  hands that might have come.
- The **decision** is the worth of the chosen orders, minus the worth of the best orders. It is never
  positive.
- The **collision** is the rest of the change: what the others really did, and chance.

Worth is the average chance to win over guesses at the other robots' orders, before anything was revealed.
**Hindsight** is apart from these: the gain of the best answer to the orders that were revealed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rules import events as ev
from rules.computers.ace import equip
from rules.computers.choosing import state_from_view
from rules.computers.effects import RobotState, robot_state_of
from rules.engine import fold
from rules.events import Event
from rules.grid import BEFORE
from rules.orders import REGISTERS, Chip, Orders
from rules.programming import needs_orders
from rules.review.chances import NO_PHASES, Chances
from rules.review.worlds import REVEALED, Hand, Seat, Worlds
from rules.setup import Setup
from rules.state import Robot, State
from rules.view import view

ANSWERS: Final = 24
"""The number of programs to try against the revealed orders."""
EQUIPPED: Final = 2
"""The number of best programs to try with equipment."""
NOTABLE: Final = 0.02
"""The minimum change of a chance to win that is worth a cause or a sentence."""
MAX_CAUSES: Final = 3

SITTER: Final = "sitter"
"""The author of orders that another player submitted as the player's sitter (`Played.authors`)."""

PUSH: Final = "push"
SHOT: Final = "shot"
IN_THE_WAY: Final = "in the way"
AHEAD: Final = "ahead"
BEHIND: Final = "behind"
DESTROYED: Final = "destroyed"
WON: Final = "won"
"""The kinds of causes: another robot's effect on this robot, or a rival's progress."""


@dataclass(frozen=True, slots=True)
class Played:
    """A turn that was played, as far as the reader of the review may know it.

    ``state`` is the state at the start of the turn. ``hands`` and ``orders`` are by robot index. In a review
    of a running game, they are only the reader's own. ``authors`` has the authors of the orders:
    `game_file.AUTHORS` or `SITTER`.
    """

    state: State
    hands: Mapping[int, Hand]
    orders: Mapping[int, Orders]
    events: Sequence[Event]
    authors: Mapping[int, str] | None = None


@dataclass(frozen=True, slots=True)
class Cause:
    """One reason why a chance to win changed in a turn: another robot, and its effect.

    ``phase`` is None if the cause has no phase. ``effect`` is the change of the chance to win.
    """

    kind: str
    robot: int
    phase: int | None
    effect: float


@dataclass(frozen=True, slots=True)
class Figures:
    """The credit of one player in one turn. All figures are changes of the chance to win, from -1 to 1.

    ``best`` are the best orders before anything was revealed, and ``answer`` the best answer to the revealed
    orders. Both are None if the robot had no choice. ``by`` is the author of the orders, or None if unknown
    (`Played.authors`).
    """

    robot: int
    deal: float
    decision: float
    collision: float
    hindsight: float
    best: Orders | None
    answer: Orders | None
    causes: tuple[Cause, ...]
    by: str | None = None


@dataclass(frozen=True, slots=True)
class TurnReview:
    """The review of one turn.

    ``before`` and ``after`` are the chances to win of all players, in seat order. ``figures`` has the credit
    of the reviewed players. ``positions`` is the number of turns that were played on trial.
    """

    turn: int
    before: tuple[float, ...]
    after: tuple[float, ...]
    figures: tuple[Figures, ...]
    positions: int


def public(setup: Setup, state: State, own: int | None = None) -> State:
    """Return the state as everyone sees it, or as the player of the robot ``own`` sees it."""
    return state_from_view(setup, view(state, own))


def review_turn(setup: Setup, played: Played, seats: Sequence[int] | None = None) -> TurnReview:
    """Return the review of a turn, for these robots or for all players.

    Robots whose orders are not in ``played`` although they took some get no figures. Figures use only what
    the robot's player could see: before the turn for the deal and the decision, and then the log.
    """
    seen = public(setup, played.state)
    worlds = Worlds(setup, seen)
    before = worlds.chances.of(seen)
    after = chances_after(setup, played)
    figures = []
    for place, index in enumerate(worlds.chances.players):
        if seats is not None and index not in seats:
            continue
        if needs_orders(setup, seen, index) and index not in played.orders:
            continue
        figures.append(_Credit(worlds, played, index).figures(after[place] - before[place]))
    return TurnReview(played.state.turn, tuple(before), tuple(after), tuple(figures), worlds.positions)


def chances_after(setup: Setup, played: Played) -> list[float]:
    """Return the chances to win of all players after a turn, from public information."""
    seen = public(setup, fold(played.state, played.events))
    return Chances(setup, seen).of(seen)


# The orders that a log reveals


def revealed_orders(state: State, events: Sequence[Event]) -> dict[int, Orders]:
    """Return the orders of all robots, as far as the log of their turn reveals them.

    Registers that a robot did not execute, because it was destroyed before, are empty.
    """
    found = {robot.index: _Revealed(robot) for robot in state.robots}
    for event in events:
        if isinstance(event, ev.Phase):
            for index, chip in event.chips.items():
                found[index].registers[event.phase - 1] = chip
        elif isinstance(event, ev.Turn) and event.by == "order":
            found[event.robot].heading = event.to
        elif isinstance(event, ev.Power) and event.down:
            if event.phase == BEFORE:
                found[event.robot].stay_down = True
            else:
                found[event.robot].power_down = True
        elif isinstance(event, ev.Power):
            found[event.robot].still_down = False
        elif isinstance(event, ev.Reload) and event.phase in range(BEFORE, REGISTERS + 1):
            found[event.robot].used.add(event.phase)
    return {index: robot.orders() for index, robot in found.items()}


class _Revealed:
    def __init__(self, robot: Robot) -> None:
        self.locked = robot.locked
        self.registers: list[Chip | None] = [None] * REGISTERS
        self.heading: int | None = None
        self.power_down = self.stay_down = False
        self.still_down = robot.down
        self.used: set[int] = set()

    def orders(self) -> Orders:
        if self.stay_down or self.still_down:
            return Orders(stay_down=True)
        return Orders(
            registers=tuple(
                None if register in self.locked else chip for register, chip in enumerate(self.registers)
            ),
            heading=self.heading,
            power_down=self.power_down,
            equipment=frozenset(self.used - {BEFORE}),
            engaged=BEFORE in self.used,
        )


# The figures of one robot


class _Credit:
    """The credit of one robot in one turn.

    ``own`` is the state as its player saw it before the turn, and ``revealed`` the same with everything that
    the log of the turn reveals about it. ``others`` are the revealed orders of the other robots.
    """

    def __init__(self, worlds: Worlds, played: Played, index: int) -> None:
        self.worlds, self.played, self.index = worlds, played, index
        self.own = public(worlds.setup, played.state, index)
        self.seat = Seat(worlds, self.own, index)
        self.chosen = played.orders.get(index, Orders())
        self.others = revealed_orders(self.own, played.events)
        self.revealed = with_revealed(self.own, played.events)

    def figures(self, change: float) -> Figures:
        """Return the figures. ``change`` is the change of the chance to win."""
        if not self._decides():
            return Figures(self.index, 0.0, 0.0, change, 0.0, None, None, self._causes(), self._author())
        seat, chosen = self.seat, self.chosen
        hand = tuple(self.played.hands.get(self.index, ()))
        tried = seat.candidates(hand)
        best = max(tried, key=seat.judge)
        deal = 0.0 if self.own.turn == 0 else seat.judge(best) - seat.expected()
        options = [chosen, *tried, *self._equipped(tried)]
        best = max(options, key=seat.judge)
        decision = seat.judge(chosen) - seat.judge(best)
        if self.own.turn:
            options += seat.candidates(hand, ANSWERS)
        answer = max(options, key=self._answered)
        hindsight = self._answered(answer) - self._answered(chosen)
        return Figures(
            self.index,
            deal,
            decision,
            change - deal - decision,
            hindsight,
            best,
            answer,
            self._causes(),
            self._author(),
        )

    def _author(self) -> str | None:
        return (self.played.authors or {}).get(self.index)

    def _decides(self) -> bool:
        """Return whether the player chose a program or a first heading for this turn."""
        if not needs_orders(self.worlds.setup, self.own, self.index):
            return False
        if self.own.turn == 0:
            return True
        return bool(self.chosen.registers) and self.index in self.played.hands

    def _equipped(self, tried: Sequence[Orders]) -> list[Orders]:
        """Return the best of these orders with equipment."""
        robot = self.own.robots[self.index]
        if not (robot.equipment and robot.ammo) or self.own.turn == 0:
            return []
        finalists = sorted(tried, key=self.seat.judge, reverse=True)[:EQUIPPED]
        return [equip(self.seat.task, orders, self.seat.judge)[1] for orders in finalists]

    # After the turn was revealed

    def _answer(self, orders: Orders) -> State:
        """Return the state after these orders and the revealed orders of the other robots."""
        return self.worlds.after(self.revealed, {**self.others, self.index: orders}, REVEALED)

    def _answered(self, orders: Orders) -> float:
        return self.seat.chance(self._answer(orders))

    def _causes(self) -> tuple[Cause, ...]:
        """Return the causes of a collision, greatest first."""
        state, chances = self._answer(self.chosen), self.worlds.chances
        place = self.seat.place
        if self.index not in chances.evaluators:
            return ()
        if (result := chances.decided(state)) is not None:
            if result[place] or not any(result):
                return ()
            winner = chances.players[result.index(1.0)]
            effect = -self.seat.judge(self.chosen)
            return (Cause(WON, winner, None, effect),) if effect <= -NOTABLE else ()
        phases = chances.phases(state)
        now = chances.of_phases(phases)[place]
        found: list[Cause] = []
        mine = robot_state_of(state, state.robots[self.index])
        for robot in self.own.robots:
            if robot.index != self.index and robot.on_board and not robot.crystal:
                here = self._if_absent(robot.index)
                other = [*phases]
                other[place] = 0.0 if here.won else chances.phases_in(self.index, here)
                moved = (here.cell, here.heading) != (mine.cell, mine.heading)
                found.append(self._contact(robot.index, now - chances.of_phases(other)[place], moved))
        for rival in self._rivals():
            other = self._as_expected(phases, rival)
            found.append(self._progress(rival, now - chances.of_phases(other)[place]))
        found = [cause for cause in found if abs(cause.effect) >= NOTABLE]
        return tuple(sorted(found, key=lambda cause: (-abs(cause.effect), cause.robot))[:MAX_CAUSES])

    def _rivals(self) -> list[int]:
        """Return the players' robots that race against this robot."""
        squads, chances = self.worlds.chances.squads, self.worlds.chances
        squad = squads[self.seat.place]
        return [
            index
            for index, other in zip(chances.players, squads, strict=True)
            if index != self.index and index in chances.evaluators and not (squad and other == squad)
        ]

    def _if_absent(self, absent: int) -> RobotState:
        """Return the state of this robot after the turn as if another robot were absent."""
        given = {**self.others, self.index: self.chosen}
        return self.worlds.without(self.revealed, given, self.index, absent)

    def _as_expected(self, phases: Sequence[float], rival: int) -> list[float]:
        """Return the remaining phases, but those of a rival as they were expected before the turn."""
        chances = self.worlds.chances
        states = self.seat.states(self.chosen)
        expected = [chances.phases_of(state, state.robots[rival]) for state in states]
        racing = [left for left in expected if left >= 0]
        mean = sum(racing) / len(racing) if racing else NO_PHASES
        place = chances.players.index(rival)
        return [mean if number == place else old for number, old in enumerate(phases)]

    def _contact(self, other: int, effect: float, moved: bool) -> Cause:
        """Return the cause for the direct effect of another robot on this one.

        ``moved`` is whether this robot would be in another place without the other one.
        """
        for event in self.played.events:
            if isinstance(event, ev.Destroyed) and event.robot == self.index and other in event.killers:
                return Cause(PUSH if event.how == "push" else SHOT, other, event.phase, effect)
        for event in self.played.events:
            match event:
                case ev.Move(robot=self.index, pusher=pusher) if moved and pusher == other:
                    return Cause(PUSH, other, event.phase, effect)
                case ev.Damage(robot=self.index, source=source) if not moved and source == other:
                    return Cause(SHOT, other, event.phase, effect)
        return Cause(IN_THE_WAY, other, None, effect)

    def _progress(self, rival: int, effect: float) -> Cause:
        """Return the cause for the progress of a rival, compared with its expected progress."""
        for event in self.played.events:
            if isinstance(event, ev.Destroyed) and event.robot == rival and effect > 0:
                return Cause(DESTROYED, rival, event.phase, effect)
        return Cause(AHEAD if effect < 0 else BEHIND, rival, None, effect)


def with_revealed(own: State, events: Sequence[Event]) -> State:
    """Return a state with the links and the chips in locked registers that the log of its turn reveals."""
    state = own.copy()
    state.links = dict(state.links)
    for event in events:
        if isinstance(event, ev.Move) and event.by == "transporter":
            state.links[event.origin] = event.to
            state.known.add(event.origin)
        elif isinstance(event, ev.Phase):
            for index, chip in event.chips.items():
                robot = state.robots[index]
                if event.phase - 1 in robot.locked and robot.registers[event.phase - 1] is None:
                    robot.registers[event.phase - 1] = chip
    return state
