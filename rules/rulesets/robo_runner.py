"""Robo Runner, the main game (RR)."""

from typing import Final

from rules.language import N_
from rules.launch import ON_AIRLOCKS
from rules.options import (
    EQUIPMENT,
    HULL_DAMAGE,
    LIVES,
    ROBOT_LASERS,
    SCANNERS,
    damage_limit,
    piercing_lasers,
    shared_deck,
)
from rules.sequence import by_rank
from rules.setup import Ruleset
from rules.steps.bays import close_bay_doors, open_bay_doors
from rules.steps.beams import pull
from rules.steps.checkpoints import inspect
from rules.steps.chips import choose_first_headings, choose_headings, execute_chips
from rules.steps.elements import (
    beam_with_transporters,
    burn_with_thrusters,
    push_with_arms,
    turn_with_twisters,
)
from rules.steps.equipment import engage_for_the_turn
from rules.steps.lasers import lasers
from rules.steps.power import reboot
from rules.steps.turn_end import become_real, come_back_from_airlock, rank, refill_ammunition, repair
from rules.steps.verdicts import first_finisher_wins, last_standing_wins

STARSHIP_ELEMENTS: Final = frozenset(
    ["beam of speed 3", "docking arm", "coupling", "launch bay", "thruster", "transporter", "hull damage"]
)
"""The elements that Robo Runner, Robo Recon and Robo Arena know beyond the common ones (G-1.8)."""

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
    opening=(choose_first_headings,),
    before=(choose_headings, engage_for_the_turn),
    phase=(
        close_bay_doors,
        execute_chips,
        pull(3),
        pull(3, 2),
        pull(3, 2, 1),
        push_with_arms,
        turn_with_twisters,
        beam_with_transporters,
        burn_with_thrusters,
        lasers(),
        inspect,
        open_bay_doors,
    ),
    end=(repair, refill_ammunition, reboot, come_back_from_airlock, become_real, rank),
    verdict=(first_finisher_wins, last_standing_wins),
    orders=frozenset({"power_down", "equipment", "heading"}),
    ranks=True,
    shared_deck=False,
    virtual_start=True,
    damage_limit=10,
    return_damage=2,
)
