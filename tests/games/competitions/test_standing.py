"""The standings of a tournament, and their tie-breaks."""

from fractions import Fraction

from games.competitions.selectors.results import PARTS_PER_POINT, Played, parts_of, table_of


def duel(winner: int, loser: int) -> list[Played]:
    return [Played(winner, 1, PARTS_PER_POINT, 2), Played(loser, 2, 0, 2)]


def order(*tables: list[Played], keys: range = range(1, 5), **more: object) -> list[int]:
    return [line.key for line in table_of(keys, tables, seed="x", **more)]  # type: ignore[arg-type]


def test_points_are_shares_of_opponents_beaten() -> None:
    assert [parts_of(rank, [1, 2, 3, 4]) for rank in (1, 2, 3, 4)] == [840, 560, 280, 0]
    assert [parts_of(rank, [1, 1, 3]) for rank in (1, 3)] == [630, 0]
    assert sum(parts_of(rank, range(1, 9)) for rank in range(1, 9)) == 4 * PARTS_PER_POINT


def test_more_points_come_first() -> None:
    assert order(duel(3, 1), duel(3, 2), duel(2, 4), duel(1, 4))[0] == 3


def test_direct_results_break_ties() -> None:
    lines = table_of(range(1, 5), [duel(2, 1), duel(1, 3), duel(4, 3)], seed="x")
    by_key = {line.key: line for line in lines}
    assert by_key[1].points == by_key[2].points == by_key[4].points
    assert by_key[2].direct == 0, "not all of the three have met"
    assert [line.direct for line in table_of([1, 2], [duel(2, 1), duel(1, 2)], seed="x")] == [1, 1]


def test_stronger_opponents_then_won_tables_then_the_lot_break_ties() -> None:
    tables = [duel(1, 3), duel(2, 4), duel(3, 5), duel(3, 6)]
    lines = table_of(range(1, 7), tables, seed="x")
    assert [line.key for line in lines][:3] == [3, 1, 2]
    assert lines[1].strength == Fraction(2 * PARTS_PER_POINT)
    again = table_of(range(6, 0, -1), tables, seed="x")
    assert [line.key for line in again] == [line.key for line in lines], "the lot depends on the seed alone"
    assert [line.place for line in lines] == [1, 2, 3, 4, 5, 6]


def test_the_lowest_opponent_does_not_count() -> None:
    tables = [duel(1, 2), duel(1, 3), duel(2, 4)]
    (first, *_) = table_of(range(1, 5), tables, seed="x")
    assert (first.key, first.strength) == (1, Fraction(PARTS_PER_POINT))


def test_a_bye_gives_what_the_other_tables_gave_on_average() -> None:
    bye = [Played(1, 1, 420, 1)]
    lines = {line.key: line for line in table_of([1, 2], [bye, duel(1, 2)], seed="x")}
    assert lines[1].points == 2 * PARTS_PER_POINT
    only = table_of([1], [bye], seed="x")
    assert only[0].points == PARTS_PER_POINT // 2


def test_in_a_knock_out_players_of_later_rounds_come_first() -> None:
    assert order(duel(1, 2), reached={2: 3, 1: 2})[:2] == [2, 1]


def test_in_a_draw_of_lots_absent_players_come_last() -> None:
    for absent in (1, 2, 3):
        assert order(keys=range(1, 4), unconfirmed={absent})[-1] == absent
    assert order(duel(1, 2), keys=range(1, 3), unconfirmed={1})[0] == 1, "it decides only where lots would"


def test_players_who_left_come_after_all_others() -> None:
    assert order(duel(1, 2), keys=range(1, 3), reached={1: 3, 2: 2}, departed={1}) == [2, 1]


def test_a_table_with_only_computers_is_no_bye() -> None:
    among_computers = [Played(1, 1, PARTS_PER_POINT, 4)]
    (line,) = table_of([1], [among_computers, among_computers], seed="x")
    assert (line.points, line.byes, line.firsts) == (2 * PARTS_PER_POINT, 0, 2)
