"""The documented formats (docs/formats.md) match the engine."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rules
from rules.game_file import AUTHORS, ENDINGS
from rules.orders import CHIPS, Orders
from rules.position import PIECE_KEYS, ROBOT_KEYS as POSITION_ROBOT_KEYS, SETUP_KEYS, read_whole
from rules.review import Cause, Figures, TurnReview, review_to_json, turn_to_json
from rules.review.sentences import CAUSES
from rules.scenario import COMPARED_KEYS, KEYS, ROBOT_KEYS, differences, read_scenario, result_of
from rules.tunnel.figures import Flight
from rules.tunnel.report import report_of
from rules.tunnel.run import judge
from tests.rules.tunnel.flown import flights, run_of

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "formats.md").read_text()
CASES = sorted((ROOT / "tests" / "rules" / "cases").glob("*/*.json"))


def examples(form: str) -> list[dict[str, Any]]:
    blocks = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
    return [block for block in blocks if block["format"] == form]


def table(heading: str) -> list[tuple[list[str], str]]:
    """Return the rows of the table under a heading.

    Each row is the code in its first cell, as a list, and the text of the other cells.
    """
    rows = PAGE.split(f"| {heading} |")[1].split("\n\n")[0].splitlines()[2:]
    cells = [row.strip("| ").split(" | ", 1) for row in rows]
    return [(re.findall(r"`([^`]+)`", first), rest) for first, rest in cells]


def events() -> Iterator[dict[str, Any]]:
    for case in CASES:
        yield from result_of(read_scenario(rules.parse(case.read_bytes())))["events"]


def test_the_example_of_a_starship_is_valid() -> None:
    (document,) = examples("starship/1")
    assert rules.read_starship(document).name == "Hull Walker"


def test_the_example_of_a_scenario_has_its_documented_result() -> None:
    (document,) = examples("scenario/1")
    scenario = read_scenario(document)
    assert not list(differences(scenario, result_of(scenario)))


def test_every_key_of_a_scenario_is_documented() -> None:
    section = PAGE.partition("## Scenario, ")[2].partition("\n## ")[0]
    missing = [
        key for key in sorted(KEYS | ROBOT_KEYS) if f"`{key}`" not in section and f'"{key}"' not in section
    ]
    assert missing == []


def test_every_author_and_ending_of_a_whole_game_is_documented() -> None:
    section = PAGE.partition("## A whole game, ")[2].partition("\n### ")[0]
    assert [word for word in (*AUTHORS, *ENDINGS) if f"`{word}`" not in section] == []


def test_the_example_of_a_whole_game_is_proved() -> None:
    (document,) = examples("game/1")
    assert rules.verify(rules.read_game_file(document)) == []


def test_the_example_of_a_position_is_valid_and_every_key_is_documented() -> None:
    (document,) = examples("position/1")
    _setup, position = read_whole(document)
    assert position.players[0].locked == (4,)
    section = PAGE.partition("## Scenario, ")[2].partition("## Wind tunnel report, ")[0]
    keys = {*SETUP_KEYS, *PIECE_KEYS, *POSITION_ROBOT_KEYS}
    assert [key for key in sorted(keys) if f"`{key}`" not in section] == []


def test_the_example_of_a_report_has_the_keys_of_a_report() -> None:
    (document,) = examples("tunnel/1")
    run = run_of("a1 . .+i1+wNE", "a2 . .", key="websocket", flights=40)
    flown = [Flight(0, "pilot", "x", failure="x"), *flights(run, 40)[1:]]
    report = report_of(run, judge(run, flown))
    assert list(document) == list(report)
    for key in ("board", "length", "fair", "cells"):
        assert list(document[key]) == list(report[key])
    for shown, made in ((document["findings"], report["findings"]), (document["failed"], report["failed"])):
        assert list(shown[0]) == list(made[0])
    assert list(document["fair"]["starts"][0]) == list(report["fair"]["starts"][0])
    assert list(document["figures"]["fire"]) == list(report["figures"]["fire"])


def test_the_example_of_a_review_has_the_keys_of_a_review_and_names_every_cause() -> None:
    (document,) = examples("review/1")
    best = Orders(registers=(CHIPS[10],))
    figures = Figures(0, 0.01, -0.07, -0.13, 0.07, best, best, (Cause("push", 1, 3, -0.11),), "player")
    turn = turn_to_json(TurnReview(1, (0.5, 0.5), (0.31, 0.69), (figures,), 1926))
    review = review_to_json(run_of("a1 . .+i1+wNE", "a2 . .", key="websocket").setup, [turn])
    assert list(document) == list(review)
    assert list(document["turns"][0]) == list(turn)
    assert list(document["turns"][0]["figures"][0]) == list(turn["figures"][0])
    assert list(document["turns"][0]["figures"][0]["causes"][0]) == list(turn["figures"][0]["causes"][0])
    assert list(document["totals"]["1"]) == list(review["totals"]["1"])
    section = PAGE.partition("## Review of a game")[2].partition("\n## ")[0]
    assert [kind for kind in CAUSES if f"`{kind}`" not in section] == []


@pytest.mark.parametrize("token", [token for tokens, _ in table("floor") for token in tokens])
def test_a_documented_floor_is_known(token: str) -> None:
    assert unknown_in(token) == []


@pytest.mark.parametrize("token", [token for tokens, _ in table("feature") for token in tokens])
def test_a_documented_feature_is_known(token: str) -> None:
    assert unknown_in(f".+{token}") == []


def unknown_in(cell: str) -> list[str]:
    problems = rules.check_starship({"format": "starship/1", "rows": [f"a {cell}"]}).problems
    return [str(problem) for problem in problems if "unknown" in str(problem)]


def test_an_undocumented_token_is_unknown() -> None:
    assert unknown_in("q")
    assert unknown_in(".+q")


def test_every_event_is_documented() -> None:
    fields: dict[str, set[str]] = {}
    values: dict[tuple[str, str], set[str]] = {}
    for types, text in table("type"):
        for kind in types:
            fields[kind] = {"type", "phase", "step", *re.findall(r"`(\w+)`", re.sub(r"\(.*?\)", "", text))}
            for field, listed in re.findall(r"`(\w+)` \(((?:`[\w-]+` ?)+)\)", text):
                values[kind, field] = set(re.findall(r"`([\w-]+)`", listed))
    seen = set()
    for event in events():
        kind = event["type"]
        assert set(event) <= fields[kind], event
        seen.add(kind)
        for (type_, field), allowed in values.items():
            if type_ == kind and event.get(field) is not None:
                assert event[field] in allowed, event
    assert seen == set(fields)


def test_a_result_has_the_documented_keys_of_a_robot() -> None:
    line = next(line for line in PAGE.splitlines() if line.lstrip().startswith('`{"robots": {"A":'))
    shown = json.loads(line.strip().split("`")[1].replace('"events": […]', '"events": []'))
    assert list(shown["robots"]["A"]) == COMPARED_KEYS
