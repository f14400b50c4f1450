"""The benchmark of reviews plays games, and compares chances to win with results."""

import pytest

from bench import review
from bench.review import COACH, FIRST_DUEL, duel, predicted


def test_a_duel_has_a_winner() -> None:
    assert duel(FIRST_DUEL) in (COACH, "ace")


def test_chances_of_a_game_are_counted_with_its_winner() -> None:
    bins = predicted(0)
    assert bins is not None
    count, total, wins = (sum(column) for column in zip(*bins, strict=True))
    assert count > 0
    assert total * wins > 0
    assert total == pytest.approx(wins)


def test_too_few_won_duels_fail(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(review, "duel", lambda number: "ace" if number % 2 else COACH)
    assert review.duels(4, 1) == 1
    assert "The coach wins 2 of 4 duels" in capsys.readouterr().out
    monkeypatch.setattr(review, "duel", lambda number: COACH)
    assert review.duels(4, 1) == 0
