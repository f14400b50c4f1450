"""The benchmark of the wind tunnel: its limits, a trial of the limits, and spoilt ships."""

import json
from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

import rules
from bench.tunnel import boards, setting
from bench.tunnel.fleet import fleet, later, measured, setup_of, tried
from bench.tunnel.ruins import RUINS, Sound, findings_of, ruin
from bench.tunnel.search import fly_boards, judge_boards
from bench.tunnel.setting import Record, limits_from, records
from bench.tunnel.spoils import KINDS, OWN, NoSpoil, spoil, suits
from bench.tunnel.trial import GOOD_SHIPS, SHIPS_PER_SPOIL, Case, TrialVerdict, cases, judge_case
from rules.document import canonical
from rules.tunnel.findings import LIMITS
from rules.tunnel.flying import races, start_cells
from rules.tunnel.geometry import corners, elements_share
from rules.tunnel.play import ways_behind
from rules.tunnel.run import Run


def test_limits_and_their_trial_have_no_ship_in_common() -> None:
    assert not {base.name for base in measured()} & {base.name for base in tried()}
    assert len(measured()) + len(tried()) == len(fleet())
    assert {base.ruleset for base in measured()} == set(rules.RULESETS) == set(LIMITS)


def test_a_round_has_ten_good_ships_and_two_of_each_spoil() -> None:
    drawn = cases(7)
    kinds = [case.kind for case in drawn]
    assert kinds.count(None) == GOOD_SHIPS == 10
    assert all(kinds.count(kind) == SHIPS_PER_SPOIL == 2 for kind in KINDS)
    assert drawn == cases(7) != cases(8)
    assert {case.base for case in drawn} <= set(tried())


@pytest.mark.parametrize("kind", KINDS)
def test_a_spoil_is_drawn_by_its_seed_and_has_its_fault(kind: str) -> None:
    base = [base for base in tried() if suits(kind, base)][2]
    ship, again = spoil(kind, base, "1"), spoil(kind, base, "1")
    assert rules.write_starship(ship) == rules.write_starship(again)
    assert len({canonical(rules.write_starship(spoil(kind, base, str(seed)))) for seed in range(4)}) > 1
    assert not rules.reasons_against(rules.ruleset(base.ruleset), ship)
    if kind == "corner":
        assert corners(ship) and not corners(base.ship)
    elif kind == "desert":
        assert elements_share(ship) <= 0.04 < elements_share(base.ship)
    elif kind == "far start":
        setup, players = setup_of(base.ruleset, ship)
        assert max(ways_behind(setup, Run(setup, players).start_cells).values()) >= 8
    elif kind == "gallery":
        assert len(ship.emitters) > len(base.ship.emitters)
    else:
        assert sum(value == "shaft" for value in ship.falls[0]) > sum(
            value == "shaft" for value in base.ship.falls[0]
        )


def test_a_ship_that_cannot_be_spoilt_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.tunnel.spoils.ATTEMPTS", 3)
    monkeypatch.setitem(KINDS, "corner", lambda base, chance: None)
    with pytest.raises(NoSpoil):
        spoil("corner", tried()[0], "1")


def test_a_spoil_counts_by_its_own_finding_and_a_good_ship_if_nothing_is_red() -> None:
    good, bad = Case(tried()[0], None, "1"), Case(tried()[0], "gallery", "1")
    corner = Case(tried()[0], "corner", "1")
    both = ("length", OWN["gallery"])
    assert TrialVerdict(good, "amber", (), ("corner",), 200).right
    assert not TrialVerdict(good, "red", ("length",), ("length",), 40).right
    assert TrialVerdict(bad, "red", both, both, 40).right
    assert not TrialVerdict(bad, "red", ("length",), both, 40).right
    assert TrialVerdict(corner, "amber", (), ("corner",), 200).right
    assert not TrialVerdict(corner, "green", (), (), 100).right


def test_a_case_is_flown_and_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.tunnel.trial.FLIGHTS", 10)
    told = judge_case(Case(tried()[0], "corner", "1"))
    assert told.right
    assert told.flown == 10


@pytest.mark.parametrize("kind", RUINS)
def test_the_board_shows_each_ruin(kind: str) -> None:
    """This tries three ships of each kind.

    `python -m bench.tunnel --ruins` tries forty.
    """
    suited = [Sound(base.name, base.ruleset) for base in (*tried(), *later())]
    suited = [sound for sound in suited if RUINS[kind].suits(sound)]
    ruined = [*islice(((sound, ship) for sound in suited if (ship := ruin(kind, sound, "quick"))), 3)]
    assert len(ruined) == 3
    for sound, ship in ruined:
        assert RUINS[kind].finding not in dict(findings_of(sound.ruleset, sound.ship))
        assert RUINS[kind].finding in dict(findings_of(sound.ruleset, ship))


def _board(name: str, mark: str = ".+i1") -> dict[str, object]:
    rows = [". b1:E b1:S+p135W+wW . . .", f". . b3:S . {mark} .", "a .+x1 . .+wS . .+i2", ". . . . o ."]
    return {"format": "starship/1", "name": name, "rows": rows}


def _put(folder: Path, *documents: dict[str, object]) -> Path:
    for document in documents:
        (folder / f"{document['name']}.json").write_text(json.dumps(document))
    return folder


WALLED = ".+i1+wNESW"


def test_boards_in_a_folder_are_judged_without_a_flight(tmp_path: Path) -> None:
    told = list(judge_boards(_put(tmp_path, _board("good"), _board("bad", WALLED)), "factory-1999", 1))
    assert told[0] == "2 boards by Factory 1999, 1 of them red without a flight"
    assert "red: way 1." in [f"{line}." for line in told]


