"""The command ``python -m rules tunnel``: output, exit status, and refused input."""

import json
from pathlib import Path
from typing import Any

import pytest

import rules
from rules import __main__
from rules.__main__ import main
from rules.tunnel import flying
from rules.tunnel.report import TUNNEL_FORMAT, report_of, text_of
from rules.tunnel.run import LostFlights, judge
from tests.rules.tunnel.flown import FAIR, flights, run_of
from tests.rules.tunnel.test_verdict import BAD

QUICK = ("--flights", "3", "--processes", "1")
DOCUMENT = {"format": "starship/1", "name": "Tested", "rows": list(FAIR)}


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def write(document: object) -> str:
        path = tmp_path / "ship.json"
        path.write_text(document if isinstance(document, str) else json.dumps(document))
        return str(path)

    return write


def test_a_ship_is_flown_by_each_suitable_ruleset(write: Any, capsys: Any) -> None:
    status = main(["tunnel", write(DOCUMENT), *QUICK, "--json"])
    reports = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    suiting = [
        key
        for key, ruleset in rules.RULESETS.items()
        if not rules.reasons_against(ruleset, rules.read_starship(DOCUMENT))
    ]
    assert [report["ruleset"] for report in reports] == suiting
    assert {report["format"] for report in reports} == {TUNNEL_FORMAT}
    assert {report["flown"] for report in reports} == {3}
    assert status == int(any(report["verdict"] == "red" for report in reports))


def test_the_same_seed_prints_the_same_report(write: Any, capsys: Any) -> None:
    file, printed = write(DOCUMENT), []
    for seed in ("7", "7", "8"):
        main(["tunnel", file, *QUICK, "--ruleset", "robo-runner", "--players", "3", "--seed", seed, "--json"])
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1] != printed[2]
    assert json.loads(printed[0])["players"] == 3


def test_a_red_verdict_has_status_1_and_proposes_changes(write: Any, capsys: Any) -> None:
    rows = [row.replace(".+i1", ".+i1+wNESW") for row in FAIR]
    assert main(["tunnel", write({**DOCUMENT, "rows": rows}), *QUICK, "--ruleset", "robo-runner"]) == 1
    told = capsys.readouterr().out
    assert told.startswith("Robo Runner, 2 players, 3 of 3 flights\nRed: fix this first.\n")
    assert "There is no route from the start cell at column 4, row 7 to checkpoint 1." in told
    assert "Where: [3, 6], [1, 4]\n" in told
    assert "Certain: the board shows it.\n" in told
    assert "Open a way to checkpoint 1" in told


def test_the_text_has_plain_sentences_and_the_worst_cells() -> None:
    run = run_of()
    flown = flights(run, deaths={((3, 3), "shaft"): 2, ((6, 3), "damage"): 1}, **BAD["fire"])
    told = "\n".join(text_of(run, judge(run, flown)))
    assert "Most deaths: [3, 3] 400, [6, 3] 200." in told
    assert "Deaths: damage 200, shaft 400." in told
    assert "Fair: all robots share one start." in told
    assert "Unfinished: 0 %." in told
    assert "None" not in told and "inf" not in told and "{" not in told


def test_a_report_is_json_even_without_results() -> None:
    run = run_of()
    for flown in ([], flights(run, 1), flights(run, 2), flights(run, 40)):
        report = report_of(run, judge(run, flown))
        assert json.loads(json.dumps(report, allow_nan=False)) == report


def test_a_failing_computer_is_reported_with_flight_and_seed(
    write: Any, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise rules.computers.ComputerError("there is no way")

    monkeypatch.setattr(flying, "choose", fail)
    assert main(["tunnel", write(DOCUMENT), *QUICK, "--ruleset", "robo-runner", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert [flight["number"] for flight in report["failed"]] == [0, 1, 2]
    assert report["failed"][0]["failure"] == "ComputerError: there is no way"
    assert report["findings"][0]["kind"] == "failed"
    assert report["failed"][0]["seed"] in report["findings"][0]["advice"]
    assert main(["tunnel", write(DOCUMENT), *QUICK, "--ruleset", "robo-runner"]) == 1
    assert "3 of 3 flights failed" in capsys.readouterr().out


UNSUITED = {"format": "starship/1", "rows": [". . ."]}
BAD_INPUT: list[tuple[object, list[str], str]] = [
    ("", [], "not JSON"),
    ("[]", [], "a JSON object is expected"),
    ({"format": "scenario/1"}, [], "“starship/1” is expected"),
    ({**DOCUMENT, "rows": ["a q .", ". .+z ."]}, [], "the floor “q” is unknown; row 2, column 2"),
    ({**DOCUMENT, "rows": ["q " * 30]}, [], "and 20 more"),
    ({**DOCUMENT, "rows": [". " * 1000] * 1000}, [], "the limit is 100 × 100"),
    ({**DOCUMENT, "colour": "red"}, [], "unknown key “colour”"),
    (UNSUITED, [], "suits no ruleset"),
    (UNSUITED, ["--ruleset", "robo-runner"], "has no airlock"),
    ({**DOCUMENT, "rows": ["a1 . .+i1"]}, ["--ruleset", "websocket"], "a start cell for one robot"),
    (DOCUMENT, ["--ruleset", "chess"], "there is no ruleset “chess”"),
    (DOCUMENT, ["--ruleset", "robo-runner", "--players", "9"], "1 to 8 players, not 9"),
    (DOCUMENT, ["--players", "1"], "at least 2 players"),
]


@pytest.mark.parametrize(("document", "options", "told"), BAD_INPUT, ids=lambda value: str(value)[:40])
def test_bad_input_is_refused_in_one_line(
    document: object, options: list[str], told: str, write: Any, capsys: Any
) -> None:
    assert main(["tunnel", write(document), *QUICK, *options]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "ship.json: " in err and told in err


@pytest.mark.parametrize(
    "options",
    [
        ["--flights", "0"],
        ["--flights", "1001"],
        ["--flights", "many"],
        ["--processes", "0"],
        ["--players", "x"],
    ],
)
def test_wrong_numbers_are_refused_in_one_line_with_status_2(
    options: list[str], write: Any, capsys: Any
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["tunnel", write(DOCUMENT), *options])
    assert ended.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_missing_or_too_large_file_is_refused_in_one_line(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["tunnel", str(tmp_path / "none.json")]) == 2
    monkeypatch.setattr("rules.__main__.MAX_FILE_SIZE", 10)
    large = tmp_path / "large.json"
    large.write_text(json.dumps(DOCUMENT))
    assert main(["tunnel", str(large)]) == 2
    assert capsys.readouterr().err.count("\n") == 2


@pytest.mark.parametrize(
    ("error", "status", "told"),
    [(LostFlights("2 flights are missing"), 2, "2 flights"), (KeyboardInterrupt(), 130, "stopped")],
)
def test_lost_processes_and_an_interrupt_end_it_quietly(
    error: BaseException, status: int, told: str, write: Any, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(__main__, "fly_until_sure", fail)
    assert main(["tunnel", write(DOCUMENT), *QUICK, "--ruleset", "robo-runner"]) == status
    assert told in capsys.readouterr().err


def test_progress_is_only_shown_on_a_terminal(
    write: Any, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    main(["tunnel", write(DOCUMENT), *QUICK, "--ruleset", "robo-runner"])
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    main(["tunnel", write(DOCUMENT), *QUICK, "--ruleset", "robo-runner"])
    assert "\rRobo Runner: 3 of 3 flights" in capsys.readouterr().err
