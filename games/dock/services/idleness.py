"""Prototypes on which people do not play leave their bay, after a warning: then others have room.

Nothing is deleted. The ship is an experimental one again, as its draft, and games on it go on.
"""

from datetime import datetime
from functools import partial
from typing import Final

from django.db import transaction

from games import jobs
from games.dock.models import Prototype
from games.dock.models.prototypes import IDLE_AFTER
from games.dock.selectors.idleness import idle_prototypes, last_played
from games.dock.services.bays import leave_bay
from games.dock.services.notices import warn_of_idleness
from games.fleet.models import Starship, StarshipRevision
from games.play.models import Game

JOB: Final = "idle prototypes"
"""The job of the sweeper that looks after bays."""

MOST: Final = 200
"""Prototypes that one pass of it looks at; the next one goes on."""


def look_after_bays(*, now: datetime) -> int:
    """Warn builders whose prototypes are idle, and free bays 14 days later; return how many changed."""
    look = partial(look_after, now=now)
    return jobs.each(JOB, idle_prototypes(now=now), look, most=MOST, now=now)


def look_after(prototype_id: int, *, now: datetime) -> int:
    """Do what there is to do about a prototype, as it is once it is held; return 1 if that was something."""
    with transaction.atomic():
        prototype = _held_with_lobbies(prototype_id)
        if prototype is None or prototype.status != Prototype.Status.TESTING:
            return 0
        noted = _note_use(prototype, now)
        if prototype.used_at > now - IDLE_AFTER:
            return int(noted)
        if prototype.leaves_at is None:
            _warn(prototype, now)
        elif prototype.leaves_at <= now:
            leave_bay(prototype=prototype, status=Prototype.Status.IDLE, now=now)
        else:
            return 0
    return 1


def _note_use(prototype: Prototype, now: datetime) -> bool:
    """Note when people last played on a prototype, if that is news; it takes a warning back."""
    played = last_played(prototype=prototype, now=now)
    if played is None or played <= prototype.used_at:
        return False
    prototype.used_at, prototype.warned_at = played, None
    prototype.save(update_fields=["used_at", "warned_at"])
    return True


def _warn(prototype: Prototype, now: datetime) -> None:
    """Have its builder know from now on that a prototype is to leave its bay, and when."""
    prototype.warned_at = now
    prototype.save(update_fields=["warned_at"])
    warn_of_idleness(prototype=prototype, now=now)


def _held_with_lobbies(prototype_id: int) -> Prototype | None:
    """Return a prototype, held until the transaction ends, and with it all that could make it used by then.

    No one joins a lobby on it meanwhile, and no game is created on it. Lobbies are held first, as everywhere;
    then the prototype, its ship, and its revisions, to which new games refer. Returns None if there is a new
    lobby by then: the next pass looks again.
    """
    ship = Prototype.objects.filter(pk=prototype_id).values("starship")
    lobbies = Game.objects.filter(status=Game.Status.OPEN, revision__starship__in=ship)
    keys = lobbies.order_by("pk").values_list("pk", flat=True)
    waiting = set(keys.select_for_update(no_key=True, of=("self",)))
    prototype = Prototype.objects.select_for_update(no_key=True).filter(pk=prototype_id).first()
    if prototype is None:
        return None
    ships = Starship.objects.filter(pk=prototype.starship_id).order_by().values_list("pk")
    list(ships.select_for_update(no_key=True))
    revisions = StarshipRevision.objects.filter(starship=prototype.starship_id).order_by("pk")
    list(revisions.select_for_update().values_list("pk"))
    return prototype if waiting.issuperset(keys) else None
