"""Hide, show and release reviews, take down and restore starships and drafts, and dismiss reports.

The forms of the admin check the reasons before these services are called.
"""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games.dock.models import Promotion, Prototype, Review
from games.dock.reviews import locked_starship, rate
from games.dock.services import notify_of_review, notify_of_takedown
from games.errors import Conflict, NotFound
from games.fleet.models import Starship
from games.moderation.models import Case, Moderation
from games.moderation.selectors import ShipThing
from games.moderation.services.reports import close_case
from games.rights import Right, require
from games.shipyard.models import StarshipDraft

# --- Reviews ------------------------------------------------------------------------------------------------


def hide_review(*, user: User, review_id: int, reason: str, now: datetime) -> Review:
    """Hide a review, and close its case. Afterwards, only its author and staff see the review.

    A hidden review does not count in the ship's rating. Raises NotFound, Forbidden for people without the
    right to change reviews, and Conflict if the review is already hidden.
    """
    return _moderate(user, review_id, Moderation.Action.HIDE, reason, now)


def show_review(*, user: User, review_id: int, reason: str, now: datetime) -> Review:
    """Show a hidden review again, so that it counts in the ship's rating again.

    Raises NotFound, Forbidden for people without the right to change reviews, and Conflict if the review is
    not hidden.
    """
    return _moderate(user, review_id, Moderation.Action.SHOW, reason, now)


def release_review(*, user: User, review_id: int, reason: str, now: datetime) -> Review:
    """Release a review on hold. Reviews are on hold if their ship got many reviews within a day.

    Raises NotFound, Forbidden for people without the right to change reviews, and Conflict if the review is
    not on hold.
    """
    return _moderate(user, review_id, Moderation.Action.RELEASE, reason, now)


def _moderate(user: User, review_id: int, action: Moderation.Action, reason: str, now: datetime) -> Review:
    require(user, Right.CHANGE_REVIEWS)
    return moderate(user, review_id, action, reason, now)


def moderate(user: User, review_id: int, action: Moderation.Action, reason: str, now: datetime) -> Review:
    """Hide, show or release a review without checking rights.

    Raises NotFound, and Conflict if the action would change nothing.
    """
    with transaction.atomic():
        starship_id = Review.objects.filter(pk=review_id).values_list("starship", flat=True).first()
        starship = locked_starship(starship_id or 0)
        review = starship.reviews.filter(pk=review_id).first()
        if review is None:
            raise NotFound("no-review", _("There is no such review."))
        if action == Moderation.Action.RELEASE:
            if review.held_until is None:
                raise Conflict("not-held", _("This review is not waiting for release."))
            review.held_until = None
        elif (review.hidden_at is not None) == (action == Moderation.Action.HIDE):
            hidden, shown = _("This review is already hidden."), _("This review is not hidden.")
            raise Conflict("done", hidden if review.hidden_at else shown)
        else:
            review.hidden_at = now if action == Moderation.Action.HIDE else None
        review.save(update_fields=["held_until", "hidden_at"])
        record(user, action, review, reason, now)
        if action == Moderation.Action.HIDE:
            close_case(about=review, now=now)
        rate(starship)
        notify_of_review(review=review, now=now)
    return review


def record(user: User, action: Moderation.Action, thing: ShipThing, reason: str, now: datetime) -> Moderation:
    """Record a staff action about a ship, draft or review.

    The caller must hold a lock on the ship's or draft's row.
    """
    kept = {"action": action, "reason": reason, "by": user, "at": now}
    if isinstance(thing, Review):
        return Moderation.objects.create(starship_id=thing.starship_id, review=thing, **kept)
    if isinstance(thing, StarshipDraft):
        return Moderation.objects.create(draft=thing, **kept)
    return Moderation.objects.create(starship=thing, **kept)


# --- Starships ----------------------------------------------------------------------------------------------


def take_down_starship(*, user: User, starship_id: int, reason: str, now: datetime) -> Starship:
    """Take down a ship. The site then no longer shows or offers the ship.

    If the ship is a prototype, it leaves its bay in the Space Dock, its open request for promotion is closed,
    and its draft cannot be shared or published. No other ship can take its name. Raises NotFound, Forbidden
    for people without the right to change starships, and Conflict if the ship came with the site or is
    already taken down.
    """
    require(user, Right.CHANGE_STARSHIPS)
    return _take_down_starship(user, starship_id, reason, now)


