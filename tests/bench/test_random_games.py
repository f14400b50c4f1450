"""The script that plays random games: a short run, and its reports of faults."""

from random import Random

import pytest

import rules
from bench import random_games
from bench.random_games import KEYS, board, game_of, main, play

GAMES = 8 * len(KEYS)


@pytest.mark.parametrize("key", KEYS)
def test_random_games_of_a_ruleset_end_without_a_fault(key: str) -> None:
    results = [play(seed) for seed in range(KEYS.index(key), GAMES, len(KEYS))]
    assert [result.fault for result in results if result.fault] == []
    assert {result.key for result in results} == {key}
    assert any(result.reason != random_games.UNFINISHED for result in results)


def test_a_run_reports_every_ruleset_and_how_its_games_ended(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(2 * len(KEYS)), "--processes", "2"]) == 0
    told = capsys.readouterr().out
    assert all(key in told for key in KEYS)
    assert f"{2 * len(KEYS)} games without a fault" in told
    assert "turns a second" in told


def test_the_first_fault_ends_a_run_and_is_reported_with_its_seed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        random_games, "crowded_cells", lambda robots: [robots[0].start] if len(robots) == 5 else []
    )
    first = next(seed for seed in range(200) if len(game_of(seed).state.robots) == 5)
    assert main(["200"]) == 1
    assert f"fault in the game of seed {first} " in capsys.readouterr().out
    assert main(["--seed", str(first)]) == 1
    assert "FAULT: more than one real robot at" in capsys.readouterr().out


def test_an_exception_is_a_fault(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(*given: object) -> rules.Outcome:
        raise KeyError("broken on purpose")

    monkeypatch.setattr(rules, "resolve_turn", broken)
    assert main(["1"]) == 1
    assert "broken on purpose" in capsys.readouterr().out


def test_one_game_can_be_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seed", "3"]) == 0
    told = capsys.readouterr().out
    assert "amigo-1999" in told
    assert "Turn 1\n" in told
    assert "wins." in told


def test_a_seed_determines_the_whole_game() -> None:
    assert [play(seed) for seed in range(14)] == [play(seed) for seed in range(14)]


def test_boards_are_random_built_in_or_joined() -> None:
    boards = [board(Random(seed), "amigo-1999") for seed in range(100)]
    assert None in boards
    sizes = {(ship.width, ship.height) for ship in boards if ship}
    assert {(12, 12), (24, 12), (12, 24)} <= sizes


@pytest.mark.parametrize("arguments", [["0"], ["many"], ["5", "--processes", "0"], ["--seed", "x"]])
def test_a_wrong_argument_is_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert "error:" in capsys.readouterr().err
