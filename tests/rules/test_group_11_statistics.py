"""Statistics and achievements follow from event logs alone: a log has all that they count."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

import rules
from rules.grid import LETTERS
from tests.rules.strategies import RandomGame
from tests.rules.table import Table

QUARTERS = {1: "right turns", 2: "half turns", 3: "left turns"}
COUNTERS = frozenset(
    [
        *("forward", "backward", "left turns", "right turns", "half turns", "damage taken", "deaths"),
        *("damage dealt", "robots destroyed", "damage repaired", "power-downs", "robots pushed"),
    ]
)
ACHIEVEMENTS: dict[tuple[str, ...], tuple[int, ...]] = {
    ("robots destroyed",): (1, 5, 10),
    ("half turns",): (1, 5, 10),
    ("damage taken",): (5, 20, 50),
    ("deaths",): (1, 5, 10),
    ("forward", "backward"): (10, 50, 100),
    ("backward",): (5, 10, 20),
    ("left turns", "right turns", "half turns"): (5, 20, 50),
    ("damage dealt",): (5, 20, 50),
    ("damage repaired",): (1, 5, 20),
    ("power-downs",): (1, 5, 10),
    ("robots pushed",): (10,),
}
"""Which counters an achievement adds up, over all games, and how much of them it takes (GR-4.2)."""


def counted(log: Iterable[Mapping[str, Any]]) -> Counter[tuple[str, str]]:
    """Count what GR-4.1 counts, by robot and counter, from stored events and nothing else."""
    count: Counter[tuple[str, str]] = Counter()
    chips: Mapping[str, str] = {}
    for event in log:
        robot = event.get("robot", "")
        match event["type"], event.get("by"):
            case "phase", _:
                chips = event["chips"]
            case "move", "chip":
                count[robot, "backward" if chips[robot].startswith("B") else "forward"] += 1
            case "move", "push" if "pusher" in event:
                count[event["pusher"], "robots pushed"] += 1
            case "turn", "chip":
                quarters = LETTERS.index(event["to"]) - LETTERS.index(event["from"])
                count[robot, QUARTERS[quarters % 4]] += 1
            case "damage", _:
                count[robot, "damage taken"] += event["amount"]
                if "source" in event:
                    count[event["source"], "damage dealt"] += event["amount"]
            case "destroyed", _:
                count[robot, "deaths"] += 1
                count.update((killer, "robots destroyed") for killer in event.get("killers", ()))
            case "repair", _:
                count[robot, "damage repaired"] += event["amount"]
            case "power", _:
                count[robot, "power-downs"] += event["down"]
    return count


def log_of(table: Table, *orders: rules.Orders) -> list[dict[str, Any]]:
    terms = rules.Terms(table.ship, [robot.name for robot in table.state.robots])
    return rules.events_to_json(terms, table.resolve(dict(enumerate(orders))))


@pytest.mark.clause("GR-4.1")
def test_a_log_has_all_that_is_counted_of_a_robot() -> None:
    """Alice drives east and pushes Bob into a shaft, turns every way, and is switched off."""
    rows = ["a1 . . o .+i1", ". . . . .", "a2 . . . .+i2"]
    table = Table(*rows, ruleset="group-11", players="Alice Bob", kinds="james-bot lazybot")
    alice, bob = table.state.robots
    alice.heading, bob.heading, bob.cell = 1, 3, table.ship.cell(2, 0)
    given = table.give("2LRBU"), table.give("LRLRL", 1)
    count = counted(log_of(table, rules.Orders(given[0].registers, power_down=True), given[1]))
    assert {name: count["Alice", name] for name in COUNTERS} == {
        "forward": 2,
        "backward": 1,
        "left turns": 1,
        "right turns": 1,
        "half turns": 1,
        "damage taken": 0,
        "deaths": 0,
        "damage dealt": 0,
        "robots destroyed": 1,
        "damage repaired": 0,
        "power-downs": 1,
        "robots pushed": 1,
    }
    assert count["Bob", "deaths"] == 1


@pytest.mark.clause("GR-4.1")
def test_damage_is_counted_for_who_takes_who_deals_and_who_repairs_it() -> None:
    rows = ["a1 . . a2 .+i1", ". . . . .+i2"]
    table = Table(*rows, ruleset="group-11", players="Alice Bob", kinds="james-bot tanky")
    alice, bob = table.state.robots
    alice.heading, bob.heading = 1, 3
    count = counted(log_of(table, table.give("LRLRL"), table.give("LRLRL", 1)))
    dealt, taken = count["Alice", "damage dealt"], count["Bob", "damage taken"]
    assert dealt == taken > 0
    assert dealt % 2 == 0
    assert count["Bob", "damage repaired"] == 1


@pytest.mark.clause("GR-4.2")
def test_every_achievement_adds_up_what_is_counted() -> None:
    assert {name for names in ACHIEVEMENTS for name in names} == COUNTERS


@pytest.mark.clause("GR-4.2")
def test_over_many_games_all_counters_of_achievements_grow_from_logs_alone() -> None:
    total: Counter[str] = Counter()
    for seed in range(40):
        game = RandomGame(seed, "group-11")
        for outcome in game.turns(8):
            for (_, name), number in counted(rules.events_to_json(game.terms, outcome.events)).items():
                total[name] += number
    for names, steps in ACHIEVEMENTS.items():
        assert sum(total[name] for name in names) >= steps[0], names


@pytest.mark.clause("GR-4.3")
@pytest.mark.parametrize("key", rules.RULESETS)
def test_in_every_ruleset_counts_from_the_log_agree_with_what_has_become_of_the_robots(key: str) -> None:
    for seed in range(25):
        game = RandomGame(seed, key)
        for outcome in game.turns(8):
            count = counted(rules.events_to_json(game.terms, outcome.events))
            for before, after in zip(game.state.robots, outcome.state.robots, strict=True):
                if before.scanner or before.crystal:
                    continue
                assert before.lives - after.lives == count[before.name, "deaths"]
                if before.alive and after.alive and not count[before.name, "deaths"]:
                    taken, repaired = (
                        count[before.name, "damage taken"],
                        count[before.name, "damage repaired"],
                    )
                    assert after.damage == before.damage + taken - repaired


@pytest.mark.clause("GR-4.3")
@pytest.mark.parametrize("key", rules.RULESETS)
def test_in_every_ruleset_moves_and_turns_by_chip_are_those_of_the_chips(key: str) -> None:
    """A robot whose chips only turn walks no cell, and turns as often as it has executed such chips."""
    for seed in range(10):
        game = RandomGame(seed, key)
        for outcome in game.turns(6):
            log = rules.events_to_json(game.terms, outcome.events)
            count = counted(log)
            executed = Counter(
                (name, chip[0])
                for event in log
                if event["type"] == "phase"
                for name, chip in event["chips"].items()
            )
            for robot in game.state.robots:
                turning = sum(executed[robot.name, kind] for kind in "LRU")
                turns = sum(count[robot.name, name] for name in QUARTERS.values())
                assert turns <= turning
                if not any(executed[robot.name, kind] for kind in "123B"):
                    assert not count[robot.name, "forward"] + count[robot.name, "backward"]
