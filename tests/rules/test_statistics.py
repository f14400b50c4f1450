"""Statistics of a game follow from its event log only, in every ruleset (GR-4)."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

import rules
from rules import events as ev
from rules.events import read_log
from rules.scenario import read_scenario
from rules.statistics import COUNTERS, count
from tests.rules.strategies import RandomGame
from tests.rules.table import Table

Counts = dict[int, Counter[str]]
SEEDS = range(6)
TURNS = 6


def nonzero(counts: Mapping[str, int]) -> dict[str, int]:
    """Return the counters that are not 0."""
    return {name: number for name, number in counts.items() if number}


def played(
    ruleset: str, rows: list[str], *robots: dict[str, Any], phases: int = 1, **more: Any
) -> dict[str, dict[str, int]]:
    """Play the first phases of a turn. Return the counters of each robot."""
    scenario = read_scenario(
        {
            "format": "scenario/1",
            "title": "Statistics",
            "ruleset": ruleset,
            "starship": {"format": "starship/1", "rows": rows},
            "robots": list(robots),
            "phases": phases,
            "expect": {},
            **more,
        }
    )
    turn = scenario.run()
    counts = count(scenario.state, read_log(turn.log))
    return {turn.robots[index].name: nonzero(counter) for index, counter in counts.items()}


def robot(name: str, x: int, y: int, heading: str = "N", chips: str = "", **more: Any) -> dict[str, Any]:
    return {"name": name, "at": [x, y], "heading": heading, "chips": list(chips), **more}


@pytest.mark.clause("GR-4.1")
def test_all_deeds_of_a_robot_are_counted() -> None:
    """Alice drives east, pushes Bob into a shaft, turns, and is switched off."""
    rows = ["a1 . . o .+i1", ". . . . .", "a2 . . . .+i2"]
    table = Table(*rows, ruleset="group-11", players="Alice Bob", kinds="james-bot lazybot")
    alice, bob = table.state.robots
    alice.heading, bob.heading, bob.cell = 1, 3, table.ship.cell(2, 0)
    given = table.give("2LRBU"), table.give("LRLRL", 1)
    before = table.state.copy()
    events = table.resolve({0: rules.Orders(given[0].registers, power_down=True), 1: given[1]})
    counts = count(before, events)
    assert {name: counts[0][name] for name in COUNTERS} == {
        "forward": 2,
        "backward": 1,
        "left_turns": 1,
        "right_turns": 1,
        "half_turns": 1,
        "damage_taken": 0,
        "deaths": 0,
        "damage_dealt": 0,
        "destroyed": 1,
        "repaired": 0,
        "power_downs": 1,
        "pushed": 1,
    }
    assert nonzero(counts[1]) == {"deaths": 1}


@pytest.mark.clause("GR-4.1")
def test_damage_counts_when_taken_dealt_and_repaired() -> None:
    rows = ["a1 . . a2 .+i1", ". . . . .+i2"]
    table = Table(*rows, ruleset="group-11", players="Alice Bob", kinds="james-bot tanky")
    alice, bob = table.state.robots
    alice.heading, bob.heading = 1, 3
    before = table.state.copy()
    counts = count(before, table.resolve({0: table.give("LRLRL"), 1: table.give("LRLRL", 1)}))
    dealt, taken = counts[0]["damage_dealt"], counts[1]["damage_taken"]
    assert dealt == taken > 0
    assert dealt % 2 == 0
    assert counts[1]["repaired"] == 1


@pytest.mark.clause("GR-4.1")
def test_driving_counts_by_the_heading_and_not_by_the_chip() -> None:
    nitro = {"equipment": "nitro", "orders": {"equipment": [1]}}
    assert played("robo-runner", [". . ."], robot("A", 1, 0, "E", "B", **nitro)) == {
        "A": {"backward": 1, "forward": 1}
    }
    turned_round = robot("A", 1, 1, "S", "1U1B")
    assert played("robo-runner", [". . ."] * 4, turned_round, phases=4) == {
        "A": {"forward": 2, "backward": 1, "half_turns": 1}
    }


@pytest.mark.clause("GR-4.1")
def test_every_cell_of_a_flight_counts_as_driven() -> None:
    assert played("robo-runner", [". f o o ."], robot("A", 0, 0, "E", "3"))["A"]["forward"] == 4


@pytest.mark.clause("GR-4.1")
def test_moves_by_beams_arms_twisters_and_orders_do_not_count_for_a_robot() -> None:
    rows = [". b1:E .+wN+pN", "g+ . ."]
    robots = robot("A", 1, 0), robot("B", 2, 0), robot("C", 0, 1, virtual=True)
    assert played("robo-runner", [*rows, ". . ."], *robots) == {"A": {}, "B": {}, "C": {}}


@pytest.mark.clause("GR-4.1")
def test_each_robot_that_a_push_moves_counts_for_every_cell() -> None:
    rows = [". . . . . ."]
    robots = robot("A", 0, 0, "E", "2"), robot("B", 1, 0), robot("C", 2, 0)
    assert played("robo-runner", rows, *robots) == {
        "A": {"forward": 2, "pushed": 4, "damage_dealt": 1},
        "B": {"damage_taken": 1},
        "C": {},
    }


@pytest.mark.clause("GR-4.1")
def test_pushes_of_a_robot_pushed_by_an_arm_do_not_count() -> None:
    rows = [".+wW+pW . . ."]
    counts = played("robo-runner", rows, robot("A", 0, 0), robot("B", 1, 0))
    assert counts == {"A": {}, "B": {}}


@pytest.mark.clause("GR-4.1")
def test_pushing_or_destroying_the_crystal_does_not_count() -> None:
    robots = robot("A", 0, 0, "E", "1", squad="red"), robot("B", 2, 0, squad="blue")
    counts = played("robo-recon", [". . . . .", ". . . . ."], *robots, crystal=[1, 0])
    assert counts == {"A": {"forward": 1, "pushed": 1}, "B": {}}, "B is pushed along, the crystal is not"
    robots = robot("A", 0, 0, "E", "1", squad="red"), robot("B", 4, 1, squad="blue")
    counts = played("robo-recon", [". . o . .", ". . . . ."], *robots, crystal=[1, 0])
    assert counts == {"A": {"forward": 1}, "B": {}}


@pytest.mark.clause("GR-4.1")
def test_a_shot_that_moves_the_crystal_is_no_push() -> None:
    robots = robot("A", 0, 0, "E", squad="red"), robot("B", 3, 0, squad="blue")
    counts = played("robo-recon", [". . . . . .", ". . . . . ."], *robots, crystal=[2, 0])
    assert counts == {"A": {}, "B": {}}


@pytest.mark.clause("GR-4.1")
def test_a_returned_shot_counts_for_the_robot_that_returns_it() -> None:
    peach = robot("B", 2, 0, "E", model="peach")
    counts = played(
        "group-11", [". . . .", "a1 a2 .+i1 .+i2"], robot("A", 0, 0, "E", model="james-bot"), peach
    )
    assert counts == {"A": {"damage_taken": 2}, "B": {"damage_dealt": 2}}


@pytest.mark.clause("GR-4.1")
def test_each_robot_that_helps_to_destroy_another_gets_the_kill() -> None:
    doomed = robot("C", 1, 0, damage=8)
    counts = played("robo-runner", [". . ."], robot("A", 0, 0, "E"), robot("B", 2, 0, "W"), doomed)
    assert counts == {
        "A": {"damage_dealt": 1, "destroyed": 1},
        "B": {"damage_dealt": 1, "destroyed": 1},
        "C": {"damage_taken": 2, "deaths": 1},
    }


@pytest.mark.clause("GR-4.1")
def test_damage_and_death_by_the_board_count_for_no_other_robot() -> None:
    rows = [".+wW+l3W . ."]
    assert played("robo-runner", rows, robot("A", 1, 0, damage=8)) == {"A": {"damage_taken": 3, "deaths": 1}}
    assert played("robo-runner", [". o"], robot("A", 0, 0, "E", "1")) == {"A": {"forward": 1, "deaths": 1}}


@pytest.mark.clause("GR-4.1")
def test_the_step_over_the_edge_counts_as_driven() -> None:
    assert played("robo-runner", [". ."], robot("A", 0, 0, "W", "3")) == {"A": {"forward": 1, "deaths": 1}}


@pytest.mark.clause("GR-4.1")
def test_staying_off_is_no_new_power_down_but_repairs() -> None:
    rows = [". .+i1 .", ". .+i2 ."]
    off = robot("A", 0, 0, was_down=True, damage=3, orders={"stay_down": True})
    counts = played("factory-1999", rows, off, phases=5)
    assert counts == {"A": {"repaired": 3}}


def games(key: str) -> Iterator[tuple[RandomGame, rules.Outcome]]:
    for seed in SEEDS:
        game = RandomGame(seed, key)
        for outcome in game.turns(TURNS):
            yield game, outcome


def through_json(game: RandomGame, events: Iterable[ev.Event]) -> list[ev.Event]:
    return rules.events_from_json(
        game.terms, json.loads(json.dumps(rules.events_to_json(game.terms, events)))
    )


@pytest.mark.clause("GR-4.3")
@pytest.mark.parametrize("key", rules.RULESETS)
def test_counts_match_the_stored_log_and_the_state_of_the_robots(
    key: str,
) -> None:
    for game, outcome in games(key):
        counts = count(game.state, outcome.events)
        assert count(game.state, through_json(game, outcome.events)) == counts
        for before, after in zip(game.state.robots, outcome.state.robots, strict=True):
            if before.crystal:
                assert before.index not in counts
                continue
            counter = counts[before.index]
            assert set(counter) <= set(COUNTERS)
            if not before.scanner:
                assert before.lives - after.lives == counter["deaths"]
            if before.alive and after.alive and not counter["deaths"]:
                assert after.damage == before.damage + counter["damage_taken"] - counter["repaired"]
                assert counter["power_downs"] == (after.down and not before.down)
            steps, turns = executed(outcome.events, before.index)
            assert sum(counter[name] for name in ("left_turns", "right_turns", "half_turns")) == turns
            if not steps:
                assert not counter["forward"] + counter["backward"]
        dealt = sum(counter["damage_dealt"] for counter in counts.values())
        shot = [event for event in outcome.events if isinstance(event, ev.Damage) and event.by == "laser"]
        assert dealt == sum(event.amount for event in shot)
        if game.state.turn == 0:
            assert not any(nonzero(counter) for counter in counts.values()), "nothing counts before turn 1"


def executed(events: Iterable[ev.Event], index: int) -> tuple[int, int]:
    """Return how many moving chips a robot executed, and how often a chip turned it."""
    chips = [
        event.chips[index].kind for event in events if isinstance(event, ev.Phase) and index in event.chips
    ]
    turned = [event for event in events if isinstance(event, ev.Turn) and event.robot == index]
    return sum(kind in "123B" for kind in chips), sum(event.by == "chip" for event in turned)


@pytest.mark.clause("GR-4.3")
@pytest.mark.parametrize("key", rules.RULESETS)
def test_counts_of_turns_add_up_to_the_whole_game(key: str) -> None:
    """The counts of all turns, added up, must equal the counts of one log of the whole game."""
    for seed in SEEDS:
        game = RandomGame(seed, key)
        begin, log = game.state, []
        total: Counts = {}
        for outcome in game.turns(TURNS):
            log += outcome.events
            for index, counter in count(game.state, outcome.events).items():
                total.setdefault(index, Counter()).update(counter)
        assert count(begin, log) == total


@pytest.mark.parametrize("key", rules.RULESETS)
def test_names_of_robots_do_not_matter(key: str) -> None:
    for game, outcome in games(key):
        other = game.state.copy()
        for each in other.robots:
            each.name = f"renamed {each.index}"
        names = rules.Vocabulary(game.ship, [each.name for each in other.robots])
        log = rules.events_from_json(names, rules.events_to_json(names, outcome.events))
        assert count(other, log) == count(game.state, outcome.events)


@pytest.mark.parametrize("key", rules.RULESETS)
def test_exchanged_robots_exchange_their_counts(key: str) -> None:
    for game, outcome in games(key):
        robots = [each for each in game.state.robots if not each.crystal]
        if len(robots) < 2:
            continue
        one, two = robots[0], robots[-1]
        swapped = [each.name for each in game.state.robots]
        swapped[one.index], swapped[two.index] = two.name, one.name
        documents = rules.events_to_json(game.terms, outcome.events)
        log = rules.events_from_json(rules.Vocabulary(game.ship, swapped), documents)
        state = game.state.copy()
        state.robots[one.index] = replace(two, index=one.index)
        state.robots[two.index] = replace(one, index=two.index)
        counts, same = count(game.state, outcome.events), count(state, log)
        assert same == {**counts, one.index: counts[two.index], two.index: counts[one.index]}


@pytest.mark.clause("GR-4.1")
def test_every_counted_event_happens_in_many_games() -> None:
    total: Counter[str] = Counter()
    for game, outcome in games("group-11"):
        for counter in count(game.state, outcome.events).values():
            total.update(counter)
    assert {name for name in COUNTERS if total[name]} == set(COUNTERS)
