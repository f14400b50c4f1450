"""Rulesets as data: parameters, and ordered steps for each part of a turn.

A step is a function of the current turn, and its docstring states its rule. The engine never asks for the
name of a ruleset. A variant of a ruleset is another combination of the same parts.
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
"""The effect of a step: a function that changes the current turn, a `Resolution`."""

Cells = Collection[int]


DAMAGE: Final = frozenset({"laser", "board-laser", "coupling", "thruster"})
"""All possible causes of damage."""


LARGEST_BOARD: Final = 100 * 100
"""The number of cells on the largest possible board."""


def always(ship: Starship) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a ruleset: its name, the clauses that it implements, its rule, and the rule's text.

    The step is skipped on starships for which ``needs`` returns a false value, because they lack its
    elements. If it only affects robots in certain ``cells``, it is skipped while these cells are empty.
    ``looks_back`` is true if the step reads the log of the turn.
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
    """An option for the host: a whole number from ``least`` to ``most``, or yes or no.

    ``effect`` returns the ruleset with the option applied. It is None if the option only changes the first
    state of a game. ``alias`` replaces the key in the option's name on pages, because one key can have
    different meanings in two rulesets.
    """

    key: str
    default: Value
    text: str
    least: int = 0
    most: int = 0
    effect: Callable[[Ruleset, Value], Ruleset] | None = None
    alias: str = ""

    @property
    def name_key(self) -> str:
        """The key for the option's name on pages."""
        return self.alias or self.key

    @property
    def yes_or_no(self) -> bool:
        return isinstance(self.default, bool)

    def problem(self, value: object) -> Sentence | None:
        """Return the fault of a value for this option, or None."""
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
    """The rule for where robots start.

    ``cell`` returns the start cell of a seat (counted from 0) in a squad, or None. ``missing`` returns a
    message about the parts that a starship lacks for this rule, or None. ``own`` is true if each seat needs a
    separate start cell. ``on_board`` is false if robots enter the board only in phase 1 of turn 1 (AM-1.2).
    ``next`` is the number of the first checkpoint that robots must reach.
    """

    cell: Callable[[Starship, int, str | None], int | None]
    missing: Callable[[Starship], Sentence | None]
    own: bool = False
    on_board: bool = True
    next: int = 1


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The rules of a game.

    ``start`` is the rule for where robots start. ``sequence`` returns the move order in a phase (G-1.7,
    G-4.5). The steps of ``opening`` are played in turn 0. Without an opening, the first hand is dealt
    immediately. The steps of ``before`` run before phase 1, those of ``phase`` in each of the five phases,
    and those of ``end`` after phase 5. The steps of ``entering`` run when a robot has entered a cell, and
    those of ``verdict`` after each phase and after the end of the turn (G-10.3).

    ``elements`` are the elements that the ruleset knows beyond those of every ruleset (G-1.8). ``boards`` is
    the maximum number of joined boards, ``cells`` the maximum number of cells, and ``checkpoints`` the
    minimum and maximum number of checkpoints. With ``sets_checkpoints``, the host may set checkpoints, and
    with ``sets_start`` the start. Checkpoints cannot be on ``barred`` elements. With ``chance_fills``, chance
    plays missed turns unless the host chooses otherwise (G-8.3).

    ``prefix`` is the prefix of the ruleset's chapter in the rulebook (as in RC-1). ``base`` is the prefix of
    the chapter that this chapter modifies. ``damage_limit`` is the damage that destroys a robot, and
    ``return_damage`` the damage of robots that come back. With ``virtual_start``, robots start virtual. With
    ``starts_real_if_alone``, the only robot of a game starts real (RR-1.2). With ``spare_lives``, robots pay
    a life to come back (G-9.1). With ``sets_aside``, a player may publicly put aside a hand with only turning
    chips, and must do so in turn 1 (AM-1.4).

    With ``last_wins``, the last robot left wins (G-10.3). ``shielded`` are the causes of damage from which
    shields protect (RR-10.3). ``scanner_damage`` is the damage of a scanner that replaces a destroyed one. It
    is None if the damage is ``return_damage`` (RR-11.1). With ``reveals_locked``, the end of a game reveals
    the chips in locked registers that were not executed (G-7.3).

    Only earlier versions have these: With ``redeals``, a hand with only turning chips is redrawn
    automatically. With ``orders_while_off``, the player decides while the robot is off whether it stays off.
    With ``deals_before_staying_off``, hands are dealt before players decide whether their robots stay off.
    With ``ties_across_steps``, robots can go out at the same moment even in different steps of a phase, if
    nothing happens in between.
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
    starts_real_if_alone: bool = False
    crystal: bool = False
    spare_lives: bool = False
    sets_aside: bool = False
    redeals: bool = False
    orders_while_off: bool = False
    deals_before_staying_off: bool = False
    last_wins: bool = True
    ties_across_steps: bool = False
    shielded: frozenset[str] = DAMAGE
    scanner_damage: int | None = 0
    reveals_locked: bool = True
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
        """Return whether the ruleset has a step with this name."""
        return any(step.name == name for part in PARTS for step in getattr(self, part))

    def without(self, name: str) -> Ruleset:
        """Return the ruleset without the step with this name. Raises LookupError if it has no such step."""
        return self._edited(name, ())

    def replacing(self, name: str, other: Step) -> Ruleset:
        """Return the ruleset with another step in place of the step with this name.

        Raises LookupError if it has no such step.
        """
        return self._edited(name, (other,))

    def after(self, name: str, other: Step) -> Ruleset:
        """Return the ruleset with another step added after the step with this name.

        Raises LookupError if it has no such step.
        """
        return self._edited(name, None, other)

    def _edited(self, name: str, replacement: tuple[Step, ...] | None, after: Step | None = None) -> Ruleset:
        for part in PARTS:
            steps: tuple[Step, ...] = getattr(self, part)
            for index, found in enumerate(steps):
                if found.name == name:
                    new = (found,) if replacement is None else replacement
                    new += (after,) if after else ()
                    edited: dict[str, Any] = {part: steps[:index] + new + steps[index + 1 :]}
                    return replace(self, **edited)
        raise LookupError(f"{self.name} has no step “{name}”")


