"""Every starship that comes with the game can be finished, by robots that look one turn ahead."""

import json
import random
import tomllib
from collections import deque
from pathlib import Path

import pytest

import rules
from rules.grid import HEADINGS

FIXTURES = Path(__file__).parents[2] / "fixtures"
FILES = [entry["file"] for entry in tomllib.loads((FIXTURES / "starships.toml").read_text())["starship"]]
PROGRAMS_TRIED = 40
LONGEST = 80
"""Turns."""


def distances(ship: rules.Starship, target: int) -> dict[int, int]:
    """Return how many steps each cell is from a target, round shafts and rails."""
    found, waiting = {target: 0}, deque([target])
    while waiting:
        cell = waiting.popleft()
        for heading in HEADINGS:
            before = cell - ship.steps[heading]
            stands = ship.inside(before) and (ship.falls[0][before] is None or before in ship.bays)
            if stands and before not in found and not ship.railed_always(before, heading):
                found[before] = found[cell] + 1
                waiting.append(before)
    return found


class Player:
    """Tries some programs, and orders the one that leaves its robot best."""

    def __init__(self, setup: rules.Setup, seed: int) -> None:
        self.setup = setup
        self.chance = random.Random(seed)
        self.distances = {
            number: distances(setup.starship, cell) for number, cell in setup.starship.checkpoints.items()
        }

    def orders(self, state: rules.State, index: int, hand: rules.Hand) -> rules.Orders:
        tried = [self._some_orders(state.robots[index], hand) for _ in range(PROGRAMS_TRIED)]
        return min(tried, key=lambda orders: self._cost(state, index, orders))

    def _some_orders(self, robot: rules.Robot, hand: rules.Hand) -> rules.Orders:
        chips = iter(self.chance.sample(hand, rules.REGISTERS - len(robot.locked)))
        registers = tuple(None if i in robot.locked else next(chips) for i in range(rules.REGISTERS))
        heading = self.chance.choice(HEADINGS) if robot.returned else None
        return rules.Orders(registers, power_down=robot.damage >= 6, heading=heading)

    def _cost(self, state: rules.State, index: int, orders: rules.Orders) -> float:
        outcome = rules.preview(self.setup, state, index, orders).state
        robot = outcome.robots[index]
        lost = 60 * (state.robots[index].lives - robot.lives)
        way = self.distances.get(robot.next, {}).get(robot.cell, 50)
        return lost + way + robot.damage - 100 * robot.next + 2 * sum(outcome.hull.values())


def play(file: str, seats: int, seed: int) -> rules.State:
    document = json.loads((FIXTURES / "starships" / file).read_text())
    ship = rules.read_starship(document)
    setup = rules.make_setup(rules.ruleset("robo-runner"), {"lives": 9}, ship, seats)
    player = Player(setup, seed)
    state = rules.new_game(setup, [f"robot {seat}" for seat in range(seats)], seed)
    headings = {seat: rules.Orders(heading=player.chance.choice(HEADINGS)) for seat in range(seats)}
    state = rules.resolve_turn(setup, state, {}, headings, seed).state
    while not state.over and state.turn < LONGEST:
        dealt = rules.deal(setup, state, seed)
        orders = {
            index: player.orders(dealt.state, index, hand)
            for index, hand in dealt.hands.items()
            if rules.needs_orders(setup, dealt.state, index)
        }
        state = rules.resolve_turn(setup, dealt.state, dealt.hands, orders, seed).state
    return state


@pytest.mark.parametrize("file", FILES)
def test_one_robot_alone_finishes(file: str) -> None:
    state = play(file, seats=1, seed=1)
    assert state.over
    assert state.winner == 0
    assert state.robots[0].place == 1


@pytest.mark.parametrize("file", FILES[3:])
def test_two_robots_play_to_a_winner(file: str) -> None:
    state = play(file, seats=2, seed=2)
    assert state.over
    assert state.winner in (0, 1)
