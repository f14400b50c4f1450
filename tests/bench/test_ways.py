"""The benchmark of ways counts the functions that each kind of request enters."""

from typing import Final

import pytest

from bench.ways import Way, traced, ways
from games.errors import describe_error
from rules import RULESETS, ruleset

CEILINGS: Final = {"orders": (180, 165), "turn": (152, 168), "mail": (176, 206), "page": (370, 540)}
"""Upper limits for each kind of request: functions, and changes between files.

They leave a margin, since turns are random and earlier tests have filled caches.
"""


@pytest.mark.django_db(transaction=True)
def test_no_request_enters_more_functions_than_its_ceiling() -> None:
    found = {way.name: (way.functions, way.changes) for way in ways()}
    grown = {
        name: counts
        for name, counts in found.items()
        if any(count > most for count, most in zip(counts, CEILINGS[name], strict=True))
    }
    assert grown == {}, "python -m bench.ways --list NAME shows what a way enters"


def test_functions_count_once_and_changes_of_file_each_time() -> None:
    way = Way("orders", [("a.py", "f"), ("a.py", "g"), ("b.py", "h"), ("a.py", "f")])
    assert (way.functions, way.changes) == (3, 2)


def test_functions_of_the_project_count_and_the_engine_counts_once() -> None:
    with traced("page") as way:
        describe_error(ValueError("broken"))
        ruleset(next(iter(RULESETS)))
        len("not ours")
    describe_error(ValueError("after the end"))
    assert [name for _, name in way.entered] == ["describe_error", "ruleset"]
    assert way.entered[0][0] == "games/errors.py"
