"""The commands of ``python -m rules``: output, exit status, and refused input."""

import io
import itertools
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import rules
from rules.__main__ import READER_GONE, main
from tests.rules.proving import finished_game
from tests.support.internals import hint_in

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


def test_resolve_prints_one_object_a_line_with_the_documented_keys(write: Any, capsys: Any) -> None:
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
        "was_down": False,
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


def test_check_reports_a_difference_in_full_and_exits_with_1(write: Any, capsys: Any) -> None:
    wrong = SCENARIO | {"expect": {"A": {"at": [0, 0]}, "events": [{"type": "weld"}]}}
    assert main(["check", write(SCENARIO), write(wrong, "wrong.json")]) == 1
    right, failed = capsys.readouterr().out.splitlines()
    assert right.startswith("ok")
    assert "A.at: expected [0, 0], got [2, 0]" in failed
    assert '{"type": "weld"} does not occur' in failed


@pytest.mark.parametrize(
    ("rows", "status", "text"),
    [
        (["a .+i1"], 0, "ok"),
        (["a o .+i1"], 0, "warning: row 1, column 3"),
        (["a q"], 1, "error: row 1, column 2"),
    ],
)
def test_validate_exits_with_1_only_on_an_error(
    rows: list[str], status: int, text: str, write: Any, capsys: Any
) -> None:
    assert main(["validate", write({"format": "starship/1", "rows": rows})]) == status
    assert text in capsys.readouterr().out


def test_validate_lists_an_unknown_key_with_the_other_errors(write: Any, capsys: Any) -> None:
    document = {
        "format": "starship/1",
        "rows": ["a q .+wE+wE .+i1+i2 b1:NNE d11"],
        "colour": "red",
        "name": 7,
    }
    assert main(["validate", write(document)]) == 1
    told = capsys.readouterr()
    assert told.err == ""
    lines = [line.partition(": ")[2] for line in told.out.splitlines()]
    assert lines == [
        "error: a starship has an unknown key “colour”",
        "error: “name” must be text",
        "error: row 1, column 2: the floor “q” is unknown",
        "error: row 1, column 3: the edge E has two rails",
        "error: row 1, column 4: a cell can have only one checkpoint",
        "error: row 1, column 5: “b1:NNE” lists an entry side twice",
        "error: row 1, column 6: “11” lists a phase twice",
    ]


@pytest.mark.parametrize(
    "twice", ["wN+wN", "wNN", "r1N+r2N", "r11N", "cN+cN", "pN+p1N", "l1N+l2N", "x1+x2", "x22", "i1+i1"]
)
def test_a_duplicate_in_a_cell_is_refused_with_its_place(twice: str) -> None:
    report = rules.check_starship({"format": "starship/1", "rows": [". .", f". .+wS+{twice}"]})
    assert [(problem.row, problem.column) for problem in report.errors] == [(2, 2)]


def test_both_cells_at_an_edge_may_declare_its_rail() -> None:
    rules.read_starship({"format": "starship/1", "rows": ["a+wE .+wW+i1"]})


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            {"robots": [{"name": "A", "at": [0, 0]}, {"name": "B", "at": [0, 0]}]},
            "are both real and in one cell",
        ),
        (
            {"ruleset": "robo-recon", "robots": [{"name": "A", "at": [0, 0]}], "crystal": [0, 0]},
            "A is real and in the cell of the crystal",
        ),
        (
            {"ruleset": "amigo-1999", "robots": [{"name": "A", "at": [0, 0], "down": True}]},
            "A cannot be down: there is no power-down with these options",
        ),
    ],
)
def test_an_impossible_situation_is_bad_input(
    change: dict[str, Any], reason: str, write: Any, capsys: Any
) -> None:
    starship = {"format": "starship/1", "rows": [".+i1 . .+i2"]}
    scenario = SCENARIO | {"starship": starship, "expect": {}} | change
    assert main(["resolve", write(scenario)]) == 2
    assert reason in capsys.readouterr().err


def test_a_robot_may_be_down_if_the_option_power_down_is_chosen(write: Any, capsys: Any) -> None:
    scenario = SCENARIO | {
        "ruleset": "amigo-1999",
        "options": {"power_down": True},
        "starship": {"format": "starship/1", "rows": [".+i1 . .+i2"]},
        "robots": [{"name": "A", "at": [1, 0], "heading": "N", "down": True, "orders": {"heading": "E"}}],
        "phases": 1,
        "expect": {"A": {"heading": "N", "down": True}},
    }
    assert main(["check", write(scenario)]) == 0


def test_an_archive_given_for_a_scanner_is_ignored(write: Any, capsys: Any) -> None:
    scenario = SCENARIO | {
        "starship": {"format": "starship/1", "rows": ["a . h1 o"]},
        "robots": [
            {"name": "S", "at": [2, 0], "heading": "E", "scanner": True, "archive": [1, 0], "chips": ["1"]}
        ],
        "phases": 5,
        "expect": {"S": {"at": [2, 0], "archive": [2, 0]}},
    }
    assert main(["check", write(scenario)]) == 0


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
        SCENARIO | {"robots": [{"name": "A", "at": [0, 0], "was_down": True}]},
        SCENARIO | {"ruleset": "amigo-1999", "robots": [{"name": "A", "at": [0, 0], "down": True}]},
        SCENARIO | {"ruleset": "amigo-1999", "robots": [{"name": "A", "at": [0, 0], "was_down": True}]},
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
    assert hint_in(printed.err) is None, printed.err


