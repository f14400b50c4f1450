"""Laws that hold in every turn of every game, for any ruleset, board and orders."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import rules
from rules import events as ev
from rules.apply import apply
from rules.launch import CRYSTAL_NAME, scanner_name
from rules.orders import PAUSE
from rules.setup import EVERYWHERE
from tests.rules.random_boards import starship_document
from tests.rules.strategies import RandomGame, chips_in_play, crowded_cells

TURNS = 6
SEEDS = st.integers(min_value=0, max_value=2**32)
Law = Callable[..., None]


def in_every_game(examples: int) -> Callable[[Law], Law]:
    """Return a decorator that checks a law in random games of each ruleset.

    ``examples`` is the number of games for each ruleset.
    """

    def decorate(law: Law) -> Law:
        held: Law = settings(max_examples=examples, deadline=None)(given(seed=SEEDS)(law))
        of_each: Law = pytest.mark.parametrize("key", rules.RULESETS)(held)
        return of_each

    return decorate


def through_json(document: object) -> Any:
    return json.loads(json.dumps(document))


def stored(game: RandomGame, state: rules.State) -> str:
    return json.dumps(rules.state_to_json(game.ship, state))


def written(game: RandomGame, events: tuple[rules.Event, ...]) -> str:
    return json.dumps(rules.events_to_json(game.terms, events))


@in_every_game(9)
def test_a_stored_log_folds_to_the_end_state(key: str, seed: int) -> None:
    game = RandomGame(seed, key)
    for outcome in game.turns(TURNS):
        before = rules.state_from_json(game.ship, through_json(rules.state_to_json(game.ship, game.state)))
        log = rules.events_from_json(
            game.terms, through_json(rules.events_to_json(game.terms, outcome.events))
        )
        assert log == list(outcome.events)
        assert rules.fold(before, log) == outcome.state


@in_every_game(9)
def test_folding_visible_events_over_a_view_gives_the_next_view(key: str, seed: int) -> None:
    game = RandomGame(seed, key)
    for outcome in game.turns(TURNS):
        seen = rules.view(game.state)
        for event in outcome.events:
            apply(seen, event)
        assert seen == rules.view(outcome.state)


@in_every_game(5)
def test_every_event_has_a_sentence(key: str, seed: int) -> None:
    game = RandomGame(seed, key)
    for outcome in game.turns(TURNS):
        for event in rules.events_to_json(game.terms, outcome.events):
            assert rules.sentence(event).endswith(".")


@in_every_game(8)
def test_worlds_with_different_secrets_look_the_same(key: str, seed: int) -> None:
    """The only secrets in a state are the links of transporters that no robot has used (RR-1.4)."""
    game = RandomGame(seed, key)
    for _ in game.turns(TURNS):
        other = with_other_secrets(game)
        seen, same = (rules.view_to_json(game.ship, rules.view(state)) for state in (game.state, other))
        assert json.dumps(seen) == json.dumps(same)


@in_every_game(8)
def test_a_preview_reveals_no_secret_and_changes_nothing(key: str, seed: int) -> None:
    game = RandomGame(seed, key)
    for _ in game.turns(TURNS):
        before = stored(game, game.state)
        for index, orders in game.orders.items():
            seen, same = (
                rules.preview(game.setup, state, index, orders).events
                for state in (game.state, with_other_secrets(game))
            )
            assert written(game, seen) == written(game, same)
        assert stored(game, game.state) == before


def with_other_secrets(game: RandomGame) -> rules.State:
    """Return the game's state with other links of unused transporters."""
    state = game.state.copy()
    state.links = {
        origin: to if origin in state.known else network_of(game, origin)[0]
        for origin, to in state.links.items()
    }
    return state


def network_of(game: RandomGame, cell: int) -> list[int]:
    return next(cells for cells in game.ship.networks.values() if cell in cells)


@in_every_game(8)
def test_resolving_a_turn_is_repeatable_and_changes_no_input(key: str, seed: int) -> None:
    game = RandomGame(seed, key)
    for outcome in game.turns(TURNS):
        before, hands = stored(game, game.state), dict(game.hands)
        again = game.resolve()
        assert written(game, again.events) == written(game, outcome.events)
        assert stored(game, again.state) == stored(game, outcome.state)
        assert (stored(game, game.state), game.hands) == (before, hands)
        deals = [rules.deal(game.setup, outcome.state, game.seed) for _ in range(2)]
        assert deals[0] == deals[1]


