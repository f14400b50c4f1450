"""A small game for tests that give the orders themselves."""

from dataclasses import replace
from typing import Any

import rules
from rules.grid import N
from rules.orders import locked_registers

OPEN = [". . . . ."] * 4
"""Rows of plain hull."""


class Table:
    """A running game of robots that tests address by index.

    Missing orders are filled in as when time runs out, so that every turn can be resolved.
    """

    def __init__(
        self,
        *rows: str,
        players: str = "Alice",
        seed: rules.Seed = 1,
        ruleset: str = "robo-runner",
        kinds: str = "",
        house_rules: dict[str, int | bool] | None = None,
        **options: Any,
    ) -> None:
        """Seat the players.

        ``rows`` are the rows of the starship. ``players`` are names separated by spaces, and ``kinds`` their
        squads or models, if the ruleset has them.
        """
        self.ship = rules.read_starship({"format": "starship/1", "rows": list(rows)})
        self.names = players.split()
        played = rules.ruleset(ruleset)
        self.setup = rules.make_setup(played, options, self.ship, len(self.names), house_rules)
        self.seed = seed
        squads, models = (kinds.split(), []) if played.squads else ([], kinds.split())
        dealt = rules.begin(self.setup, self.names, seed, squads, models)
        self.state, self.hands, self.aside = dealt.state, dealt.hands, dealt.aside

    def robot(self, index: int = 0) -> rules.Robot:
        return self.state.robots[index]

    def damage_robot(self, damage: int, index: int = 0) -> None:
        """Set a robot's damage, and lock its registers accordingly."""
        robot = self.robot(index)
        robot.damage, robot.locked = damage, locked_registers(damage)

    def at(self, index: int = 0) -> tuple[int, int]:
        """Return the column and row of a robot."""
        return self.ship.pos(self.robot(index).cell)

    def start(self) -> None:
        """Face all robots north, and deal the first hands."""
        self.resolve({index: rules.Orders(heading=N) for index in range(len(self.names))})
        self.deal()

    def deal(self) -> None:
        dealt = rules.deal(self.setup, self.state, self.seed)
        self.state, self.hands, self.aside = dealt.state, dealt.hands, dealt.aside

    def switch_on(self, index: int = 0, count: int = 0) -> None:
        """Switch on a robot that was off (AM-5.2)."""
        self.state, hand = rules.switch_on(self.setup, self.state, self.hands, index, self.seed, count)
        self.hands = {**self.hands, index: hand}

    def orders(self, index: int = 0, **keys: Any) -> rules.Orders:
        """Return allowed orders with the given attributes. All missing registers are filled at random."""
        given = replace(rules.Orders(), **keys)
        return rules.complete(self.setup, self.state, index, self.hands.get(index, ()), given, self.seed)

    def problems(self, orders: rules.Orders, index: int = 0) -> list[str]:
        """Return the code of each fault in a player's orders."""
        return [problem.code for problem in self.faults(orders, index)]

    def faults(self, orders: rules.Orders, index: int = 0) -> tuple[rules.OrderProblem, ...]:
        return rules.problems(self.setup, self.state, index, self.hands.get(index, ()), orders)

    def resolve(self, orders: dict[int, rules.Orders] | None = None) -> tuple[rules.Event, ...]:
        """Resolve the open turn. Return its events."""
        given = dict(orders or {})
        for robot in self.state.players:
            if robot.index not in given and rules.needs_orders(self.setup, self.state, robot.index):
                given[robot.index] = self.orders(robot.index)
        outcome = rules.resolve_turn(self.setup, self.state, self.hands, given, self.seed)
        self.state = outcome.state
        return outcome.events

    def give(self, kinds: str, index: int = 0) -> rules.Orders:
        """Put chips of the given kinds into a robot's hand. Return orders with them as the program."""
        spare = list(rules.DECK)
        program = []
        for kind in kinds:
            chip = next(chip for chip in spare if chip.kind == kind)
            spare.remove(chip)
            program.append(chip)
        self.hands[index] = (*program, *spare[: rules.HAND - len(program)])
        return rules.Orders(registers=tuple(program))
