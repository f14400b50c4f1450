"""Waiting for a game, and no more."""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

import rules
from accounts.models import User
from games.absence.seats import refuse_limited
from games.errors import Invalid, ProblemDocument, refuse_guests
from games.lobby.filters import SIDES
from games.matching.models import Ticket
from games.matching.selectors import PACES
from games.matching.wishes import MOST_SEATS, Wish

MOST_HOURS: Final = 24 * 14
"""After how many hours computers may be wanted at the latest: a lobby waits no longer either."""

MOST_SPREAD: Final = 2000


def seek_game(
    *,
    user: User,
    ruleset: str = "",
    pace: str = "",
    size: str = "",
    least: int = 2,
    most: int = MOST_SEATS,
    spread: int | None = None,
    least_reliability: int = 0,
    computers_after: int | None = None,
    now: datetime,
) -> Ticket:
    """Wait for a game; who waits already waits for this one instead, and keeps their place.

    Raises Forbidden for guests and for those who may begin no further game, and Invalid with every reason why
    there can be no such game.
    """
    refuse_guests(user)
    problems = _problems(ruleset, pace, size, least, most, spread, least_reliability, computers_after)
    if problems:
        raise Invalid("no-such-game", _("There can be no such game. Change what is marked."), problems)
    values = {
        "ruleset": ruleset,
        "pace": pace,
        "size": size,
        "least": least,
        "most": most,
        "spread": spread,
        "least_reliability": least_reliability,
        "computers_after": computers_after,
    }
    with transaction.atomic():
        refuse_limited(user=user, now=now)
        ticket, _made = Ticket.objects.update_or_create(
            user=user, defaults=values, create_defaults={**values, "created_at": now}
        )
    return ticket


def stop_seeking(*, user: User) -> bool:
    """Wait no more; return whether the player did."""
    return bool(Ticket.objects.filter(user=user).delete()[0])


def _problems(
    ruleset: str,
    pace: str,
    size: str,
    least: int,
    most: int,
    spread: int | None,
    least_reliability: int,
    computers_after: int | None,
) -> list[ProblemDocument]:
    found: list[tuple[str, str]] = []
    if ruleset and ruleset not in rules.RULESETS:
        found.append(("ruleset", _("There is no ruleset “{ruleset}”.").format(ruleset=ruleset)))
    elif not 2 <= least <= most <= MOST_SEATS:
        found.append(
            (
                "most",
                _("Choose 2 to {most} players, from the smaller number to the larger.").format(
                    most=MOST_SEATS
                ),
            )
        )
    elif not Wish(ruleset=ruleset, least=least, most=most).numbers:
        found.append(("most", _("This ruleset needs another number of players. Choose other numbers.")))
    if pace and pace not in PACES:
        found.append(("pace", _("Choose one of these: {paces}.").format(paces=", ".join(PACES))))
    if size and size not in SIDES:
        found.append(("size", _("Choose one of these: {sizes}.").format(sizes=", ".join(SIDES))))
    if spread is not None and not 50 <= spread <= MOST_SPREAD:
        found.append(("spread", _("Choose 50 to {most} points.").format(most=MOST_SPREAD)))
    if not 0 <= least_reliability <= 100:
        found.append(("least_reliability", _("It is a percentage, from 0 to 100.")))
    if computers_after is not None and not 0 <= computers_after <= MOST_HOURS:
        found.append(("computers_after", _("Choose 0 to {most} hours.").format(most=MOST_HOURS)))
    return [{"code": code, "detail": detail} for code, detail in found]
