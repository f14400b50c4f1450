"""Versions of rulesets: what is new is played in new games, and games go on as they began."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import rules
from rules.rulesets import EDITIONS
from rules.rulesets.earlier import EARLIER

RECORDINGS = sorted((Path(__file__).parent / "recordings").glob("*.json.gz"))
"""Games that were played by the release which had that version as its newest."""


def recorded(file: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(gzip.decompress(file.read_bytes()))
    return document


@pytest.mark.parametrize("file", RECORDINGS, ids=lambda file: file.name.partition(".")[0])
def test_a_game_is_proved_by_the_version_that_it_began_with(file: Path) -> None:
    game = rules.read_game_file(recorded(file))
    assert game.setup.ruleset.version == recorded(file)["version"]
    assert rules.verify(game) == []


def test_each_earlier_version_has_recorded_games_that_show_what_was_different() -> None:
    shown = {(game["ruleset"], game["version"]) for game in map(recorded, RECORDINGS)}
    assert shown == {(edition.key, edition.version) for edition in EARLIER}


@pytest.mark.parametrize("file", RECORDINGS, ids=lambda file: file.name.partition(".")[0])
def test_the_newest_version_would_have_played_a_recorded_game_differently(file: Path) -> None:
    game = recorded(file)
    newest = rules.RULESETS[game["ruleset"]].version
    again = rules.read_game_file(rules.sealed(game | {"version": newest}))
    assert rules.verify(again) != []


def test_a_ruleset_is_of_its_newest_version_unless_another_is_asked_for() -> None:
    for key, newest in rules.RULESETS.items():
        versions = [version for name, version in EDITIONS if name == key]
        assert sorted(versions) == list(range(1, newest.version + 1))
        assert rules.ruleset(key) is newest
        for version in versions:
            edition = rules.ruleset(key, version)
            assert (edition.key, edition.version) == (key, version)


def test_a_version_that_is_not_here_is_refused_with_those_that_are() -> None:
    with pytest.raises(rules.UnknownVersion, match="Robo Runner has no version 99; there are: 1, 2"):
        rules.ruleset("robo-runner", 99)
    with pytest.raises(rules.UnknownRuleset, match="there is no ruleset “chess”"):
        rules.ruleset("chess", 1)
