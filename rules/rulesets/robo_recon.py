"""Robo Recon: two squads and a power crystal (RC). As Robo Runner, but for what stands here."""

from dataclasses import replace

from rules.elements import SQUADS
from rules.language import N_
from rules.launch import ON_SQUAD_AIRLOCKS
from rules.options import EQUIPMENT, HULL_IN_THE_WAY, LIVES, SCANNERS, damage_limit, shared_deck
from rules.rulesets.robo_runner import ROBO_RUNNER
from rules.steps.crystal import crystal_arrives, crystal_home_wins, force_projectors, last_squad_wins

ROBO_RECON = replace(
    ROBO_RUNNER.instead("lasers", force_projectors())
    .without("inspection")
    .after("first headings", crystal_arrives)
    .after("reboot", crystal_arrives)
    .instead("first finisher", crystal_home_wins)
    .instead("last standing", last_squad_wins),
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
