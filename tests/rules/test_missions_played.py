"""Every training mission can be won in few turns with its own options, whatever the hands.

The beginner knows the next checkpoint, tries some programs, and takes the one that ends nearest to it. The
mission about transporters is not tested with Aces, since they avoid unknown links.
"""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

import rules
from rules import computers
from tests.rules.test_fixtures_played import Player

FIXTURES = Path(__file__).parents[2] / "fixtures"
MISSIONS: list[dict[str, Any]] = tomllib.loads((FIXTURES / "missions.toml").read_text())["mission"]
HANDFUL = 9
"""The maximum number of turns that an Ace may need to win a mission, without turn 0."""

PATIENCE = 25
"""The maximum number of turns that a beginner with enough lives may need to win a mission."""

SEEDS = range(4)

FOR_ACES = [mission for mission in MISSIONS if mission["slug"] != "transporters"]
each_mission = pytest.mark.parametrize("mission", MISSIONS, ids=lambda mission: mission["slug"])


def setup_of(mission: dict[str, Any], **more: Any) -> rules.Setup:
    [path] = (FIXTURES / "starships").glob(f"*-{mission['starship']}.json")
    ship = rules.read_starship(json.loads(path.read_text()))
    return rules.make_setup(rules.ruleset("robo-runner"), mission.get("options", {}) | more, ship, 1)


class Ace:
    """A player that plays like a computer of the level Ace."""

    def __init__(self, setup: rules.Setup, seed: int) -> None:
        self.setup, self.seed = setup, seed

    def orders(self, state: rules.State, index: int, hand: rules.Hand) -> rules.Orders:
        return computers.choose(self.setup, rules.view(state), index, hand, "ace", self.seed)


def fly(setup: rules.Setup, player: Ace | Player, seed: int, most: int) -> rules.State:
    """Play a mission to its end, or for ``most`` turns. Return the state."""
    dealt = rules.begin(setup, ["robot"], seed)
    while True:
        orders = {}
        if rules.needs_orders(setup, dealt.state, 0):
            orders = {0: player.orders(dealt.state, 0, dealt.hands.get(0, ()))}
        state = rules.resolve_turn(setup, dealt.state, dealt.hands, orders, seed).state
        if state.over or state.turn >= most:
            return state
        dealt = rules.deal(setup, state, seed)


@pytest.mark.parametrize(
    "mission",
    [each for each in MISSIONS if each["slug"] != "transporters"],
    ids=lambda mission: mission["slug"],
)
def test_an_ace_finishes_in_a_few_turns(mission: dict[str, Any]) -> None:
    setup = setup_of(mission)
    for seed in SEEDS:
        state = fly(setup, Ace(setup, seed), seed, HANDFUL)
        assert state.winner == 0, f"seed {seed}: turn {state.turn}, next {state.robots[0].next}"


@each_mission
def test_a_beginner_finishes_and_never_gets_stuck(mission: dict[str, Any]) -> None:
    setup = setup_of(mission, lives=9)
    for seed in SEEDS:
        state = fly(setup, Player(setup, seed), seed, PATIENCE)
        assert state.winner == 0, f"seed {seed}: turn {state.turn}, next {state.robots[0].next}"


def test_each_kind_of_element_has_a_mission() -> None:
    ships = [setup_of(mission).starship for mission in MISSIONS]
    shown = {element for ship in ships for cell in ship.cells for element in cell.elements}
    assert shown >= rules.ruleset("robo-runner").elements
    assert {beam.speed for ship in ships for beam in ship.beams.values()} == {1, 2, 3}
    assert {turn for ship in ships for turn in ship.twisters.values()} == {1, 2, 3}
    assert any(len(beam.entries) > 1 for ship in ships for beam in ship.beams.values())
    assert any(mission.get("options", {}).get("scanners") for mission in MISSIONS)


def test_each_mission_shows_something_new_on_a_small_board() -> None:
    seen: set[str] = set()
    for mission in MISSIONS:
        setup = setup_of(mission)
        ship = setup.starship
        news = {element for cell in ship.cells for element in cell.elements} - seen
        seen |= news
        assert news or mission["slug"] in ("scanners", "repair-depots"), mission["slug"]
        assert ship.width <= 15
        assert ship.height <= 10
