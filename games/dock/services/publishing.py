"""Publishing drafts as prototypes: in a bay of their builder, for anyone to try."""

from datetime import datetime

from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from accounts.models import User
from games.dock.models import Prototype
from games.dock.selectors.prototypes import BAYS, licence, prototypes_of
from games.errors import Conflict, Invalid, refuse_guests
from games.fleet.models import Starship
from games.fleet.services.starships import free_slug, save_starship
from games.play.services.locks import hold_person
from games.shipyard.models import StarshipDraft
from games.shipyard.selectors import draft_for, ruleset_for
from games.shipyard.services.flights import ship_of


def publish_draft(*, user: User, draft_id: int, agrees: bool, now: datetime) -> Prototype:
    """Put a draft, as it was saved last, into a bay: the next version of its prototype, or a new one.

    A version that does not differ is no new one, so a request may be sent again. Raises Forbidden for guests,
    NotFound, Invalid for a draft that cannot be flown or has no name, and for a builder who does not agree to
    the licence, and Conflict where no bay is free, or while the design committee decides.
    """
    refuse_guests(user)
    if not agrees:
        detail = _("To publish a ship, agree to its licence: {licence}.").format(licence=licence())
        raise Invalid("unpublished", detail, [{"code": "licence", "detail": detail}])
    with transaction.atomic():
        hold_person(user)
        draft = draft_for(viewer=user, draft_id=draft_id)
        ruleset = ruleset_for(drawing=draft, players=draft.players)
        ship_of(draft, ruleset)
        _check_name(draft)
        bays = prototypes_of(builder=user)
        same = next((each for each in bays if _same_name(each.starship.name, draft.name)), None)
        if same is None and len(bays) >= BAYS:
            detail = _("Both of your bays are taken. Close a prototype first, or give this ship its name.")
            raise Conflict("no-bay", detail)
        if same is not None and same.status == Prototype.Status.READY:
            detail = _("The design committee is deciding about this ship. Take it back first to change it.")
            raise Conflict("deciding", detail)
        starship = save_starship(
            starship_id=same.starship_id if same else None,
            document={**draft.document, "name": draft.name.strip(), "builder": ""},
            slug="" if same else free_slug(slugify(draft.name)),
            section=Starship.Section.PROTOTYPES,
            seats_least=min(2, draft.players),
            seats_most=draft.players,
            by=user,
            owner=user,
            now=now,
        )
        kept = {
            "draft": draft,
            "draft_version": draft.version,
            "ruleset": ruleset,
            "players": draft.players,
            "licence": licence(),
            "published_at": now,
            "used_at": now,
            "warned_at": None,
        }
        return Prototype.objects.update_or_create(starship=starship, defaults=kept)[0]


def _check_name(draft: StarshipDraft) -> None:
    if not slugify(draft.name):
        detail = _("Give the ship a name with letters or digits in it before you publish it.")
        raise Invalid("unpublished", detail, [{"code": "name", "detail": detail}])


def _same_name(one: str, other: str) -> bool:
    return one.strip().casefold() == other.strip().casefold()
