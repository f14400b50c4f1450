"""What is said of the elements of a board: only what the game has, as it is played."""

from collections.abc import Iterator
from itertools import product

import pytest

import rules
from games.fleet.pages.legend import legend_for, legend_of, meanings_in
from rules.setup import Option, as_played, read_house_rules, read_options

BOARDS = {
    "crushers and start cells": ["a1 a2 .+x15 .+i1 .+i2"],
    "an airlock": ["a . . .+i1 .+i2"],
    "both": ["a a1 a2 .+x2 .+i1 .+i2"],
}


def switches(options: tuple[Option, ...]) -> Iterator[dict[str, int | bool]]:
    """Yield all choices of what is yes or no."""
    keys = [option.key for option in options if option.yes_or_no]
    for values in product((False, True), repeat=len(keys)):
        yield dict(zip(keys, values, strict=True))


PLAYED = [
    as_played(ruleset, read_options(ruleset, chosen), read_house_rules(ruleset, house))
    for ruleset in rules.RULESETS.values()
    for chosen in switches(ruleset.options)
    for house in switches(ruleset.house_rules)
]
"""All rulesets with all options and house rules that are yes or no."""


@pytest.mark.parametrize("key", rules.RULESETS)
def test_crushers_are_explained_only_in_games_that_have_them(key: str) -> None:
    strikes = "Destroys a robot that is there in the phases shown."
    for ruleset in (ruleset for ruleset in PLAYED if ruleset.key == key):
        assert (strikes in legend_for(ruleset)) == ruleset.has("crushers")
        for rows in BOARDS.values() if "crusher" in ruleset.elements else ():
            ship = rules.read_starship({"format": "starship/1", "rows": rows})
            explained = strikes in legend_of(ship, ruleset)
            assert explained == (bool(ship.crushers) and ruleset.has("crushers"))


@pytest.mark.parametrize("key", rules.RULESETS)
def test_the_start_cell_of_a_seat_is_named_only_where_robots_start_there(key: str) -> None:
    ship = rules.read_starship({"format": "starship/1", "rows": BOARDS["crushers and start cells"]})
    for ruleset in (ruleset for ruleset in PLAYED if ruleset.key == key):
        own = "the robot of that seat" in str(meanings_in(ruleset)["Start cell"])
        cells = [ruleset.start.cell(ship, seat, None) for seat in (0, 1)]
        assert own == (cells == [ship.starts[1], ship.starts[2]])


@pytest.mark.parametrize("key", rules.RULESETS)
def test_hull_damage_is_explained_only_where_it_is_welded(key: str) -> None:
    for ruleset in (ruleset for ruleset in PLAYED if ruleset.key == key):
        said = str(meanings_in(ruleset)["Checkpoint with hull damage"])
        assert ("welded" in said) == any(option.key == "hull_damage" for option in ruleset.options)
