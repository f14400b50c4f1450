"""Robo Rally, the boxed game of 1999 (AM)."""

from rules.language import N_
from rules.launch import ON_CHECKPOINT_1
from rules.options import (
    CRUSHERS,
    DAMAGED_COPIES,
    LASER_VARIANT,
    POWER_DOWN,
    SPARE_LIVES,
    damage_limit,
    piercing_lasers,
    shared_deck,
)
from rules.sequence import by_chip_number
from rules.setup import Ruleset
from rules.steps.beams import pull
from rules.steps.checkpoints import pass_checkpoint
from rules.steps.chips import choose_headings, enter_and_execute_chips
from rules.steps.elements import crush, push_with_arms, turn_with_twisters
from rules.steps.lasers import board_lasers, fire_robot_lasers
from rules.steps.power import stay_off, switch_off
from rules.steps.turn_end import come_back_beside_archive, repair
from rules.steps.verdicts import most_checkpoints_win_when_all_are_out

AMIGO_1999 = Ruleset(
    key="amigo-1999",
    name="Robo Rally 1999",
    version=3,
    prefix="AM",
    summary=N_(
        "The boxed game: race from checkpoint to checkpoint, over boards joined and turned as you wish."
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
    before=(choose_headings, stay_off),
    phase=(
        enter_and_execute_chips,
        pull(2),
        pull(2, 1),
        push_with_arms,
        turn_with_twisters,
        crush,
        board_lasers(),
        fire_robot_lasers,
    ),
    entering=(pass_checkpoint,),
    end=(repair, switch_off, come_back_beside_archive),
    verdict=(most_checkpoints_win_when_all_are_out,),
    spare_lives=True,
    orders=frozenset({"power_down", "stay_down", "heading", "place", "unlock"}),
    shared_deck=True,
    last_wins=False,
    sets_aside=True,
    damage_limit=10,
    return_damage=0,
)
