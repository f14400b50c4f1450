"""All achievements that players may earn: those of the rules, and those of the site around the games."""

from collections.abc import Mapping
from typing import Final

from rules import achievements as of_rules
from rules.achievements import Definition
from rules.language import N_

TESTED: Final = "prototypes_tested"
"""Counts the prototypes that a person has tested. It is no counter of a robot: games on them have none."""

TEST_PILOT: Final = Definition(
    key="test-pilot",
    german="",
    english=N_("Test Pilot"),
    condition=N_("Win a game with other people on each of 5 prototypes by other builders."),
    counters=(TESTED,),
    goal=5,
    motif=TESTED,
    step=3,  # the only one of its motif, and of gold: it takes the work of many
)

ACHIEVEMENTS: Final[Mapping[str, Definition]] = {**of_rules.ACHIEVEMENTS, TEST_PILOT.key: TEST_PILOT}
"""All achievements by key, in the order in which they are shown."""
