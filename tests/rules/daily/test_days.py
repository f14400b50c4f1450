"""Days of the daily run: from a seed, as documents, and by weekday."""

from dataclasses import replace
from datetime import date

import pytest

from rules.daily.days import TRIVIAL, WEEK, day_of, prove, read_day, write_day
from rules.document import NotationError
from rules.rulesets import ROBO_RUNNER
from tests.rules.daily.positions import reaching

MONDAY, SUNDAY = date(2027, 1, 4), date(2027, 1, 10)


@pytest.mark.parametrize("day", [MONDAY, SUNDAY])
def test_a_day_follows_from_its_date_and_the_seed(day: date) -> None:
    made = day_of(day, "one")
    document = write_day(made)
    assert write_day(day_of(day, "one")) == document
    assert write_day(day_of(day, "two")) != document
    assert write_day(read_day(document)) == document
    assert prove(read_day(document))
    difficulty = WEEK[day.weekday()]
    assert difficulty.least <= made.best.share <= difficulty.most
    assert made.position.turns in difficulty.turns


def test_weeks_become_harder_and_no_day_is_trivial() -> None:
    most = [difficulty.most for difficulty in WEEK]
    assert most == sorted(most, reverse=True)
    assert most[0] <= TRIVIAL


def test_a_wrong_proof_is_noticed() -> None:
    day = reaching()
    assert prove(day)
    assert not prove(replace(day, best=day.best._replace(reaching=day.best.reaching + 1)))
    assert not prove(replace(day, best=day.best._replace(solution=(day.best.solution[0][::-1],))))


def test_a_day_keeps_the_version_of_its_ruleset() -> None:
    document = write_day(reaching())
    assert document["version"] == ROBO_RUNNER.version
    old = read_day({**document, "version": 1})
    assert (old.position.setup.ruleset.version, write_day(old)["version"]) == (1, 1)


def test_other_documents_are_refused() -> None:
    document = write_day(reaching())
    for change in ({"format": "daily/2"}, {"task": {"kind": "sleep"}}):
        with pytest.raises(NotationError):
            read_day({**document, **change})
