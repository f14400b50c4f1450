"""The printed playthroughs, a short game of each ruleset, are still correct."""

import pytest

import rules
from rules.orders import PAUSE
from tests.rules.playthrough import PLAYTHROUGHS, file_of, orders_in_text, printed, read_script

LONGEST = 10
LINES = 400
GOALS = {"robo-recon": "crystal", "robo-arena": "last standing"}
"""The endings of won games, for rulesets without a race to the last checkpoint."""


@pytest.mark.parametrize("key", rules.RULESETS)
def test_a_playthrough_gives_the_same_lines_again(key: str) -> None:
    assert file_of(key).exists(), f"there is no playthrough of {key}"
    lines = file_of(key).read_text().splitlines()
    script = read_script(file_of(key).read_text())
    again = "\n".join(printed(script)).rstrip().splitlines()
    for number, (line, expected) in enumerate(zip(again, lines, strict=False), 1):
        assert line == expected, f"line {number}"
    assert len(again) == len(lines)
    assert script.ruleset.key == key


@pytest.mark.parametrize("key", rules.RULESETS)
def test_a_playthrough_is_short_and_reaches_the_goal_of_its_ruleset(key: str) -> None:
    text = file_of(key).read_text()
    assert len(read_script(text).turns) <= LONGEST
    assert len(text.splitlines()) <= LINES
    assert text.splitlines()[-1] == f"The end: {GOALS.get(key, 'finished')}."


def test_every_playthrough_belongs_to_a_ruleset() -> None:
    assert {file.stem for file in PLAYTHROUGHS.iterdir()} == set(rules.RULESETS)


def test_playthroughs_show_the_special_rules_of_their_rulesets() -> None:
    amigo, group = (read_script(file_of(key).read_text()) for key in ("amigo-1999", "group-11"))
    assert len(amigo.boards) > 1
    assert any(orders.power_down for turn in amigo.turns for orders in turn.orders.values())
    assert any(turn.redeals for turn in group.turns)
    assert any(PAUSE in orders.registers for turn in group.turns for orders in turn.orders.values())


@pytest.mark.parametrize("key", rules.RULESETS)
def test_written_orders_of_a_playthrough_can_be_read(key: str) -> None:
    text = file_of(key).read_text()
    for turn in read_script(text).turns:
        for name, orders in turn.orders.items():
            assert f"  {name} orders {orders_in_text(orders)}\n" in text
