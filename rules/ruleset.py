"""A ruleset is data: parameters, and an ordered tuple of steps for each part of a turn.

A step is a function of the turn under way, and states its rule in its docstring. Nothing in the
engine asks a ruleset for its name; a variant is another combination of the same parts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rules.errors import Problem, SetupError
from rules.starship import Starship

if TYPE_CHECKING:
    from rules.chance import Chance
    from rules.resolution import Resolution
    from rules.state import Robot, State

Value = int | bool
Options = Mapping[str, Value]
Rule = Callable[["Resolution"], None]


def _always(ship: Starship) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Step:
    """One paragraph of a rulebook: its name, its clauses, and the rule itself.

    The step is skipped on a starship that lacks what it ``needs``.
    """

    name: str
    clauses: str
    rule: Rule
    text: str
    needs: Callable[[Starship], object] = _always


def step(name: str, clauses: str, needs: Callable[[Starship], object] = _always) -> Callable[[Rule], Step]:
    """Make a step of a function whose docstring states the rule."""

    def make(rule: Rule) -> Step:
        return Step(name, clauses, rule, " ".join((rule.__doc__ or "").split()), needs)

    return make


@dataclass(frozen=True, slots=True)
class Option:
    """What a creator may choose: a whole number between bounds, or yes or no."""

    key: str
    default: Value
    text: str
    least: int = 0
    most: int = 0

    @property
    def yes_or_no(self) -> bool:
        return isinstance(self.default, bool)

    def problem(self, value: object) -> str | None:
        """Say what is wrong with a value, or None."""
        if self.yes_or_no:
            return None if isinstance(value, bool) else f"the option “{self.key}” must be true or false"
        if isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= self.most:
            return None
        return f"the option “{self.key}” must be a whole number from {self.least} to {self.most}"


@dataclass(frozen=True, slots=True)
class Ruleset:
    """What a game is played by.

    ``launch`` makes the first state, ``sequence`` the order in which robots act in a phase
    (G-1.7, G-4.5). ``opening`` is played instead of a turn in turn 0; ``before`` comes before
    phase 1, ``phase`` five times, ``end`` after phase 5, and ``verdict`` after each phase and
    after the end (G-10.3). ``elements`` are those beyond the ones that all rulesets know (G-1.8).
    """

    key: str
    name: str
    prefix: str
    summary: str
    seats: tuple[int, int]
    options: tuple[Option, ...]
    elements: frozenset[str]
    starts: Callable[[Starship], str | None]
    launch: Callable[[Setup, Sequence[str], Chance], State]
    sequence: Callable[[Resolution], list[Robot]]
    opening: tuple[Step, ...]
    before: tuple[Step, ...]
    phase: tuple[Step, ...]
    end: tuple[Step, ...]
    verdict: tuple[Step, ...]
    orders: frozenset[str]
    ranks: bool
    shared_deck: bool
    virtual_start: bool
    damage_limit: int
    return_damage: int
    version: int = 1

    def without(self, name: str) -> Ruleset:
        """Return the ruleset without that step; raises LookupError where it has none."""
        return self._edited(name, ())

    def instead(self, name: str, other: Step) -> Ruleset:
        """Return the ruleset with another step in place of that one; raises LookupError."""
        return self._edited(name, (other,))

    def after(self, name: str, other: Step) -> Ruleset:
        """Return the ruleset with one more step after that one; raises LookupError."""
        return self._edited(name, None, other)

    def _edited(self, name: str, instead: tuple[Step, ...] | None, after: Step | None = None) -> Ruleset:
        for part in ("opening", "before", "phase", "end", "verdict"):
            steps: tuple[Step, ...] = getattr(self, part)
            for index, found in enumerate(steps):
                if found.name == name:
                    new = (found,) if instead is None else instead
                    new += (after,) if after else ()
                    edited: dict[str, Any] = {part: steps[:index] + new + steps[index + 1 :]}
                    return replace(self, **edited)
        raise LookupError(f"{self.name} has no step “{name}”")


KNOWN_TO_ALL = frozenset(
    {
        "hull",
        "space",
        "shaft",
        "beam",
        "twister",
        "rail",
        "slide rail",
        "laser",
        "repair depot",
        "checkpoint",
        "airlock",
        "start cell",
    }
)
"""The elements that every ruleset knows (G-1.8)."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What stays the same through a game: ruleset, options (all of them) and starship."""

    ruleset: Ruleset
    options: Options
    starship: Starship


def read_options(ruleset: Ruleset, given: Options) -> dict[str, Value]:
    """Return all options, defaults filled in; raises SetupError with every fault (also of other keys)."""
    known = {option.key: option for option in ruleset.options}
    problems = [f"{ruleset.name} has no option “{key}”" for key in sorted(given) if key not in known]
    problems += [fault for key in given if key in known and (fault := known[key].problem(given[key]))]
    if problems:
        raise SetupError(*problems)
    return {key: given.get(key, option.default) for key, option in known.items()}


def unsuitable(ruleset: Ruleset, ship: Starship) -> list[Problem]:
    """Say why a starship does not suit a ruleset, with rows and columns (G-1.8); nothing if it does."""
    known = KNOWN_TO_ALL | ruleset.elements
    problems = []
    for number, cell in ship.numbered():
        x, y = ship.pos(number)
        problems += [
            Problem(f"{ruleset.name} knows no {element}", y + 1, x + 1)
            for element in cell.elements
            if element not in known
        ]
    if missing := ruleset.starts(ship):
        problems.append(Problem(missing))
    return problems


def make_setup(ruleset: Ruleset, options: Options, ship: Starship, seats: int) -> Setup:
    """Put a game together; raises SetupError with every reason why it cannot be."""
    problems: list[Problem] = []
    filled: dict[str, Value] = {}
    try:
        filled = read_options(ruleset, options)
    except SetupError as error:
        problems += error.problems
    least, most = ruleset.seats
    if not least <= seats <= most:
        problems.append(Problem(f"{ruleset.name} is for {least} to {most} players, not {seats}"))
    problems += unsuitable(ruleset, ship)
    if problems:
        raise SetupError(*problems)
    return Setup(ruleset, filled, ship)