@pytest.mark.parametrize("command", ["resolve", "check", "validate", "draw"])
def test_a_missing_file_is_named(command: str, capsys: Any) -> None:
    assert main([command, "no-such-file.json"]) == 2
    assert capsys.readouterr().err == "no-such-file.json: No such file or directory\n"


@pytest.mark.parametrize(
    "expect", [{"A": 3}, {"events": 5}, {"events": {}}, {"events": [3]}, {"hull": 7}, {"hull": "A"}]
)
def test_an_impossible_expectation_is_bad_input(expect: dict[str, object], write: Any, capsys: Any) -> None:
    assert main(["check", write(SCENARIO | {"expect": expect})]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize("arguments", [[], ["resolve"], ["fly"], ["draw", "a", "b"]])
def test_an_unknown_command_is_refused_in_one_line(arguments: list[str], capsys: Any) -> None:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_an_expectation_of_an_unknown_robot_or_key_is_bad_input(write: Any) -> None:
    assert main(["check", write(SCENARIO | {"expect": {"Z": {"at": [0, 0]}}})]) == 2
    assert main(["check", write(SCENARIO | {"expect": {"A": {"colour": 1}}})]) == 2


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        ("nope", "not JSON: a value is missing (line 1, column 1)"),
        ('{"a": 1,\n b: 2}', "not JSON: a key in double quotes is missing (line 2, column 2)"),
        ('{"a" 1}', "not JSON: a colon is missing (line 1, column 6)"),
        ('{"a": 1} x', "not JSON: there is more text after the end (line 1, column 10)"),
        ('{"a": "', "not JSON: a string is not closed (line 1, column 7)"),
        ('{"a": ' + "9" * 5000 + "}", "not JSON: a number has too many digits"),
        ('{"a": Infinity}', "not JSON: Infinity is not a JSON number"),
    ],
)
def test_the_fault_of_invalid_json_is_described_in_words(
    raw: str, told: str, write: Any, capsys: Any
) -> None:
    assert main(["validate", write(raw)]) == 2
    assert capsys.readouterr().err.partition(": ")[2] == f"{told}\n"


@pytest.mark.parametrize("command", ["resolve", "check", "validate", "draw", "verify", "rulesets"])
def test_a_command_ends_quietly_when_its_output_is_closed(command: str, write: Any) -> None:
    documents = {
        "resolve": SCENARIO,
        "check": SCENARIO,
        "validate": SCENARIO["starship"],
        "draw": SCENARIO["starship"],
        "verify": finished_game(),
    }
    files = [write(documents[command])] if command in documents else []
    arguments = [sys.executable, "-m", "rules", command, *files]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()  # like `head` after enough lines
        assert process.stderr.read() == b""
    assert process.returncode == READER_GONE


LIE = "Mallory\nok  other.json: proved \x1b[1A\u2028\x85."


def test_every_answer_is_one_line_for_any_document(write: Any, capsys: Any) -> None:
    """A line break in a title, name or key could fake a line about another file."""
    numbers = itertools.count()

    def kept(document: object) -> str:
        return write(document, f"{next(numbers)}.json")  # type: ignore[no-any-return]

    unlike = {**SCENARIO, "title": LIE, "expect": {"A": {"at": [0, 0]}}}
    named = {**SCENARIO, "robots": [{**SCENARIO["robots"][0], "name": LIE}], "expect": {}}
    ship = {"format": "starship/1", "name": LIE, "rows": [". +i1 .", LIE], LIE: 1}
    cases = [
        (["check", kept({**SCENARIO, "title": LIE})], 0),
        (["check", kept(unlike)], 1),
        (["check", kept({**SCENARIO, LIE: 1})], 2),
        (["check", kept({**SCENARIO, "ruleset": LIE})], 2),
        (["resolve", kept(named)], 2),
        (["resolve", kept({**SCENARIO, "options": {LIE: 1}})], 2),
        (["validate", kept(ship)], 1),
        (["validate", kept({"format": LIE, "rows": ["."]})], 2),
        (["validate", f"missing {LIE}.json"], 2),
        (["draw", kept(ship)], 2),
        (["tunnel", kept(ship)], 2),
        (["tunnel", "--ruleset", LIE, kept({"format": "starship/1", "rows": ["."]})], 2),
        (["verify", kept({"format": "game/1", LIE: 1})], 2),
        (["verify", "--head", LIE, "a.json"], 2),
        (["design", "--ruleset", LIE], 2),
        ([LIE], 2),
    ]
    for command, status in cases:
        try:
            assert main(command) == status, command
        except SystemExit as end:
            assert end.code == status, command
        said = "".join(capsys.readouterr())
        assert said.endswith("\n"), command
        lines = said[:-1].split("\n")
        assert all(line.isprintable() for line in lines), command
        if command[0] == "validate" and status == 1:  # a line for each problem
            assert all(line.startswith(f"{command[1]}: error: ") for line in lines), said
        else:
            assert len(lines) == 1, said
