"""The outlook of a draft ship, which needs no flights."""

import pytest

import rules
from rules.sketch import read_sketch
from rules.tunnel.findings import LIMITS
from rules.tunnel.flying import best_way
from rules.tunnel.outlook import DETOUR_FACTOR, MAX_CELLS, Outlook, Way, expected_turns, outlook_of
from rules.tunnel.run import Run

LANE = ("a . . .+i1", ". . . .", ".+i2 . . .")


def outlook(*rows: str, key: str = "robo-runner", players: int = 2) -> Outlook:
    ship = read_sketch({"format": "starship/1", "rows": list(rows)}).ship
    return outlook_of(ship, rules.ruleset(key), players)


def ways(found: Outlook) -> tuple[list[Way], list[Way]]:
    assert found.starts is not None and found.legs is not None
    return list(found.starts), list(found.legs)


def test_a_way_leads_from_the_start_and_from_each_checkpoint_to_the_next() -> None:
    (start,), (leg,) = ways(outlook(*LANE))
    assert (start.origin, start.checkpoint, start.phases) == ((0, 0), 1, (2 + 1 + 2 + 2) / 4)
    assert start.cells == ((0, 0), (1, 0), (2, 0), (3, 0)) and start.stops == (3,)
    assert (leg.origin, leg.checkpoint, leg.cells[-1]) == ((3, 0), 2, (0, 2))


def test_a_way_shows_moves_by_the_ship() -> None:
    (start,), _ = ways(outlook("a b2:S .", ". b2:S .", ". b2:E .+i1"))
    assert (1, 1) in start.cells and start.cells[-1] == (2, 2)


def test_each_start_has_its_way() -> None:
    starts, _ = ways(outlook("a1 . . .+i1", "a2 . . .", "a3 . . .", key="websocket"))
    assert [way.origin for way in starts] == [(0, 0), (0, 1)]


def test_ways_match_the_wind_tunnel() -> None:
    document = {"format": "starship/1", "rows": ["a1 b1:E . .+i1", "a2 o .+wE .", ". . . .+i2"]}
    ship = rules.read_starship(document)
    setup = rules.make_setup(rules.ruleset("websocket"), {}, ship, 2)
    found = outlook_of(ship, setup.ruleset, 2)
    assert found.starts is not None
    told = {ship.cell(*way.origin): way.phases for way in found.starts}
    assert told == {cell: best_way(setup, cell, ship.checkpoints[1]) for cell in Run(setup, 2).start_cells}


def test_a_leg_without_a_way_shows_no_way() -> None:
    (start,), _ = ways(outlook("a .+wE .", ". .+wE .+i1"))
    assert (start.phases, start.cells) == (None, ())


def test_a_checkpoint_after_a_gap_has_no_leg_and_no_line() -> None:
    found = outlook("a .+i1 . .+i3")
    assert ways(found)[1] == [] and found.lines == ()


def test_lines_of_fire_are_reported() -> None:
    (line,) = outlook("a . .", ".+i1 . .+i2").lines
    assert (line.checkpoint, line.cells) == (1, ((0, 1), (1, 1), (2, 1)))


def test_unreachable_cells_except_shafts_and_space_are_reported() -> None:
    assert outlook("a .+i1+wE . o ~").unreachable == ((2, 0),)


def test_shelter_is_reported_for_returning_robots() -> None:
    found = outlook("a . . .", ". . . .", ". . . .+i1").shelter
    assert found and found.limit == LIMITS["robo-runner"].shelter
    assert (len(found.cells), set(found.bare) <= set(found.cells)) == (6, True)
    assert outlook("a1 a2 .+i1", key="websocket").shelter is None


def test_a_ship_without_a_start_has_a_partial_outlook() -> None:
    found = outlook(". .+i1 .+i2")
    assert (found.starts, found.shelter, found.unreachable) == ((), None, None)
    assert len(found.lines) == 1 and found.legs and found.legs[0].phases


def test_rulesets_without_a_race_have_no_ways() -> None:
    found = outlook("a . .+i1", key="robo-arena")
    assert (found.starts, found.legs) == (None, None)


def test_ways_are_not_searched_on_too_large_a_ship() -> None:
    rows = [" ".join(["."] * 33)] * (MAX_CELLS // 33) + [" ".join(["a", *["."] * 31, ".+i1"])]
    found = outlook(*rows)
    assert found.starts is None and found.unreachable == ()


@pytest.mark.parametrize("key", list(rules.RULESETS))
def test_unreadable_cells_hide_nothing_else(key: str) -> None:
    found = outlook("a qq a1+i1 .+l1N", "k .+i1 ~+i2", "t:red f g+ x", key=key)
    assert isinstance(found, Outlook)


def expected(*rows: str, key: str = "robo-runner") -> int | None:
    ship = read_sketch({"format": "starship/1", "rows": list(rows)}).ship
    return expected_turns(ship, rules.ruleset(key), 2)


def test_the_expected_length_of_games_follows_from_the_ways() -> None:
    rows = ("a" + 28 * " ." + " .+i1", 29 * ". " + ".", ".+i2" + 29 * " .")
    starts, legs = ways(outlook(*rows))
    phases = sum(way.phases or 0 for way in (*starts, *legs))
    assert phases > 10 and expected(*rows) == round(phases / 5 * DETOUR_FACTOR)


@pytest.mark.parametrize(
    ("rows", "key"),
    [
        ((". . .+i1",), "robo-runner"),
        (("a . .",), "robo-runner"),
        (("a ~ .+i1",), "robo-runner"),
        (("a . .+i2",), "robo-runner"),
        (("a" + 30 * " ." + " .+i1", *[32 * ". "] * 32), "robo-runner"),
        (("a . .", ". . ."), "robo-arena"),
    ],
)
def test_no_length_is_expected_without_ways(rows: tuple[str, ...], key: str) -> None:
    assert expected(*rows, key=key) is None
