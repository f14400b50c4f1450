"""The reports of the benchmark of the starship generator."""

from pathlib import Path
from typing import Any

import pytest

import rules
from bench import design
from bench.design import Made, main, summary
from tests.rules.tunnel.flown import ship_of


def made(seed: int, colour: str, *rows: str) -> Made:
    ship = ship_of(*(rows or ("a o .+i1",)))
    return Made(seed, "robo-runner", "ring", ship, colour, (), 40, 2.0)


def test_the_report_has_shares_by_ruleset_and_theme_and_differences_of_pairs() -> None:
    ships = [made(1, "green"), made(2, "amber"), made(3, "green", "a g+ .+i1")]
    told = list(summary(ships))
    assert "| robo-runner | 2 of 3 | 2 |" in told
    assert "| ring | 2 of 3 | 2 |" in told
    assert told[-1] == "\n2 of 3 pairs of one theme differ in 35% of their cells."


@pytest.mark.parametrize(("colours", "status"), [(["green"] * 9 + ["red"], 0), (["green", "amber"], 1)])
def test_nine_of_ten_are_enough(colours: list[str], status: int, monkeypatch: Any, tmp_path: Path) -> None:
    ships = [made(seed, colour) for seed, colour in enumerate(colours)]
    monkeypatch.setattr(design, "make", lambda given: ships)
    assert main(["--keep", str(tmp_path)]) == status
    kept = sorted(tmp_path.iterdir())
    assert len(kept) == len(ships)


@pytest.mark.parametrize("wrong", [["--seeds", "0"], ["--side", "7"], ["--theme", "desert"]])
def test_wrong_arguments_are_refused(wrong: list[str]) -> None:
    with pytest.raises(SystemExit):
        main(wrong)


def test_every_ruleset_meets_every_theme(monkeypatch: Any) -> None:
    met = {(seed % 7, (seed + seed // 7) % 7) for seed in range(49)}
    assert len(met) == len(rules.RULESETS) * len(design.THEMES)