@in_every_game(9)
def test_renaming_robots_only_renames_the_turn(key: str, seed: int) -> None:
    """The new names sort in reverse order and are longer, to show that names do not matter."""
    game = RandomGame(seed, key)
    new_names = {
        robot.name: robot.name
        if robot.name in (CRYSTAL_NAME, scanner_name(1), scanner_name(2), scanner_name(3), scanner_name(4))
        else f"¡{'z' * (10 - robot.index)}!"
        for robot in game.state.robots
    }
    terms = rules.Vocabulary(game.ship, list(new_names.values()))
    for outcome in game.turns(TURNS):
        state = game.state.copy()
        for robot in state.robots:
            robot.name = new_names[robot.name]
        renamed = rules.resolve_turn(game.setup, state, game.hands, game.orders, game.seed)
        text = renamed_back(rules.events_to_json(terms, renamed.events), new_names)
        assert text == written(game, outcome.events)
        text = renamed_back(rules.state_to_json(game.ship, renamed.state), new_names)
        assert text == stored(game, outcome.state)
        dealt, dealt_renamed = (
            rules.deal(game.setup, ended, game.seed) for ended in (outcome.state, renamed.state)
        )
        assert dealt.hands == dealt_renamed.hands


def renamed_back(document: object, new_names: dict[str, str]) -> str:
    text = json.dumps(document, ensure_ascii=False)
    for old, new in new_names.items():
        text = text.replace(f'"{new}"', f'"{old}"')
    return text


@in_every_game(9)
def test_no_two_real_robots_share_a_cell_at_any_instant(key: str, seed: int) -> None:
    """The test skips the states between events of one instant, such as moves or a crystal's arrival."""
    game = RandomGame(seed, key)
    for outcome in game.turns(TURNS):
        for state, event in replay(game, outcome):
            same_instant = isinstance(event, ev.Move | ev.Virtual) or getattr(event, "by", "") == "implosion"
            if not same_instant:
                assert not crowded_cells(state.robots), event
        assert not crowded_cells(outcome.state.robots)


@in_every_game(9)
def test_between_two_steps_robots_are_in_habitable_cells(key: str, seed: int) -> None:
    """No robot survives a step off the board, into a shaft or into space."""
    game = RandomGame(seed, key)
    for outcome in game.turns(TURNS):
        before = None
        for state, event in replay(game, outcome):
            if before and before != event[:2]:
                standing = [robot.cell for robot in state.robots if robot.on_board]
                assert all(can_hold_robot(game.ship, cell) for cell in standing), event
            before = event[:2]


def can_hold_robot(ship: rules.Starship, cell: int) -> bool:
    """Return whether a robot can be in a cell: it is habitable, or it is a bay.

    A bay may have closed just now.
    """
    return ship.falls[0][cell] is None or cell in ship.bays


def replay(game: RandomGame, outcome: rules.Outcome) -> Iterator[tuple[rules.State, rules.Event]]:
    """Yield the state before each event of a turn, together with the event."""
    state = game.state.copy()
    for event in outcome.events:
        yield state, event
        apply(state, event)


@in_every_game(8)
def test_damage_locks_lives_and_places_are_consistent(key: str, seed: int) -> None:
    game = RandomGame(seed, key)
    for outcome in game.turns(TURNS):
        robots = outcome.state.robots
        for robot in robots:
            if robot.alive and not robot.crystal:
                assert 0 <= robot.damage < game.setup.ruleset.damage_limit
                assert len(robot.locked) == min(5, max(0, robot.damage - 4))
            assert robot.lives >= 0
        places = sorted(robot.place for robot in robots if robot.place is not None)
        assert places == list(range(1, len(places) + 1))
        if game.setup.ruleset.ranks:
            ranks = [robot.rank for robot in robots if not (robot.out or robot.crystal)]
            assert len(set(ranks)) == len(ranks)


@in_every_game(9)
def test_a_game_continues_while_enough_robots_are_left_and_then_ends(key: str, seed: int) -> None:
    game = RandomGame(seed, key)
    for outcome in game.turns(TURNS):
        players = list(outcome.state.players)
        left = [robot for robot in players if not robot.out and robot.place is None]
        sides = {robot.squad or robot.name for robot in left}
        last = outcome.events[-1]
        assert not any(isinstance(event, ev.Over) for event in outcome.events[:-1])
        assert outcome.state.over == isinstance(last, ev.Over)
        if not isinstance(last, ev.Over):
            alone_is_enough = len(players) == 1 or not game.setup.ruleset.last_wins
            assert len(sides) > 1 or (alone_is_enough and left)
        elif last.reason == "last standing":
            assert len(sides) <= 1 < len(players)
        elif last.reason in ("all out", "lost"):
            assert not left


@in_every_game(9)
def test_skipped_steps_would_do_nothing(key: str, seed: int) -> None:
    game = RandomGame(seed, key)
    thorough = replace(game.setup)
    for part in ("phase", "end"):
        every = tuple((step.name, step.rule, EVERYWHERE) for step in getattr(game.setup.ruleset, part))
        object.__setattr__(thorough, part, every)
    for outcome in game.turns(TURNS):
        assert rules.resolve_turn(thorough, game.state, game.hands, game.orders, game.seed) == outcome


@in_every_game(9)
def test_a_turn_without_a_log_leads_to_the_same_state(key: str, seed: int) -> None:
    game = RandomGame(seed, key)
    for outcome in game.turns(TURNS):
        after = rules.state_after(game.setup, game.state, game.hands, game.orders, game.seed)
        assert after == outcome.state


