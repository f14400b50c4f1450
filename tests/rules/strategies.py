"""Random games of every ruleset, for tests of general properties.

The seed determines everything: board, options, house rules, squads, models and orders.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from random import Random

import rules
from rules.orders import PAUSE, REGISTERS
from rules.setup import Option, Value
from rules.state import LAZYBOT
from tests.rules.random_boards import starship_document

HANDS_OF_ONE_DECK = len(rules.DECK) // rules.HAND


class RandomGame:
    """A game with random allowed orders, on a random board or on ``ship``.

    ``state``, ``hands`` and ``orders`` belong to the open turn.
    """

    def __init__(self, seed: int, key: str = "robo-runner", ship: rules.Starship | None = None) -> None:
        self.chance = Random(seed)
        self.seed = seed
        ruleset = rules.ruleset(key)
        seats = self._seats(ruleset, ship)
        self.ship = ship or rules.read_starship(starship_document(self.chance, ruleset, seats))
        options = dict(self._chosen(ruleset.options, often=0.6))
        house_rules = dict(self._chosen(ruleset.house_rules, often=0.3))
        if house_rules.get("shared_deck", ruleset.shared_deck) and "scanners" in options:
            options["scanners"] = min(options["scanners"], HANDS_OF_ONE_DECK - seats)
        if "checkpoints" in options:
            options["checkpoints"] = min(options["checkpoints"], len(self.ship.checkpoints))
        if "random_checkpoints" in options:
            options["random_checkpoints"] = self._scatter(ruleset, options["random_checkpoints"])
        self.setup = rules.make_setup(ruleset, options, self.ship, seats, house_rules)
        names = [f"player{number}" for number in range(seats)]
        dealt = rules.begin(
            self.setup, names, seed, self._squads(ruleset, seats), self._models(ruleset, seats)
        )
        self.state, self.hands, self.put_aside = dealt.state, dealt.hands, dealt.aside
        self.orders: dict[int, rules.Orders] = {}
        self.terms = rules.Vocabulary(self.ship, [robot.name for robot in self.state.robots])

    def turns(self, most: int) -> Iterator[rules.Outcome]:
        """Play at most ``most`` turns. Yield each outcome.

        When an outcome is yielded, the game still has the state before the turn.
        """
        for _ in range(most):
            self.order()
            outcome = self.resolve()
            yield outcome
            if outcome.state.over:
                return
            self.go_on(outcome)

    def order(self) -> None:
        """Redraw some hands, then draw orders for all players that need orders."""
        self.redraw(list(self.state.players))
        self.orders = {
            robot.index: self._orders(robot)
            for robot in self.state.players
            if rules.needs_orders(self.setup, self.state, robot.index)
        }

    def redraw(self, players: Iterable[rules.Robot]) -> None:
        """Redraw some players' hands. Store all earlier hands in ``aside``, with their numbers.

        Hands put aside while dealing come first, and have None as number.
        """
        self.aside: dict[int, list[tuple[int | None, rules.Hand]]] = {
            index: [(None, hand) for hand in hands] for index, hands in self.put_aside.items()
        }
        count = 0
        for robot in players:
            if robot.was_down and self.stays_off(robot):
                continue
            if robot.was_down and robot.index not in self.hands:
                self.state, hand = rules.switch_on(
                    self.setup, self.state, self.hands, robot.index, self.seed, count
                )
                self.hands = {**self.hands, robot.index: hand}
                count += 1
                self.aside.setdefault(robot.index, []).append((count, ()))
            while self._may_redraw(robot.index) and self.chance.random() < 0.6:
                before = self.hands[robot.index]
                hand = rules.redeal(self.setup, self.state, self.hands, robot.index, self.seed, count)
                self.hands = {**self.hands, robot.index: hand}
                count += 1
                self.aside.setdefault(robot.index, []).append((count, before))

    def _may_redraw(self, index: int) -> bool:
        times = sum(number is not None for number, _ in self.aside.get(index, ()))
        hand = self.hands.get(index, ())
        return rules.can_redeal(self.setup, self.state, index, hand, times)

    def stays_off(self, robot: rules.Robot) -> bool:
        """Return whether the player keeps off a robot that was off (AM-5.2). The choice is random."""
        return Random(f"{self.seed}/{self.state.turn}/{robot.index}").random() < 0.4

    def resolve(self) -> rules.Outcome:
        return rules.resolve_turn(self.setup, self.state, self.hands, self.orders, self.seed)

    def go_on(self, outcome: rules.Outcome) -> None:
        """Deal the next turn."""
        dealt = rules.deal(self.setup, outcome.state, self.seed)
        self.state, self.hands, self.put_aside = dealt.state, dealt.hands, dealt.aside

    def _scatter(self, ruleset: rules.Ruleset, most: int) -> int:
        """Place up to ``most`` random checkpoints, as far as they fit (FA-1). Return their number."""
        start = ruleset.start.cell(self.ship, 0, None)
        for count in range(most, 0, -1):
            with suppress(rules.SetupError):
                self.ship = rules.with_random_checkpoints(self.ship, count, start, str(self.seed))
                return count
        return 0

    def _seats(self, ruleset: rules.Ruleset, ship: rules.Starship | None) -> int:
        least, most = ruleset.seats
        if ruleset.start.own and ship:
            most = max(least, min(most, len(ship.starts)))
        seats = self.chance.randint(least, most)
        return seats - seats % len(ruleset.squads) if ruleset.squads else seats

    def _chosen(self, options: Sequence[Option], often: float) -> Iterator[tuple[str, Value]]:
        """Yield random options with values. Low values are likelier than high ones."""
        for option in options:
            if option.yes_or_no:
                value: Value = self.chance.random() < 0.5
            else:
                value = min(self.chance.randint(option.least, option.most) for _ in range(2))
            if self.chance.random() < often:
                yield option.key, value

    def _squads(self, ruleset: rules.Ruleset, seats: int) -> list[str]:
        squads = [*ruleset.squads] * (seats // max(1, len(ruleset.squads)))
        self.chance.shuffle(squads)
        return squads

    def _models(self, ruleset: rules.Ruleset, seats: int) -> list[str]:
        return self.chance.choices(ruleset.models, k=seats) if ruleset.models else []

    def _orders(self, robot: rules.Robot) -> rules.Orders:
        chance, hand = self.chance, self.hands.get(robot.index, ())
        allowed = self.setup.ruleset.orders
        if robot.was_down and self.stays_off(robot):
            return rules.Orders(stay_down=True)
        orders = rules.complete(self.setup, self.state, robot.index, hand, None, str(chance.random()))
        if self.state.turn == 0:
            return orders
        if robot.returned and "heading" in allowed and chance.random() < 0.7:
            orders = replace(orders, heading=chance.randrange(4))
        if "unlock" in allowed and chance.random() < 0.4:
            orders = replace(orders, unlock=tuple(chance.sample(range(1, 6), chance.randint(1, 3))))
        if "place" in allowed and chance.random() < 0.5:
            orders = self._placed(robot, orders)
        if robot.down:
            return replace(orders, stay_down=chance.random() < 0.4)
        if "power_down" in allowed and chance.random() < 0.15:
            orders = replace(orders, power_down=True)
        if robot.model == LAZYBOT and chance.random() < 0.5:
            orders = replace(orders, registers=self._with_a_pause(robot, orders.registers))
        return self._equipped(robot, orders)

    def _placed(self, robot: rules.Robot, orders: rules.Orders) -> rules.Orders:
        """Add to the orders a random cell beside the archive for the robot's return, if this is allowed."""
        place = self.ship.pos(robot.archive + self.chance.choice(self.ship.steps))
        placed = replace(orders, place=place)
        return orders if self.problems(robot.index, placed) else placed

    def _with_a_pause(
        self, robot: rules.Robot, registers: tuple[rules.Chip | None, ...]
    ) -> tuple[rules.Chip | None, ...]:
        open_ones = [register for register in range(REGISTERS) if register not in robot.locked]
        where = self.chance.choice(open_ones) if open_ones else None
        return tuple(PAUSE if register == where else chip for register, chip in enumerate(registers))

    def _equipped(self, robot: rules.Robot, orders: rules.Orders) -> rules.Orders:
        if not robot.ammo:
            return orders
        if robot.equipment in rules.HAND_EQUIPMENT:
            return replace(orders, engaged=True)
        phases = self.chance.sample(range(1, 6), min(robot.ammo, self.chance.randint(1, 3)))
        return replace(orders, equipment=frozenset(phases))

    def problems(self, index: int, orders: rules.Orders) -> tuple[rules.OrderProblem, ...]:
        return rules.problems(self.setup, self.state, index, self.hands.get(index, ()), orders)


# What is wrong with a game, told in words, so that tests and the script of random games look at the same


def crowded_cells(robots: Iterable[rules.Robot]) -> list[int]:
    """Return the cells with more than one real robot or crystal (G-1.6)."""
    real = [robot.cell for robot in robots if robot.on_board and not robot.virtual]
    return sorted({cell for cell in real if real.count(cell) > 1})


def chips_in_play(game: RandomGame) -> Iterator[list[rules.Chip]]:
    """Yield the chips of each deck that are in hands or locked registers (G-3.3)."""
    held = {
        robot.index: [
            *game.hands.get(robot.index, ()),
            *(chip for register in robot.locked if (chip := robot.registers[register]) and chip != PAUSE),
        ]
        for robot in game.state.robots
    }
    if game.setup.ruleset.shared_deck:
        yield [chip for chips in held.values() for chip in chips]
    else:
        yield from held.values()
