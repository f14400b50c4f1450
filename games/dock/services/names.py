"""Names that a ship may be published under: they stand for one ship, of one builder."""

from datetime import datetime, timedelta
from typing import Final

from django.db import connection
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.robo_names import RESERVED
from games import texts
from games.dock.lookalikes import skeleton
from games.dock.models import Prototype
from games.errors import Invalid
from games.fleet.models import OFFERED, Starship
from rules.notation import TEXTS

RESERVED_FOR: Final = timedelta(days=90)
"""How long the name of a prototype that has ended stays its builder's. Drafts reserve nothing."""

_OF_THE_SITE: Final = frozenset(map(skeleton, RESERVED))


def hold_names() -> None:
    """Let no one else publish until the transaction ends: of two that choose names alike, one is first."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('names of ships', 0))")


def check_name(*, user: User, name: str, replaces: Starship | None = None, now: datetime) -> None:
    """Raise Invalid for a name under which a person cannot publish a ship.

    It is one that looks like a word of the site, like a ship of the library, like a prototype (``replaces``
    is the one that gets another version), like one that has ended within 90 days, of another builder, or like
    one that staff have taken down, no matter who built it.
    """
    needed = _("Give the ship a name before you publish it.")
    if problems := texts.problems_of_name(name.strip(), longest=TEXTS["name"], needed=needed):
        raise _refusal(problems[0]["detail"])
    looks = skeleton(name)
    if looks in _OF_THE_SITE:
        raise _refusal(
            _("“{name}” is a word that the site uses itself. Choose another name.").format(name=name)
        )
    offered = Starship.objects.filter(OFFERED)
    if replaces is not None:
        offered = offered.exclude(pk=replaces.pk)
    for other, owner in offered.values_list("name", "owner"):
        if skeleton(other) == looks:
            raise _refusal(_too_alike(other, mine=owner == user.pk))
    gone = Starship.objects.filter(taken_down_at__isnull=False).values_list("name", flat=True)
    if any(skeleton(other) == looks for other in gone):
        raise _refusal(_("Staff took down a ship of this name. Choose another name."))
    ended = Prototype.objects.filter(ended_at__gt=now - RESERVED_FOR, starship__retired=True)
    taken = ended.exclude(starship__owner=user).values_list("starship__name", flat=True)
    if any(skeleton(other) == looks for other in taken):
        detail = _("This name belonged to another builder’s prototype until recently. Choose another name.")
        raise _refusal(detail)


def _too_alike(other: str, *, mine: bool) -> str:
    told = (
        _("This name looks too much like that of your ship “{ship}”. Choose another name.")
        if mine
        else _("This name looks too much like that of the starship “{ship}”. Choose another name.")
    )
    return told.format(ship=other)


def _refusal(detail: str) -> Invalid:
    return Invalid("unpublished", detail, [{"code": "name", "detail": detail}])