PARTS = ("opening", "before", "phase", "entering", "end", "verdict")
"""The fields of a ruleset that contain the steps of a turn."""

COMMON_ELEMENTS = frozenset(
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
"""A step for one starship: its name, its rule, and the bit that marks its cells."""

EVERYWHERE: Final = 1
"""The mark of steps that act in all cells."""

LIT_CELLS: Final = 2
"""The mark of cells that are in the line of a board laser, in any phase."""

ALL: Final = -1
"""A number with all bits set, which has the marks of every step."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The part of a game that never changes: the ruleset, all options and house rules, and the starship.

    The ``ruleset`` includes the effects of the options and house rules. ``phase`` and ``end`` are its steps
    for a phase and for the end of a turn, except those for elements that the starship lacks. ``concerns``
    has, for each cell number, the marks of the steps that act in this cell. A robot off the board (`OFF`) has
    no marks. ``looks_back`` is true if a step reads the log.
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
        concerns = [LIT_CELLS if cell in lit else 0 for cell in range(ship.size)]
        last, looks_back = LIT_CELLS, False
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
    """Return the values of all options of a ruleset: the given values, and defaults for the others.

    Raises SetupError with every fault of the given values.
    """
    return _filled(ruleset, OPTION, ruleset.options, given)


def read_house_rules(ruleset: Ruleset, given: Options) -> dict[str, Value]:
    """Return the values of all house rules of a ruleset: the given values, and defaults for the others.

    Raises SetupError with every fault of the given values.
    """
    return _filled(ruleset, HOUSE_RULE, ruleset.house_rules, given)


OPTION: Final = N_("{ruleset} has no option “{key}”")
HOUSE_RULE: Final = N_("{ruleset} has no house rule “{key}”")
"""The error messages for an option, and for a house rule, that a ruleset lacks."""


def _filled(ruleset: Ruleset, lacking: str, options: Sequence[Option], given: Options) -> dict[str, Value]:
    known = {option.key: option for option in options}
    problems = [Sentence(lacking, ruleset=ruleset.name, key=key) for key in sorted(given) if key not in known]
    problems += [fault for key in given if key in known and (fault := known[key].problem(given[key]))]
    if problems:
        raise SetupError(*problems)
    return {key: given.get(key, option.default) for key, option in known.items()}


def as_played(ruleset: Ruleset, options: Options, house_rules: Options) -> Ruleset:
    """Return a ruleset with the effects of all these options and house rules."""
    played = ruleset
    for choices, chosen in ((ruleset.options, options), (ruleset.house_rules, house_rules)):
        for option in choices:
            if option.effect:
                played = option.effect(played, chosen[option.key])
    return played
