"""All rulesets, by key and version. Each declaration reads like its rulebook.

A game continues with the version that it started with, so earlier versions remain. Each earlier version is
declared as a later version with the old parts put back. The list of earlier versions therefore reads as a
list of changes. `docs/rules/versions.md` describes the changes for players.
"""

from dataclasses import replace
from functools import partial
from typing import Final

from rules.document import UnknownRuleset, UnknownVersion
from rules.elements import SQUADS
from rules.language import N_
from rules.launch import ON_AIRLOCKS, ON_CHECKPOINT_1, ON_ONE_CELL, ON_SQUAD_AIRLOCKS, ON_START_CELLS
from rules.options import (
    CHECKPOINTS,
    CRUSHERS,
    DAMAGED_COPIES,
    EQUIPMENT,
    HULL_DAMAGE,
    HULL_IN_THE_WAY,
    LASER_VARIANT,
    LIVES,
    POWER_DOWN,
    PROGRAMMING_AID,
    RANDOM_CHECKPOINTS,
    ROBOT_LASERS,
    SCANNERS,
    SPARE_LIVES,
    damage_limit,
    piercing_lasers,
    shared_deck,
)
from rules.physics import by_chip_number, by_rank
from rules.setup import LARGEST_BOARD, Ruleset
from rules.state import MODELS
from rules.steps import goals, movement, turn_end
from rules.steps.lasers import board_lasers, engage_for_the_turn, fire_robot_lasers, lasers

# --- Robo Runner, Robo Recon, Robo Arena --------------------------------------------------------------------


STARSHIP_ELEMENTS: Final = frozenset(
    ["beam of speed 3", "docking arm", "coupling", "launch bay", "thruster", "transporter", "hull damage"]
)
"""The elements that Robo Runner, Robo Recon and Robo Arena add to the common elements (G-1.8)."""

ROBO_RUNNER = Ruleset(
    key="robo-runner",
    name="Robo Runner",
    version=2,
    prefix="RR",
    summary=N_("Be the first to inspect all of the ship's checkpoints in order, welding damaged hull."),
    seats=(1, 8),
    options=(LIVES, HULL_DAMAGE, SCANNERS, EQUIPMENT),
    house_rules=(ROBOT_LASERS, piercing_lasers(False), shared_deck(False), damage_limit(10)),
    elements=STARSHIP_ELEMENTS,
    start=ON_AIRLOCKS,
    sequence=by_rank,
    opening=(movement.choose_first_headings,),
    before=(movement.choose_headings, engage_for_the_turn),
    phase=(
        movement.close_bay_doors,
        movement.execute_chips,
        movement.pull(3),
        movement.pull(3, 2),
        movement.pull(3, 2, 1),
        movement.push_with_arms,
        movement.turn_with_twisters,
        movement.beam_with_transporters,
        movement.burn_with_thrusters,
        lasers(),
        goals.inspect,
        movement.open_bay_doors,
    ),
    end=(
        turn_end.repair,
        turn_end.refill_ammunition,
        turn_end.reboot,
        turn_end.come_back_from_airlock,
        turn_end.become_real,
        turn_end.rank,
    ),
    verdict=(goals.first_finisher_wins, goals.last_standing_wins),
    orders=frozenset({"power_down", "equipment", "heading"}),
    ranks=True,
    shared_deck=False,
    virtual_start=True,
    starts_real_if_alone=True,
    damage_limit=10,
    return_damage=2,
)


ROBO_RECON = replace(
    ROBO_RUNNER.replacing("lasers", goals.force_projectors())
    .without("inspection")
    .after("first headings", goals.crystal_arrives)
    .after("reboot", goals.crystal_arrives)
    .replacing("first finisher", goals.crystal_home_wins)
    .replacing("last standing", goals.last_squad_wins),
    key="robo-recon",
    name="Robo Recon",
    base=ROBO_RUNNER.prefix,
    prefix="RC",
    summary=N_("Two squads: bring the power crystal to your airlock, or be the last squad left."),
    seats=(2, 8),
    options=(LIVES, HULL_IN_THE_WAY, SCANNERS, EQUIPMENT),
    house_rules=(shared_deck(False), damage_limit(10)),
    elements=ROBO_RUNNER.elements | {"grappler", "coloured airlock"},
    start=ON_SQUAD_AIRLOCKS,
    crystal=True,
    squads=SQUADS,
    checkpoints=(0, 99),
)


ROBO_ARENA = replace(
    ROBO_RUNNER.without("inspection")
    .without("first finisher")
    .after("becoming real", turn_end.drive_campers_out),
    key="robo-arena",
    name="Robo Arena",
    base=ROBO_RUNNER.prefix,
    prefix="RA",
    summary=N_("No checkpoints to inspect: be the last robot standing."),
    seats=(2, 8),
    options=(LIVES, SCANNERS, EQUIPMENT),
    house_rules=(ROBOT_LASERS, piercing_lasers(False), shared_deck(False), damage_limit(10)),
    checkpoints=(0, 99),
)


