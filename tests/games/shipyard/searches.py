"""Searches of the starship generator that take little time."""

from datetime import datetime
from typing import Any

import pytest

import rules
from accounts.models import User
from games.shipyard import suggestions
from games.shipyard.flying import sentences_of
from games.shipyard.inputs import ShipOrder
from games.shipyard.models import ShipSuggestion
from games.shipyard.suggestions import advance_search, ask_for_ship
from rules.design import search as pieces
from rules.tunnel.flying import fly
from rules.tunnel.report import report_of
from rules.tunnel.run import Run, judge
from tests.games.shipyard.drawing import document
from tests.games.shipyard.tunnels import CORNER
from tests.games.support import NOW

SMALL = {"width": 8, "height": 8, "players": 2, "theme": "ring"}


def quicken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reduce searches to two ships, with two flights each and two more for the best."""
    monkeypatch.setattr(pieces, "FIRST_FLIGHTS", 2)
    monkeypatch.setattr(pieces, "EXTRA_FLIGHTS", 2)
    monkeypatch.setattr(suggestions, "CANDIDATES", 2)
    monkeypatch.setattr(suggestions, "FLIGHTS", 2)


def request_ship(user: User, *, now: datetime = NOW, **order: Any) -> ShipSuggestion:
    """Request a small ship for a user. Return the request."""
    return ask_for_ship(user=user, **ShipOrder(data={**SMALL, "seed": "7", **order}).allowed(), now=now)


def searched(suggestion: ShipSuggestion, now: datetime = NOW) -> ShipSuggestion:
    """Run workers until the search is over. Return the request."""
    while advance_search(suggestion_id=suggestion.pk, now=now):
        pass
    suggestion.refresh_from_db()
    return suggestion


def found(user: User, now: datetime = NOW) -> ShipSuggestion:
    """Return a finished suggestion with a known problem, without searching for it."""
    told = document(*CORNER, description="Mind the gap.")
    setup = rules.make_setup(rules.ruleset("robo-runner"), {}, rules.read_starship(told), 2)
    run = Run(setup, 2, 2, "1")
    verdict = judge(run, [fly(setup, 2, "1", number) for number in range(2)])
    return ShipSuggestion.objects.create(
        user=user,
        ruleset="robo-runner",
        edition=setup.ruleset.version,
        players=2,
        width=8,
        height=8,
        seed="belt",
        status=ShipSuggestion.Status.DONE,
        document=told,
        found_theme="ring",
        report=report_of(run, verdict),
        sentences=sentences_of(verdict),
        created_at=now,
        finished_at=now,
    )
