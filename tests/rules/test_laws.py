"""The laws that every turn of every game keeps, whatever is on the board and in the orders."""

import json
from collections.abc import Callable, Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rules
from rules.apply import apply
from tests.rules.strategies import RandomGame, starship_document

TURNS = 6
seeds = st.integers(min_value=0, max_value=2**32)
every_game = settings(max_examples=40, deadline=None)


def turns_of(game: RandomGame) -> Iterator[rules.Outcome]:
    """Play a few turns, yielding each outcome while the game still shows the state before it."""
    for _ in range(TURNS):
        game.order()
        outcome = game.resolve()
        yield outcome
        if outcome.state.over:
            return
        game.go_on(outcome)


def through_json(document: object) -> object:
    return json.loads(json.dumps(document))


@given(seeds)
@every_game
def test_a_log_that_was_stored_folds_to_the_end_state(seed: int) -> None:
    game = RandomGame(seed)
    for outcome in turns_of(game):
        before = rules.state_from_json(game.ship, through_json(rules.state_to_json(game.ship, game.state)))
        log = rules.events_from_json(
            game.terms, through_json(rules.events_to_json(game.terms, outcome.events))
        )
        assert rules.fold(before, log) == outcome.state


@given(seeds)
@every_game
def test_folding_what_a_viewer_sees_over_the_view_gives_the_view_afterwards(seed: int) -> None:
    game = RandomGame(seed)
    for outcome in turns_of(game):
        seen = rules.view(game.state)
        for event in outcome.events:
            apply(seen, event)
        assert seen == rules.view(outcome.state)


@given(seeds)
@every_game
def test_worlds_that_differ_in_what_is_secret_look_the_same(seed: int) -> None:
    """Transporter links that nobody has used are the only secret of a state (RR-1.4)."""
    game = RandomGame(seed)
    for _ in turns_of(game):
        other = game.state.copy()
        other.links = {
            origin: to if origin in other.known else game.ship.networks[_network(game, origin)][0]
            for origin, to in other.links.items()
        }
        seen, same = (rules.view_to_json(game.ship, rules.view(state)) for state in (game.state, other))
        assert json.dumps(seen) == json.dumps(same)


def _network(game: RandomGame, cell: int) -> str:
    return next(name for name, cells in game.ship.networks.items() if cell in cells)


@given(seeds)
@every_game
def test_the_same_turn_resolved_twice_gives_the_same_log_and_changes_no_input(seed: int) -> None:
    game = RandomGame(seed)
    for outcome in turns_of(game):
        before = rules.state_to_json(game.ship, game.state)
        again = game.resolve()
        assert again == outcome
        assert rules.state_to_json(game.ship, game.state) == before


@given(seeds)
@every_game
def test_no_two_real_robots_share_a_cell_when_a_turn_is_over(seed: int) -> None:
    for outcome in turns_of(RandomGame(seed)):
        real = [robot.cell for robot in outcome.state.robots if robot.on_board and not robot.virtual]
        assert len(real) == len(set(real))


@given(seeds)
@every_game
def test_no_chip_is_dealt_twice_from_one_deck(seed: int) -> None:
    game = RandomGame(seed)
    for _ in turns_of(game):
        for index, hand in game.hands.items():
            robot = game.state.robots[index]
            chips = [*hand, *(robot.registers[register] for register in robot.locked)]
            assert len(chips) == len(set(chips))
            assert set(chips) <= set(rules.DECK)


@given(seeds)
@every_game
def test_every_event_can_be_told_as_a_sentence(seed: int) -> None:
    game = RandomGame(seed)
    for outcome in turns_of(game):
        for event in rules.events_to_json(game.terms, outcome.events):
            assert rules.sentence(event).endswith(".")


@given(seeds)
@every_game
def test_writing_a_starship_is_stable_and_loses_nothing(seed: int) -> None:
    ship = rules.read_starship(starship_document(Random(seed)))
    written = rules.write_starship(ship)
    again = rules.read_starship(written)
    assert again.cells == ship.cells
    assert rules.write_starship(again) == written


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=6), st.lists, max_leaves=5))
@pytest.mark.parametrize("read", [rules.read_orders, rules.read_starship, rules.parse])
@settings(max_examples=30)
def test_a_document_that_is_none_is_refused_in_words(read: Callable[[object], object], junk: object) -> None:
    with pytest.raises(rules.RulesError):
        read(json.dumps(junk) if read is rules.parse else junk)
