"""The count of functions that a request goes through."""

from bench.ways import Way, traced
from games.errors import reason_of
from rules import RULESETS, ruleset


def test_functions_count_once_and_changes_of_file_each_time() -> None:
    way = Way("orders", [("a.py", "f"), ("a.py", "g"), ("b.py", "h"), ("a.py", "f")])
    assert (way.functions, way.changes) == (3, 2)


def test_what_the_project_enters_is_noted_and_the_engine_is_entered_once() -> None:
    with traced("page") as way:
        reason_of(ValueError("broken"))
        ruleset(next(iter(RULESETS)))
        len("not ours")
    reason_of(ValueError("after the end"))
    assert [name for _, name in way.entered] == ["reason_of", "ruleset"]
    assert way.entered[0][0] == "games/errors.py"