@in_every_game(9)
def test_decks_have_at_most_84_different_chips(key: str, seed: int) -> None:
    """All robots share one deck, or each robot has its own."""
    game = RandomGame(seed, key)
    for _ in game.turns(TURNS):
        for chips in chips_in_play(game):
            assert len(chips) == len(set(chips)) <= 84
            assert set(chips) <= set(rules.DECK)


@in_every_game(8)
def test_robots_execute_ordered_or_locked_chips_and_none_twice(key: str, seed: int) -> None:
    game = RandomGame(seed, key)
    for outcome in game.turns(TURNS):
        executed: dict[int, list[rules.Chip]] = {}
        for event in outcome.events:
            if isinstance(event, ev.Phase):
                for index, chip in event.chips.items():
                    executed.setdefault(index, []).append(chip)
        for index, chips in executed.items():
            robot, orders = game.state.robots[index], game.orders.get(index, rules.Orders())
            mine = {*game.hands[index], *(robot.registers[register] for register in robot.locked), PAUSE}
            assert set(chips) <= mine
            of_the_deck = [chip for chip in chips if chip != PAUSE]
            assert len(set(of_the_deck)) == len(of_the_deck)
            assert robot.scanner or set(chips) <= {*orders.registers, *robot.registers}


@in_every_game(8)
def test_random_orders_are_allowed_and_can_be_written(key: str, seed: int) -> None:
    game = RandomGame(seed, key)
    for _ in game.turns(TURNS):
        for index, orders in game.orders.items():
            assert game.problems(index, orders) == ()
            assert rules.read_orders(through_json(rules.write_orders(orders))) == orders


@in_every_game(9)
def test_completed_orders_keep_the_given_parts(key: str, seed: int) -> None:
    game = RandomGame(seed, key)
    for _ in game.turns(TURNS):
        for index, orders in game.orders.items():
            given_ones = tuple(chip if game.chance.random() < 0.5 else None for chip in orders.registers)
            if game.setup.starship.checkpoints and given_ones and not given_ones[0]:
                given_ones = (orders.registers[0], *given_ones[1:])
            hand = game.hands.get(index, ())
            partial = replace(orders, registers=given_ones)
            filled = rules.complete(game.setup, game.state, index, hand, partial, seed)
            assert game.problems(index, filled) == ()
            kept = zip(given_ones, filled.registers, strict=True)
            assert all(chip in (None, other) for chip, other in kept)


@in_every_game(9)
def test_faults_of_any_orders_are_described_in_words(key: str, seed: int) -> None:
    """The test tries another robot's orders and made-up orders. Each fault has a sentence."""
    game = RandomGame(seed, key)
    for _ in game.turns(TURNS):
        of_one = list(game.orders.values())[:1]
        for robot in game.state.robots:
            for orders in (*of_one, made_up_orders(game.chance)):
                faults = game.problems(robot.index, orders)
                assert all(fault.code and fault.detail.endswith(".") for fault in faults)


def made_up_orders(chance: Random) -> rules.Orders:
    document: dict[str, Any] = {
        "registers": chance.choices([None, "P", 10, 490, 840, 999, -3], k=chance.randint(0, 7)),
        "power_down": chance.random() < 0.5,
        "stay_down": chance.random() < 0.5,
        "equipment": chance.choice([True, False, [], [1, 3], [0, 9], [-1]]),
        "heading": chance.choice([None, "N", "W"]),
        "place": chance.choice([None, [0, 0], [-1, 5], [10**9, 2]]),
        "unlock": chance.choice([None, [], [5, 5], [1, 2, 3], [0, 77]]),
    }
    return rules.read_orders(document)


@in_every_game(9)
def test_writing_a_starship_is_stable_and_loses_nothing(key: str, seed: int) -> None:
    ship = rules.read_starship(starship_document(Random(seed), rules.ruleset(key)))
    document = rules.write_starship(ship)
    again = rules.read_starship(document)
    assert again.cells == ship.cells
    assert rules.write_starship(again) == document


@in_every_game(9)
def test_a_board_for_another_ruleset_is_refused_in_words_or_playable(key: str, seed: int) -> None:
    chance = Random(seed)
    made_for = rules.ruleset(chance.choice(list(rules.RULESETS)))
    ship = rules.read_starship(starship_document(chance, made_for, seats=chance.randint(1, 4)))
    try:
        game = RandomGame(seed, key, ship)
    except rules.SetupError as refused:
        known = refused.problems
        unknown = [problem for problem in known if "this element" in problem.message]
        assert all(problem.row and problem.column for problem in unknown)
        assert all(problem.message for problem in known)
        return
    assert not rules.reasons_against(rules.ruleset(key), game.ship), "the board as it is played"
    for outcome in game.turns(3):
        assert rules.fold(game.state, outcome.events) == outcome.state
