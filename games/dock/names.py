"""Checks on the names of published ships, and skeletons to compare names.

Skeletons follow UTS #39: names that look alike have equal skeletons.

>>> skeleton("Tin Canoe") == skeleton("ΤІN—САΝОЕ")  # Greek and Cyrillic letters
True
>>> skeleton("Modern 10") == skeleton("Modem lO")
True
>>> skeleton("Canoe") == skeleton("Canal")
False
"""

import unicodedata
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from django.db import connection
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.robo_names import RESERVED
from games.dock.models import Prototype
from games.errors import Invalid
from games.fleet.models import OFFERED, Starship
from rules.names import is_visible

CONFUSABLES: Final = Path(__file__).with_name("confusables.txt")


@lru_cache(maxsize=8192)
def skeleton(name: str) -> str:
    """Return the skeleton of a name. Names that look alike have equal skeletons.

    Skeletons ignore case, and all characters except letters, digits and marks. If the name has none of these,
    the skeleton contains its visible characters.
    """
    seen = _fold_lookalikes(_fold_lookalikes(name).casefold()).replace(
        "i", "l"
    )  # I is like l, and i is the same letter
    letters = "".join(character for character in seen if unicodedata.category(character)[0] in "LMN")
    return letters or "".join(filter(is_visible, seen))


def _fold_lookalikes(text: str) -> str:
    """Replace each character with the text that stands for all its lookalikes, to make lookalikes equal."""
    decomposed = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFD", decomposed.translate(_table()))


@cache
def _table() -> Mapping[int, str]:
    lines = CONFUSABLES.read_text(encoding="ascii").splitlines()
    rows = (line.split() for line in lines if not line.startswith("#"))
    return {int(one, 16): "".join(chr(int(each, 16)) for each in others) for one, *others in rows}


NAME_RESERVED_FOR: Final = timedelta(days=90)
"""The time for which an ended prototype's name stays reserved for its builder.

It starts when the prototype leaves its bay. Names of drafts are not reserved.
"""

_SITE_SKELETONS: Final = frozenset(map(skeleton, RESERVED))


def lock_names() -> None:
    """Lock all names of ships until the transaction ends, so that only one ship is published at a time."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('names of ships', 0))")


def check_name(*, user: User, name: str, replaces: Starship | None = None, now: datetime) -> None:
    """Raise Invalid if a person cannot publish a ship under this name.

    A name is refused if it is empty, or if it looks like a word reserved for the site or like the name of one
    of these: a ship of the library or a prototype, except ``replaces``; another builder's prototype that left
    its bay within `NAME_RESERVED_FOR`; or any ship that staff have taken down.
    """
    if not name.strip():
        raise _refusal(_("Give the ship a name before you publish it."))
    looks = skeleton(name)
    if looks in _SITE_SKELETONS:
        raise _refusal(_("“{name}” is reserved for the site. Choose another name.").format(name=name))
    offered = Starship.objects.filter(OFFERED)
    if replaces is not None:
        offered = offered.exclude(pk=replaces.pk)
    for other, owner in offered.values_list("name", "owner"):
        if skeleton(other) == looks:
            raise _refusal(_too_alike(other, mine=owner == user.pk))
    gone = Starship.objects.filter(taken_down_at__isnull=False).values_list("name", flat=True)
    if any(skeleton(other) == looks for other in gone):
        raise _refusal(_("Staff took down a ship with this name. Choose another name."))
    ended = Prototype.objects.filter(ended_at__gt=now - NAME_RESERVED_FOR, starship__retired=True)
    taken = ended.exclude(starship__owner=user).values_list("starship__name", flat=True)
    if any(skeleton(other) == looks for other in taken):
        detail = _("This name belonged to another builder’s prototype until recently. Choose another name.")
        raise _refusal(detail)


def _too_alike(other: str, *, mine: bool) -> str:
    detail = (
        _("This name is too similar to your ship “{ship}”. Choose another name.")
        if mine
        else _("This name is too similar to the starship “{ship}”. Choose another name.")
    )
    return detail.format(ship=other)


def _refusal(detail: str) -> Invalid:
    return Invalid("unpublished", detail, [{"code": "name", "detail": detail}])
