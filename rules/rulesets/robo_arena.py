"""Robo Arena: last robot standing (RA). As Robo Runner, but for what stands here."""

from dataclasses import replace

from rules.language import N_
from rules.options import (
    EQUIPMENT,
    LIVES,
    ROBOT_LASERS,
    SCANNERS,
    damage_limit,
    piercing_lasers,
    shared_deck,
)
from rules.rulesets.robo_runner import ROBO_RUNNER
from rules.steps.turn_end import drive_campers_out

ROBO_ARENA = replace(
    ROBO_RUNNER.without("inspection").without("first finisher").after("becoming real", drive_campers_out),
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