def _take_down_starship(user: User, starship_id: int, reason: str, now: datetime) -> Starship:
    with transaction.atomic():
        prototype = _locked_prototype(starship_id)
        starship = locked_starship(starship_id)
        if starship.owner_id is None:
            detail = _("This ship came with the site, so it can’t be taken down. Retire it instead.")
            raise Conflict("not-of-people", detail)
        if starship.taken_down_at:
            raise Conflict("done", _("This ship is already taken down."))
        _set_taken_down(starship, now)
        if prototype:
            _take_from_its_place(prototype, now)
        _decided(user, Moderation.Action.TAKE_DOWN, starship, reason, now)
    return starship


def restore_starship(*, user: User, starship_id: int, reason: str, now: datetime) -> Starship:
    """Undo the takedown of a ship.

    A prototype gets its bay back, even if the builder now uses all bays. Its request for promotion stays
    closed, so the builder has to ask again. Raises NotFound, Forbidden for people without the right to change
    starships, and Conflict if the ship is not taken down.
    """
    require(user, Right.CHANGE_STARSHIPS)
    return _restore_starship(user, starship_id, reason, now)


def _restore_starship(user: User, starship_id: int, reason: str, now: datetime) -> Starship:
    with transaction.atomic():
        prototype = _locked_prototype(starship_id)
        starship = locked_starship(starship_id)
        if starship.taken_down_at is None:
            raise Conflict("done", _("This ship has not been taken down."))
        if prototype:
            _bring_to_its_place(prototype, starship.taken_down_at, now)
        _set_taken_down(starship, None)
        _decided(user, Moderation.Action.RESTORE, starship, reason, now)
    return starship


def take_down_draft(*, user: User, draft_id: int, reason: str, now: datetime) -> StarshipDraft:
    """Take down a draft that is or was shared. The draft's link stops working.

    The builder keeps the draft, but cannot share or publish it. Raises NotFound, Forbidden for people
    without the right to change starships, and Conflict if the draft is already taken down.
    """
    require(user, Right.CHANGE_STARSHIPS)
    return _take_down_draft(user, draft_id, reason, now)


def _take_down_draft(user: User, draft_id: int, reason: str, now: datetime) -> StarshipDraft:
    with transaction.atomic():
        draft = _locked_draft(draft_id)
        if draft.taken_down_at:
            raise Conflict("done", _("This ship is already taken down."))
        draft.taken_down_at, draft.link_token = now, ""
        draft.save(update_fields=["taken_down_at", "link_token"])
        _decided(user, Moderation.Action.TAKE_DOWN, draft, reason, now)
    return draft


def restore_draft(*, user: User, draft_id: int, reason: str, now: datetime) -> StarshipDraft:
    """Undo the takedown of a draft, so that the builder may share and publish it again.

    Raises NotFound, Forbidden for people without the right to change starships, and Conflict if the draft is
    not taken down.
    """
    require(user, Right.CHANGE_STARSHIPS)
    return _restore_draft(user, draft_id, reason, now)


def _restore_draft(user: User, draft_id: int, reason: str, now: datetime) -> StarshipDraft:
    with transaction.atomic():
        draft = _locked_draft(draft_id)
        if draft.taken_down_at is None:
            raise Conflict("done", _("This ship has not been taken down."))
        draft.taken_down_at = None
        draft.save(update_fields=["taken_down_at"])
        _decided(user, Moderation.Action.RESTORE, draft, reason, now)
    return draft


def take_down_reported(*, user: User, case_id: int, reason: str, now: datetime) -> None:
    """Take down the ship or draft of a case, or hide its review. This also closes the case.

    Raises NotFound, Forbidden for people without the right to decide these cases, Conflict if the case is
    already decided, and the errors of `take_down_starship`, `take_down_draft` and `hide_review`.
    """
    require(user, Right.CHANGE_SHIP_CASES)
    with transaction.atomic():
        case = _locked_case(case_id)
        if case.starship_id:
            _take_down_starship(user, case.starship_id, reason, now)
        elif case.draft_id:
            _take_down_draft(user, case.draft_id, reason, now)
        elif case.review_id:
            moderate(user, case.review_id, Moderation.Action.HIDE, reason, now)


def dismiss_reports(*, user: User, case_id: int, reason: str, now: datetime) -> None:
    """Close the case of a ship, draft or review, and leave the ship, draft or review as it is.

    Raises NotFound, Forbidden for people without the right to decide these cases, and Conflict if the case is
    already decided.
    """
    require(user, Right.CHANGE_SHIP_CASES)
    with transaction.atomic():
        thing = _locked_case(case_id).about
        assert isinstance(thing, ShipThing)
        close_case(about=thing, dismissed=True, now=now)
        record(user, Moderation.Action.DISMISS, thing, reason, now)


