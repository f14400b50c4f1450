"""A ruleset is data: parameters, and an ordered tuple of steps for each part of a turn.

A step is a function of the turn under way, and states its rule in its docstring. Nothing in the
engine asks a ruleset for its name; a variant is another combination of the same parts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from rules.document import SetupError
from rules.language import N_, Sentence
from rules.starship import Starship
from rules.state import Robot

Value = int | bool
Options = Mapping[str, Value]
Rule = Callable[[Any], None]
"""What a step does to the turn under way: a `Resolution`, which knows rulesets."""

Cells = Collection[int]


DAMAGE: Final = frozenset({"laser", "board-laser", "coupling", "thruster"})
"""All that deals damage."""


LARGEST_BOARD: Final = 100 * 100
"""Cells of the largest board that there is."""


def always(ship: Starship) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a ruleset: its name, its clauses, and the rule itself.

    A starship skips it without what it ``needs``. If it only acts on robots in certain ``cells``, it is
    skipped while these are empty. ``looks_back`` says that it reads the log of this turn.
    """

    name: str
    clauses: str
    rule: Rule
    text: str
    needs: Callable[[Starship], object] = always
    cells: Callable[[Starship], Cells] | None = None
    looks_back: bool = False


@dataclass(frozen=True, slots=True)
class Option:
    """An option of the host: a whole number between bounds, or yes or no.

    ``effect`` changes the ruleset, if the option changes more than the first state. ``called`` is its word if
    that is not its key: one key can mean different things in two rulesets.
    """

    key: str
    default: Value
    text: str
    least: int = 0
    most: int = 0
    effect: Callable[[Ruleset, Value], Ruleset] | None = None
    called: str = ""

    @property
    def word(self) -> str:
        """The key under which pages find what the option is called."""
        return self.called or self.key

    @property
    def yes_or_no(self) -> bool:
        return isinstance(self.default, bool)

    def problem(self, value: object) -> Sentence | None:
        """Say what is wrong with a value, or None."""
        if self.yes_or_no:
            if isinstance(value, bool):
                return None
            return Sentence("“{key}” must be true or false", key=self.key)
        if isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= self.most:
            return None
        form = N_("“{key}” must be a whole number from {least} to {most}")
        return Sentence(form, key=self.key, least=self.least, most=self.most)


@dataclass(frozen=True, slots=True)
class StartRule:
    """The start of robots. ``missing`` returns what a starship lacks for it, or None.

    ``cell`` returns the cell of a seat (from 0) and squad, or None. ``own`` says that each seat needs one.
    ``on_board`` is false if robots enter only in phase 1 of turn 1 (AM-1.2). ``next`` is their first
    checkpoint.
    """

    cell: Callable[[Starship, int, str | None], int | None]
    missing: Callable[[Starship], Sentence | None]
    own: bool = False
    on_board: bool = True
    next: int = 1


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The rules of a game.

    ``start`` is the robots' start, and ``sequence`` their order in a phase (G-1.7, G-4.5). ``opening`` is
    played instead of a turn in turn 0; without it the first hand is dealt at once. ``before`` comes before
    phase 1, ``phase`` five times, ``end`` after phase 5, ``entering`` when a robot has entered a cell, and
    ``verdict`` after each phase and after the end (G-10.3).

    ``elements`` are those beyond the common ones (G-1.8), ``boards`` the largest number to be joined,
    ``cells`` the largest size of the board, and ``checkpoints`` their least and largest number. The host may
    set these with ``sets_checkpoints``, and the start with ``sets_start``; no checkpoint may be on an element
    that is ``barred``. ``chance_fills`` says that chance plays a missed turn unless the host chooses
    otherwise (G-8.3).

    ``prefix`` is that of its chapter in the rulebook (as in RC-1), ``base`` that of the chapter that it
    differs from. ``damage_limit`` is the damage that destroys, ``return_damage`` that of a robot that comes
    back. ``spare_lives`` says that a robot pays a life to come back (G-9.1). ``sets_aside`` says that a hand
    of only turning chips may be put aside for another, and must be in turn 1, for all to see (AM-1.4). In
    earlier editions only such a hand ``redeals``, in every turn, and a robot ``decides_while_off`` whether it
    stays so, or the ruleset ``deals_before_deciding``.

    ``last_wins`` says that the last robot standing wins (G-10.3). In earlier editions, an instant
    ``joins_steps``: robots went out together in two steps of a phase if nothing happened between them.
    ``shielded`` are the kinds of damage that shields keep off (RR-10.3). ``scanner_damage`` is the damage of
    a scanner that replaces another, None if it is that of any robot that comes back (RR-11.1).
    ``tells_locked`` says that the end of a game shows the chips of registers that had locked but were not
    executed yet (G-7.3).
    """

    key: str
    name: str
    prefix: str
    summary: str
    seats: tuple[int, int]
    options: tuple[Option, ...]
    house_rules: tuple[Option, ...]
    elements: frozenset[str]
    start: StartRule
    sequence: Callable[[Any], list[Robot]]
    phase: tuple[Step, ...]
    end: tuple[Step, ...]
    verdict: tuple[Step, ...]
    orders: frozenset[str]
    shared_deck: bool
    damage_limit: int
    return_damage: int
    base: str = ""
    opening: tuple[Step, ...] = ()
    before: tuple[Step, ...] = ()
    entering: tuple[Step, ...] = ()
    ranks: bool = False
    virtual_start: bool = False
    crystal: bool = False
    spare_lives: bool = False
    sets_aside: bool = False
    redeals: bool = False
    decides_while_off: bool = False
    deals_before_deciding: bool = False
    last_wins: bool = True
    joins_steps: bool = False
    shielded: frozenset[str] = DAMAGE
    scanner_damage: int | None = 0
    tells_locked: bool = True
    squads: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    boards: int = 1
    cells: int = LARGEST_BOARD
    checkpoints: tuple[int, int] = (1, 99)
    sets_checkpoints: bool = False
    sets_start: bool = False
    chance_fills: bool = False
    barred: frozenset[str] = frozenset()
    version: int = 1

    def has(self, name: str) -> bool:
        """Return whether a turn has that step."""
        return any(step.name == name for part in PARTS for step in getattr(self, part))

    def without(self, name: str) -> Ruleset:
        """Return the ruleset without that step. Raises LookupError if it has none."""
        return self._edited(name, ())

    def instead(self, name: str, other: Step) -> Ruleset:
        """Return the ruleset with another step in place of that one; raises LookupError."""
        return self._edited(name, (other,))

    def after(self, name: str, other: Step) -> Ruleset:
        """Return the ruleset with one more step after that one; raises LookupError."""
        return self._edited(name, None, other)

    def _edited(self, name: str, instead: tuple[Step, ...] | None, after: Step | None = None) -> Ruleset:
        for part in PARTS:
            steps: tuple[Step, ...] = getattr(self, part)
            for index, found in enumerate(steps):
                if found.name == name:
                    new = (found,) if instead is None else instead
                    new += (after,) if after else ()
                    edited: dict[str, Any] = {part: steps[:index] + new + steps[index + 1 :]}
                    return replace(self, **edited)
        raise LookupError(f"{self.name} has no step “{name}”")


PARTS = ("opening", "before", "phase", "entering", "end", "verdict")
"""The parts of a turn that have steps."""

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


PlacedStep = tuple[str, Rule, int]
"""A step's name, its rule, and the bit that marks the cells of a starship that it concerns."""

