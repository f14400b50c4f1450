"""Versions of rulesets: new games use the newest version, and running games keep theirs."""

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import rules
from rules import computers
from rules.rulesets import EARLIER, EDITIONS
from rules.scenario import read_scenario

RECORDINGS = sorted((Path(__file__).parent / "recordings").glob("*.json.gz"))
"""Files of games. Each was played when its ruleset version was the newest."""


def recorded(file: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(gzip.decompress(file.read_bytes()))
    return document


@pytest.mark.parametrize("file", RECORDINGS, ids=lambda file: file.name.partition(".")[0])
def test_a_game_is_proved_by_its_first_version(file: Path) -> None:
    game = rules.read_game_file(recorded(file))
    assert game.setup.ruleset.version == recorded(file)["version"]
    assert rules.verify(game) == []


def test_each_earlier_version_has_recorded_games_that_show_its_differences() -> None:
    shown = {(game["ruleset"], game["version"]) for game in map(recorded, RECORDINGS)}
    assert shown == {(edition.key, edition.version) for edition in EARLIER}


@pytest.mark.parametrize("file", RECORDINGS, ids=lambda file: file.name.partition(".")[0])
def test_the_newest_version_would_have_played_a_recorded_game_differently(file: Path) -> None:
    game = recorded(file)
    newest = rules.RULESETS[game["ruleset"]].version
    again = rules.read_game_file(rules.with_digest(game | {"version": newest}))
    assert rules.verify(again) != []


def test_a_ruleset_has_its_newest_version_by_default() -> None:
    for key, newest in rules.RULESETS.items():
        versions = [version for name, version in EDITIONS if name == key]
        assert sorted(versions) == list(range(1, newest.version + 1))
        assert rules.ruleset(key) is newest
        for version in versions:
            edition = rules.ruleset(key, version)
            assert (edition.key, edition.version) == (key, version)


def test_an_unknown_version_is_refused_with_the_known_ones() -> None:
    with pytest.raises(rules.UnknownVersion, match="Robo Runner has no version 99; there are: 1, 2"):
        rules.ruleset("robo-runner", 99)
    with pytest.raises(rules.UnknownRuleset, match="there is no ruleset “chess”"):
        rules.ruleset("chess", 1)


def test_in_version_2_two_steps_were_one_instant_if_nothing_happened_between_them() -> None:
    case = Path(__file__).parent / "cases" / "common"
    (file,) = case.glob("g-10.3-of-two-steps-of-a-phase-*.json")
    scenario = read_scenario(rules.parse(file.read_bytes()))
    assert scenario.run().state.winner == 1
    rules_before = replace(
        scenario.setup.ruleset, ties_across_steps=rules.ruleset("amigo-1999", 2).ties_across_steps
    )
    before = replace(scenario, setup=replace(scenario.setup, ruleset=rules_before))
    assert before.run().state.winner == 0


@pytest.mark.parametrize("key", ["amigo-1999", "group-11"])
def test_before_version_3_the_third_destruction_took_the_last_of_three_lives(key: str) -> None:
    rows = ["a1 a2 .+i1 .+i2"]
    ship = rules.read_starship({"format": "starship/1", "rows": rows})
    lives = {}
    for version in (2, 3):
        ruleset = rules.ruleset(key, version)
        setup = rules.make_setup(ruleset, {"lives": 3}, ship, 2)
        models = ["tanky", "peach"] if ruleset.models else []
        robot = rules.new_game(setup, ["A", "B"], 1, models=models).robots[0]
        lives[version] = (robot.lives, robot.shown_lives)
    assert lives == {2: (3, 3), 3: (4, 3)}


@pytest.mark.parametrize("strength", computers.LEVELS)
def test_a_computer_counts_spare_lives_in_addition_to_the_present_one(strength: str) -> None:
    rows = ["a1 a2 o  .", ".  o  .  .+i1", ".  .  .  .+i2"]
    ship = rules.read_starship({"format": "starship/1", "rows": rows})
    for seed in range(4):
        chosen = []
        for version, lives in ((2, 1), (3, 0)):
            setup = rules.make_setup(rules.ruleset("group-11", version), {"lives": lives}, ship, 2)
            dealt = rules.begin(setup, ["A", "B"], seed, models=["tanky", "peach"])
            seen = rules.view(dealt.state)
            chosen.append(computers.choose(setup, seen, 0, dealt.hands[0], strength, seed))
        assert chosen[0] == chosen[1]
