"""Which starships suit which rulesets, and why the others do not."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

import rules
from games.fleet.models import Starship
from games.fleet.selectors import fitting
from games.fleet.selectors.fitting import Fit, fits
from games.language import told


@dataclass(frozen=True, slots=True)
class Suitability:
    """What a ruleset and a number of players make of a starship.

    ``reasons`` say why the ruleset cannot be played on it, ``crowded`` why this many cannot; ``note`` says
    that it was built for another number.
    """

    ruleset: rules.Ruleset
    starship: Starship
    reasons: tuple[str, ...]
    crowded: str = ""
    note: str = ""

    @property
    def suits(self) -> bool:
        """Whether it can be played by the ruleset."""
        return not self.reasons


def verdicts(starship: Starship) -> list[Suitability]:
    """Say for each ruleset whether a starship suits it."""
    return [
        _verdict(ruleset, fitting.fit(ruleset=ruleset, starship=starship))
        for ruleset in rules.RULESETS.values()
    ]


def dock(ruleset: rules.Ruleset, robots: int | None = None, **asked: Any) -> list[Suitability]:
    """Say of starships whether they suit a ruleset and a number of players, the best first.

    They are those that `fits` finds, by what is ``asked`` of it.
    """
    return [_verdict(ruleset, fit, robots) for fit in fits(ruleset=ruleset, robots=robots, **asked)]


def _verdict(ruleset: rules.Ruleset, fit: Fit, robots: int | None = None) -> Suitability:
    return Suitability(
        ruleset,
        fit.starship,
        tuple(_summed_up(fit.unsuitable)),
        " ".join(_summed_up(fit.overcrowding)),
        "" if fit.recommended or robots is None else _note(fit.starship, robots),
    )


def _note(starship: Starship, robots: int) -> str:
    """Say what it means that a starship was built for another number of players."""
    if robots < starship.seats_least:
        note = _("Built {for_players}: {number} is a bit few, but possible.")
    else:
        note = _("Built {for_players}: {number} is a bit many, but possible.")
    return note.format(for_players=players(starship), number=robots)


def _summed_up(problems: Iterable[rules.Problem]) -> Iterable[str]:
    """Say each reason once: where it holds for many cells, in how many.

    >>> list(_summed_up([rules.Problem("it knows no oil", 2, 3), rules.Problem("it knows no oil", 2, 4)]))
    ['It knows no oil, which is in 2 cells, the first in column 3, row 2.']
    """
    by_message = sorted(problems, key=lambda problem: problem.message)
    for message, group in groupby(by_message, key=lambda problem: problem.message):
        alike = list(group)
        first, text = alike[0], capfirst(told(message))
        if first.row is None:
            yield f"{text}."
        elif len(alike) == 1:
            place = _("{problem}, which is in column {column}, row {row}.")
            yield place.format(problem=text, column=first.column, row=first.row)
        else:
            places = _("{problem}, which is in {number} cells, the first in column {column}, row {row}.")
            yield places.format(problem=text, number=len(alike), column=first.column, row=first.row)


def players(starship: Starship) -> str:
    """Say for how many players a starship is meant."""
    least, most = starship.seats_least, starship.seats_most
    if most == 1:
        return _("for one")
    if least == most:
        return _("for {number}").format(number=least)
    return _("for {least} to {most}").format(least=least, most=most)
