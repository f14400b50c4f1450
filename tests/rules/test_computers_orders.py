"""Computers' orders for a seed stay the same when the code gets faster."""

import json
from collections.abc import Iterator
from hashlib import sha256
from random import Random

import pytest

import rules
from rules import computers
from rules.computers.choosing import state_from_view
from rules.computers.effects import KINDS, NOTHING, RobotState
from rules.computers.search import SoloSimulator
from rules.grid import PHASES
from tests.rules.strategies import RandomGame

SEEDS = range(2)
TURNS = 2

ORDERED = {
    "robo-runner": "40ed3034c1d316e9",
    "robo-recon": "155b3e0f0ed0eaf4",
    "robo-arena": "9ecf0f7310b3db26",
    "amigo-1999": "8c9c41e006c266bd",
    "factory-1999": "cab9a6095a4d0091",
    "group-11": "18c98058b85d6406",
    "websocket": "c30eeed97640c0e2",
}
"""Digests of computers' orders by ruleset. They change only if computers play differently."""


def ordered(key: str) -> str:
    """Return a digest of all orders by computers in random games of a ruleset."""
    found = sha256()
    for seed in SEEDS:
        game = RandomGame(seed, key)
        for number, _ in enumerate(game.turns(TURNS)):
            seen = rules.view(game.state)
            for index in game.orders:
                level = tuple(computers.LEVELS)[(index + number) % 3]
                if level == "ace" and index > 1:
                    level = "pilot"
                hand = game.hands.get(index, ())
                orders = computers.choose(game.setup, seen, index, hand, level, f"mood {seed}")
                found.update(json.dumps(rules.write_orders(orders)).encode())
    return found.hexdigest()[:16]


@pytest.mark.parametrize("key", list(rules.RULESETS))
def test_orders_of_computers_are_unchanged(key: str) -> None:
    assert ordered(key) == ORDERED[key]


def robot_states(simulator: SoloSimulator, chance: Random) -> Iterator[RobotState]:
    """Yield endless random states of a robot on its ship: cell, heading, damage and goal."""
    ship = simulator.solo.ship
    cells = [cell for cell, _ in ship.numbered() if ship.falls[0][cell] in (None, "bay")]
    while True:
        yield simulator.start._replace(
            cell=chance.choice(cells),
            heading=chance.randrange(4),
            damage=chance.randrange(simulator.limit),
            next=chance.randint(1, 3),
            archive=chance.choice(cells),
            lives=chance.randint(1, 4),
            virtual=chance.random() < 0.3,
            down=chance.random() < 0.1,
            hull=tuple(chance.choice([0, 0, 1]) for _ in simulator.start.hull),
        )


@pytest.mark.parametrize("key", list(rules.RULESETS))
def test_tables_of_phases_and_ends_match_the_engine(key: str) -> None:
    for seed in range(4):
        game, chance = RandomGame(seed, key), Random(seed)
        game.order()
        if not game.state.turn:
            game.go_on(game.resolve())
        state = state_from_view(game.setup, rules.view(game.state))
        simulator = SoloSimulator(game.setup, state, 0)
        for _, robot_state in zip(range(60), robot_states(simulator, chance), strict=False):
            phase, place = chance.choice(PHASES), chance.randint(0, NOTHING)
            kind = "" if place == NOTHING else KINDS[place]
            played = simulator.solo.play(phase, robot_state, kind)
            assert (
                simulator.robot_state(simulator.after(phase, simulator.number(robot_state), place)) == played
            )
            off = chance.random() < 0.5
            ended = played if played.over or played.won else simulator.solo.end(played, power_down=off)
            assert simulator.robot_state(simulator.end(simulator.number(played), power_down=off)) == ended
