"""Publishing drafts as prototypes: in a bay of their builder, for anyone to try."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext as _

import rules
from accounts.limits import Limit
from accounts.models import User
from games.allowances import DAY, spend
from games.dock.models import Prototype
from games.dock.selectors.prototypes import BAYS, licence, prototypes_of
from games.dock.services.bays import hold_bays
from games.dock.services.names import check_name, hold_names
from games.errors import Conflict, Invalid, refuse_guests
from games.fleet.models import Starship
from games.fleet.search import foresee
from games.fleet.services import save_starship, slug_of
from games.play.selectors.words import refuse_words
from games.play.services.locks import hold_person
from games.sanctions.selectors import refuse_suspended
from games.shipyard.models import StarshipDraft
from games.shipyard.selectors import draft_for, ruleset_for
from games.shipyard.services import held_draft, ship_of, words_of

MOST_A_DAY: Final = 20
"""Versions that a person may publish within a day."""


@dataclass(frozen=True, slots=True)
class Publication:
    """What publishing a draft does: a ``version`` of the prototype in a bay, or the first one of a new one.

    Where nothing ``differs``, the version is the one that people try already.
    """

    prototype: Prototype | None
    version: int
    differs: bool
    ruleset: str


def publish_draft(*, user: User, draft_id: int, agrees: bool, now: datetime) -> Prototype:
    """Put a draft, as it was saved last, into a bay: the next version of its prototype, or a new one.

    A version that does not differ is no new one, so a request may be sent again. Raises Invalid for a builder
    who does not agree to the licence, TooMany for one who has published too often today, and all that
    `plan_publication` raises.
    """
    refuse_guests(user)
    refuse_suspended(user=user, now=now)
    if not agrees:
        detail = _("To publish a ship, agree to its licence: {licence}.").format(licence=licence())
        raise Invalid("unpublished", detail, [{"code": "licence", "detail": detail}])
    saved = draft_for(viewer=user, draft_id=draft_id)
    foresee(document=saved.document, seats_least=min(2, saved.players), seats_most=saved.players)
    with transaction.atomic():
        hold_person(user)
        hold_names()
        hold_bays(user)
        draft = held_draft(user, draft_id)
        plan = plan_publication(user=user, draft=draft, now=now)
        if plan.differs:
            _check_limit(user, now)
        same = plan.prototype
        published = words_of(same.starship.current.document) if same and same.starship.current else ()
        refuse_words(
            user=user, words=words_of({**draft.document, "name": draft.name}), before=published, now=now
        )
        starship = save_starship(
            starship_id=same.starship_id if same else None,
            document={**draft.document, "name": draft.name.strip(), "builder": ""},
            slug="" if same else slug_of(draft.name),
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
            "ruleset": plan.ruleset,
            "players": draft.players,
            "licence": licence(),
        }
        if plan.differs:
            kept |= {"published_at": now, "used_at": now, "warned_at": None}
        return Prototype.objects.update_or_create(starship=starship, defaults=kept)[0]


def save_library_ship(
    *, starship_id: int | None, document: object, by: User, now: datetime, **place: Any
) -> Starship:
    """Save a ship of the library for staff, with the ``place`` that `save_starship` takes.

    A new name passes the same checks as a builder's. Raises as `save_starship` and `check_name` do.
    """
    with transaction.atomic():
        hold_names()
        name = document.get("name") if isinstance(document, Mapping) else None
        same = Starship.objects.filter(pk=starship_id) if starship_id else Starship.objects
        if isinstance(name, str) and name.strip() and not same.filter(name__iexact=name).exists():
            replaces = Starship.objects.filter(pk=starship_id).first() if starship_id else None
            check_name(user=by, name=name, replaces=replaces, now=now)
        return save_starship(starship_id=starship_id, document=document, by=by, now=now, **place)


def plan_publication(*, user: User, draft: StarshipDraft, now: datetime) -> Publication:
    """Return what publishing a draft would do.

    Raises Invalid for a draft that cannot be flown and for a name that cannot be published, and Conflict
    where no bay is free, while the design committee decides, and for a draft that was taken down.
    """
    if draft.taken_down_at:
        detail = _("Staff took this ship down, so it cannot be published. Your Space Dock shows why.")
        raise Conflict("taken-down", detail)
    ruleset = ruleset_for(drawing=draft, players=draft.players)
    ship = ship_of(draft, ruleset)
    bays = prototypes_of(builder=user)
    same = next((each for each in bays if _same_name(each.starship.name, draft.name)), None)
    check_name(user=user, name=draft.name, replaces=same.starship if same else None, now=now)
    if same is None:
        if len(bays) >= BAYS:
            detail = _("Both of your bays are taken. Close a prototype first, or give this ship its name.")
            raise Conflict("no-bay", detail)
        return Publication(None, 1, differs=True, ruleset=ruleset)
    if same.status == Prototype.Status.READY:
        detail = _("The design committee is deciding about this ship. Take it back first to change it.")
        raise Conflict("deciding", detail)
    current = same.starship.current
    assert current
    written = {**rules.write_starship(ship), "name": draft.name.strip(), "builder": ""}
    differs = current.document != written
    return Publication(same, current.number + differs, differs=differs, ruleset=ruleset)


def _check_limit(user: User, now: datetime) -> None:
    """Refuse a version to a person who has published many today."""
    detail = _("You have published {most} versions within a day. Try again later.").format(most=MOST_A_DAY)
    spend(Limit("versions", MOST_A_DAY, DAY), user=user, detail=detail, now=now)


def _same_name(one: str, other: str) -> bool:
    return one.strip().casefold() == other.strip().casefold()
