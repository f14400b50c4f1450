"""Faults of starship drafts, and fixes that remove them."""

from random import Random

import pytest
from hypothesis import given, strategies as st

import rules
from rules.mending import FAULTS_PER_KIND, Fault, blocking_faults_of, faults_of, is_unplayable
from rules.sketch import Sketch, read_sketch
from tests.rules.random_boards import starship_document


def sketch(*rows: str) -> Sketch:
    return Sketch(tuple(tuple(row.split()) for row in rows))


def fault_lines(drawn: Sketch, ruleset: str = "", players: int | None = None) -> list[str]:
    """Return a line for each fault in a draft ship: its code, row, column and fix."""
    edition = rules.ruleset(ruleset) if ruleset else None
    return [
        f"{fault.problem.code} {fault.problem.row or '-'}.{fault.problem.column or '-'}"
        f" {fault.fix.label if fault.fix else 'no fix'}"
        for fault in faults_of(drawn, edition, players)
    ]


def mended(drawn: Sketch, code: str, ruleset: str = "", players: int | None = None) -> list[str]:
    """Return the rows after applying the fix for the first fault with the given code."""
    edition = rules.ruleset(ruleset) if ruleset else None
    fault = next(each for each in faults_of(drawn, edition, players) if each.problem.code == code)
    assert fault.fix
    return [" ".join(row) for row in drawn.put(fault.fix.cells).rows]


def test_a_good_ship_has_no_faults() -> None:
    assert fault_lines(sketch("a . .+i1"), "robo-runner") == []


def test_unreadable_cells_hide_no_other_faults() -> None:
    drawn = sketch("a q . .+i1", ". .+l1N . b1:NE", ". . .+i1 t:red", ". .")
    assert fault_lines(drawn, "robo-runner", 4) == [
        "unreadable 1.2 Change it to hull",
        "checkpoint-numbers 1.4 Renumber the checkpoints",
        "no-rail 2.2 Add the rail",
        "checkpoint-numbers 3.3 Renumber the checkpoints",
        "row-length 4.- Fill the rest of the row with hull",
        "unfed-beam 2.4 Make this beam straight",
        "lonely-transporter 3.4 Change it to hull",
    ]


def test_errors_come_first_and_each_group_is_in_reading_order() -> None:
    faults = faults_of(sketch("t:red b1:NE .", "q . a", ". q .+i1"))
    places = [(fault.is_blocking, fault.problem.row, fault.problem.column) for fault in faults]
    assert places == [(True, 2, 1), (True, 3, 2), (False, 1, 1), (False, 1, 2)]


@pytest.mark.parametrize(
    ("rows", "code", "after"),
    [
        (["a q .+i1"], "unreadable", ["a . .+i1"]),
        (["a b1:E+zz .+i1"], "unreadable", ["a b1:E .+i1"]),
        (["a . .+i1", "."], "row-length", ["a . .+i1", ". . ."]),
        (["a .+i1 .+i1 .+i4*2"], "checkpoint-numbers", ["a .+i1 .+i2 .+i3*2"]),
        (["a .+l1N .+i1"], "no-rail", ["a .+wN+l1N .+i1"]),
        (["a .+wE+cW .+i1"], "no-rail", ["a .+wEW+cW .+i1"]),
        (["a t:red+wN .+i1"], "lonely-transporter", ["a .+wN .+i1"]),
        ([". . .+i1"], "no-start", ["a . .+i1"]),
        (["a . ."], "checkpoint-count", ["a . .+i1"]),
        (["a b1:NE .+i1"], "unfed-beam", ["a b1:E .+i1"]),
        (["a b1:NE .+i1", ". b1:N ."], "unfed-beam", ["a b1:SE .+i1", ". b1:N ."]),
        (["b1:E b1:NWE .+i1", "a . ."], "unfed-beam", ["b1:E b1:E .+i1", "a . ."]),
        (["b1:E b1:NSWE .+i1", "a b1:N ."], "unfed-beam", ["b1:E b1:SWE .+i1", "a b1:N ."]),
        (["a . ~ .+i1"], "out-of-reach", ["a .+i1 ~ ."]),
    ],
)
def test_a_fix_changes_the_cells_as_described(rows: list[str], code: str, after: list[str]) -> None:
    assert mended(sketch(*rows), code) == after


@pytest.mark.parametrize(
    ("ruleset", "players", "rows", "code", "after"),
    [
        ("robo-runner", 2, ["a s .+i1"], "unknown-element", ["a . .+i1"]),
        ("websocket", 2, ["a1 . . .+i1"], "too-few-starts", ["a1 a2 . .+i1"]),
        ("websocket", 1, [". . .+i1"], "no-start", ["a1 . .+i1"]),
        ("amigo-1999", 2, [".+i1 o+i2"], "barred", [".+i1 .+i2"]),
        ("robo-recon", 2, ["a:red . k"], "no-start", ["a:red a:blue k"]),
    ],
)
def test_a_fix_meets_the_needs_of_a_ruleset(
    ruleset: str, players: int, rows: list[str], code: str, after: list[str]
) -> None:
    assert mended(sketch(*rows), code, ruleset, players) == after


