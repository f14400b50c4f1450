"""The bench of the wind tunnel: limits and trial have no ship in common, and spoils have their faults."""

import pytest

import rules
from bench.tunnel import setting
from bench.tunnel.fleet import fleet, measured, setup_of, tried
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


def test_a_spoil_counts_if_its_own_finding_is_red_and_a_good_ship_if_nothing_is() -> None:
    good, bad = Case(tried()[0], None, "1"), Case(tried()[0], "gallery", "1")
    assert Told(good, "amber", (), 200).right and not Told(good, "red", ("length",), 40).right
    assert Told(bad, "red", ("length", OWN["gallery"]), 40).right
    assert not Told(bad, "red", ("length",), 40).right


def test_a_case_is_flown_and_told() -> None:
    told = tell(Case(tried()[0], "corner", "1"))
    assert told.right
    assert told.flown == 40


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
