"""Limit the sweeper to jobs about turns, for tests that sweep many times."""

import pytest

from games.work import sweeper

OF_TURNS = {
    *("heartbeat", "outages", "turns", "overdue players", "computers"),
    *("held notices", "notices", "alarms", "reminders", "heads"),
}


@pytest.fixture(autouse=True)
def _jobs_of_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = [job for job in sweeper.JOBS if job.name in OF_TURNS]
    assert len(jobs) == len(OF_TURNS)
    monkeypatch.setattr(sweeper, "JOBS", jobs)
