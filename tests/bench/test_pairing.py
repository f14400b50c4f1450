"""The benchmark of pairing fails if tables are worse than the best known ones."""

import sys
from collections import Counter

import pytest

from bench import pairing
from games.competitions.formats import pairs_of


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["pairing", *arguments])
    return pairing.main()


def test_leagues_take_no_longer_than_the_best_known(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "--leagues") == 0
    shown = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["24", "8", "5", "4", "5"] in shown and ["12", "4", "5", "4", "5"] in shown
    assert ["32", "3", "16", "16", "16"] in shown, "the bound is reached"
    above = {int(line[2]) - int(line[3]) for line in shown[1:]}
    assert above == {0, 1, 2}, "docs/internals.md tells which leagues take two rounds more"
    monkeypatch.setitem(pairing.BEST_ROUNDS, (24, 8), 4)
    assert run(monkeypatch, "--leagues") == 1


def test_swiss_systems_repeat_no_pair_without_need(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pairing, "SWISS", ((20, 4, 5), (12, 4, 5), (13, 2, 4)))
    assert run(monkeypatch, "--swiss", "--seed", "a") == 0
    assert [line.split()[3:] for line in capsys.readouterr().out.splitlines()[2:]] == [
        ["0", "0"],
        ["24", "24"],
        ["0", "0"],
    ]
    monkeypatch.setattr(pairing, "scheduled_tables", lambda *_field, **_more: ((), ""))
    monkeypatch.setattr(pairing, "SWISS", ((12, 4, 5),))
    assert run(monkeypatch, "--swiss", "--seed", "a") == 1


@pytest.mark.parametrize(("sizes", "rounds", "apart"), [([4, 4, 4], 5, False), ([3, 3, 3, 3, 3], 7, True)])
def test_a_search_finds_designs(sizes: list[int], rounds: int, apart: bool) -> None:
    found = pairing.search(sizes, rounds, apart=apart, steps=20_000, seed="a")
    assert found and [[len(table) for table in tables] for tables in found] == [sizes] * rounds
    met: Counter[tuple[int, int]] = pairs_of(found)
    players = sum(sizes)
    if apart:
        assert set(met.values()) == {1}
    else:
        assert len(met) == players * (players - 1) // 2


def test_a_search_reports_that_it_found_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "--search", "4+4+4", "--rounds", "4", "--steps", "100", "--seed", "a") == 1
    assert "no 4 rounds found" in capsys.readouterr().out
    assert run(monkeypatch, "--search", "3+3+3", "--steps", "1000", "--seed", "a") == 0
    kind, sizes, *rounds = capsys.readouterr().out.split()
    assert (kind, sizes, len(rounds)) == ("league", "3+3+3", 4)
