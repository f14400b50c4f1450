"""The board of a new game: one starship, or several boards joined."""

from typing import Any

import pytest

import rules
from games.errors import Invalid, Malformed, NotFound
from games.fleet.boards import Layout, lay_out
from games.fleet.models import Starship
from games.fleet.services import retire_starship
from tests.games.support import LANE, YARD


@pytest.fixture
def yard(db: None) -> Starship:
    return YARD.saved()


def rows_of(layout: Layout) -> list[list[str]]:
    return [row.split() for row in rules.write_starship(layout.ship)["rows"]]


def causes(**asked: Any) -> list[tuple[str, str]]:
    with pytest.raises(Invalid) as refused:
        lay_out(**{"ruleset": "amigo-1999", **asked})
    return [(problem["code"], problem["detail"]) for problem in refused.value.problems]


def test_a_single_starship_is_played_unchanged(yard: Starship) -> None:
    layout = lay_out(ruleset="factory-1999", starship_id=yard.pk)
    assert not layout.composed
    assert layout.pieces == ((yard.current, (0, 0), 0),)
    assert rules.write_starship(layout.ship) == yard.current.document


def test_joined_boards_are_turned_and_placed_from_the_corner(yard: Starship) -> None:
    boards = [{"starship": yard.pk, "at": [5, -2]}, {"starship": yard.pk, "at": [4, -2], "turned": 2}]
    layout = lay_out(ruleset="amigo-1999", boards=boards)
    assert layout.composed
    assert [(piece.at, piece.turned) for piece in layout.pieces] == [((1, 0), 0), ((0, 0), 2)]
    assert (layout.ship.width, layout.ship.height) == (8, 4)
    assert rows_of(layout)[0] == [".", ".", "b1:W", ".", ".", ".", ".", "."]


def test_one_board_can_be_turned(yard: Starship) -> None:
    layout = lay_out(ruleset="amigo-1999", boards=[{"starship": yard.pk, "turned": 1}])
    assert layout.composed
    assert rows_of(layout)[0] == ["a", ".", ".", "."]
    assert layout.ship.checkpoints


def test_chosen_checkpoints_replace_the_board_s_own(yard: Starship) -> None:
    layout = lay_out(ruleset="amigo-1999", starship_id=yard.pk, checkpoints=[[3, 0], [2, 2]])
    assert layout.composed
    assert [layout.ship.pos(cell) for cell in layout.ship.checkpoints.values()] == [(3, 0), (2, 2)]


def test_without_chosen_checkpoints_the_board_s_own_remain(yard: Starship) -> None:
    for nothing in (None, []):
        layout = lay_out(ruleset="robo-runner", starship_id=yard.pk, checkpoints=nothing)
        assert not layout.composed


def test_it_names_features_missing_in_a_ruleset(yard: Starship) -> None:
    assert causes(ruleset="robo-runner", boards=[{"starship": yard.pk}], checkpoints=[[0, 0]]) == [
        ("boards", "Robo Runner is played on one starship. You cannot join boards together."),
        ("checkpoints", "Robo Runner uses the starship’s own checkpoints. You cannot set others."),
    ]


def test_it_names_the_limit_of_joined_boards(yard: Starship) -> None:
    boards = [{"starship": yard.pk, "at": [column, 0]} for column in range(5)]
    assert causes(boards=boards) == [("boards", "Robo Rally 1999 allows at most 4 joined boards, not 5.")]
    assert lay_out(ruleset="factory-1999", boards=boards).ship.width == 20


def test_it_explains_why_boards_do_not_fit(yard: Starship) -> None:
    lane = LANE.saved()
    [(code, detail)] = causes(boards=[{"starship": yard.pk}, {"starship": lane.pk, "at": [1, 0]}])
    assert (code, detail) == (
        "boards",
        "the boards differ in size: board 1 (“Yard”) has 4 × 4 cells, and board 2 (“Lane”) has 5 × 1",
    )


def test_unavailable_boards_are_not_found(yard: Starship) -> None:
    retire_starship(starship_id=yard.pk)
    for asked in ({"starship_id": yard.pk}, {"boards": [{"starship": yard.pk}]}, {"starship_id": 999}):
        with pytest.raises(NotFound) as refused:
            lay_out(ruleset="amigo-1999", **asked)  # type: ignore[arg-type]
        assert refused.value.code == "no-starship"


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"starship_id": 1, "boards": [{"starship": 1}]},
        {"boards": []},
        {"boards": "all"},
        {"boards": [{"starship": True}]},
        {"boards": [{"starship": 1, "at": [1]}]},
        {"boards": [{"starship": 1, "at": [0, 10**30]}]},
        {"boards": [{"starship": 1, "turned": 4}]},
        {"boards": [{"starship": 1, "colour": "red"}]},
        {"starship_id": 1, "checkpoints": 3},
        {"starship_id": 1, "checkpoints": ["ab"]},
        {"starship_id": 1, "checkpoints": [[0, 0, 0]]},
    ],
)
def test_invalid_documents_are_malformed(db: None, asked: dict[str, Any]) -> None:
    with pytest.raises(Malformed) as refused:
        lay_out(ruleset="amigo-1999", **asked)
    assert str(refused.value).endswith(".")
