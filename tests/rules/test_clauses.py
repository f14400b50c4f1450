"""Every clause of the rulebook is shown by a scenario or by a marked test."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import rules
from rules.scenario import Scenario, differences, read_scenario, result_of

HERE = Path(__file__).parent
RULEBOOK = HERE.parents[1] / "docs" / "rules" / "rulebook.md"
CASES = sorted((HERE / "cases").glob("*/*.json"))
CLAUSE = r"[A-Z]{1,2}-\d+(?:\.\d+)*"


def read(case: Path) -> Scenario:
    return read_scenario(rules.parse(case.read_bytes()))


def clause_of(title: str) -> str:
    """Return the number of the clause at the start of a scenario's title."""
    clause, colon, _ = title.partition(": ")
    assert colon and re.fullmatch(CLAUSE, clause), f"“{title}” does not begin with a clause"
    return clause


def clauses_of_the_rulebook() -> list[str]:
    """Return the numbers of all clauses: of the common rules and of all playable rulesets.

    A clause is an item with a number, or a heading with a number that is followed by text.
    """
    text = RULEBOOK.read_text()
    prefixes = {"G", *(ruleset.prefix for ruleset in rules.RULESETS.values())}
    found = re.findall(rf"^- \*\*({CLAUSE})\*\*|^### ({CLAUSE}) .*\n(?!- \*\*)", text, re.MULTILINE)
    clauses = [item or heading for item, heading in found]
    assert len(clauses) == len(set(clauses)), "a clause stands twice in the rulebook"
    return [clause for clause in clauses if clause.partition("-")[0] in prefixes]


def marks_of_tests() -> Iterator[str]:
    """Yield the clauses that tests in this folder show: ``@pytest.mark.clause("RR-1.3")``."""
    for file in HERE.glob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield from (clause for mark in node.decorator_list for clause in clauses_of_a_mark(mark))


def clauses_of_a_mark(mark: ast.expr) -> list[str]:
    if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.clause":
        return [ast.literal_eval(argument) for argument in mark.args]
    return []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_a_scenario_has_the_expected_result(case: Path) -> None:
    scenario = read(case)
    assert not list(differences(scenario, result_of(scenario)))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_a_scenario_has_an_expectation_and_the_file_name_of_its_clause(case: Path) -> None:
    scenario = read(case)
    clause = clause_of(scenario.title)
    assert scenario.expect
    assert case.stem.startswith(f"{clause.lower()}-")
    assert case.parent.name == ("common" if clause.startswith("G-") else scenario.setup.ruleset.key)


def test_every_clause_is_shown_by_a_scenario_or_a_marked_test() -> None:
    covered = {clause_of(read(case).title) for case in CASES} | set(marks_of_tests())
    assert [clause for clause in clauses_of_the_rulebook() if clause not in covered] == []


def test_scenarios_and_marks_name_existing_clauses() -> None:
    named = {clause_of(read(case).title) for case in CASES} | set(marks_of_tests())
    assert sorted(named - set(clauses_of_the_rulebook())) == []