# --- The board game of 1999 and the games after it ----------------------------------------------------------


AMIGO_1999 = Ruleset(
    key="amigo-1999",
    name="Robo Rally 1999",
    version=3,
    prefix="AM",
    summary=N_(
        "The boxed game: race from checkpoint to checkpoint, over boards that you join and turn as you wish."
    ),
    seats=(2, 8),
    options=(SPARE_LIVES, LASER_VARIANT, POWER_DOWN, DAMAGED_COPIES),
    house_rules=(piercing_lasers(False), CRUSHERS, shared_deck(True), damage_limit(10)),
    elements=frozenset({"docking arm", "crusher"}),
    boards=4,
    checkpoints=(2, 6),
    sets_checkpoints=True,
    barred=frozenset({"shaft", "space", "crusher"}),
    start=ON_CHECKPOINT_1,
    sequence=by_chip_number,
    before=(movement.choose_headings, turn_end.stay_off),
    phase=(
        movement.enter_and_execute_chips,
        movement.pull(2),
        movement.pull(2, 1),
        movement.push_with_arms,
        movement.turn_with_twisters,
        movement.crush,
        board_lasers(),
        fire_robot_lasers,
    ),
    entering=(goals.pass_checkpoint,),
    end=(turn_end.repair, turn_end.switch_off, turn_end.come_back_beside_archive),
    verdict=(goals.most_checkpoints_win_when_all_are_out,),
    spare_lives=True,
    orders=frozenset({"power_down", "stay_down", "heading", "place", "unlock"}),
    shared_deck=True,
    last_wins=False,
    sets_aside=True,
    damage_limit=10,
    return_damage=0,
)


FACTORY_1999 = Ruleset(
    key="factory-1999",
    name="Factory 1999",
    version=4,
    prefix="FA",
    summary=N_(
        "Race over the factory floor from flag to flag. Everyone plays on until all places are settled."
    ),
    seats=(1, 8),
    options=(LIVES, RANDOM_CHECKPOINTS),
    house_rules=(ROBOT_LASERS, piercing_lasers(False), CRUSHERS, shared_deck(True), damage_limit(10)),
    elements=frozenset({"docking arm", "crusher"}),
    boards=4096,
    cells=4096,
    sets_checkpoints=True,
    sets_start=True,
    barred=frozenset({"shaft", "space"}),
    start=ON_ONE_CELL,
    sequence=by_chip_number,
    before=(movement.choose_headings, turn_end.stay_off),
    phase=(
        movement.execute_chips,
        movement.pull(2),
        movement.pull(2, 1),
        movement.push_with_arms,
        movement.turn_with_twisters,
        movement.crush,
        lasers(),
        goals.touch_flags_and_fields,
    ),
    end=(turn_end.repair, turn_end.switch_off, turn_end.come_back, turn_end.become_real),
    verdict=(goals.playing_on_ends,),
    orders=frozenset({"power_down", "stay_down", "heading"}),
    shared_deck=True,
    virtual_start=True,
    damage_limit=10,
    return_damage=0,
)


GROUP_11 = Ruleset(
    key="group-11",
    name="Group 11",
    version=3,
    prefix="GR",
    summary=N_("Five models of robot race from checkpoint to checkpoint, over oil and past piercing lasers."),
    seats=(2, 8),
    options=(SPARE_LIVES, CHECKPOINTS, PROGRAMMING_AID),
    house_rules=(ROBOT_LASERS, piercing_lasers(True), shared_deck(True), damage_limit(9)),
    elements=frozenset({"oil"}),
    start=ON_START_CELLS,
    chance_fills=True,
    models=tuple(MODELS),
    sequence=by_chip_number,
    before=(movement.choose_headings,),
    phase=(
        movement.execute_chips,
        movement.slide_on_oil,
        movement.pull(1),
        movement.pull(2),
        movement.pull(2),
        movement.turn_with_twisters,
        board_lasers(piercing=True),
        fire_robot_lasers,
    ),
    entering=(goals.count_checkpoint,),
    end=(
        turn_end.repair_and_archive_on_fields,
        turn_end.repair_tanky,
        turn_end.power_down,
        turn_end.come_back_on_archive_or_start,
    ),
    verdict=(goals.last_standing_wins_by_seat,),
    spare_lives=True,
    orders=frozenset({"power_down", "heading"}),
    shared_deck=True,
    damage_limit=9,
    return_damage=2,
)


pull_keeping_heading = partial(movement.pull, keeps_heading_between_speeds=True)

WEBSOCKET = Ruleset(
    key="websocket",
    name="Web Rally",
    version=2,
    prefix="WS",
    summary=N_("A short race on one board: reach the halfway checkpoint, then the finish."),
    seats=(1, 6),
    options=(LIVES,),
    house_rules=(ROBOT_LASERS, piercing_lasers(False), shared_deck(True), damage_limit(9)),
    elements=frozenset(),
    start=ON_START_CELLS,
    sequence=by_chip_number,
    before=(movement.choose_headings,),
    phase=(
        movement.execute_chips,
        pull_keeping_heading(2),
        pull_keeping_heading(2),
        pull_keeping_heading(1),
        movement.turn_with_twisters,
        board_lasers(),
        fire_robot_lasers,
        turn_end.repair_on_fields,
        goals.reach_goals,
    ),
    end=(turn_end.power_down, turn_end.come_back),
    verdict=(goals.first_finisher_wins, goals.most_checkpoints_win_when_all_are_out),
    orders=frozenset({"power_down", "heading"}),
    shared_deck=True,
    last_wins=False,
    damage_limit=9,
    return_damage=0,
)


