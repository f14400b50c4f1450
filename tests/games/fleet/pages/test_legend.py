"""The legend of a board explains only elements that affect the game."""

from collections.abc import Iterator
from itertools import product

import pytest

import rules
from games.fleet.pictures import legend_for, legend_of, meanings_in
from rules.rulebook import parameters
from rules.setup import Option, as_played, read_house_rules, read_options

BOARDS = {
    "crushers and start cells": ["a1 a2 .+x15 .+i1 .+i2"],
    "an airlock": ["a . . .+i1 .+i2"],
    "both": ["a a1 a2 .+x2 .+i1 .+i2"],
}


def switches(options: tuple[Option, ...]) -> Iterator[dict[str, int | bool]]:
    """Yield every combination of the yes-or-no options."""
    keys = [option.key for option in options if option.yes_or_no]
    for values in product((False, True), repeat=len(keys)):
        yield dict(zip(keys, values, strict=True))


PLAYED = [
    (as_played(ruleset, read_options(ruleset, chosen), read_house_rules(ruleset, house)), chosen | house)
    for ruleset in rules.RULESETS.values()
    for chosen in switches(ruleset.options)
    for house in switches(ruleset.house_rules)
]
"""All rulesets with every combination of yes-or-no options and house rules.

Each ruleset comes with its combination.
"""


def played_by(key: str) -> Iterator[tuple[rules.Ruleset, dict[str, int | bool]]]:
    """Return the variants of a ruleset, each with its combination of options."""
    return ((ruleset, chosen) for ruleset, chosen in PLAYED if ruleset.key == key)


@pytest.mark.parametrize("key", rules.RULESETS)
def test_crushers_are_explained_only_in_games_that_have_them(key: str) -> None:
    strikes = "Destroys a robot on its cell in the phases shown."
    for ruleset, chosen in played_by(key):
        there = chosen.get("crushers", False)
        assert there == ruleset.has("crushers")
        assert there == (strikes in legend_for(ruleset))
        assert there == ("crusher" in dict(parameters(ruleset))["elements beyond the common ones"])
        for rows in BOARDS.values() if "crushers" in chosen else ():
            ship = rules.read_starship({"format": "starship/1", "rows": rows})
            explained = strikes in legend_of(ship, ruleset)
            assert explained == (bool(ship.crushers) and there)


@pytest.mark.parametrize("key", rules.RULESETS)
def test_the_start_cell_of_a_seat_is_named_only_if_robots_start_there(key: str) -> None:
    ship = rules.read_starship({"format": "starship/1", "rows": BOARDS["crushers and start cells"]})
    for ruleset, _chosen in played_by(key):
        own = "robot with this seat number" in str(meanings_in(ruleset)["Start cell"])
        cells = [ruleset.start.cell(ship, seat, None) for seat in (0, 1)]
        assert own == (cells == [ship.starts[1], ship.starts[2]])


@pytest.mark.parametrize("key", rules.RULESETS)
def test_hull_damage_is_explained_only_if_it_can_be_welded(key: str) -> None:
    ship = rules.read_starship({"format": "starship/1", "rows": ["a . .+i1*2 .+i2"]})
    for ruleset, chosen in played_by(key):
        there = chosen.get("hull_damage", False)
        assert there == ("welded" in legend_of(ship, ruleset))
        if "hull_damage" in chosen:
            assert there == ("hull damage" in dict(parameters(ruleset))["elements beyond the common ones"])
            assert there == ("welded" in legend_for(ruleset))
