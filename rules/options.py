"""The host's choices that several rulesets share: options and house rules.

An option is part of the rulebook. A house rule changes the rulebook: it removes a step, replaces a step, or
changes a number. By default, every game follows the rulebook.
"""

from dataclasses import replace
from typing import Final

from rules.language import N_
from rules.setup import Option, Ruleset, Value
from rules.steps.lasers import board_lasers, lasers

# Options

LIVES: Final = Option(
    "lives", 3, N_("How many times a robot can be destroyed before it is out of the game."), 1, 9
)
SPARE_LIVES: Final = Option(
    "lives", 3, N_("How many times a destroyed robot can come back."), 0, 9, alias="spare_lives"
)


def _hull_damage(ruleset: Ruleset, wanted: Value) -> Ruleset:
    return ruleset if wanted else replace(ruleset, elements=ruleset.elements - {"hull damage"})


HULL_DAMAGE: Final = Option(
    "hull_damage",
    True,
    N_("Lasers must weld damaged checkpoints before robots can inspect them."),
    effect=_hull_damage,
)
HULL_IN_THE_WAY: Final = replace(
    HULL_DAMAGE, text=N_("Lasers must weld damaged checkpoints before robots can enter them.")
)
SCANNERS: Final = Option(
    "scanners", 0, N_("The ship's own armed robots, which roam the hull and get in the way."), 0, 4
)
EQUIPMENT: Final = Option(
    "equipment", False, N_("Each robot starts with one item of optional equipment, drawn at random.")
)


def _power_down(ruleset: Ruleset, wanted: Value) -> Ruleset:
    if wanted:
        return ruleset
    orders = ruleset.orders - {"power_down", "stay_down"}
    for step in ("switching off", "staying off"):
        ruleset = ruleset.without(step) if ruleset.has(step) else ruleset
    return replace(ruleset, orders=orders)


POWER_DOWN: Final = Option(
    "power_down",
    False,
    N_("Players can power down their robots for a turn to repair them."),
    effect=_power_down,
)


def _robot_lasers(ruleset: Ruleset, wanted: Value) -> Ruleset:
    if wanted:
        return ruleset
    if ruleset.has("robot lasers"):
        return ruleset.without("robot lasers")
    return ruleset.replacing("lasers", board_lasers())


LASER_VARIANT: Final = Option(
    "robot_lasers",
    False,
    N_("Robots fire their lasers in every phase, after the board's lasers."),
    effect=_robot_lasers,
)


def _damaged_copies(ruleset: Ruleset, wanted: Value) -> Ruleset:
    return replace(ruleset, return_damage=2) if wanted else ruleset


DAMAGED_COPIES: Final = Option(
    "damaged_copies", False, N_("A robot comes back with 2 damage."), effect=_damaged_copies
)
CHECKPOINTS: Final = Option(
    "checkpoints",
    0,
    N_("How many of the board's checkpoints count, starting with checkpoint 1. 0 means all."),
    0,
    8,
)
RANDOM_CHECKPOINTS: Final = Option(
    "random_checkpoints",
    0,
    N_(
        "How many checkpoints are placed at random. With 0, the game uses the board's checkpoints, or those"
        " that the host sets."
    ),
    0,
    20,
)
PROGRAMMING_AID: Final = Option(
    "programming_aid", True, N_("While programming, players can see where their chips lead.")
)

# House rules

ROBOT_LASERS: Final = Option("robot_lasers", True, N_("Robots fire their lasers."), effect=_robot_lasers)


def piercing_lasers(default: bool) -> Option:
    """Return the house rule that board lasers hit every robot in their line, not only the first."""

    def effect(ruleset: Ruleset, wanted: Value) -> Ruleset:
        if wanted == default:
            return ruleset
        if ruleset.has("board lasers"):
            return ruleset.replacing("board lasers", board_lasers(piercing=bool(wanted)))
        return ruleset.replacing("lasers", lasers(piercing=bool(wanted)))

    text = N_("The board's lasers hit every robot in their line, not only the first.")
    return Option("piercing_lasers", default, text, effect=effect)


def _crushers(ruleset: Ruleset, wanted: Value) -> Ruleset:
    if wanted:
        return ruleset
    return replace(ruleset.without("crushers"), elements=ruleset.elements - {"crusher"})


CRUSHERS: Final = Option("crushers", True, N_("Crushers destroy the robots below them."), effect=_crushers)


def shared_deck(default: bool) -> Option:
    """Return the house rule that all hands of a turn come from one deck (G-3.3)."""
    return Option(
        "shared_deck",
        default,
        N_("All hands in a turn are dealt from one deck, instead of one deck per player."),
        effect=lambda ruleset, wanted: replace(ruleset, shared_deck=bool(wanted)),
    )


def damage_limit(default: int) -> Option:
    """Return the house rule that sets the damage at which a robot is destroyed (G-7.1)."""
    return Option(
        "damage_limit",
        default,
        N_("How much damage destroys a robot."),
        3,
        15,
        effect=lambda ruleset, wanted: replace(ruleset, damage_limit=int(wanted)),
    )
