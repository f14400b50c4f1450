"""Ships of a builder who is gone: they stay, under a placeholder, and do not bear the builder's name."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from accounts.models import User
from games.fleet.models import Piece, Starship, StarshipRevision
from games.fleet.services import save_starship, slug_of
from games.play.models import Game

Scrub = Callable[[str], str]
"""Takes name and address of a person out of a text."""


def rename_ships(*, builder: User, scrub: Scrub, now: datetime) -> None:
    """Take a builder who is gone out of the names and stories of their ships.

    A ship that bears the builder's name gets a neutral one with its number. Boards on which games are or were
    played stay as they are, since the proofs of these games have them. The ship goes on with another revision
    of the same cells.
    """
    for number in Starship.objects.filter(owner=builder).order_by("pk").values_list("pk", flat=True):
        with transaction.atomic():
            _rename(number, builder, scrub, now)


def _rename(number: int, builder: User, scrub: Scrub, now: datetime) -> None:
    held = Starship.objects.select_for_update(no_key=True, of=("self",)).select_related("current")
    ship = held.get(pk=number)
    if scrub(ship.name) != ship.name:
        ship.name = _("Starship {number}").format(number=number)
        ship.slug = slug_of(ship.name)
    ship.builder = builder.robo_name
    ship.save(update_fields=["name", "slug", "builder"])
    if ship.current and (told := _scrubbed(ship.current.document, ship, scrub)) != ship.current.document:
        save_starship(
            starship_id=number,
            document=told,
            section=ship.section,
            seats_least=ship.seats_least,
            seats_most=ship.seats_most,
            known=True,
            now=now,
        )
        ship.refresh_from_db(fields=["current"])
    for revision in _boards_without_games(ship):
        if (told := _scrubbed(revision.document, ship, scrub)) != revision.document:
            revision.document = told
            revision.save(update_fields=["document"])


def _scrubbed(document: dict[str, Any], ship: Starship, scrub: Scrub) -> dict[str, Any]:
    named = scrub(document["name"]) != document["name"]
    name = ship.name if named else document["name"]
    return {**document, "name": name, "description": scrub(document["description"])}


def _boards_without_games(ship: Starship) -> list[StarshipRevision]:
    """Return earlier boards of a ship on which no game is or was played, held, so that none begins there."""
    earlier = ship.revisions.exclude(pk=ship.current_id or 0)
    held = list(earlier.select_for_update().order_by("pk").values_list("pk", flat=True))
    used = Exists(Game.objects.filter(revision=OuterRef("pk"))) | Exists(
        Piece.objects.filter(revision=OuterRef("pk"))
    )
    return list(StarshipRevision.objects.filter(~used, pk__in=held))
