"""Files of games that ended early: their turns are proved, and their ending is reported."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import rules
from rules.__main__ import main
from rules.game_file import ENDINGS
from tests.rules.recorded import recorded

TURNS = 3
"""The number of turns after which the tests' games end."""


def faults(document: Any) -> list[str]:
    return [str(fault) for fault in rules.verify(rules.read_game_file(rules.with_digest(document)))]


@cache
def _under_way(key: str) -> str:
    for seed in range(500):
        document = recorded(seed, key, longest=TURNS)
        robots = [
            robot for robot in document["end"]["robots"] if not robot["scanner"] and not robot["crystal"]
        ]
        if not document["end"]["over"] and len(robots) > 1 and all(robot["alive"] for robot in robots):
            return json.dumps(document)
    raise AssertionError("each of these games was over by then")


def under_way(key: str = "robo-runner", **more: object) -> Any:
    """Return a running game after some turns, with the given keys added to describe its ending."""
    return json.loads(_under_way(key)) | more


def contender(document: Any) -> str:
    """Return the name of a robot or squad that is still in the game."""
    robot = document["end"]["robots"][0]
    name: str = robot["squad"] or robot["name"]
    return name


@pytest.mark.parametrize("key", rules.RULESETS)
@pytest.mark.parametrize("ending", ["voted", "staff", "deserted", "resigned"])
def test_a_cancelled_game_is_proved_up_to_its_end(key: str, ending: str) -> None:
    assert faults(under_way(key, ending=ending)) == []


@pytest.mark.parametrize("key", rules.RULESETS)
def test_a_conceded_game_is_proved_up_to_its_end(key: str) -> None:
    game = under_way(key, ending="conceded")
    game["winner"] = contender(game)
    assert faults(game) == []


@pytest.mark.parametrize("key", rules.RULESETS)
def test_a_game_won_by_resignation_is_proved_up_to_its_end(key: str) -> None:
    game = under_way(key, ending="resigned")
    game["winner"] = contender(game)
    assert faults(game) == []


def test_only_a_player_of_the_game_wins_by_resignation() -> None:
    (fault,) = faults(under_way(ending="resigned", winner="somebody"))
    assert "no player could resign in favour of somebody" in fault


def test_a_game_without_an_ending_lacks_turns() -> None:
    (fault,) = faults(under_way())
    assert fault.startswith("the game is not over after turn ")


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_finished_game_cannot_be_cancelled_or_conceded(ending: str) -> None:
    game = next(
        game for game in (recorded(seed) for seed in range(500)) if game["end"]["over"] and game["winner"]
    )
    assert "the rules had already ended the game" in faults({**game, "ending": ending})[0]


def test_a_cancelled_game_has_no_winner() -> None:
    game = under_way(ending="voted")
    game["winner"] = contender(game)
    (fault,) = faults(game)
    assert fault.endswith(f"the game was cancelled, but the file names {game['winner']} as its winner")


@pytest.mark.parametrize(("winner", "said"), [(None, "no one"), ("Mallory", "Mallory"), ("red", "red")])
def test_a_game_is_conceded_to_one_of_its_players(winner: str | None, said: str) -> None:
    (fault,) = faults(under_way(ending="conceded", winner=winner))
    assert fault.endswith(f"the game could not be conceded to {said}")


def test_a_game_cannot_be_conceded_to_a_robot_that_is_out() -> None:
    def lost(game: Any) -> list[str]:
        robots = (robot for robot in game["end"]["robots"] if not robot["alive"] and not robot["scanner"])
        return [robot["name"] for robot in robots if robot["lives"] <= 0]

    games = (recorded(seed, longest=6) for seed in range(300))
    game = next(game for game in games if lost(game) and not game["end"]["over"])
    (fault,) = faults({**game, "ending": "conceded", "winner": lost(game)[0]})
    assert f"the game could not be conceded to {lost(game)[0]}" in fault


def test_a_game_with_a_finisher_can_only_be_conceded_to_it() -> None:
    def placed(game: Any, *places: int | None) -> list[str]:
        return [robot["name"] for robot in game["end"]["robots"] if robot["place"] in places]

    games = (recorded(seed, "factory-1999", longest=12) for seed in range(300))
    game = next(game for game in games if placed(game, 1) and not game["end"]["over"])
    (first,), (other, *_) = placed(game, 1), placed(game, 2, 3, None)
    assert faults({**game, "ending": "conceded", "winner": first}) == []
    assert "could not be conceded" in faults({**game, "ending": "conceded", "winner": other})[0]


def test_the_end_state_also_follows_from_the_log() -> None:
    game = under_way(ending="voted")
    game["end"]["robots"][0]["damage"] += 1
    (fault,) = faults(game)
    assert "the end state does not follow from the log" in fault


def test_a_game_without_turns_proves_nothing() -> None:
    assert faults(under_way(ending="staff", turns=[])) == ["no turn was played"]


@pytest.mark.parametrize(
    ("ending", "reason"),
    [
        ("bored", "“ending” must be one of voted, conceded, staff, deserted, resigned"),
        (7, "“ending” must be a text"),
    ],
)
def test_an_unknown_ending_is_refused(ending: object, reason: str) -> None:
    with pytest.raises(rules.NotationError, match=reason):
        rules.read_game_file(under_way(ending=ending))


@pytest.mark.parametrize(
    ("ending", "said"),
    [
        ("voted", "cancelled by vote of its players, after turn"),
        ("staff", "cancelled by staff, after turn"),
        ("deserted", "cancelled, because no player was left, after turn"),
        ("conceded", "conceded to player0 by vote of the others, after turn"),
        ("resigned", "lost by resignation, after turn"),
    ],
)
def test_the_command_reports_the_ending_as_unproved(
    ending: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = under_way(ending=ending)
    game["winner"] = contender(game) if ending == "conceded" else None
    path = tmp_path / "game.json"
    path.write_text(json.dumps(rules.with_digest(game)))
    assert main(["verify", str(path)]) == 0
    told = capsys.readouterr().out
    assert f"{said} {game['end']['turn']}, which no file can prove; every hand" in told
