"""Random starships and games, for the properties that hold whatever is played."""

from dataclasses import replace
from random import Random
from typing import Any

import rules

COMMON = ". . . . . . . . . . . . . . . . . . . ."
ACTIVE = (
    "b1:E b1:W b2:N b2:SE b3:S b3:NWE b1:NSWE b3:W b2:E g+ g- g2 t:purple t:purple t:red t:red f f h1 h2 h3"
)
FLOORS = [*COMMON.split(), "~", "o", "d24", "d135", *ACTIVE.split()]
FITTED = "+wN +wE +wS+cS +wN+pN +wW+p24W +r24E +r15S+cS +wN+l2N +wE+l1E"
FITTINGS = ["", "", "", "", "", "", "", "", *FITTED.split()]


def starship_document(chance: Random) -> dict[str, Any]:
    """Return a board of 3 × 3 to 9 × 9 cells with an airlock, and a checkpoint or more."""
    width, height = chance.randint(3, 9), chance.randint(3, 9)
    cells = [[chance.choice(FLOORS) + chance.choice(FITTINGS) for _ in range(width)] for _ in range(height)]
    spots = [(x, y) for x in range(width) for y in range(height)]
    chance.shuffle(spots)
    x, y = spots.pop()
    cells[y][x] = "a"
    for number in range(1, chance.randint(1, 4) + 1):
        x, y = spots.pop()
        cells[y][x] = f".+i{number}" + chance.choice(["", "*2", "*5"])
    return {"format": "starship/1", "name": "Random", "rows": [" ".join(row) for row in cells]}


class RandomGame:
    """A game of Robo Runner on a random board, each player ordering at random what is allowed."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.seed = seed
        self.ship = rules.read_starship(starship_document(self.chance))
        players = self.chance.randint(1, 6)
        options = {
            "lives": self.chance.randint(1, 3),
            "scanners": self.chance.choice([0, 0, 0, 1]),
            "equipment": self.chance.random() < 0.6,
            "hull_damage": self.chance.random() < 0.6,
        }
        self.setup = rules.make_setup(rules.ruleset("robo-runner"), options, self.ship, players)
        self.state = rules.new_game(self.setup, [f"player{n}" for n in range(players)], seed)
        self.hands: dict[int, rules.Hand] = {}
        self.terms = rules.Terms(self.ship, [robot.name for robot in self.state.robots])

    def resolve(self) -> rules.Outcome:
        """Resolve the turn under way with random orders."""
        return rules.resolve_turn(self.setup, self.state, self.hands, self.orders, self.seed)

    def order(self) -> None:
        """Draw orders for every player that has any to give."""
        self.orders = {
            robot.index: self._orders(robot)
            for robot in self.state.players
            if rules.needs_orders(self.setup, self.state, robot.index)
        }

    def go_on(self, outcome: rules.Outcome) -> None:
        """Deal the next turn."""
        dealt = rules.deal(self.setup, outcome.state, self.seed)
        self.state, self.hands = dealt.state, dealt.hands

    def _orders(self, robot: rules.Robot) -> rules.Orders:
        chance, hand = self.chance, self.hands.get(robot.index, ())
        orders = rules.complete(self.setup, self.state, robot.index, hand, None, str(chance.random()))
        if self.state.turn == 0:
            return orders
        if chance.random() < 0.1:
            orders = replace(orders, power_down=True)
        if robot.ammo and robot.equipment in rules.HAND_EQUIPMENT:
            orders = replace(orders, engaged=True)
        elif robot.ammo:
            phases = chance.sample(range(1, 6), min(robot.ammo, chance.randint(1, 3)))
            orders = replace(orders, equipment=frozenset(phases))
        if robot.returned:
            orders = replace(orders, heading=chance.randrange(4))
        return orders