@pytest.mark.parametrize("key", rules.RULESETS)
def test_a_board_is_adapted_to_each_ruleset(key: str, tmp_path: Path) -> None:
    ruleset = rules.ruleset(key)
    ship = boards.adapted(_board("alien"), ruleset)
    assert ship is not None
    assert not rules.reasons_against(ruleset, ship)
    assert len(start_cells(ruleset, ship, boards.PLAYERS)) >= (2 if ruleset.squads else 1)
    crushed = any(cell.crusher for _, cell in ship.numbered())
    assert crushed == ("crusher" in ruleset.elements)


def test_a_board_without_a_way_neither_sets_nor_tries_limits(tmp_path: Path) -> None:
    _put(tmp_path, *(_board(f"{number}", WALLED if number == 3 else ".+i1") for number in range(1, 6)))
    for key in rules.RULESETS:
        races_there = races(rules.ruleset(key))
        assert [board.name for board in boards.measured(tmp_path, key)] == ["1", "5"]
        assert [board.name for board in boards.tried(tmp_path, key)] == (["2", "4"] if races_there else [])


def test_boards_that_set_no_limits_are_judged_by_their_flights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boards, "FLIGHTS", 2)
    folder, kept = _put(tmp_path, _board("1"), _board("2")), tmp_path / "kept"
    kept.mkdir()
    told = list(fly_boards(folder, "robo-runner", 1, kept))
    assert told[0] == "1 boards by Robo Runner, 0 of them red after 2 flights each"
    (file,) = kept.iterdir()
    assert len(file.read_text().splitlines()) == 2
    file.write_text(file.read_text().replace('"over": true', '"over": false'))
    assert list(fly_boards(folder, "robo-runner", 1, kept)) != told


def test_limits_follow_from_the_measurements() -> None:
    assert limits_from(records()) == LIMITS


def test_each_ruleset_has_limits_from_the_fleet_and_from_boards_of_other_authors() -> None:
    found = records()
    assert {(each.ship, each.ruleset) for each in found if each.ours} == {
        (base.name, base.ruleset) for base in measured()
    }
    others = Counter(each.ruleset for each in found if not each.ours)
    assert all(others[key] >= 10 for key in rules.RULESETS)


def test_measurements_are_stored_and_keep_boards_of_missing_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setting, "FILE", tmp_path / "measured.csv")
    monkeypatch.setattr("bench.tunnel.fleet.FLIGHTS", 2)
    monkeypatch.setattr(boards, "FLIGHTS", 2)
    monkeypatch.setattr("bench.tunnel.fleet.measured", lambda: measured()[:1])
    monkeypatch.setattr(rules, "RULESETS", {"robo-runner": rules.RULESETS["robo-runner"]})
    names = ["04-tin-canoe, robo-runner", "alien, robo-runner"]
    assert list(setting.measure(1, None, _put(tmp_path, _board("alien")))) == names
    found = records()
    assert [(each.ship, each.ours, each.players) for each in found] == [
        ("04-tin-canoe", True, 2),
        ("alien", False, 4),
    ]
    assert found[0].values.keys() >= {"length", "unfinished", "fire", "shelter", "elements"}
    assert list(setting.measure(1, None, None)) == names[:1]
    assert records() == found


def _record(ours: bool, **values: float) -> Record:
    usual = {"length": 0.5, "unfinished": 0.0, "half_time": 0.4, "elements": 0.3, "fire": 0.0}
    return Record("a ship", "robo-runner", ours, 4, usual | values)


def test_a_limit_is_a_quarter_past_the_worst_board_and_twice_the_worst_ship() -> None:
    found = [
        _record(True, length=0.6, half_time=0.3, fire=35.0, leg=1.2, airlock=0.15, deadly=0.5),
        _record(False, length=1.5, half_time=0.18, fire=60.0, leg=3.4, airlock=0.9, elements=0.01),
        _record(False, length=99, unfinished=0.2, fire=999.0),
    ]
    limits = limits_from([*found, *(replace(each, ruleset="amigo-1999") for each in found[1:])])
    assert set(limits) == {"robo-runner", "amigo-1999"}
    runner, amigo = limits["robo-runner"], limits["amigo-1999"]
    assert (runner.length, runner.half_time, runner.fire) == ((0.3, 1.88), 0.14, 75)
    assert (runner.leg, runner.airlock, runner.deadly, runner.elements) == (4.25, 0.3, 0.9, 0.08)
    assert (amigo.length, amigo.half_time, amigo.fire) == ((1.2, 1.88), 0.14, 75)
    assert runner.shelter is None
    assert (runner.last_turn, runner.waiting, runner.unused) == (0.5, 0.45, 0.3)


def test_a_twentieth_of_the_boards_may_have_less_shelter() -> None:
    sheltered = [_record(False, shelter=number / 10) for number in range(20)]
    assert limits_from(sheltered)["robo-runner"].shelter == 0.08
    assert limits_from([*sheltered, _record(True, shelter=0.1)])["robo-runner"].shelter == 0.05


def test_measured_figures_and_limits_are_printed() -> None:
    told = list(setting.tell())
    assert any(line.startswith("| 04-tin-canoe | robo-runner | 2 | ") for line in told)
    printed = "\n".join(told)
    for key, limits in LIMITS.items():
        assert (
            f'"{key}": Limits(\n        length=({limits.length[0]:.2f}, {limits.length[1]:.2f}),' in printed
        )
