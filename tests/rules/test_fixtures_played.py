"""Robots that look one turn ahead can finish a game on every built-in starship."""

import json
import random
import tomllib
from collections import deque
from pathlib import Path
from typing import Any

import pytest

import rules
from rules.grid import HEADINGS, opposite

FIXTURES = Path(__file__).parents[2] / "fixtures"
INDEX: list[dict[str, Any]] = tomllib.loads((FIXTURES / "starships.toml").read_text())["starship"]
RULESETS = {entry["file"]: rules.ruleset(entry["ruleset"]) for entry in INDEX}
ALONE = [entry["file"] for entry in INDEX if RULESETS[entry["file"]].seats[0] == 1]
TOGETHER = [entry["file"] for entry in INDEX if entry["section"] == "fleet"]
PROGRAMS_TRIED = 40
LONGEST = 80
FAR = 50
"""The distance, in steps, to use for cells without a way to the target."""


def distances(ship: rules.Starship, target: int) -> dict[int, int]:
    """Return the distance of each cell from the target, in steps.

    Ways avoid shafts and rails. They use transporters only in networks of two.
    """
    found, waiting = {target: 0}, deque([target])
    pairs = [tuple(cells) for cells in ship.networks.values() if len(cells) == 2]
    partners = {one: other for pair in pairs for one, other in (pair, pair[::-1])}
    while waiting:
        cell = waiting.popleft()
        if cell in partners and partners[cell] not in found:
            found[partners[cell]] = found[cell] + 1
            waiting.append(partners[cell])
        for heading in HEADINGS:
            before = cell - ship.steps[heading]
            stands = ship.inside(before) and (ship.falls[0][before] is None or before in ship.bays)
            if stands and before not in found and not ship.railed_always(before, heading):
                found[before] = found[cell] + 1
                waiting.append(before)
    return found


class Player:
    """A player that tries some programs, as if other robots stood still, and takes the best."""

    def __init__(self, setup: rules.Setup, seed: int) -> None:
        self.setup = setup
        self.ship = setup.starship
        self.chance = random.Random(seed)
        self.known: dict[int, dict[int, int]] = {}

    def orders(self, state: rules.State, index: int, hand: rules.Hand) -> rules.Orders:
        robot = state.robots[index]
        if state.turn == 0:
            return rules.Orders(heading=self.chance.choice(HEADINGS))
        if robot.down:
            return rules.Orders()
        tried = [self._some_orders(state, robot, hand) for _ in range(PROGRAMS_TRIED)]
        return min(tried, key=lambda orders: self._cost(state, index, orders))

    def _some_orders(self, state: rules.State, robot: rules.Robot, hand: rules.Hand) -> rules.Orders:
        chips = iter(self.chance.sample(hand, rules.REGISTERS - len(robot.locked)))
        registers = tuple(None if i in robot.locked else next(chips) for i in range(rules.REGISTERS))
        heading = self.chance.choice(HEADINGS) if robot.returned else None
        orders = rules.Orders(registers, heading=heading)
        resting = rules.Orders(registers, heading=heading, power_down=robot.damage >= 6)
        refused = rules.problems(self.setup, state, robot.index, hand, resting)
        return orders if refused else resting

    def _cost(self, state: rules.State, index: int, orders: rules.Orders) -> float:
        idle = {robot.index: rules.Orders((None,) * rules.REGISTERS) for robot in state.players}
        after = rules.resolve_turn(self.setup, state, {}, {**idle, index: orders}, "a guess").state
        robot = after.robots[index]
        if after.over:
            return -1000 if after.winner in (index, robot.squad) else 1000
        lost = 60 * (state.robots[index].lives - robot.lives)
        return lost + robot.damage + self._aim(after, robot)

    def _aim(self, state: rules.State, robot: rules.Robot) -> float:
        """Return a robot's distance from its goal. Lower is better."""
        if self.setup.ruleset.crystal:
            return self._from_crystal(state, robot)
        if not self.ship.checkpoints:
            return self._from_others(state, robot)
        target = self.ship.checkpoints.get(robot.next)
        return self._way(robot.cell, target) - 100 * robot.next + 2 * sum(state.hull.values())

    def _from_crystal(self, state: rules.State, robot: rules.Robot) -> float:
        """Return the distance left to the goal of a squad. Lower is better.

        It is the crystal's distance from home, times 4, plus the robot's distance from the cell next to the
        crystal for pushing it home.
        """
        crystal = state.crystal
        if crystal is None:
            return FAR
        homes = self.ship.squad_airlocks[robot.squad or ""]
        ways = {heading: self._nearest(crystal + self.ship.steps[heading], homes) for heading in HEADINGS}
        behind = crystal + self.ship.steps[opposite(min(HEADINGS, key=ways.__getitem__))]
        return 4 * self._nearest(crystal, homes) + self._way(robot.cell, behind)

    def _from_others(self, state: rules.State, robot: rules.Robot) -> float:
        """Return the distance from the nearest robot, plus the health of all other robots."""
        others = [other for other in state.players if other.index != robot.index]
        hurt = sum(60 * other.lives - 3 * other.damage for other in others)
        return hurt + self._nearest(robot.cell, [other.cell for other in others])

    def _nearest(self, cell: int, targets: list[int]) -> int:
        return min(self._way(cell, target) for target in targets)

    def _way(self, cell: int, target: int | None) -> int:
        if target is None or not self.ship.inside(target):
            return FAR
        if target not in self.known:
            self.known[target] = distances(self.ship, target)
        return self.known[target].get(cell, FAR)


def play(file: str, seats: int, seed: int) -> rules.State:
    ship = rules.read_starship(json.loads((FIXTURES / "starships" / file).read_text()))
    ruleset = RULESETS[file]
    lives = 9 if ship.checkpoints else 2
    setup = rules.make_setup(ruleset, {"lives": lives}, ship, seats)
    player = Player(setup, seed)
    names = [f"robot {seat}" for seat in range(seats)]
    dealt = rules.begin(setup, names, seed, ruleset.squads[:seats], ruleset.models[:seats])
    while dealt.state.turn < LONGEST:
        state, hands = dealt.state, dict(dealt.hands)
        for count, robot in enumerate(robot for robot in state.players if robot.was_down):
            if robot.index not in hands:
                state, hands[robot.index] = rules.switch_on(setup, state, hands, robot.index, seed, count)
        orders = {
            robot.index: player.orders(state, robot.index, hands.get(robot.index, ()))
            for robot in state.players
            if rules.needs_orders(setup, state, robot.index)
        }
        state = rules.resolve_turn(setup, state, hands, orders, seed).state
        if state.over:
            return state
        dealt = rules.deal(setup, state, seed)
    return dealt.state


@pytest.mark.parametrize("file", ALONE)
def test_a_single_robot_finishes(file: str) -> None:
    state = play(file, seats=1, seed=1)
    assert state.over
    assert state.winner == 0
    assert state.robots[0].place == 1


@pytest.mark.parametrize("file", TOGETHER)
def test_two_robots_play_to_a_winner(file: str) -> None:
    state = play(file, seats=2, seed=2)
    assert state.over
    assert state.winner in (0, 1, *RULESETS[file].squads)
