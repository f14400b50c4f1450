"""``starship/1``: documents that are accepted, refused, or accepted with warnings."""

from typing import Any

import pytest

import rules


def document(*rows: str, **keys: Any) -> dict[str, Any]:
    return {"format": "starship/1", "rows": list(rows), **keys}


def problems_of(*rows: str) -> list[str]:
    return [str(problem) for problem in rules.check_starship(document(*rows)).problems]


@pytest.mark.parametrize(
    ("token", "canonical"),
    [
        ("b1:WE", "b1:E"),
        ("b3:SWNE", "b3:NSWE"),
        ("g++wN", "g++wN"),
        ("g-+wN", "g-+wN"),
        ("d42", "d24"),
        (".+wWN", ".+wNW"),
        (".+wN+p12345N", ".+wN+pN"),
        (".+l1N+cN+p31N+wN+x51+i1*4", ".+i1*4+x15+wN+cN+p13N+l1N"),
        (".+r51S+pS", ".+r15S+pS"),
        ("a:red", "a:red"),
        ("a8", "a8"),
    ],
)
def test_it_writes_cells_in_canonical_form(token: str, canonical: str) -> None:
    checkpoint = "" if "i1" in token else ".+i1"
    ship = rules.read_starship(document(f"{token} {checkpoint}".strip()))
    assert rules.write_starship(ship)["rows"][0].split()[0] == canonical


def test_it_keeps_name_builder_and_description() -> None:
    given = document(". a", name="Ark", builder="Noah", description="Dry.")
    assert rules.write_starship(rules.read_starship(given)) == given


@pytest.mark.parametrize(
    ("token", "reason"),
    [
        ("q", "the floor “q” is unknown"),
        ("b4:E", "the floor “b4:E” is unknown"),
        ("b1:EE", "uses one side as both entry and exit"),
        ("b1:NNE", "lists an entry side twice"),
        ("d", "the floor “d” is unknown"),
        ("d11", "lists a phase twice"),
        ("d6", "the floor “d6” is unknown"),
        ("t:green", "unknown"),
        ("a9", "unknown"),
        ("h4", "unknown"),
        (".+z", "the feature “z” is unknown"),
        (".+", "is not a floor followed by features"),
        ("g+wN", "the floor “g” is unknown"),
        (".+wNN", "has two rails"),
        (".+wN+p1N+p2N", "has two docking arms"),
        (".+i1+i2", "only one checkpoint"),
        (".+i0", "unknown"),
        (".+pN", "the docking arm on edge N has no rail behind it"),
        (".+cN", "the coupling on edge N has no rail behind it"),
        (".+l1N", "the laser emitter on edge N has no rail behind it"),
        (".+i2", "checkpoint 1 is missing"),
        (".+l١N", "unknown"),
    ],
)
def test_it_refuses_a_cell_with_its_place_and_a_reason(token: str, reason: str) -> None:
    (problem,) = problems_of(f". {token}")
    assert problem.startswith("row 1, column 2: ")
    assert reason in problem


def test_a_fitting_can_use_the_neighbour_s_rail_or_slide_rail() -> None:
    assert rules.check_starship(document(".+pE .+wW")).starship
    assert rules.check_starship(document(".+cE .+r24W")).starship


def test_it_reports_all_problems_at_once() -> None:
    assert len(problems_of("q . b1:EE", ". .")) == 3


def test_it_refuses_rows_of_different_lengths() -> None:
    assert problems_of(". . .", ". .") == ["row 2: the row has 2 cells, but the first row has 3"]


def test_it_refuses_a_repeated_checkpoint_number() -> None:
    assert problems_of(".+i1 .", ". .+i1") == [
        "row 2, column 2: there is another checkpoint 1 in row 1, column 1"
    ]


def test_it_refuses_a_board_with_an_edge_of_more_than_a_hundred_cells() -> None:
    assert rules.check_starship(document(*[" ".join("." * 100)] * 100)).starship
    assert "the limit is 100 × 100" in problems_of(" ".join("." * 101))[0]
    assert "the limit is 100 × 100" in problems_of(*["."] * 101)[0]


@pytest.mark.parametrize(
    "given",
    [
        None,
        [],
        {"rows": ["."]},
        {"format": "starship/2", "rows": ["."]},
        document(".", colour="red"),
        document(".", name=3),
        document(".", name="x" * 81),
        document(),
        document(""),
        {"format": "starship/1"},
        {"format": "starship/1", "rows": "."},
        {"format": "starship/1", "rows": [["."]]},
    ],
)
def test_it_refuses_a_document_of_another_form(given: object) -> None:
    with pytest.raises(rules.NotationError):
        rules.read_starship(given)


@pytest.mark.parametrize(
    ("rows", "warning"),
    [
        (["a o .+i1"], "no robot can reach checkpoint 1"),
        (["a+wE .+i1"], "no robot can reach checkpoint 1"),
        (["a t:red .+i1"], "the only one in its network, red"),
        (["a b1:NE .+i1", ". . ."], "no beam leads into b1:NE from side N"),
    ],
)
def test_it_warns_of_design_faults(rows: list[str], warning: str) -> None:
    report = rules.check_starship(document(*rows))
    assert report.starship
    assert [warning in problem.message for problem in report.warnings] == [True]


@pytest.mark.parametrize(
    "rows",
    [
        ["a d24 .+i1"],
        ["a+r24E .+i1"],
        ["a t:red o t:red .+i1"],
        ["a f o .+i1"],
        ["a b1:E b1:WS", ". . .+i1"],
    ],
)
def test_it_finds_no_fault_if_a_way_exists(rows: list[str]) -> None:
    assert rules.check_starship(document(*rows)).problems == ()


@pytest.mark.clause("G-1.8")
@pytest.mark.parametrize("token", ["k", "s", "a:red", ".+x1"])
def test_a_board_with_an_element_unknown_to_the_ruleset_is_refused(token: str) -> None:
    ship = rules.read_starship(document(f"a {token}", ". .+i1"))
    with pytest.raises(rules.SetupError, match=r"row 1, column 2: .*Robo Runner does not have this element"):
        rules.make_setup(rules.ruleset("robo-runner"), {}, ship, 2)


@pytest.mark.clause("RR-1.2")
def test_a_board_without_airlock_is_refused_for_robo_runner() -> None:
    ship = rules.read_starship(document("a1 .+i1"))
    with pytest.raises(rules.SetupError, match="no airlock"):
        rules.make_setup(rules.ruleset("robo-runner"), {}, ship, 2)