# --- Earlier versions ---------------------------------------------------------------------------------------


def _version_2(newest: Ruleset) -> Ruleset:
    """Return version 2 of a ruleset, made from the version after it.

    All rulesets share these differences: A robot with three lives was out after its third destruction. If
    robots were destroyed one right after the other, they went out at the same moment, even in two steps of a
    phase. Hands, and chips for locked registers, were drawn before players decided whether their robots stay
    off.
    """
    options = tuple(LIVES if option == SPARE_LIVES else option for option in newest.options)
    played = replace(newest, spare_lives=False, ties_across_steps=True, deals_before_staying_off=True)
    return replace(played, version=2, options=options)


def _version_1(later: Ruleset) -> Ruleset:
    """Return version 1 of a ruleset, made from the version after it.

    All rulesets share these differences: Shields only protected against robots' lasers. New scanners had the
    damage of robots that come back. The end of a game did not reveal the chips in locked registers.
    """
    shielded = frozenset({"laser"})
    return replace(later, version=1, shielded=shielded, scanner_damage=None, reveals_locked=False)


def _deciding_while_off(ruleset: Ruleset) -> Ruleset:
    """Return a ruleset with an earlier form of the rule for staying off (AM-5.2).

    Players gave the order to stay off during the turn when the robot was off, not in the next turn.
    """
    edition = ruleset.without("staying off").replacing("switching off", turn_end.switch_off_or_stay_off)
    return replace(edition, orders_while_off=True)


_AMIGO_1999_V2: Final = _version_2(AMIGO_1999)
_FACTORY_1999_V3: Final = replace(FACTORY_1999, version=3, starts_real_if_alone=True)
"""Version 3 of Factory 1999: in a game with one robot, the robot started real."""
_FACTORY_1999_V2: Final = _version_2(_FACTORY_1999_V3)
_GROUP_11_V2: Final = _version_2(GROUP_11)

EARLIER: Final[tuple[Ruleset, ...]] = (
    _AMIGO_1999_V2,
    _FACTORY_1999_V3,
    _FACTORY_1999_V2,
    _GROUP_11_V2,
    _version_1(ROBO_RUNNER),
    _version_1(ROBO_ARENA),
    # The crystal did not shock robots that it pressed against a coupling.
    _version_1(ROBO_RECON).replacing("lasers", goals.force_projectors(presses=False)),
    # The last robot left won, and hands with only turning chips were redrawn automatically.
    replace(
        _deciding_while_off(_version_1(_AMIGO_1999_V2)).replacing(
            "all out", goals.last_standing_or_most_checkpoints_wins
        ),
        last_wins=True,
        sets_aside=False,
        redeals=True,
    ),
    replace(_version_1(WEBSOCKET).replacing("all out", goals.last_standing_wins_by_seat), last_wins=True),
    # Up to 16 boards of any size were joined, and no checkpoints were placed at random.
    replace(
        _deciding_while_off(_version_1(_FACTORY_1999_V2)), options=(LIVES,), boards=16, cells=LARGEST_BOARD
    ),
    # A checkpoint out of order did not become an archive.
    _version_1(_GROUP_11_V2).replacing("checkpoints counted", goals.count_checkpoint_and_archive_in_order),
)


RULESETS: Final[dict[str, Ruleset]] = {
    ruleset.key: ruleset
    for ruleset in (ROBO_RUNNER, ROBO_RECON, ROBO_ARENA, AMIGO_1999, FACTORY_1999, GROUP_11, WEBSOCKET)
}
"""The newest version of each ruleset, for new games."""

EDITIONS: Final[dict[tuple[str, int], Ruleset]] = {
    (ruleset.key, ruleset.version): ruleset for ruleset in (*EARLIER, *RULESETS.values())
}
"""All versions of all rulesets, by key and version number, for games of any age."""


def ruleset(key: str, version: int | None = None) -> Ruleset:
    """Return the ruleset with a key, in its newest version or in the given one.

    Raises UnknownRuleset, or UnknownVersion if the ruleset has no version with this number.
    """
    if key not in RULESETS:
        raise UnknownRuleset(f"there is no ruleset “{key}”; there are: {', '.join(RULESETS)}")
    newest = RULESETS[key]
    if version is None:
        return newest
    if (key, version) not in EDITIONS:
        there = ", ".join(str(number) for name, number in sorted(EDITIONS) if name == key)
        raise UnknownVersion(f"{newest.name} has no version {version}; there are: {there}")
    return EDITIONS[key, version]
