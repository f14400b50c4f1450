"""Who of staff may decide what: three roles, which superusers give as groups in the admin."""

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _

from accounts.models import User
from games.errors import Forbidden
from games.rights import Right, may
from games.sanctions.models import Sanction

Kind = Sanction.Kind

LIGHT: Final = Right.HIDE_AND_WARN
COMPETITION: Final = Right.BAR_PLAYERS
HEAVY: Final = Right.MODERATE_PLAYERS

NEEDED: Final[Mapping[str, Right]] = {
    Kind.HIDE: LIGHT,
    Kind.WARNING: LIGHT,
    Kind.BAR: COMPETITION,
    Kind.MUTE: HEAVY,
    Kind.SUSPENSION: HEAVY,
    Kind.RENAME: HEAVY,
    Kind.CLUB: HEAVY,
}
"""The permission for each kind of sanction. Helpers have the first, arbiters two, moderators all."""


def may_decide(user: User) -> bool:
    """Return whether someone may look into cases at all."""
    return any(may(user, each) for each in (LIGHT, COMPETITION, HEAVY))


def check_role(user: User, kind: str = "") -> None:
    """Raise Forbidden for all who may not impose a kind of sanction, or decide nothing at all."""
    allowed = may(user, NEEDED[kind]) if kind else may_decide(user)
    if not allowed:
        raise Forbidden("not-allowed", _("Your role does not allow this. Ask a moderator."))
