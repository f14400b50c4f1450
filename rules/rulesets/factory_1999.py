"""The factory of SWP'99 (FA)."""

from rules.language import N_
from rules.launch import ON_ONE_CELL
from rules.options import (
    CRUSHERS,
    LIVES,
    RANDOM_CHECKPOINTS,
    ROBOT_LASERS,
    damage_limit,
    piercing_lasers,
    shared_deck,
)
from rules.sequence import by_chip_number
from rules.setup import Ruleset
from rules.steps.beams import pull
from rules.steps.checkpoints import touch_flags_and_fields
from rules.steps.chips import choose_headings, execute_chips
from rules.steps.elements import crush, push_with_arms, turn_with_twisters
from rules.steps.lasers import lasers
from rules.steps.power import stay_off, switch_off
from rules.steps.turn_end import become_real, come_back, repair
from rules.steps.verdicts import playing_on_ends

FACTORY_1999 = Ruleset(
    key="factory-1999",
    name="Factory 1999",
    version=3,
    prefix="FA",
    summary=N_("Race over the factory floor from flag to flag; all play on until the places are settled."),
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
    before=(choose_headings, stay_off),
    phase=(
        execute_chips,
        pull(2),
        pull(2, 1),
        push_with_arms,
        turn_with_twisters,
        crush,
        lasers(),
        touch_flags_and_fields,
    ),
    end=(repair, switch_off, come_back, become_real),
    verdict=(playing_on_ends,),
    orders=frozenset({"power_down", "stay_down", "heading"}),
    shared_deck=True,
    virtual_start=True,
    damage_limit=10,
    return_damage=0,
)
