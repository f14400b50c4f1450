"""Robo Runner, the main game (RR)."""

from rules.launch import launch_from_airlocks, needs_airlock
from rules.ruleset import Option, Ruleset
from rules.sequence import by_rank
from rules.steps.bays import close_bay_doors, open_bay_doors
from rules.steps.beams import pull
from rules.steps.checkpoints import first_finisher_wins, inspect, last_standing_wins
from rules.steps.chips import choose_first_headings, choose_headings, execute_chips
from rules.steps.elements import (
    beam_with_transporters,
    burn_with_thrusters,
    push_with_arms,
    turn_with_twisters,
)
from rules.steps.equipment import engage_for_the_turn
from rules.steps.lasers import fire_lasers
from rules.steps.turn_end import become_real, come_back, rank, reboot, refill_ammunition, repair

ROBO_RUNNER = Ruleset(
    key="robo-runner",
    name="Robo Runner",
    prefix="RR",
    summary="Be the first to inspect all of the ship's checkpoints in order, welding damaged hull.",
    seats=(1, 8),
    options=(
        Option("lives", 3, "How often a robot may be destroyed before it is out of the game.", 1, 9),
        Option(
            "hull_damage",
            True,
            "Damaged checkpoints must be welded with lasers before they can be inspected.",
        ),
        Option("scanners", 0, "Robots of the ship's own that roam the hull, armed and in the way.", 0, 4),
        Option("equipment", False, "Each robot starts with one item of optional equipment, drawn at random."),
    ),
    elements=frozenset(
        {
            "beam of speed 3",
            "docking arm",
            "coupling",
            "launch bay",
            "thruster",
            "transporter",
            "hull damage",
        }
    ),
    starts=needs_airlock,
    launch=launch_from_airlocks,
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
        fire_lasers,
        inspect,
        open_bay_doors,
    ),
    end=(repair, refill_ammunition, reboot, come_back, become_real, rank),
    verdict=(first_finisher_wins, last_standing_wins),
    orders=frozenset({"power_down", "equipment", "heading"}),
    ranks=True,
    shared_deck=False,
    virtual_start=True,
    damage_limit=10,
    return_damage=2,
)
