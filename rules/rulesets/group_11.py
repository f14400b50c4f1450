"""The game of Group 11: models, and oil (GR)."""

from rules.language import N_
from rules.launch import ON_START_CELLS
from rules.models import MODELS
from rules.options import (
    CHECKPOINTS,
    PROGRAMMING_AID,
    ROBOT_LASERS,
    SPARE_LIVES,
    damage_limit,
    piercing_lasers,
    shared_deck,
)
from rules.sequence import by_chip_number
from rules.setup import Ruleset
from rules.steps.beams import pull
from rules.steps.checkpoints import count_checkpoint
from rules.steps.chips import choose_headings, execute_chips
from rules.steps.elements import turn_with_twisters
from rules.steps.lasers import board_lasers, fire_robot_lasers
from rules.steps.oil import slide_on_oil
from rules.steps.power import power_down
from rules.steps.turn_end import come_back_on_archive_or_start, mend_tanky, repair_and_archive_on_fields
from rules.steps.verdicts import last_standing_wins_by_seat

GROUP_11 = Ruleset(
    key="group-11",
    name="Group 11",
    version=3,
    prefix="GR",
    summary=N_(
        "Five models of robots race from checkpoint to checkpoint, over oil and past piercing lasers."
    ),
    seats=(2, 8),
    options=(SPARE_LIVES, CHECKPOINTS, PROGRAMMING_AID),
    house_rules=(ROBOT_LASERS, piercing_lasers(True), shared_deck(True), damage_limit(9)),
    elements=frozenset({"oil"}),
    start=ON_START_CELLS,
    chance_fills=True,
    models=tuple(MODELS),
    sequence=by_chip_number,
    before=(choose_headings,),
    phase=(
        execute_chips,
        slide_on_oil,
        pull(1),
        pull(2),
        pull(2),
        turn_with_twisters,
        board_lasers(piercing=True),
        fire_robot_lasers,
    ),
    entering=(count_checkpoint,),
    end=(repair_and_archive_on_fields, mend_tanky, power_down, come_back_on_archive_or_start),
    verdict=(last_standing_wins_by_seat,),
    spare_lives=True,
    orders=frozenset({"power_down", "heading"}),
    shared_deck=True,
    damage_limit=9,
    return_damage=2,
)
