"""Achievements match the rulebook, and have the names of their source (GR-4.2)."""

from collections import Counter

import pytest

from rules.achievements import ACHIEVEMENTS, complete, complete_in_one_game
from rules.drawing.medals import MOTIFS
from rules.statistics import COUNTERS

TURNS = ("left_turns", "right_turns", "half_turns")
OF_THE_RULEBOOK = {
    ("destroyed",): (1, 5, 10),
    ("half_turns",): (1, 5, 10),
    ("damage_taken",): (5, 20, 50),
    ("deaths",): (1, 5, 10),
    ("forward", "backward"): (10, 50, 100),
    ("backward",): (5, 10, 20),
    TURNS: (5, 20, 50),
    ("damage_dealt",): (5, 20, 50),
    ("repaired",): (1, 5, 20),
    ("power_downs",): (1, 5, 10),
    ("pushed",): (10,),
}
"""The counters that each achievement adds up, with the sums that its steps need."""

GERMAN = """
Erstes Öl / Ölrausch / Amoklauf / Kommunalpolitiker / Mitglied des Bundestages / Bundeskanzlerin / Aua. /
Nur ein Kratzer / Strukturelle Integrität gefährdet / Für einen höheren Zweck / Zombie /
Ich werde weiterleben! / Ein Schritt nach dem anderen / Achilles / Schildkröte / Taktischer Rückzug /
Wilde Flucht / Vormarsch in die andere Richtung / Drehwurm / Schwindel / Totaler Orientierungsverlust /
Sylvester Stallone / Hulk / Godzilla / Lackierung erneuert / Öl gewechselt / Generalüberholt /
Eine Pause tut gut. / Ausgeschlafen / Gut erholt / Platz da, jetzt komme ich! / Unantastbar /
Wer braucht schon Backups? / Pazifist
"""
"""The names of all achievements in the German source, in the order of the source."""


@pytest.mark.clause("GR-4.2")
def test_there_are_34_achievements_with_the_steps_of_the_rulebook() -> None:
    assert len(ACHIEVEMENTS) == 34
    goals: dict[tuple[str, ...], tuple[int, ...]] = {}
    for each in ACHIEVEMENTS.values():
        if not each.in_one_game:
            goals[each.counters] = (*goals.get(each.counters, ()), each.goal)
    assert goals == OF_THE_RULEBOOK
    assert {counter for counters in goals for counter in counters} == set(COUNTERS)
    alone = [each.counters for each in ACHIEVEMENTS.values() if each.in_one_game]
    assert alone == [("damage_taken",), ("deaths",), ("damage_dealt",)]


@pytest.mark.clause("GR-4.2")
def test_they_have_the_names_of_the_source() -> None:
    names = [name.strip() for name in GERMAN.replace("\n", " ").split(" / ")]
    assert [each.german for each in ACHIEVEMENTS.values()] == names


def test_each_has_a_unique_name_a_condition_and_a_motif() -> None:
    each = list(ACHIEVEMENTS.values())
    assert len({one.english for one in each}) == len({one.german for one in each}) == len(each)
    assert all(one.condition.endswith(".") for one in each)
    assert all(str(one.goal) in one.condition for one in each if one.goal > 1)
    assert {one.motif for one in each} <= set(MOTIFS)
    assert [key for key, one in ACHIEVEMENTS.items() if one.key != key] == []


@pytest.mark.parametrize("key", [key for key, one in ACHIEVEMENTS.items() if not one.in_one_game])
def test_a_sum_earns_an_achievement_at_its_goal_and_not_before(key: str) -> None:
    definition = ACHIEVEMENTS[key]
    for counter in definition.counters:
        assert key not in complete(Counter({counter: definition.goal - 1}))
        assert key in complete(Counter({counter: definition.goal}))
        assert key in complete(Counter({counter: definition.goal + 1}))
    spread = Counter(definition.counters * (definition.goal // len(definition.counters) + 1))
    assert key in complete(spread)


def test_a_single_game_earns_achievements_by_what_did_not_happen() -> None:
    every = {"no-damage", "no-deaths", "no-damage-dealt"}
    assert set(complete_in_one_game(Counter())) == every
    assert set(complete_in_one_game(Counter(damage_taken=1))) == every - {"no-damage"}
    assert set(complete_in_one_game(Counter(deaths=1, forward=9))) == every - {"no-deaths"}
    assert set(complete_in_one_game(Counter(damage_dealt=2))) == every - {"no-damage-dealt"}
    assert every.isdisjoint(complete(Counter()))
