"""Fixtures for tests of analyses."""

import pytest

from rules.review import credit, worlds


@pytest.fixture(autouse=True)
def few_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try fewer programs in fewer worlds. The figures are less exact, but the tests are faster."""
    monkeypatch.setattr(credit, "ANSWERS", 4)
    monkeypatch.setattr(worlds, "WORLDS", 3)
