"""Wind tunnel runs with few flights."""

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
"""A short lane for two robots. Its only checkpoint has one rail."""

CORNER = ("a a . . .+i1+wNE",)
"""The lane, with two rails that meet at the checkpoint.

The wind tunnel finds this problem without flights.
"""

POT = ("a a . . . .+i1+wNE", *["~ ~ b3:S+wEW ~ ~ ~"] * 3, "~ ~ .+wESW ~ ~ ~")
"""The lane, with a trap for robots. Its verdict is red."""


def lane(user: User, *rows: str) -> StarshipDraft:
    """Return a draft ship. Each flight on it takes only milliseconds."""
    return drafted(user, *(rows or LANE), ruleset="robo-runner", players=2)


def started(user: User, draft: StarshipDraft | None = None, **more: Any) -> TunnelRun:
    draft = draft or lane(user)
    return start_run(user=user, draft_id=draft.pk, **{"flights": 4, "seed": "1", "now": NOW, **more})


def flown(run: TunnelRun, now: datetime = NOW) -> TunnelRun:
    """Fly all batches of a run until it is over, and return it."""
    while fly_batch(run_id=run.pk, now=now):
        pass
    run.refresh_from_db()
    return run


def judged(run: TunnelRun) -> tuple[Run, Any]:
    """Return a run's settings, and its verdict as computed by the rules alone."""
    ship = rules.read_starship(run.document)
    setup = rules.make_setup(rules.ruleset(run.ruleset), {}, ship, run.players)
    given = Run(setup, run.players, run.flights, run.seed)
    return given, judge(given, [fly(setup, run.players, run.seed, number) for number in range(run.flown)])
