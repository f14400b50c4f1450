"""Positions (``position/1``): written, read, refused, begun at, and proved."""

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import rules
from rules.position import begin_at, position_of, read_position, read_whole, with_setup
from tests.rules.proving import faults, headed
from tests.rules.recorded import PositionedGame, recording_of
from tests.rules.strategies import RandomGame

SEEDS = st.integers(min_value=0, max_value=2**32)


@pytest.mark.parametrize("key", rules.RULESETS)
@settings(max_examples=2, deadline=None)
@given(seed=SEEDS)
def test_a_game_begun_at_any_turn_has_the_state_of_that_turn(key: str, seed: int) -> None:
    game = RandomGame(seed, key)
    names = [robot.name for robot in game.state.players]
    for _ in game.turns(12):
        if game.state.turn == 0:
            continue
        document = json.loads(json.dumps(with_setup(game.setup, position_of(game.setup, game.state))))
        setup, position = read_whole(document)
        dealt = begin_at(position, setup, names, seed, position.squads, position.models)
        assert dealt.state.turn == 1
        state = rules.state_to_json(game.ship, game.state)
        assert rules.state_to_json(game.ship, dealt.state) == {**state, "turn": 1}


@cache
def _played_on(key: str) -> str:
    for seed in range(100):
        game = PositionedGame(seed, key, turns=3)
        if json.dumps(game.position).count('"damage"') and (document := recording_of(game, 30))["winner"]:
            return json.dumps(headed(document))
    raise AssertionError("none of these games was won")


def played_on(key: str = "robo-runner") -> Any:
    """Return the file of a game that began at a position with damage, and was won."""
    return json.loads(_played_on(key))


@pytest.mark.parametrize("key", rules.RULESETS)
def test_a_game_that_began_at_a_position_is_proved(key: str) -> None:
    assert faults(played_on(key)) == []


def test_the_first_head_covers_the_position() -> None:
    game = played_on()
    robot = next(robot for robot in game["position"]["robots"] if robot.get("damage"))
    robot["heading"] = "W" if robot["heading"] == "E" else "E"
    found = faults(rules.with_digest(game))
    assert any("the first head is" in fault for fault in found)


def test_hands_of_a_position_follow_from_the_new_seed() -> None:
    game = played_on()
    at = rules.read_game_file(game)
    assert at.position is not None
    names = [player.name for player in at.players]
    hands = [begin_at(at.position, at.setup, names, seed).hands for seed in ("one", "two", "one")]
    assert hands[0] == hands[2] != hands[1]


def _place(robot: int, **changes: object) -> Callable[[Any], object]:
    return lambda position: position["robots"][robot].update(changes)


BAD: list[tuple[Callable[[Any], object], str]] = [
    (lambda position: position.update(format="position/2"), 'the format is "position/2"'),
    (lambda position: position.update(colour=1), "a position has an unknown key “colour”"),
    (lambda position: position.pop("ruleset"), "the key “ruleset” is missing"),
    (lambda position: position.update(ruleset=1), "“ruleset” must be a text"),
    (lambda position: position.update(version="1"), "“version” must be a whole number"),
    (lambda position: position.update(version=99), "Robo Runner has no version 99"),
    (lambda position: position.update(options=[]), "“options” must be an object"),
    (lambda position: position.update(robots=[]), "“robots” must be a list of objects"),
    (lambda position: position.update(robots=[{}] * 13), "at most 12 robots"),
    (lambda position: position.update(robots=[{}] * 9), "for 1 to 8 players, not 9"),
    (
        lambda position: position.update(options={"scanners": 1}),
        "asks for 1 scanners, but the position has 0",
    ),
    (lambda position: position.update(crystal=[1, 1]), "has no power crystal"),
    (lambda position: position.update(hull={"7": 1}), "“hull” must have the repairs left"),
    (lambda position: position.update(hull={"1": 3}), "“hull” must have the repairs left"),
    (lambda position: position.update(links=[[[3, 0], [3, 0]]]), "every transporter of a network once"),
    (lambda position: position.update(links=[[0]]), "“links” must be a list of pairs"),
    (lambda position: position.update(known=[[3, 0]]), "“known” must be a list of transporters"),
    (_place(0, speed=1), "robot 1 has an unknown key “speed”"),
    (_place(0, at=[9, 9]), "“at” of robot 1 must be a cell of the board: [x, y], not [9, 9]"),
    (_place(0, at=["a"]), "“at” of robot 1 must be a cell of the board"),
    (_place(0, at=None), "robot 1 must be on the board, or out of the game"),
    (_place(0, at=[2, 1]), "robot 1 would fall at once"),
    (_place(1, at=[0, 0]), "robots 1 and 2 are both real and in one cell"),
    (_place(0, out=True), "robot 1 is out of the game or has finished, so it has no cell"),
    (_place(0, out=True, away=True, at=None), "robot 1 cannot be “away” and “out”"),
    (_place(0, away=True), "robot 1 is out of the game or has finished, so it has no cell"),
    (_place(0, away=True, at=None), ""),
    (_place(0, place=1, at=None), "robot 1 cannot have finished"),
    (_place(0, out=True, at=None), "the game would be over: too few robots are left"),
    (_place(0, heading="north"), "“heading” of robot 1 must be one of N, E, S, W"),
    (_place(0, damage=10), "“damage” of robot 1 must be a whole number from 0 to 9"),
    (_place(0, damage=True), "“damage” of robot 1 must be a whole number"),
    (_place(0, lives=0), "“lives” of robot 1 must be a whole number from 1 to 9"),
    (_place(0, next=3), "“next” of robot 1 must be a whole number from 1 to 2"),
    (_place(0, rank=2, at=[0, 0]), "needs a different rank"),
    (_place(0, virtual="no"), "“virtual” of robot 1 must be true or false"),
    (_place(0, was_down=True), "“was_down” of robot 1 is impossible with these rules"),
    (_place(0, squad="red"), "robot 1 has no “squad” with these rules"),
    (_place(0, equipment="sword"), "“equipment” of robot 1 must be one of"),
    (_place(0, damage=5), ""),
    (_place(0, damage=5, locked={"5": 7}), "must have its 1 locked registers"),
    (_place(0, damage=5, locked={}), "must have its 1 locked registers"),
    (_place(0, damage=6, locked={"4": 490, "5": 490}), "a chip can be locked only once"),
    (_place(0, scanner=True), "the scanners must come after"),
]