def restore(*, user: User, moderation_id: int, reason: str, now: datetime) -> None:
    """Undo one decision to take down a ship or draft. ``moderation_id`` is the ID of the decision.

    Raises NotFound, Forbidden for people without the right to change decisions, the errors of
    `restore_starship` and `restore_draft`, and Conflict if the decision was not a takedown, or if the
    ship or draft was taken down again later.
    """
    require(user, Right.CHANGE_MODERATIONS)
    decision = Moderation.objects.filter(pk=moderation_id).first()
    if decision is None:
        raise NotFound("no-decision", _("There is no such decision."))
    if decision.action != Moderation.Action.TAKE_DOWN:
        raise Conflict("done", _("This decision was not a takedown."))
    with transaction.atomic():
        if decision.starship_id:
            _restore_starship(user, decision.starship_id, reason, now)
        else:
            _restore_draft(user, decision.draft_id or 0, reason, now)
        # From here on, the ship's row is locked, so no later decision can appear.
        same = {"starship": decision.starship_id, "draft": decision.draft_id, "action": decision.action}
        if Moderation.objects.filter(**same, pk__gt=decision.pk).exists():
            raise Conflict(
                "newer", _("Staff took this down again later. Restore it from the later decision.")
            )


def _set_taken_down(starship: Starship, when: datetime | None) -> None:
    starship.taken_down_at = when
    starship.save(update_fields=["taken_down_at"])


def _take_from_its_place(prototype: Prototype, now: datetime) -> None:
    """Take a prototype out of its bay or the fleet, close its promotion request, and take down its draft."""
    prototype.taken_from, prototype.status = prototype.status, Prototype.Status.TAKEN_DOWN
    prototype.ended_at = prototype.ended_at or now
    prototype.save(update_fields=["taken_from", "status", "ended_at"])
    for promotion in prototype.promotions.filter(status=Promotion.Status.OPEN):
        promotion.votes.all().delete()  # secret ballots, and the promotion is not decided
        promotion.status, promotion.ended_at = Promotion.Status.TAKEN_DOWN, now
        promotion.save(update_fields=["status", "ended_at"])
    StarshipDraft.objects.filter(prototypes=prototype, taken_down_at=None).update(
        taken_down_at=now, link_token=""
    )


def _bring_to_its_place(prototype: Prototype, taken_down_at: datetime, now: datetime) -> None:
    was = prototype.taken_from
    prototype.status = Prototype.Status.TESTING if was == Prototype.Status.READY else was
    prototype.taken_from = ""
    if prototype.is_in_bay:
        prototype.ended_at, prototype.used_at, prototype.warned_at = None, now, None
    prototype.save(update_fields=["status", "taken_from", "ended_at", "used_at", "warned_at"])
    StarshipDraft.objects.filter(prototypes=prototype, taken_down_at=taken_down_at).update(taken_down_at=None)


def _decided(
    user: User, action: Moderation.Action, thing: Starship | StarshipDraft, reason: str, now: datetime
) -> None:
    """Record a decision about a ship or draft.

    A takedown also closes the case, and notifies the builder of a published ship. The caller must hold a
    lock on the ship's or draft's row.
    """
    moderation = record(user, action, thing, reason, now)
    if action == Moderation.Action.TAKE_DOWN:
        close_case(about=thing, now=now)
        if isinstance(thing, Starship):
            notify_of_takedown(moderation=moderation, now=now)


def _locked_prototype(starship_id: int) -> Prototype | None:
    """Lock and return a starship's prototype, or return None if it has none.

    Call this before locking the starship.
    """
    held = Prototype.objects.select_for_update(no_key=True, of=("self",))
    return held.filter(starship=starship_id).first()


def _locked_draft(draft_id: int) -> StarshipDraft:
    draft = StarshipDraft.objects.select_for_update(no_key=True, of=("self",)).filter(pk=draft_id).first()
    if draft is None:
        raise NotFound("no-draft", _("There is no such draft."))
    return draft


def _locked_case(case_id: int) -> Case:
    """Return the open case of a ship, draft or review, with the draft or the ship locked.

    Raises NotFound if there is no such case, and Conflict if the case is already decided.
    """
    cases = Case.objects.select_related("starship", "draft", "review").filter(pk=case_id, person=None)
    found = cases.first()
    if found and found.draft_id:
        _locked_draft(found.draft_id)
    elif found and (ship := found.starship_id or (found.review and found.review.starship_id)):
        _locked_prototype(ship)
        locked_starship(ship)
    case = cases.first()
    if case is None:
        raise NotFound("no-case", _("There is no such case."))
    if case.decided_at:
        raise Conflict("decided", _("Another member of staff has already decided this case."))
    return case
