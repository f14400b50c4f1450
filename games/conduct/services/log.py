"""Keeping what staff did about people, in the transaction of the deed."""

from datetime import datetime

from accounts.models import User
from games.conduct.models import Case, ConductEntry
from games.sanctions.models import Sanction


def log(
    deed: ConductEntry.Deed,
    case: Case,
    *,
    by: User | None = None,
    sanction: Sanction | None = None,
    now: datetime,
) -> ConductEntry:
    """Keep a deed for good, and return its entry."""
    return ConductEntry.objects.create(
        at=now,
        deed=deed,
        person_id=case.person_id,
        by=by,
        case=case.pk,
        sanction=sanction.pk if sanction else None,
        kind=sanction.kind if sanction else "",
    )
