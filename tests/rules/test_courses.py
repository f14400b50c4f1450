"""Boards that are turned, joined side by side, and given new checkpoints."""

from random import Random

import pytest

import rules
from rules import courses
from rules.courses import Tile, join, quarter_turned, with_checkpoints
from rules.document import SetupError
from tests.rules.random_boards import starship_document

CORNER = ["a .+i1", "b1:NE ."]
PLAIN = [". .", ". ."]


def ship(*rows: str, name: str = "", builder: str = "") -> rules.Starship:
    document = {"format": "starship/1", "name": name, "builder": builder, "rows": list(rows)}
    return rules.read_starship(document)


def rows_of(board: rules.Starship) -> list[list[str]]:
    return [row.split() for row in rules.write_starship(board)["rows"]]


def causes(error: SetupError) -> list[str]:
    return [str(problem) for problem in error.problems]


def test_a_quarter_turn_leads_clockwise() -> None:
    turned = quarter_turned(ship("a . o", "~ . k"), 1)
    assert rows_of(turned) == [["~", "a"], [".", "."], ["k", "o"]]
    assert rows_of(quarter_turned(ship("a . o", "~ . k"), 3)) == [["o", "k"], [".", "."], ["a", "~"]]


def test_directions_turn_with_the_board() -> None:
    cells = "b1:NE b2:NSWE .+wNE .+r24N+wW .+wN+cN .+wW+p135W .+wS+l2S g+ a1"
    turned = "b1:ES b2:NEWS .+wES .+wN+r24E .+wE+cE .+wN+p135N .+wW+l2W g+ a1"
    assert rows_of(quarter_turned(ship(cells), 1)) == [[token] for token in turned.split()]


def test_half_a_turn_is_two_quarter_turns() -> None:
    board = ship("a b1:NE .+wN", "o ~ .+i1")
    assert rows_of(quarter_turned(board, 2)) == rows_of(quarter_turned(quarter_turned(board, 1), 1))


@pytest.mark.parametrize("seed", range(20))
def test_four_quarter_turns_restore_any_board(seed: int) -> None:
    board = rules.read_starship(starship_document(Random(seed)))
    turned = board
    for _ in range(4):
        turned = quarter_turned(turned, 1)
    assert rules.write_starship(turned) == rules.write_starship(board)


@pytest.mark.parametrize("seed", range(20))
def test_a_turned_board_is_a_valid_document(seed: int) -> None:
    turned = quarter_turned(rules.read_starship(starship_document(Random(seed))), 1 + seed % 3)
    document = rules.write_starship(turned)
    assert rules.write_starship(rules.read_starship(document)) == document


def test_a_single_board_keeps_its_checkpoints() -> None:
    joined = join([Tile(ship(*CORNER, name="Corner"), turned=1)])
    assert rows_of(joined) == [["b1:ES", "a"], [".", ".+i1"]]
    assert joined.name == "Corner"


@pytest.mark.clause("AM-1.1")
def test_boards_are_joined_side_to_side_in_any_turn() -> None:
    west, east = ship(*CORNER, name="West", builder="Ann"), ship("o ~", ". g+", name="East", builder="Ann")
    joined = join([Tile(east, at=(1, 0), turned=2), Tile(west, at=(0, 0))])
    assert rows_of(joined) == [["a", ".", "g+", "."], ["b1:NE", ".", "~", "o"]]
    assert (joined.name, joined.builder) == ("East + West", "Ann")


def test_a_board_may_be_joined_to_itself() -> None:
    board = ship(*PLAIN, name="Hall")
    joined = join([Tile(board), Tile(board, at=(0, 1))])
    assert (joined.width, joined.height, joined.name) == (2, 4, "Hall")


def test_columns_and_rows_count_from_the_first_used_one() -> None:
    joined = join([Tile(ship("o"), at=(-1, 5)), Tile(ship("~"), at=(0, 5))])
    assert rows_of(joined) == [["o", "~"]]


def test_gaps_between_boards_are_space() -> None:
    board = ship(".")
    joined = join([Tile(board), Tile(board, at=(1, 0)), Tile(board, at=(1, 1))])
    assert rows_of(joined) == [[".", "."], ["~", "."]]


def test_checkpoints_of_several_boards_are_dropped() -> None:
    joined = join([Tile(ship("a .+i1")), Tile(ship(". .+i1*3"), at=(1, 0))])
    assert rows_of(joined) == [["a", ".", ".", "."]]


