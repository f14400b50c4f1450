"""The bench of the wind tunnel: limits and trial have no ship in common, and spoils have their faults."""

import json
from itertools import islice
from pathlib import Path

import pytest

import rules
from bench.tunnel import setting
from bench.tunnel.fleet import fleet, later, measured, setup_of, tried
from bench.tunnel.ruins import RUINS, Sound, findings_of, ruin
from bench.tunnel.search import judge_folder
from bench.tunnel.setting import MARGIN, Shown, limits_of
from bench.tunnel.spoils import KINDS, OWN, NoSpoil, spoil, suits
from bench.tunnel.trial import EACH, GOOD, Case, Told, cases, tell
from rules.document import canonical
from rules.tunnel.certainty import Measured
from rules.tunnel.fairness import ways_behind
from rules.tunnel.figures import Figures
from rules.tunnel.geometry import corners, elements_share
from rules.tunnel.limits import LIMITS
from rules.tunnel.run import Run


def test_limits_are_set_from_other_ships_than_those_they_are_tried_on() -> None:
    assert not {base.name for base in measured()} & {base.name for base in tried()}
    assert len(measured()) + len(tried()) == len(fleet())
    assert {base.ruleset for base in measured()} == set(rules.RULESETS) == set(LIMITS)


def test_a_round_has_ten_good_ships_and_two_of_each_spoil() -> None:
    drawn = cases(7)
    kinds = [case.kind for case in drawn]
    assert kinds.count(None) == GOOD == 10
    assert all(kinds.count(kind) == EACH == 2 for kind in KINDS)
    assert drawn == cases(7) != cases(8)
    assert {case.base for case in drawn} <= set(tried())


@pytest.mark.parametrize("kind", KINDS)
def test_a_spoil_is_drawn_by_its_seed_and_has_its_fault(kind: str) -> None:
    base = [base for base in tried() if suits(kind, base)][2]
    ship, again = spoil(kind, base, "1"), spoil(kind, base, "1")
    assert rules.write_starship(ship) == rules.write_starship(again)
    assert len({canonical(rules.write_starship(spoil(kind, base, str(seed)))) for seed in range(4)}) > 1
    assert not rules.unsuitable(rules.ruleset(base.ruleset), ship)
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


def test_a_ship_that_cannot_be_spoilt_so_is_said_to_be_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.tunnel.spoils.ATTEMPTS", 3)
    monkeypatch.setitem(KINDS, "corner", lambda base, chance: None)
    with pytest.raises(NoSpoil):
        spoil("corner", tried()[0], "1")


def test_a_spoil_counts_by_its_own_finding_and_a_good_ship_if_nothing_is_red() -> None:
    good, bad = Case(tried()[0], None, "1"), Case(tried()[0], "gallery", "1")
    corner = Case(tried()[0], "corner", "1")
    both = ("length", OWN["gallery"])
    assert Told(good, "amber", (), ("corner",), 200).right
    assert not Told(good, "red", ("length",), ("length",), 40).right
    assert Told(bad, "red", both, both, 40).right
    assert not Told(bad, "red", ("length",), both, 40).right
    assert Told(corner, "amber", (), ("corner",), 200).right
    assert not Told(corner, "green", (), (), 100).right


def test_a_case_is_flown_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.tunnel.trial.FLIGHTS", 10)
    told = tell(Case(tried()[0], "corner", "1"))
    assert told.right
    assert told.flown == 10


@pytest.mark.parametrize("kind", RUINS)
def test_the_board_shows_each_ruin(kind: str) -> None:
    """Three ships of each kind; `python -m bench.tunnel --ruins` ruins forty."""
    suited = [Sound(base.name, base.ruleset) for base in (*tried(), *later())]
    suited = [sound for sound in suited if RUINS[kind].suits(sound)]
    ruined = [*islice(((sound, ship) for sound in suited if (ship := ruin(kind, sound, "quick"))), 3)]
    assert len(ruined) == 3
    for sound, ship in ruined:
        assert RUINS[kind].finding not in dict(findings_of(sound.ruleset, sound.ship))
        assert RUINS[kind].finding in dict(findings_of(sound.ruleset, ship))


def test_boards_in_a_folder_are_judged_without_a_flight(tmp_path: Path) -> None:
    for name, mark in (("good", ".+i1"), ("bad", ".+i1+wNESW")):
        rows = [". b1:E b1:S . . .", f". . b1:S . {mark} .", "a . . .+wS . .+i2", ". . . . . ."]
        document = {"format": "starship/1", "name": name, "rows": rows}
        (tmp_path / f"{name}.json").write_text(json.dumps(document))
    told = list(judge_folder(tmp_path, "factory-1999", 1))
    assert told[0] == "2 boards by Factory 1999, 1 of them red without a flight"
    assert "red: way 1." in [f"{line}." for line in told]


def test_limits_are_printed_with_their_margin() -> None:
    base = measured()[0]
    values = {"length": 6.0, "fire": 35.0, "leg": 1.2, "half_time": 0.3, "elements": 0.3, "airlock": 0.2}
    shown = Shown(
        base, Figures(1, 0.01, {key: Measured(value, 0, 9) for key, value in values.items()}), values
    )
    lines = [line.strip() for line in limits_of(base.ruleset, [shown], hottest=78.0)]
    assert lines[0] == '"robo-runner": Limits('
    assert f"fire={35 * MARGIN:.0f}," in lines
    assert f"airlock={0.2 * MARGIN:.2f}," in lines
    assert f"half_time={0.3 / MARGIN:.2f}," in lines
    assert {"leg=3.00,", "elements=0.08,", "shelter=None,"} <= set(lines)
    assert setting.LASERS > 0
