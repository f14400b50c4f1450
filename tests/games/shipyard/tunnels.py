"""Runs of the wind tunnel with few flights, for tests."""

from datetime import datetime
from typing import Any

import rules
from accounts.models import User
from games.shipyard.flying import fly_batch
from games.shipyard.models import StarshipDraft, TunnelRun
from games.shipyard.tunnel import start_run
from rules.tunnel.flying import fly
from rules.tunnel.run import Run, judge
from tests.games.shipyard.drawing import drafted
from tests.games.support import NOW

LANE = ("a a . . .+i1+wE",)
"""Two robots are soon at the end of it; its only checkpoint has a rail on one edge."""

CORNER = ("a a . . .+i1+wNE",)
"""The same with rails on edges that meet, which the board alone shows."""

POT = ("a a . . . .+i1+wNE", *["~ ~ b3:S+wEW ~ ~ ~"] * 3, "~ ~ .+wESW ~ ~ ~")
"""The same with a pot that robots never get out of, which proves that the ship is red."""


def lane(user: User, *rows: str) -> StarshipDraft:
    """A draft of somebody's on which flights take milliseconds."""
    return drafted(user, *(rows or LANE), ruleset="robo-runner", players=2)


def started(user: User, draft: StarshipDraft | None = None, **more: Any) -> TunnelRun:
    """A run of four flights that has been started."""
    draft = draft or lane(user)
    return start_run(user=user, draft_id=draft.pk, **{"flights": 4, "seed": "1", "now": NOW, **more})


def flown(run: TunnelRun, now: datetime = NOW) -> TunnelRun:
    """A run of which everything that is offered is flown, until it is over."""
    while fly_batch(run_id=run.pk, now=now):
        pass
    run.refresh_from_db()
    return run


def judged(run: TunnelRun) -> tuple[Run, Any]:
    """What the rules alone come to with a run's ship, flights and seed."""
    ship = rules.read_starship(run.document)
    setup = rules.make_setup(rules.ruleset(run.ruleset), {}, ship, run.players)
    given = Run(setup, run.players, run.flights, run.seed)
    return given, judge(given, [fly(setup, run.players, run.seed, number) for number in range(run.flown)])
