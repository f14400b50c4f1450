"""Prototypes, as their builders and others see them."""

from typing import Final

from django.conf import settings
from django.utils.translation import gettext as _

from accounts.models import User
from games.dock.models import Prototype
from games.errors import Forbidden, NotFound

BAYS: Final = 2
"""Prototypes that a person may have at a time."""


def prototypes_of(*, builder: User) -> list[Prototype]:
    """Return the prototypes in a person's bays, the last published first."""
    found = Prototype.objects.filter(starship__owner=builder, status__in=Prototype.IN_BAY)
    return list(found.select_related("starship__current", "draft"))


def prototype_for(*, starship_id: int) -> Prototype:
    """Return what a starship is as a prototype, or was; raises NotFound for one that never was one."""
    found = Prototype.objects.select_related("starship__current", "starship__owner", "draft")
    prototype = found.filter(starship=starship_id).first()
    if prototype is None:
        raise NotFound("no-prototype", _("This starship is not a prototype."))
    return prototype


def own_prototype_for(*, viewer: User, starship_id: int) -> Prototype:
    """Return what a starship of the viewer's is as a prototype; raises NotFound, and Forbidden for others."""
    prototype = prototype_for(starship_id=starship_id)
    if prototype.starship.owner_id != viewer.pk:
        raise Forbidden("not-builder", _("Only the builder of this ship can do that."))
    return prototype


def licence() -> str:
    """Return the licence that builders agree to when they publish a ship, as the operator named it."""
    return str(settings.STARSHIP_LICENCE)
