"""Reviews split each change of a chance to win, and use only information that players have."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest

import rules
from rules.review import (
    Figures,
    Played,
    ReviewError,
    TurnReview,
    chances,
    credit,
    played_turns,
    review_game,
    review_to_json,
    review_turn,
    sentences_of,
    turn_to_json,
)
from tests.rules.recorded import recorded
from tests.rules.table import Table

SEEDS = {
    "robo-runner": 21,
    "robo-recon": 8,
    "robo-arena": 51,
    "amigo-1999": 3,
    "factory-1999": 18,
    "group-11": 54,
    "websocket": 13,
}
"""A random game of two or three players in each ruleset, with scanners and equipment if it has any."""
TURNS = 2
SEATS = (0, 1)


@cache
def turns_of(key: str) -> tuple[rules.Setup, list[Played]]:
    game = rules.read_game_file(recorded(SEEDS[key], key, longest=TURNS))
    return game.setup, list(played_turns(game))


@cache
def reviews_of(key: str) -> list[TurnReview]:
    return list(review_game(*turns_of(key), SEATS))


def test_every_ruleset_has_a_game() -> None:
    assert set(SEEDS) == set(rules.RULESETS)


@pytest.mark.parametrize("key", SEEDS)
def test_the_figures_of_random_games_add_up(key: str) -> None:
    setup, played = turns_of(key)
    turns = [turn_to_json(review) for review in reviews_of(key)]
    assert len(turns) == len(played) == TURNS
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


@pytest.mark.parametrize("key", SEEDS)
def test_the_chances_of_all_sides_add_up_to_one(key: str) -> None:
    setup, played = turns_of(key)
    for turn in played:
        found = chances(setup, turn.state)
        sides = {
            robot.squad or robot.index: share for robot, share in zip(turn.state.players, found, strict=True)
        }
        assert sum(sides.values()) == pytest.approx(1)


@pytest.mark.parametrize("key", SEEDS)
def test_a_review_does_not_depend_on_secrets(key: str) -> None:
    """The figures of a robot stay the same if other hands, orders and unused transporter links change."""
    setup, played = turns_of(key)
    turn, review = played[-1], reviews_of(key)[-1]
    known = rules.fold(turn.state, turn.events).known
    for figures in review.figures:
        index = figures.robot
        state = turn.state.copy()
        state.links = {origin: to for origin, to in state.links.items() if origin in known}
        for robot in state.robots:
            if robot.was_down and robot.index != index:
                robot.registers = [None] * rules.REGISTERS
        own = {index: turn.orders[index]} if index in turn.orders else {}
        hands = {index: turn.hands[index]} if index in turn.hands else {}
        secret = replace(turn, state=state, hands=hands, orders=own)
        assert review_turn(setup, secret, [index]).figures == (figures,)


@pytest.mark.parametrize(
    ("authors", "decisions", "accuracy"),
    [
        (("player", "player", "player"), 3, 0.9),
        (("player", "sitter", "standing"), 1, 0.95),
        (("computer", None, "deadline"), 1, 0.9),
        (("computer", "computer", "chance"), 2, 0.925),
        (("stand-in", "deadline", "sitter"), 0, None),
    ],
)
def test_accuracy_counts_only_the_player_s_own_decisions(
    authors: tuple[str | None, ...], decisions: int, accuracy: float | None
) -> None:
    lost = (-0.05, -0.1, -0.15)
    best = rules.Orders(heading=0)
    turns = [
        turn_to_json(
            TurnReview(turn, (0.5,), (0.5,), (Figures(0, 0, decision, 0, 0, best, None, (), by),), 1)
        )
        for turn, (decision, by) in enumerate(zip(lost, authors, strict=True), 1)
    ]
    totals = review_to_json(turns_of("robo-runner")[0], turns)["totals"]["1"]
    assert (totals["decisions"], totals["accuracy"], totals["decision"]) == (decisions, accuracy, -0.3)


def test_a_game_of_one_robot_is_refused() -> None:
    ship = rules.read_starship({"format": "starship/1", "rows": [". . .+i1", "a . ."]})
    setup = rules.make_setup(rules.ruleset("robo-runner"), {}, ship, 1)
    state = rules.begin(setup, ["alice"], 1).state
    with pytest.raises(ReviewError, match="one side"):
        list(review_game(setup, [Played(state, {}, {}, ())]))


PRINT = """
import json
from rules.review import turn_to_json
from tests.rules.test_review import reviews_of
print(json.dumps([turn_to_json(review) for review in reviews_of("robo-recon")]))
"""


def test_interpreted_and_compiled_reviews_are_the_same() -> None:
    """Another process gives the same bytes. If this one is compiled, the other one is not."""
    here = json.dumps([turn_to_json(review) for review in reviews_of("robo-recon")])
    ran = subprocess.run(
        [sys.executable, "-c", PRINT],
        env={**os.environ, "RULES": "interpreted"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.strip() == here


def two_worlds(turn: int) -> tuple[rules.Setup, list[Played]]:
    """Return a turn as it was played, and as Alice knows it: without others' hands, orders and links.

    No robot moves, so the log of turn 1 reveals no link.
    """
    table = Table("a t:red . t:red .", ". . t:red . .", ". . . . .+i1", players="Alice Bob")
    if turn:
        table.start()
    orders = {
        index: table.give(kinds, index) if turn else rules.Orders(heading=index)
        for index, kinds in enumerate(("LRLRU", "RLRLU"))
    }
    state, hands = table.state.copy(), dict(table.hands)
    events = table.resolve(orders)
    without = state.copy()
    without.links = {}
    known = Played(without, {index: hands[index] for index in hands if not index}, {0: orders[0]}, events)
    return table.setup, [Played(state, hands, orders, events), known]


@pytest.mark.parametrize("turn", range(2))
def test_the_secrets_of_others_do_not_change_a_review(turn: int) -> None:
    setup, worlds = two_worlds(turn)
    first, second = (review_turn(setup, played, [0]) for played in worlds)
    assert first == second


@pytest.mark.parametrize("turn", range(2))
def test_a_review_with_secrets_would_differ(turn: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison of the two worlds finds the leak if a review uses the whole state."""
    setup, worlds = two_worlds(turn)
    monkeypatch.setattr(credit, "public", lambda setup, state, own=None: state)
    first, second = (review_turn(setup, played, [0]) for played in worlds)
    assert first != second
