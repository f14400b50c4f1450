"""Prototypes that leave their bay: closed by their builder, or flown by no one."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games.dock.models import Prototype
from games.errors import Conflict, NotFound, refuse_guests
from games.fleet.services import retire_starship


def close_prototype(*, user: User, starship_id: int, now: datetime) -> Prototype:
    """Take a prototype out of its bay, for its builder: games on it go on, and new ones cannot start.

    Its draft stays. Closing twice closes once. Raises Forbidden for guests, NotFound for what is no prototype
    of theirs, and Conflict for one that has joined the fleet or ended otherwise.
    """
    refuse_guests(user)
    with transaction.atomic():
        prototype = held_prototype(starship_id=starship_id)
        if prototype.starship.owner_id != user.pk:
            raise NotFound("no-prototype", _("You have no such prototype."))
        if prototype.is_in_bay:
            leave_bay(prototype=prototype, status=Prototype.Status.CLOSED, now=now)
        elif prototype.status != Prototype.Status.CLOSED:
            detail = _("This ship is in no bay: {status}.").format(status=prototype.get_status_display())
            raise Conflict("not-in-bay", detail)
    return prototype


def leave_bay(*, prototype: Prototype, status: Prototype.Status, now: datetime) -> None:
    """Retire the ship of a prototype, whose row is held: no new games start on it."""
    prototype.status, prototype.ended_at = status, now
    prototype.save(update_fields=["status", "ended_at"])
    retire_starship(starship_id=prototype.starship_id)


def hold_bays(user: User) -> None:
    """Hold a person's prototypes until the transaction ends: always before the rows of their starships."""
    held = Prototype.objects.select_for_update(no_key=True, of=("self",))
    list(held.filter(starship__owner=user, status__in=Prototype.IN_BAY).order_by("pk").values_list("pk"))


def held_prototype(*, starship_id: int) -> Prototype:
    """Return a prototype, held until the transaction ends; raises NotFound."""
    held = Prototype.objects.select_for_update(no_key=True, of=("self",)).select_related("starship__current")
    prototype = held.filter(starship=starship_id).first()
    if prototype is None:
        raise NotFound("no-prototype", _("This starship is not a prototype."))
    return prototype
