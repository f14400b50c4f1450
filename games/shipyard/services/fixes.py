"""What may cure the findings of a run of the wind tunnel: it is flown, offered, and put into the draft."""

import logging
from datetime import datetime

from django.utils.translation import gettext as _

from accounts.models import User
from games.errors import Conflict, NotFound
from games.shipyard.drawings import sketch_of
from games.shipyard.models import StarshipDraft, TunnelRun
from games.shipyard.models.tunnel import FIX_FORMAT
from games.shipyard.runs import is_offered, run_for
from games.shipyard.selectors import draft_for
from games.shipyard.services.drafts import put_cells
from rules.language import sentence_to_json
from rules.notation import write_starship
from rules.sketch import changed
from rules.tunnel.remedies import FLIGHTS, remedies_of
from rules.tunnel.run import Run, Verdict

logger = logging.getLogger(__name__)


def fixes_for(row: TunnelRun, run: Run, verdict: Verdict, now: datetime) -> list[TunnelRun]:
    """Return runs, not saved yet, that try what may cure the findings of a run.

    There are none for what is tried itself, and none where they cannot be found: the verdict stands anyway.
    """
    if row.fix_of_id is not None:
        return []
    try:
        remedies = remedies_of(run, verdict)
    except Exception:
        logger.exception("No fixes could be found for run %d", row.pk)
        return []
    return [
        TunnelRun(
            draft_id=row.draft_id,
            asked_by_id=row.asked_by_id,
            version=row.version,
            document=write_starship(changed(run.setup.starship, remedy.cells)),
            ruleset=row.ruleset,
            edition=row.edition,
            players=row.players,
            flights=FLIGHTS,
            seed=row.seed,
            fix_of=row,
            fix={
                "format": FIX_FORMAT,
                "kind": remedy.kind,
                "label": sentence_to_json(remedy.label),
                "cells": [[x, y, token] for (x, y), token in remedy.cells.items()],
            },
            created_at=now,
        )
        for remedy in remedies
    ]


def take_fix(*, user: User, run_id: int, fix_id: int, now: datetime) -> StarshipDraft:
    """Put a fix that is offered for a run into its draft, as the next version.

    Raises NotFound for what is not offered, and Conflict where the draft has changed in the cells of the fix
    since it was flown.
    """
    run = run_for(viewer=user, run_id=run_id)
    tried = run.fixes.select_related("fix_of").filter(pk=fix_id).first()
    if tried is None or tried.fix is None or not is_offered(tried):
        raise NotFound("no-fix", _("There is no such fix."))
    draft = draft_for(viewer=user, draft_id=run.draft_id)
    cells = {(x, y): token for x, y, token in tried.fix["cells"]}
    now_there, flown = sketch_of(draft), [row.split() for row in run.document["rows"]]
    if any(now_there.token_at(x, y) != flown[y][x] for x, y in cells):
        detail = _("You have changed these cells since. Fly the ship again to see what mends it now.")
        raise Conflict("changed", detail)
    return put_cells(user=user, draft_id=draft.pk, expected_version=draft.version, cells=cells, now=now)
