"""The web game for one to six players (WS)."""

from functools import partial

from rules.language import N_
from rules.launch import ON_START_CELLS
from rules.options import LIVES, ROBOT_LASERS, damage_limit, piercing_lasers, shared_deck
from rules.sequence import by_chip_number
from rules.setup import Ruleset
from rules.steps import beams
from rules.steps.checkpoints import reach_goals
from rules.steps.chips import choose_headings, execute_chips
from rules.steps.elements import turn_with_twisters
from rules.steps.lasers import board_lasers, fire_robot_lasers
from rules.steps.power import power_down
from rules.steps.turn_end import come_back, repair_on_fields
from rules.steps.verdicts import first_finisher_wins, most_checkpoints_win_when_all_are_out

pull = partial(beams.pull, keeps_heading_between_speeds=True)

WEBSOCKET = Ruleset(
    key="websocket",
    name="Web Rally",
    version=2,
    prefix="WS",
    summary=N_("A short race on one board: reach the checkpoint half-way, then the finish."),
    seats=(1, 6),
    options=(LIVES,),
    house_rules=(ROBOT_LASERS, piercing_lasers(False), shared_deck(True), damage_limit(9)),
    elements=frozenset(),
    start=ON_START_CELLS,
    sequence=by_chip_number,
    before=(choose_headings,),
    phase=(
        execute_chips,
        pull(2),
        pull(2),
        pull(1),
        turn_with_twisters,
        board_lasers(),
        fire_robot_lasers,
        repair_on_fields,
        reach_goals,
    ),
    end=(power_down, come_back),
    verdict=(first_finisher_wins, most_checkpoints_win_when_all_are_out),
    orders=frozenset({"power_down", "heading"}),
    shared_deck=True,
    last_wins=False,
    damage_limit=9,
    return_damage=0,
)
