"""Reviews split each change of a chance to win, and use only what players can know."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

import rules
from rules.review import (
    Played,
    ReviewError,
    chances,
    played_turns,
    review_game,
    review_to_json,
    review_turn,
    sentences_of,
    turn_to_json,
)
from tests.rules.recorded import recorded

Document = dict[str, object]
SEEDS = range(14)
TURNS = 3


def turns_of(seed: int) -> tuple[rules.Setup, list[Played]]:
    key = tuple(rules.RULESETS)[seed % len(rules.RULESETS)]
    game = rules.read_game_file(recorded(seed, key, longest=TURNS))
    return game.setup, list(played_turns(game))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_figures_of_random_games_add_up(seed: int) -> None:
    setup, played = turns_of(seed)
    reviews = list(review_game(setup, played))
    turns = [turn_to_json(review) for review in reviews]
    for turn, following in pairwise(turns):
        assert turn["after"] == following["before"]
    for turn in turns:
        for figures in turn["figures"]:
            place = figures["robot"] - 1
            change = turn["after"][place] - turn["before"][place]
            assert figures["deal"] + figures["decision"] + figures["collision"] == pytest.approx(change)
            assert figures["decision"] <= 0 <= figures["hindsight"]
            assert sentences_of(figures, [robot.name for robot in played[0].state.robots]) is not None
    assert review_to_json(setup, turns)["positions"] > 0


@pytest.mark.parametrize("seed", SEEDS)
def test_the_chances_of_all_sides_add_up_to_one(seed: int) -> None:
    setup, played = turns_of(seed)
    for turn in played:
        found = chances(setup, turn.state)
        sides = {
            robot.squad or robot.index: share for robot, share in zip(turn.state.players, found, strict=True)
        }
        assert sum(sides.values()) == pytest.approx(1)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_review_does_not_depend_on_secrets(seed: int) -> None:
    """The figures of a robot stay the same if other hands, orders and unused transporter links change."""
    setup, played = turns_of(seed)
    for turn in played:
        for index in turn.orders:
            known = rules.fold(turn.state, turn.events).known
            state = turn.state.copy()
            state.links = {origin: to for origin, to in state.links.items() if origin in known}
            for robot in state.robots:
                if robot.was_down and robot.index != index:
                    robot.registers = [None] * rules.REGISTERS
            own = {index: turn.orders[index]}
            hands = {index: turn.hands[index]} if index in turn.hands else {}
            secret = replace(turn, state=state, hands=hands, orders=own)
            assert review_turn(setup, secret, [index]).figures == review_turn(setup, turn, [index]).figures


def test_a_game_of_one_robot_is_refused() -> None:
    ship = rules.read_starship({"format": "starship/1", "rows": [". . .+i1", "a . ."]})
    setup = rules.make_setup(rules.ruleset("robo-runner"), {}, ship, 1)
    state = rules.begin(setup, ["alice"], 1).state
    with pytest.raises(ReviewError, match="one side"):
        list(review_game(setup, [Played(state, {}, {}, ())]))


PRINT = """
import json
from tests.rules.test_review import turns_of
from rules.review import review_game, turn_to_json
print(json.dumps([turn_to_json(review) for review in review_game(*turns_of(5))]))
"""


def test_interpreted_and_compiled_reviews_are_the_same() -> None:
    """Another process gives the same bytes. If this one is compiled, the other one is not."""
    setup, played = turns_of(5)
    here = json.dumps([turn_to_json(review) for review in review_game(setup, played)])
    ran = subprocess.run(
        [sys.executable, "-c", PRINT],
        env={**os.environ, "RULES": "interpreted"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.strip() == here


def test_unused_transporters_stay_secret() -> None:
    """Transporters that no robot has used do not change a review."""
    file = Path(__file__).parents[2] / "fixtures" / "starships" / "74-archipelago.json"
    setup = rules.make_setup(
        rules.ruleset("robo-runner"), {}, rules.read_starship(json.loads(file.read_text())), 3
    )
    state = rules.begin(setup, ["alice", "bob", "carol"], 1).state
    orders = {0: rules.Orders(heading=0), 1: rules.Orders(heading=1), 2: rules.Orders(heading=2)}
    events = rules.resolve_turn(setup, state, {}, orders, 1).events
    without = state.copy()
    without.links = {}
    found = [review_turn(setup, Played(known, {}, orders, events)) for known in (state, without)]
    assert chances(setup, state) != chances(setup, without)
    assert found[0] == found[1]
