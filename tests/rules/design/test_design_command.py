"""The command ``python -m rules design``: output, exit status, and refused arguments."""

import json
from typing import Any

import pytest

import rules
from rules.__main__ import main
from rules.design import proposal, search

QUICK = ("--size", "8x8", "--players", "2", "--candidates", "1", "--flights", "2", "--processes", "1")


@pytest.fixture(autouse=True)
def quick(monkeypatch: Any) -> None:
    monkeypatch.setattr(search, "FIRST_FLIGHTS", 1)


def test_the_starship_and_its_verdict_are_printed(capsys: Any) -> None:
    status = main(["design", *QUICK, "--theme", "ring", "--seed", "7"])
    printed = capsys.readouterr()
    document = json.loads(printed.out)
    ship = rules.read_starship(document)
    assert (ship.width, ship.height) == (8, 8)
    assert ship.name
    assert ship.description
    told = printed.err.splitlines()
    assert told[0].startswith(f"{ship.name}: ")
    assert told[1] == "Robo Runner, 2 players, 2 of 2 flights"
    assert status == int(told[2].startswith("Red"))


def test_the_same_arguments_print_the_same_ship(capsys: Any) -> None:
    printed = []
    for seed in ("a", "a", "b"):
        main(["design", *QUICK, "--seed", seed])
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1] != printed[2]


@pytest.mark.parametrize(("size", "sides"), [("9", (9, 9)), ("9x8", (9, 8)), ("8×9", (8, 9))])
def test_a_size_is_a_number_or_a_pair(size: str, sides: tuple[int, int], capsys: Any) -> None:
    main(["design", *QUICK, "--size", size])
    ship = rules.read_starship(json.loads(capsys.readouterr().out))
    assert (ship.width, ship.height) == sides


def test_a_ship_may_be_drawn(capsys: Any) -> None:
    main(["design", *QUICK, "--draw"])
    assert capsys.readouterr().out.startswith("<svg")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--ruleset", "chess"], "there is no ruleset “chess”"),
        (["--players", "1"], "is for 2, 3, 4, 5, 6, 7 players, not 1"),
        (["--players", "9"], "is for 2, 3, 4, 5, 6, 7 players, not 9"),
        (["--size", "8x8", "--players", "4"], "on 64 cells is for 2, 3 players"),
        (["--ruleset", "robo-recon", "--players", "3"], "is for 2, 4, 6 players, not 3"),
    ],
)
def test_an_impossible_design_is_refused_in_one_line(arguments: list[str], said: str, capsys: Any) -> None:
    assert main(["design", *arguments]) == 2
    printed = capsys.readouterr()
    assert said in printed.err
    assert printed.err.count("\n") == 1
    assert printed.out == ""


def test_an_impossible_drawing_is_refused_in_one_line(monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.setattr(proposal, "PROPOSAL_ATTEMPTS", 0)
    assert main(["design", *QUICK]) == 2
    assert capsys.readouterr().err.endswith("try another size, theme or symmetry\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--size", "7x7"], "must be like 12 or 16x12, with 8 to 30 cells along each side"),
        (["--size", "1000x1000"], "8 to 30"),
        (["--size", "-5"], "--size"),
        (["--theme", "desert"], "invalid choice: 'desert'"),
        (["--symmetry", "six"], "invalid choice: 'six'"),
        (["--candidates", "0"], "must be a whole number from 1 to 1000"),
        (["--players", "many"], "invalid int value: 'many'"),
        (["ship.json"], "unrecognized arguments: ship.json"),
    ],
)
def test_a_wrong_argument_is_refused_in_one_line(arguments: list[str], said: str, capsys: Any) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["design", *arguments])
    assert stopped.value.code == 2
    printed = capsys.readouterr()
    assert said in printed.err
    assert printed.err.count("\n") == 1
