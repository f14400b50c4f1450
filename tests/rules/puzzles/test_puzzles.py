"""Puzzles: the exact search, the definition of a puzzle, documents, and tries."""

from dataclasses import replace
from functools import lru_cache
from random import Random

import pytest

import rules
from rules.puzzles.documents import Try, outcome_of, read_puzzle, try_program, write_puzzle
from rules.puzzles.mining import Puzzle, puzzles_in
from rules.puzzles.search import LEAST_MARGIN, Judged, lines_of, only_best, position_key
from rules.puzzles.simulation import puzzles_of_game, suits
from rules.review import Played
from tests.rules.puzzles.positions import SEED, simulated, walker


@lru_cache
def puzzle() -> Puzzle:
    return simulated()[0]


def attempt(each: Puzzle, *, seed: int) -> Try:
    hand = list(each.hand)
    Random(seed).shuffle(hand)
    return try_program(each, tuple(hand[: rules.REGISTERS]))


def test_the_search_plays_turns_as_the_engine_does() -> None:
    world, chance = puzzle().world(), Random(7)
    for _ in range(40):
        hand = list(puzzle().hand)
        chance.shuffle(hand)
        program = tuple(hand[: rules.REGISTERS])
        state = outcome_of(puzzle(), program).state
        assert position_key(world.state(world.after(program))) == position_key(state)


def test_the_search_covers_all_programs() -> None:
    lines = lines_of([puzzle().world()], puzzle().hand)
    assert sum(line.orders for line in lines) == puzzle().best.programs == 15120
    assert len({line.ends for line in lines}) == len(lines)


def test_the_solution_is_better_than_all_other_programs() -> None:
    solved = try_program(puzzle(), puzzle().solution)
    assert solved.right
    assert solved.chance == round(puzzle().best.shown, 4)
    others = [each for seed in range(60) if not (each := attempt(puzzle(), seed=seed)).right]
    assert len(others) > 40
    assert max(each.chance for each in others) <= solved.chance - LEAST_MARGIN


def test_chips_of_one_kind_are_interchangeable() -> None:
    first, *rest = puzzle().solution
    for other in puzzle().hand:
        if other.kind == first.kind and other not in puzzle().solution:
            assert try_program(puzzle(), (other, *rest)).right


def line(shown: float, guessed: float, end: int, orders: int = 1) -> Judged:
    return Judged(shown, guessed, end, orders, "11111")


def test_the_best_program_must_be_better_against_both_the_shown_and_the_guessed_orders() -> None:
    clear = [line(0.5, 0.5, 1, 2), line(0.35, 0.38, 2), line(0.1, 0.3, 3)]
    best = only_best(clear)
    assert best
    assert (best.next_shown, best.next_guessed, best.orders, best.programs) == (0.35, 0.38, 2, 4)
    assert only_best([*clear, line(0.45, 0.0, 4)]) is None
    assert only_best([*clear, line(0.0, 0.45, 4)]) is None
    assert only_best([line(0.5, 0.5, 1)]) is None


def test_programs_that_end_in_the_same_state_count_as_one() -> None:
    best = only_best([line(0.5, 0.5, 1, 2), line(0.5, 0.45, 1, 3), line(0.1, 0.1, 2, 4)])
    assert best
    assert (best.orders, best.programs) == (5, 9)


def test_a_document_has_letters_for_names_and_no_board() -> None:
    document = write_puzzle(puzzle())
    assert "starship" not in document
    names = [robot["name"] for robot in document["state"]["robots"]]
    assert sorted(names) == list("ABCDE"[: len(names)])
    assert names[puzzle().robot] == "A"
    read = read_puzzle(document, walker())
    assert write_puzzle(read) == document
    assert try_program(read, read.solution).right


def test_the_same_seed_gives_the_same_puzzles() -> None:
    again = [each for _, each in puzzles_of_game([walker()], SEED, 9)]
    assert [write_puzzle(each) for each in again] == [write_puzzle(each) for each in simulated()]


def played(state: rules.State) -> Played:
    orders = {**puzzle().programs, puzzle().robot: rules.Orders(registers=puzzle().solution)}
    return Played(state, {puzzle().robot: puzzle().hand}, orders, ())


def test_the_turn_of_a_puzzle_has_it_again() -> None:
    assert [each.robot for each in puzzles_in(puzzle().setup, played(puzzle().state))] == [puzzle().robot]


@pytest.mark.parametrize("change", ["virtual", "returned", "scanner", "transporters", "locked", "turn 0"])
def test_positions_with_more_to_decide_or_less_to_see_have_no_puzzle(change: str) -> None:
    state = puzzle().state.copy()
    robot = state.robots[puzzle().robot]
    if change == "transporters":
        state.links = {robot.cell: robot.cell}
    elif change == "locked":
        robot.damage, robot.locked = 6, (4,)
    elif change == "turn 0":
        state.turn = 0
    else:
        setattr(robot, change, True)
    assert not list(puzzles_in(puzzle().setup, played(state)))


def test_other_rulesets_have_no_puzzles() -> None:
    setup = replace(puzzle().setup, ruleset=rules.ruleset("robo-arena"))
    assert not list(puzzles_in(setup, played(puzzle().state)))


@pytest.mark.parametrize(("decision", "found"), [(0.0, 1), (-0.05, 0), (-0.3, 1)])
def test_a_review_leaves_out_positions_whose_chosen_program_was_nearly_best(
    decision: float, found: int
) -> None:
    reviewed = {"figures": [{"robot": puzzle().robot + 1, "decision": decision}]}
    assert len(list(puzzles_in(puzzle().setup, played(puzzle().state), reviewed))) == found


def test_ships_without_enough_airlocks_are_not_simulated() -> None:
    small = rules.read_starship({"format": "starship/1", "rows": [". .+i1", ". ."]})
    assert suits(walker())
    assert not suits(small)
