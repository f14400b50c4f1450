"""Which starships suit which rulesets, and why the others do not."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

import rules
from games import selectors, stored
from games.models import Starship
from games.selectors.starships import unsuitable


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a ruleset makes of a starship: the reasons why it does not suit, none if it does."""

    ruleset: rules.Ruleset
    starship: Starship
    reasons: tuple[str, ...]

    @property
    def suits(self) -> bool:
        """Whether it can be played there."""
        return not self.reasons


def verdict(ruleset: rules.Ruleset, starship: Starship) -> Verdict:
    """Say whether a starship suits a ruleset."""
    assert starship.current
    problems = unsuitable(ruleset, stored.starship_of(starship.current))
    return Verdict(ruleset, starship, tuple(_summed_up(problems)))


def verdicts(starship: Starship) -> list[Verdict]:
    """Say for each ruleset whether a starship suits it."""
    return [verdict(ruleset, starship) for ruleset in rules.RULESETS.values()]


def dock(ruleset: rules.Ruleset) -> tuple[list[Starship], list[Verdict]]:
    """Return the starships that suit a ruleset, those built for it first, and why the others do not."""
    found = [verdict(ruleset, starship) for starship in selectors.starships()]
    fitting = [each.starship for each in found if each.suits]
    return sorted(fitting, key=_versatility), [each for each in found if not each.suits]


def _versatility(starship: Starship) -> tuple[bool, int]:
    """Missions come last, and before them what suits many rulesets: it was built for none in particular."""
    mission = starship.section == Starship.Section.MISSIONS
    return mission, len(selectors.rulesets_of(starship=starship))


def _summed_up(problems: Iterable[rules.Problem]) -> Iterable[str]:
    """Say each reason once: where it holds for many cells, in how many.

    >>> list(_summed_up([rules.Problem("it knows no oil", 2, 3), rules.Problem("it knows no oil", 2, 4)]))
    ['It knows no oil, which is in 2 cells, the first in column 3, row 2.']
    """
    by_message = sorted(problems, key=lambda problem: problem.message)
    for message, group in groupby(by_message, key=lambda problem: problem.message):
        alike = list(group)
        first, text = alike[0], message[0].upper() + message[1:]
        if first.row is None:
            yield f"{text}."
        elif len(alike) == 1:
            yield f"{text}, which is in column {first.column}, row {first.row}."
        else:
            where = f"the first in column {first.column}, row {first.row}"
            yield f"{text}, which is in {len(alike)} cells, {where}."