def test_robots_start_on_the_first_board_with_starts() -> None:
    pieces = [Tile(ship(". .")), Tile(ship("a a1"), at=(0, 1)), Tile(ship("a a2+wN"), at=(0, 2))]
    assert rows_of(join(pieces)) == [[".", "."], ["a", "a1"], [".", ".+wN"]]


def test_rails_at_the_seam_count_for_both_boards() -> None:
    joined = join([Tile(ship(".+wE")), Tile(ship("."), at=(1, 0))])
    assert joined.railed_ever(joined.cell(1, 0), 3)


def test_a_long_row_of_names_is_cut() -> None:
    pieces = [Tile(ship(".", name=f"The {number}th of nine boards"), at=(number, 0)) for number in range(9)]
    assert len(join(pieces).name) == 80
    assert rules.read_starship(rules.write_starship(join(pieces))).name.endswith("…")


@pytest.mark.parametrize(
    ("places", "cause"),
    [
        ([], "there are no boards to join"),
        ([(0, 0), (0, 0)], "board 2 (“Hall”) overlaps board 1 (“Hall”): both are at column 1, row 1"),
        ([(0, 0), (2, 0)], "board 2 (“Hall”) touches no other board: boards must be joined side by side"),
        ([(0, 0), (1, 1)], "board 2 (“Hall”) touches no other board: boards must be joined side by side"),
        ([(0, 0), (10**9, 0)], "board 2 (“Hall”) touches no other board: boards must be joined side by side"),
        (
            [(column, 0) for column in range(51)],
            "the joined board has 102 × 2 cells, and the limit is 100 × 100",
        ),
    ],
)
def test_a_refusal_to_join_boards_gives_the_reason(places: list[tuple[int, int]], cause: str) -> None:
    with pytest.raises(SetupError) as refused:
        join([Tile(ship(*PLAIN, name="Hall"), at=place) for place in places])
    assert causes(refused.value) == [cause]


def test_boards_are_turned_once_for_each_direction_and_only_if_they_fit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turns: list[int] = []

    def turn(board: rules.Starship, quarters: int) -> rules.Starship:
        turns.append(quarters)
        return quarter_turned(board, quarters)

    monkeypatch.setattr(courses, "quarter_turned", turn)
    board = ship(*CORNER)
    join([Tile(board, at=(column, 0), turned=column % 2) for column in range(6)])
    assert turns == [0, 1]
    with pytest.raises(SetupError):
        join([Tile(board, turned=1), Tile(board, turned=2)])
    assert turns == [0, 1]


def test_edges_that_do_not_fit_are_refused() -> None:
    pieces = [Tile(ship(". ."), turned=1), Tile(ship(". .", name="Lane"), at=(1, 0))]
    with pytest.raises(SetupError) as refused:
        join(pieces)
    assert causes(refused.value) == [
        "the boards differ in size: board 1 has 1 × 2 cells, and board 2 (“Lane”) has 2 × 1"
    ]


def test_all_causes_are_reported_at_once() -> None:
    board = ship(*PLAIN)
    with pytest.raises(SetupError) as refused:
        join([Tile(board), Tile(board), Tile(ship("."), at=(5, 5))])
    assert len(refused.value.problems) == 3


@pytest.mark.clause("AM-1.1", "FA-1")
def test_new_checkpoints_replace_those_of_the_boards() -> None:
    board = with_checkpoints(ship("a .+i1*4", "h1 .+wS"), [(0, 1), (1, 1)])
    assert rows_of(board) == [["a", "."], ["h1+i1", ".+i2+wS"]]


@pytest.mark.parametrize(
    ("cells", "cause"),
    [
        ([(0, 0), (2, 0)], "checkpoint 2 at column 3, row 1 is off the board, which has 2 × 2 cells"),
        ([(0, -1)], "checkpoint 1 at column 1, row 0 is off the board, which has 2 × 2 cells"),
        (
            [(0, 0), (0, 0)],
            "row 1, column 1: checkpoint 2 cannot be on the same cell as checkpoint 1",
        ),
        ([(1, 0)], "row 1, column 2: checkpoint 1 cannot be on a cooling shaft"),
        ([(0, 1)], "row 2, column 1: checkpoint 1 cannot be on open space"),
        ([(1, 1)], "row 2, column 2: checkpoint 1 cannot be on a crusher"),
    ],
)
def test_a_refused_checkpoint_has_a_reason(cells: list[tuple[int, int]], cause: str) -> None:
    with pytest.raises(SetupError) as refused:
        with_checkpoints(ship(". o", "~ .+x1"), cells)
    assert causes(refused.value) == [cause]