def small_position() -> Any:
    """Return a position of two robots, with a shaft, two transporters and a damaged checkpoint."""
    return {
        "format": "position/1",
        "ruleset": "robo-runner",
        "starship": {
            "format": "starship/1",
            "name": "Small",
            "rows": [".+i1*2 . . t:red", "a . o t:red", "a . . .+i2"],
        },
        "robots": [{"at": [0, 0]}, {"at": [1, 0], "heading": "W"}],
    }


def test_finished_robots_have_the_first_places() -> None:
    board = {"format": "starship/1", "rows": ["a . .+i1", "a . ."]}
    document = small_position() | {"ruleset": "factory-1999", "starship": board}
    document["robots"] += [{"at": [1, 1]}, {"at": None}]
    for change, reason in (
        ({"place": 1}, ""),
        ({"place": 2}, "must be 1, 2 and so on"),
        ({"place": 1, "out": True}, "robot 4 cannot have finished"),
        ({"place": 1, "away": True}, "robot 4 cannot have finished"),
    ):
        document["robots"][-1] = {"at": None, **change}
        if not reason:
            read_whole(document)
            continue
        with pytest.raises(rules.NotationError, match=reason):
            read_whole(document)


@pytest.mark.parametrize(("spoil", "reason"), BAD)
def test_an_impossible_position_is_refused_with_its_fault(
    spoil: Callable[[Any], object], reason: str
) -> None:
    document = small_position()
    spoil(document)
    if not reason:
        read_whole(document)
        return
    with pytest.raises(rules.RulesError) as refused:
        read_whole(document)
    assert reason in str(refused.value)


def test_squads_of_different_sizes_are_refused() -> None:
    document = json.loads(json.dumps(played_on("robo-recon")["position"]))
    game = rules.read_game_file(played_on("robo-recon"))
    document["robots"][0]["squad"] = "blue" if document["robots"][0]["squad"] == "red" else "red"
    with pytest.raises(rules.NotationError, match="squads must be the same size"):
        read_position(document, game.setup)


def test_a_position_needs_only_a_ruleset_a_board_and_cells() -> None:
    setup, position = read_whole(small_position())
    dealt = begin_at(position, setup, ["Alice", "Bob"], "seed")
    first, second = dealt.state.robots
    assert (first.heading, first.lives, first.next, first.rank, first.damage) == (0, 3, 1, 1, 0)
    assert (second.heading, second.rank, second.start) == (3, 2, setup.starship.airlocks[1])
    assert dealt.state.hull == {1: 2}
    assert len(dealt.hands[0]) == 9


def test_the_players_must_be_those_of_the_position() -> None:
    setup, position = read_whole(small_position())
    with pytest.raises(rules.SetupError, match="for 2 players, not 1"):
        begin_at(position, setup, ["Alice"], "seed")
    with pytest.raises(rules.SetupError, match="differ from those of the position"):
        begin_at(position, setup, ["Alice", "Bob"], "seed", ["red", "blue"])


def test_a_game_keeps_the_version_of_its_position() -> None:
    document = {**small_position(), "version": 1}
    setup, _position = read_whole(document)
    assert setup.ruleset.version == 1
