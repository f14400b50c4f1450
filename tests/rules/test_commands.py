"""``python -m rules``: what each command prints, and that bad input is one line and status 2."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from rules.__main__ import main

SCENARIO: dict[str, Any] = {
    "format": "scenario/1",
    "title": "RR-5.4: a pull into a curve turns the robot",
    "ruleset": "robo-runner",
    "options": {},
    "seed": 1,
    "starship": {"format": "starship/1", "rows": [". b1:E b1:WS", ". . ."]},
    "robots": [{"name": "A", "at": [1, 0], "heading": "N", "chips": ["L"]}],
    "phases": 1,
    "expect": {"A": {"at": [2, 0], "heading": "N"}},
}


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def write(document: object, name: str = "case.json") -> str:
        path = tmp_path / name
        path.write_text(document if isinstance(document, str) else json.dumps(document))
        return str(path)

    return write


def test_resolve_prints_one_object_a_line_with_all_that_is_promised(write: Any, capsys: Any) -> None:
    file = write(SCENARIO)
    assert main(["resolve", file, file]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    result = json.loads(lines[0])
    assert list(result) == ["robots", "hull", "crystal", "winner", "events"]
    assert result["robots"]["A"] == {
        "at": [2, 0],
        "heading": "N",
        "damage": 0,
        "lives": 3,
        "alive": True,
        "virtual": False,
        "down": False,
        "next": 1,
        "archive": [1, 0],
        "locked": {},
        "ammo": None,
        "rank": 1,
        "place": None,
    }
    assert [event["type"] for event in result["events"]] == ["phase", "turn", "move", "turn", "shot"]


def test_resolve_reads_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(SCENARIO).encode())))
    assert main(["resolve", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["robots"]["A"]["at"] == [2, 0]


def test_check_tells_a_difference_in_full_and_exits_with_1(write: Any, capsys: Any) -> None:
    wrong = SCENARIO | {"expect": {"A": {"at": [0, 0]}, "events": [{"type": "weld"}]}}
    assert main(["check", write(SCENARIO), write(wrong, "wrong.json")]) == 1
    right, failed = capsys.readouterr().out.splitlines()
    assert right.startswith("ok")
    assert "A.at: expected [0, 0], got [2, 0]" in failed
    assert "{'type': 'weld'} does not occur" in failed


@pytest.mark.parametrize(
    ("rows", "status", "text"),
    [
        (["a .+i1"], 0, "ok"),
        (["a o .+i1"], 0, "warning: row 1, column 3"),
        (["a q"], 1, "error: row 1, column 2"),
    ],
)
def test_validate_exits_with_1_on_an_error_alone(
    rows: list[str], status: int, text: str, write: Any, capsys: Any
) -> None:
    assert main(["validate", write({"format": "starship/1", "rows": rows})]) == status
    assert text in capsys.readouterr().out


def test_draw_prints_an_svg(write: Any, capsys: Any) -> None:
    assert main(["draw", write(SCENARIO["starship"])]) == 0
    assert capsys.readouterr().out.startswith("<svg")


def test_rulesets_prints_the_steps_in_order(capsys: Any) -> None:
    assert main(["rulesets"]) == 0
    text = capsys.readouterr().out
    steps = ["2. chips (", "6. docking arms (", "10. lasers (", "12. bay doors open (", "5. becoming real ("]
    assert [step for step in steps if step in text] == steps
    assert [text.index(step) for step in steps] == sorted(text.index(step) for step in steps)


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "no json",
        "[]",
        "{}",
        '{"format": "scenario/1"}',
        '{"format": "scenario/1", "format": "scenario/1"}',
        SCENARIO | {"format": "scenario/2"},
        SCENARIO | {"colour": "red"},
        SCENARIO | {"ruleset": "chess"},
        SCENARIO | {"ruleset": ["robo-runner"]},
        SCENARIO | {"options": {"lasers": True}},
        SCENARIO | {"options": {"lives": "many"}},
        SCENARIO | {"starship": {"format": "starship/1", "rows": ["q"]}},
        SCENARIO | {"starship": {"format": "starship/1", "rows": [". k ."] * 2}},
        SCENARIO | {"robots": []},
        SCENARIO | {"robots": [{"name": "A"}]},
        SCENARIO | {"robots": [{"name": "A", "at": [9, 9]}]},
        SCENARIO | {"robots": [{"name": "A", "at": [0, 0], "colour": "red"}]},
        SCENARIO | {"robots": [{"name": "A", "at": [0, 0], "chips": ["4"]}]},
        SCENARIO | {"robots": [{"name": "A", "at": [0, 0], "chips": ["3@x"]}]},
        SCENARIO | {"robots": [{"name": "A", "at": [0, 0], "chips": [3]}]},
        SCENARIO | {"robots": [{"name": "A", "at": [0, 0], "heading": "NE"}]},
        SCENARIO | {"robots": [{"name": "A", "at": [0, 0], "orders": {"equipment": "all"}}]},
        SCENARIO | {"robots": [{"name": "A", "at": [0, 0]}, {"name": "A", "at": [0, 1]}]},
        SCENARIO | {"robots": [{"name": "A", "at": [0, 0]}, {"name": "B", "at": [0, 0]}]},
        SCENARIO | {"phases": 6},
        SCENARIO | {"links": [[[0, 0], [1, 0]]]},
        "[" * 100_000,
        '{"format": NaN}',
    ],
)
@pytest.mark.parametrize("command", ["resolve", "check"])
def test_bad_input_is_one_clear_line_and_exit_status_2(
    command: str, bad: object, write: Any, capsys: Any
) -> None:
    assert main([command, write(bad)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert len(printed.err.splitlines()) == 1
    assert "case.json" in printed.err


@pytest.mark.parametrize("command", ["resolve", "check", "validate", "draw"])
def test_a_file_that_is_not_there_is_named(command: str, capsys: Any) -> None:
    assert main([command, "no-such-file.json"]) == 2
    assert capsys.readouterr().err == "no-such-file.json: No such file or directory\n"


@pytest.mark.parametrize(
    "expect", [{"A": 3}, {"events": 5}, {"events": {}}, {"events": [3]}, {"hull": 7}, {"hull": "A"}]
)
def test_an_expectation_that_nothing_can_meet_is_bad_input(
    expect: dict[str, object], write: Any, capsys: Any
) -> None:
    assert main(["check", write(SCENARIO | {"expect": expect})]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize("arguments", [[], ["resolve"], ["fly"], ["draw", "a", "b"]])
def test_a_command_that_there_is_not_is_told_in_one_line(arguments: list[str], capsys: Any) -> None:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_an_expectation_of_an_unknown_robot_or_key_is_bad_input(write: Any) -> None:
    assert main(["check", write(SCENARIO | {"expect": {"Z": {"at": [0, 0]}}})]) == 2
    assert main(["check", write(SCENARIO | {"expect": {"A": {"colour": 1}}})]) == 2
