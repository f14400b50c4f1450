"""Counters as tables with small charts: what robots did in a game, and in all of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

import rules
from games.people.models import Tally
from games.people.selectors.records import game_statistics
from games.play.models import Game
from games.play.pages.sight import Sight
from rules.statistics import COUNTERS

Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Bar:
    """One robot's counter: the value, and a bar as long as it is among those of the others."""

    value: int
    drawing: SafeString
    most: bool


@dataclass(frozen=True, slots=True)
class CounterLine:
    """One counter of all robots, in the order of the robots."""

    name: str
    cells: tuple[tuple[Document, Bar], ...]


def counter_name(counter: str) -> str:
    """Return what a counter is called.

    >>> counter_name("forward"), counter_name("pushed")
    ('Cells walked forward', 'Robots pushed')
    """
    field = Tally._meta.get_field(counter)
    assert isinstance(field, models.Field)
    return capfirst(str(field.verbose_name))


def chart_of(rows: Sequence[Document]) -> list[CounterLine]:
    """Return every counter as a line: rows have a robot's ``look`` and its ``counters`` each."""
    lines = []
    for counter in COUNTERS:
        values = [row["counters"][counter] for row in rows]
        most = max(values, default=0)
        bars = [
            Bar(value, bar(value, most, row["look"]), most=len(rows) > 1 and 0 < value == most)
            for row, value in zip(rows, values, strict=True)
        ]
        lines.append(CounterLine(counter_name(counter), tuple(zip(rows, bars, strict=True))))
    return lines


def statistics_panel(sight: Sight) -> dict[str, Any]:
    """Return what each robot did in a game that is over; not of one that counts for nothing."""
    if sight.game.status != Game.Status.OVER or not sight.game.leaves_records:
        return {}
    statistics = game_statistics(viewer=sight.viewer, game=sight.game)
    return {"statistics": statistics, "chart": chart_of(statistics)}


def bar(value: int, most: int, look: int) -> SafeString:
    """Draw a bar that is full at ``most``, in the colour of a robot's look; decoration beside the number.

    >>> 'h50' in bar(2, 4, 1), 'h0' in bar(0, 0, 1)
    (True, True)
    """
    length = round(100 * value / most) if most else 0
    return SafeString(
        '<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">'
        '<path class="bar-track" d="M0 5.5h100"/>'
        f'<path class="bar-value" fill="var(--ship-outline-{look})" d="M0 0h{length}v6H0z"/></svg>'
    )


@dataclass(frozen=True, slots=True)
class Sum:
    """A counter over all games of a class, and in the best single one."""

    opponents: str | Promise
    sum: int
    best: int


@dataclass(frozen=True, slots=True)
class SumLine:
    """One counter in every class of games."""

    name: str
    cells: tuple[Sum, ...]


@dataclass(frozen=True, slots=True)
class RulesetRecord:
    """How a player did by one ruleset, in one class of games; ``places`` with how often each was taken."""

    ruleset: str
    opponents: str | Promise
    games: int
    won: int
    places: tuple[tuple[int, int], ...]


OPPONENTS = {"people": _("Among people"), "computers": _("With computers")}
"""The classes of games that have statistics."""


def sums_of(statistics: Document) -> list[SumLine]:
    """Return every counter with its sums, by class of games."""
    return [
        SumLine(
            counter_name(counter),
            tuple(Sum(name, **statistics[key]["counters"][counter]) for key, name in OPPONENTS.items()),
        )
        for counter in COUNTERS
    ]


def records_of(statistics: Document) -> list[RulesetRecord]:
    """Return how a player did by each ruleset, those among people first."""
    return [
        RulesetRecord(
            ruleset=rules.ruleset(each["ruleset"]).name,
            opponents=name,
            games=each["games"],
            won=each["won"],
            places=tuple(sorted(each["places"].items())),
        )
        for key, name in OPPONENTS.items()
        for each in statistics[key]["rulesets"]
    ]
