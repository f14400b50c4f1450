"""The poison test makes data unreadable, and detects the games that stop because of this.

Only a quick part of it runs here, in one process.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta

import pytest
from celery import current_app
from django.apps import apps
from django.db import models, transaction

from bench.faults import poison
from bench.faults.poison import Kind
from bench.faults.poisoned import Poisoning
from games.play.computers import play_computers
from games.play.models import Hand, Turn
from games.play.resolution import resolve_turn
from games.work import enqueue
from games.work.sweeper import sweep
from tests.support.clock import NOW

QUICK = {
    "game.ruleset",
    "game.options",
    "game.house_rules",
    "game.pace",
    "game.absence",
    "turn.snapshot",
    "turn.record",
    "turn.deadline",
    "turn.attempts",
    "turn.offered_at",
    "hand.deadline",
    "hand.chips",
    "hand.calendar",
    "program.orders",
    "draft.orders",
    "starshiprevision.document",
    "user.time_zone",
    "seat.user",
    "game.created_at",
}
"""The columns of the quick part: columns that once caused bugs, and all documents."""


class InProcess:
    """A site in one process. Its clock advances in steps, with a sweep at each step."""

    STEP = timedelta(seconds=30)

    def __init__(self, messages: list[tuple[str, int]]) -> None:
        self._now, self._messages = NOW, messages

    def now(self) -> datetime:
        return self._now

    def wait(self, until: Callable[[], bool], seconds: float) -> float | None:
        """Advance the clock until a condition is met.

        Return the seconds that this took by the site's clock, or None after more than `seconds`.
        """
        begin = self._now
        while not until():
            if (self._now - begin).total_seconds() >= seconds:
                return None
            self._now += self.STEP
            sweep(now=self._now)
            self._work()
        return (self._now - begin).total_seconds()

    def _work(self) -> None:
        """Handle all messages as a worker does, except mail."""
        while self._messages:
            name, row = self._messages.pop(0)
            with suppress(Exception):  # Celery logs it and continues
                if name == enqueue.RESOLVE_TURN:
                    resolve_turn(turn_id=row, now=self._now)
                elif name == enqueue.PLAY_COMPUTERS:
                    play_computers(turn_id=row, now=self._now)


@pytest.fixture
def site(db: None, monkeypatch: pytest.MonkeyPatch) -> InProcess:
    """A site in one process, where each transaction counts as committed at once."""
    messages: list[tuple[str, int]] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, args: messages.append((name, args[0])))
    monkeypatch.setattr(transaction, "on_commit", lambda send, **_: send())
    monkeypatch.setattr(enqueue, "queue_length", lambda task: 0)
    return InProcess(messages)


def named(kind: Kind) -> str:
    return f"{kind.model._meta.model_name}.{kind.field.name}"


def test_poison_in_one_game_stops_no_other(site: InProcess) -> None:
    kinds = [kind for kind in poison.kinds() if named(kind) in QUICK and kind.way != "points nowhere"]
    calendar = next(kind.field for kind in kinds if named(kind) == "hand.calendar")
    kinds += [Kind(Hand, calendar, "lacks", key) for key in ("zone", "night")]
    record = next(kind.field for kind in kinds if named(kind) == "turn.record")
    kinds += [Kind(Turn, record, "lacks", key) for key in ("start", "hands", "events")]
    report = Poisoning(site, kinds, healthy=2).run()
    assert report["breaches"] == []
    assert report["planted"] >= 20
    assert not any("turn.record" in each for some in report["not planted"].values() for each in some)
    assert "KeyError: 'chips'" in report["stood still, and staff were told"]["hand.chips: empty"]


def test_the_kinds_include_each_column_that_can_be_unreadable() -> None:
    """The columns come from the models, so a new column needs no entry in a list."""
    found = {(kind.model, kind.field.name) for kind in poison.kinds()}
    for label in poison.APPS:
        for model in apps.get_app_config(label).get_models():
            if model in poison.UNPOISONED_MODELS or model._meta.proxy:
                continue
            for field in model._meta.concrete_fields:
                if field.primary_key:
                    continue
                if isinstance(field, (*poison.DOCUMENTS, models.DateTimeField, models.CharField)):
                    assert (model, field.name) in found
    assert len(found) > 50


def test_a_stuck_game_is_found(site: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test silences the sweeper's alarms, so staff learn nothing about the game."""
    kinds = [kind for kind in poison.kinds() if named(kind) == "turn.snapshot" and kind.way == "empty"]
    monkeypatch.setattr("bench.faults.poisoned._told", lambda planted: "")
    monkeypatch.setattr("bench.faults.poisoned._lists", list)
    report = Poisoning(site, kinds, healthy=0).run()
    assert any("staff are not told" in breach for breach in report["breaches"])