EVERYWHERE: Final = 1
"""The mark of steps that concern all cells."""

LIT: Final = 2
"""The mark of cells that the board's lasers cross, in any phase."""

ALL: Final = -1
"""The marks of all steps."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The constant part of a game: the ruleset as it is played, all options, and the starship.

    ``phase`` and ``end`` are the ruleset's steps, without those whose elements the starship lacks.
    ``concerns`` has the marks of those that concern a cell, by its number, and none at OFF. ``looks_back``
    says that one of them reads the log.
    """

    ruleset: Ruleset
    options: Options
    starship: Starship
    house_rules: Options = field(default_factory=dict)
    phase: tuple[PlacedStep, ...] = field(init=False)
    end: tuple[PlacedStep, ...] = field(init=False)
    concerns: list[int] = field(init=False)
    looks_back: bool = field(init=False)

    def __post_init__(self) -> None:
        ship = self.starship
        lit = ship.lit
        concerns = [LIT if cell in lit else 0 for cell in range(ship.size)]
        last, looks_back = LIT, False
        for part in ("phase", "end"):
            steps: tuple[Step, ...] = getattr(self.ruleset, part)
            placed: list[PlacedStep] = []
            for step in [step for step in steps if step.needs(ship)]:
                mark = EVERYWHERE
                if step.cells:
                    mark = last = last << 1
                    for cell in step.cells(ship):
                        concerns[cell] |= mark
                placed.append((step.name, step.rule, mark))
                looks_back = looks_back or step.looks_back
            object.__setattr__(self, part, tuple(placed))
        object.__setattr__(self, "concerns", concerns)
        object.__setattr__(self, "looks_back", looks_back)


def read_options(ruleset: Ruleset, given: Options) -> dict[str, Value]:
    """Return all options, defaults filled in; raises SetupError with every fault (also of other keys)."""
    return _filled(ruleset, OPTION, ruleset.options, given)


def read_house_rules(ruleset: Ruleset, given: Options) -> dict[str, Value]:
    """Return all house rules, defaults filled in; raises SetupError with every fault (also of other keys)."""
    return _filled(ruleset, HOUSE_RULE, ruleset.house_rules, given)


OPTION: Final = (N_("{ruleset} has no option “{key}”"), N_("the option {fault}"))
HOUSE_RULE: Final = (N_("{ruleset} has no house rule “{key}”"), N_("the house rule {fault}"))
"""What is said of one that a ruleset lacks, and of one with a wrong value."""


def _filled(
    ruleset: Ruleset, said: tuple[str, str], options: Sequence[Option], given: Options
) -> dict[str, Value]:
    lacking, wrong = said
    known = {option.key: option for option in options}
    problems = [Sentence(lacking, ruleset=ruleset.name, key=key) for key in sorted(given) if key not in known]
    problems += [
        Sentence(wrong, fault=fault)
        for key in given
        if key in known and (fault := known[key].problem(given[key]))
    ]
    if problems:
        raise SetupError(*problems)
    return {key: given.get(key, option.default) for key, option in known.items()}


def as_played(ruleset: Ruleset, options: Options, house_rules: Options) -> Ruleset:
    """Return what options and house rules, all of them given, make of a ruleset."""
    played = ruleset
    for choices, chosen in ((ruleset.options, options), (ruleset.house_rules, house_rules)):
        for option in choices:
            if option.effect:
                played = option.effect(played, chosen[option.key])
    return played