def test_all_beams_fed_from_outside_the_board_are_one_fault() -> None:
    drawn = sketch("a b1:NE b1:NWE .+i1", ". b1:E b1:NE b1:ES")
    found = [fault for fault in faults_of(drawn) if fault.problem.code == "unfed-beam"]
    outer, *inner = sorted(found, key=lambda fault: not fault.cells)
    assert str(outer.problem.message) == "3 beams have an entry from outside the board"
    assert outer.cells == ((1, 0), (2, 0), (3, 1))
    assert [(fault.problem.row, fault.problem.column) for fault in inner] == [(2, 3)], "each by itself"
    after = drawn.put(outer.fix.cells) if outer.fix else drawn
    assert [fault.cells for fault in faults_of(after) if fault.problem.code == "unfed-beam"] == [()]
    text = {"format": "starship/1", "rows": [" ".join(row) for row in drawn.rows]}
    assert [str(each) for each in rules.check_starship(text).problems if "outside" in str(each)] == [
        "row 1, column 2: 3 beams have an entry from outside the board"
    ]


def test_a_fault_without_a_place_for_a_fix_has_none() -> None:
    assert fault_lines(sketch("~ ~+i1")) == ["no-start -.- no fix"]


JUNK = ["q", "b4:E", ".+", "+i1", ".+z", "i1", "b1:EE", ".+wN+wN", "d11+l1N", "a+i1+i2", "<b>", "é+r24N"]
SPOILS = [
    ".+l1N",
    ".+cW",
    ".+p15S",
    "b2:NE",
    "b1:SWE",
    "t:yellow",
    ".+i1",
    ".+i7",
    ".+i9*3",
    "a1",
    "~",
    "k",
    "s",
]


@st.composite
def spoilt(draw: st.DrawFn) -> tuple[Sketch, rules.Ruleset | None, int | None]:
    """Draw a random starship with random faults, and a ruleset to judge it by."""
    chance = Random(draw(st.integers(0, 2**32)))
    edition = chance.choice(list(rules.RULESETS.values()))
    drawn = read_sketch(starship_document(chance, edition, seats=chance.randint(1, 4)))
    rows = [list(row) for row in drawn.rows]
    for _ in range(chance.randint(1, 8)):
        row = chance.choice(rows)
        if not row:
            continue
        match chance.randint(0, 3):
            case 0:
                row.pop()
            case 1:
                row[chance.randrange(len(row))] = chance.choice(JUNK)
            case _:
                row[chance.randrange(len(row))] = chance.choice(SPOILS)
    rows[0] = rows[0] or ["."]
    judged = chance.choice([None, edition, *rules.RULESETS.values()])
    return Sketch(tuple(map(tuple, rows))), judged, chance.choice([None, 1, 2, 4, 8])


@given(spoilt())
def test_hindrances_are_the_faults_that_prevent_play(
    given: tuple[Sketch, rules.Ruleset | None, int | None],
) -> None:
    drawn, edition, players = given
    found, blocking = faults_of(drawn, edition, players), blocking_faults_of(drawn, edition, players)
    assert [fault.problem for fault in blocking] == [fault.problem for fault in found if fault.is_blocking]
    assert is_unplayable(drawn) == any(fault.is_blocking for fault in faults_of(drawn))


def test_a_ship_names_some_faults_of_each_kind() -> None:
    codes = [fault.problem.code for fault in faults_of(sketch(*["q " * 90] * 10, ".+l1N " * 90))]
    assert (codes.count("unreadable"), codes.count("no-rail")) == (FAULTS_PER_KIND, 90)


@given(spoilt())
def test_every_fix_removes_its_fault(given: tuple[Sketch, rules.Ruleset | None, int | None]) -> None:
    drawn, edition, players = given
    for fault in faults_of(drawn, edition, players):
        if fault.fix:
            after = drawn.put(fault.fix.cells)
            assert _key(fault) not in map(_key, faults_of(after, edition, players)), fault


@given(spoilt())
def test_fixing_one_fault_after_another_ends(
    given: tuple[Sketch, rules.Ruleset | None, int | None],
) -> None:
    drawn, edition, players = given
    for _ in range(300):
        fix = next((fault.fix for fault in faults_of(drawn, edition, players) if fault.fix), None)
        if fix is None:
            return
        drawn = drawn.put(fix.cells)
    raise AssertionError(faults_of(drawn, edition, players))


@given(spoilt())
def test_a_ship_without_hindrances_can_be_read(
    given: tuple[Sketch, rules.Ruleset | None, int | None],
) -> None:
    drawn, edition, players = given
    report = rules.check_starship({"format": "starship/1", "rows": [" ".join(row) for row in drawn.rows]})
    errors = [fault for fault in faults_of(drawn) if fault.is_blocking]
    assert bool(report.errors) == bool(errors)
    if edition and not errors and not any(each.is_blocking for each in faults_of(drawn, edition, players)):
        ship = report.starship
        assert ship
        found = rules.reasons_against(edition, ship)
        assert not found or edition.sets_checkpoints


def _key(fault: Fault) -> tuple[object, ...]:
    problem = fault.problem
    return problem.code, problem.row, problem.column, str(problem.message)
