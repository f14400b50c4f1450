"""Services for prototypes: publish drafts, free bays, and promote prototypes to the fleet."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext as _

import rules
from accounts.limits import Limit, consume
from accounts.models import User
from games.dock.models import IDLE_AFTER, Promotion, PromotionVote, Prototype, Review
from games.dock.names import check_name, lock_names
from games.dock.selectors import (
    BAYS_PER_BUILDER,
    VOTES_NEEDED,
    idle_prototypes,
    last_played,
    licence,
    open_promotions,
    prototype_for_builder,
    prototypes_of,
    readiness_of,
    refuse_others,
    voters_about,
)
from games.errors import Conflict, Forbidden, NotFound, refuse_guests
from games.fleet.models import Starship, StarshipRevision
from games.fleet.search import prepare_search_facts
from games.fleet.services import next_position, retire_starship, save_starship, slug_of
from games.moderation.models import Moderation
from games.moderation.sanctions import refuse_suspended
from games.news.services import notify_about_starship
from games.people.contacts import reachable
from games.play.models import Game
from games.play.viewers import refuse_words
from games.shipyard.models import StarshipDraft
from games.shipyard.selectors import draft_for, ruleset_for
from games.shipyard.services import locked_draft, ship_of, words_of
from games.work import jobs
from games.work.models import DAY, consume_limit, lock_person

# --- Notifications ------------------------------------------------------------------------------------------


MAIL_LIMIT: Final = Limit("told-of-ship", 3, 24 * 60 * 60)
"""The limit on notifications about an action on a ship, since a person may undo and repeat the action."""


def notify_of_review(*, review: Review, now: datetime) -> None:
    """Notify the builder of a new review, unless it is withheld or hidden.

    This is called again when a withheld review is released.
    """
    if review.is_shown and not consume(MAIL_LIMIT, f"review:{review.author_id}:{review.starship_id}"):
        builder = [review.starship.owner] if review.starship.owner else []
        notify_about_starship(
            users=reachable(user=review.author, people=builder),
            kind="review",
            starship_id=review.starship_id,
            about=review.pk,
            now=now,
        )


def notify_of_answer(*, review: Review, now: datetime) -> None:
    """Notify the author of a review of the builder's answer."""
    builder = review.starship.owner
    users = reachable(user=builder, people=[review.author]) if builder else [review.author]
    notify_about_starship(
        users=users, kind="answer", starship_id=review.starship_id, about=review.pk, now=now
    )


def notify_of_decision(*, promotion: Promotion, now: datetime) -> None:
    """Notify the builder of the design committee's decision."""
    _notify_builder(promotion.prototype.starship, "decision", promotion.pk, now)


def notify_committee(*, promotion: Promotion, now: datetime) -> None:
    """Ask the members of the design committee to vote on a request for promotion."""
    ship = promotion.prototype.starship_id
    if not consume(MAIL_LIMIT, f"ready:{ship}"):
        notify_about_starship(
            users=voters_about(promotion), kind="ready", starship_id=ship, about=promotion.pk, now=now
        )


def remind_of_promotion(*, promotion: Promotion, now: datetime) -> None:
    """Remind those committee members who have not voted on a request for promotion."""
    voted = PromotionVote.objects.filter(promotion=promotion).values("user")
    ship = promotion.prototype.starship_id
    late = voters_about(promotion).exclude(pk__in=voted)
    notify_about_starship(users=late, kind="undecided", starship_id=ship, about=promotion.pk, now=now)


def warn_of_idleness(*, prototype: Prototype, now: datetime) -> None:
    """Warn the builder of an idle prototype that it will leave its bay after `WARNING_PERIOD`.

    A builder gets at most one warning for each idle period.
    """
    _notify_builder(prototype.starship, "idle", int(prototype.used_at.timestamp()), now)


def notify_of_takedown(*, moderation: Moderation, now: datetime) -> None:
    """Notify the builder that staff have taken down a ship, with the reason."""
    assert moderation.starship
    _notify_builder(moderation.starship, "taken-down", moderation.pk, now)


def _notify_builder(starship: Starship, kind: str, about: int, now: datetime) -> None:
    users = [starship.owner] if starship.owner else []
    notify_about_starship(users=users, kind=kind, starship_id=starship.pk, about=about, now=now)


# --- Bays ---------------------------------------------------------------------------------------------------


def close_prototype(*, user: User, starship_id: int, now: datetime) -> Prototype:
    """Take a prototype out of its bay, as its builder.

    No new games can use the prototype, but its running games continue. Its draft stays. If the builder has
    already closed the prototype, the call has no effect. Raises NotFound if this builder has no such
    prototype, Forbidden for guests, and Conflict if the prototype left its bay for another reason.
    """
    refuse_guests(user)
    with transaction.atomic():
        prototype = locked_prototype(starship_id=starship_id)
        if prototype.starship.owner_id != user.pk:
            raise NotFound("no-prototype", _("You have no such prototype."))
        if prototype.is_in_bay:
            leave_bay(prototype=prototype, status=Prototype.Status.CLOSED, now=now)
        elif prototype.status != Prototype.Status.CLOSED:
            detail = _("This ship isn’t in a bay. Its status: {status}.").format(
                status=prototype.get_status_display()
            )
            raise Conflict("not-in-bay", detail)
    return prototype


def leave_bay(*, prototype: Prototype, status: Prototype.Status, now: datetime) -> None:
    """Set the final status of a prototype, and retire its ship.

    The caller must hold the prototype's row lock.
    """
    prototype.status, prototype.ended_at = status, now
    prototype.save(update_fields=["status", "ended_at"])
    retire_starship(starship_id=prototype.starship_id)


def lock_bays(user: User) -> None:
    """Lock the prototypes in a builder's bays until the transaction ends.

    The caller must not have locked any starship rows before.
    """
    held = Prototype.objects.select_for_update(no_key=True, of=("self",))
    list(held.filter(starship__owner=user, status__in=Prototype.IN_BAY).order_by("pk").values_list("pk"))


def locked_prototype(*, starship_id: int) -> Prototype:
    """Return a starship's prototype, locked until the transaction ends.

    Raises NotFound if the starship never was a prototype.
    """
    held = Prototype.objects.select_for_update(no_key=True, of=("self",)).select_related("starship__current")
    prototype = held.filter(starship=starship_id).first()
    if prototype is None:
        raise NotFound("no-prototype", _("This starship is not a prototype."))
    return prototype


VERSIONS_A_DAY: Final = 20
"""The maximum number of versions published by one builder within a day."""


@dataclass(frozen=True, slots=True)
class Publication:
    """The effect of publishing a draft: a ``version`` of a ``prototype``.

    ``prototype`` is None if the draft becomes a new prototype. ``differs`` is False if the draft is equal to
    the current version. Then no new version is published, and ``version`` is the current one.
    """

    prototype: Prototype | None
    version: int
    differs: bool
    ruleset: str


def publish_draft(*, user: User, draft_id: int, now: datetime) -> Prototype:
    """Publish the last saved version of a draft, as a new prototype or as a prototype's next version.

    The caller must check that the builder has agreed to the licence. If the draft is equal to the current
    version, no new version is published, so a request may be repeated. Raises NotFound, Forbidden for guests
    and suspended people, TooMany if the builder has published too many versions within a day, and the errors
    of `plan_publication` and `refuse_words`.
    """
    refuse_guests(user)
    refuse_suspended(user=user, now=now)
    saved = draft_for(viewer=user, draft_id=draft_id)
    prepare_search_facts(document=saved.document, seats_least=min(2, saved.players), seats_most=saved.players)
    with transaction.atomic():
        lock_person(user)
        lock_names()
        lock_bays(user)
        draft = locked_draft(user, draft_id)
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
    """Save a ship of the library, as a member of staff.

    ``place`` has further arguments of `save_starship`. A new name must pass the checks for builders' names.
    Raises the errors of `save_starship` and `check_name`.
    """
    with transaction.atomic():
        lock_names()
        name = document.get("name") if isinstance(document, Mapping) else None
        same = Starship.objects.filter(pk=starship_id) if starship_id else Starship.objects
        if isinstance(name, str) and name.strip() and not same.filter(name__iexact=name).exists():
            replaces = Starship.objects.filter(pk=starship_id).first() if starship_id else None
            check_name(user=by, name=name, replaces=replaces, now=now)
        return save_starship(starship_id=starship_id, document=document, by=by, now=now, **place)


def plan_publication(*, user: User, draft: StarshipDraft, now: datetime) -> Publication:
    """Return the effect of publishing a draft, without publishing it.

    Raises Invalid for a draft on which no game is possible, and for a name that cannot be published. Raises
    Conflict if no bay is free, if the design committee is deciding on the prototype, or if staff took the
    draft down.
    """
    if draft.taken_down_at:
        detail = _("Staff took this ship down, so you can’t publish it. Your Space Dock shows the reason.")
        raise Conflict("taken-down", detail)
    ruleset = ruleset_for(drawing=draft, players=draft.players)
    ship = ship_of(draft, ruleset)
    bays = prototypes_of(builder=user)
    same = next((each for each in bays if _same_name(each.starship.name, draft.name)), None)
    check_name(user=user, name=draft.name, replaces=same.starship if same else None, now=now)
    if same is None:
        if len(bays) >= BAYS_PER_BUILDER:
            detail = _(
                "Both of your bays are full. Close a prototype, or give this ship the name of"
                " one to publish its next version."
            )
            raise Conflict("no-bay", detail)
        return Publication(None, 1, differs=True, ruleset=ruleset)
    if same.status == Prototype.Status.READY:
        detail = _("The design committee is deciding on this ship. Withdraw your request to change it.")
        raise Conflict("deciding", detail)
    current = same.starship.current
    assert current
    written = {**rules.write_starship(ship), "name": draft.name.strip(), "builder": ""}
    differs = current.document != written
    return Publication(same, current.number + differs, differs=differs, ruleset=ruleset)


def _check_limit(user: User, now: datetime) -> None:
    """Raise TooMany if a builder has published too many versions within a day."""
    detail = _("You published {most} versions within a day, which is the limit. Try again later.").format(
        most=VERSIONS_A_DAY
    )
    consume_limit(Limit("versions", VERSIONS_A_DAY, DAY), user=user, detail=detail, now=now)


def _same_name(one: str, other: str) -> bool:
    return one.strip().casefold() == other.strip().casefold()


# --- Idle prototypes ----------------------------------------------------------------------------------------


IDLENESS_JOB: Final = "idle prototypes"
"""The name of the sweeper's job for idle prototypes."""

PROTOTYPES_PER_PASS: Final = 200
"""The maximum number of prototypes to check in one pass of `IDLENESS_JOB`."""


def check_idle_prototypes(*, now: datetime) -> int:
    """Warn builders of idle prototypes, and free the bays once the warning period is over.

    Returns the number of changed prototypes.
    """
    look = partial(check_idle_prototype, now=now)
    return jobs.for_each_row(IDLENESS_JOB, idle_prototypes(now=now), look, most=PROTOTYPES_PER_PASS, now=now)


def check_idle_prototype(prototype_id: int, *, now: datetime) -> int:
    """Record the latest joint game on an idle prototype, to keep it in its bay.

    If there was no recent joint game, warn the builder, or free the bay if the warning period is over.
    Returns 1 if anything was changed, and otherwise 0.
    """
    with transaction.atomic():
        prototype = _locked_with_lobbies(prototype_id)
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
    """Record the last joint game on a prototype as its last use, and withdraw the warning about idleness.

    Returns whether anything changed. Nothing changes if there is no joint game later than the recorded use.
    """
    played = last_played(prototype=prototype, now=now)
    if played is None or played <= prototype.used_at:
        return False
    prototype.used_at, prototype.warned_at = played, None
    prototype.save(update_fields=["used_at", "warned_at"])
    return True


def _warn(prototype: Prototype, now: datetime) -> None:
    prototype.warned_at = now
    prototype.save(update_fields=["warned_at"])
    warn_of_idleness(prototype=prototype, now=now)


def _locked_with_lobbies(prototype_id: int) -> Prototype | None:
    """Lock a prototype, its lobbies, its ship and the ship's revisions.

    Until the transaction ends, no one can join a lobby on the prototype or create a game on it. Locks are
    taken in this order: first lobbies, as everywhere else; then the prototype; then its ship; then the
    revisions, because new games refer to them. Returns None if the prototype was deleted, or if a lobby was
    created meanwhile. In the second case, the next pass tries again.
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


# --- Promotion ----------------------------------------------------------------------------------------------


OUTCOMES: Final = {
    PromotionVote.Choice.PROMOTE.value: Promotion.Status.PROMOTED,
    PromotionVote.Choice.SEND_BACK.value: Promotion.Status.SENT_BACK,
    PromotionVote.Choice.CLOSE.value: Promotion.Status.CLOSED,
}
"""The new status of a request for promotion, by the choice of the votes that decide it."""


COMMITTEE_JOB: Final = "committee"
"""The name of the sweeper's job for alarms about a committee with too few members."""

REMINDERS_JOB: Final = "committee reminders"
"""The name of the sweeper's job for reminders to the design committee."""

REMIND_AFTER: Final = timedelta(days=14)
"""The age of a request before the design committee gets a reminder."""

PROMOTIONS_PER_PASS: Final = 500
"""The maximum number of requests to check in one pass of `COMMITTEE_JOB` or `REMINDERS_JOB`."""


class TooFew(Exception):
    """Raised if the committee has too few members for a decision on a request."""


def ask_for_promotion(*, user: User, starship_id: int, now: datetime) -> Promotion:
    """Request promotion of a prototype, as its builder.

    The ship cannot change until the committee decides. Raises NotFound, Forbidden for anyone except the
    builder, and Conflict if the prototype is not in testing, or does not meet all requirements. In the
    second case, the error lists the unmet requirements.
    """
    with transaction.atomic():
        prototype = _locked_for_builder(user, starship_id)
        if prototype.status == Prototype.Status.READY:
            raise Conflict("deciding", _("The design committee is already deciding on this ship."))
        if prototype.status != Prototype.Status.TESTING:
            raise Conflict("not-testing", _("Only a prototype in a bay can be promoted."))
        readiness = readiness_of(prototype=prototype)
        if not readiness.is_ready:
            lacking = [need for need in readiness.needs if not need.met]
            raise Conflict(
                "not-ready",
                _("This ship isn’t ready for promotion. {lacking}").format(
                    lacking=" ".join(need.detail for need in lacking)
                ),
                [{"code": need.code, "detail": need.detail} for need in lacking],
            )
        revision = prototype.starship.current
        assert revision
        _end_what_is_open(prototype, now)
        _set(prototype, Prototype.Status.READY)
        promotion = Promotion.objects.create(
            prototype=prototype, revision=revision, run=readiness.run, asked_at=now
        )
        notify_committee(promotion=promotion, now=now)
    return promotion


def take_back_promotion(*, user: User, starship_id: int, now: datetime) -> Prototype:
    """Withdraw a request for promotion, as the prototype's builder.

    Raises NotFound, Forbidden for anyone except the builder, and Conflict if there is no open request.
    """
    with transaction.atomic():
        prototype = _locked_for_builder(user, starship_id)
        if prototype.status != Prototype.Status.READY:
            raise Conflict("not-deciding", _("This ship has no open request for promotion."))
        _end_what_is_open(prototype, now)
        _back_to_its_bay(prototype, now)
    return prototype


def vote_about(*, user: User, promotion_id: int, vote: str, words: str = "", now: datetime) -> Promotion:
    """Cast or change a vote on a request for promotion. Carry out the decision if this vote decides.

    Raises NotFound, Forbidden for the builder and for anyone outside the committee, Conflict if the request
    is no longer open, and the errors of `refuse_words` if the stated reason is not acceptable.
    """
    refuse_others(user)
    with transaction.atomic():
        promotion = _locked_promotion(promotion_id)
        if promotion.prototype.starship.owner_id == user.pk:
            raise Forbidden("own-ship", _("You can’t vote on your own ship."))
        _check_open(promotion)
        refuse_words(user=user, words=[words], now=now)
        PromotionVote.objects.update_or_create(
            promotion=promotion, user=user, defaults={"choice": vote, "words": words, "cast_at": now}
        )
        _decide(promotion, now)
    return promotion


def check_committee(*, now: datetime) -> int:
    """Raise an alarm for each open request with too few eligible committee members."""
    return jobs.for_each_row(
        COMMITTEE_JOB, open_promotions(), _check_committee, most=PROMOTIONS_PER_PASS, now=now
    )


def _check_committee(promotion_id: int) -> None:
    promotion = open_promotions().filter(pk=promotion_id).first()
    if promotion is not None and (voters := voters_about(promotion).count()) < VOTES_NEEDED:
        raise TooFew(
            f"{voters} members of the design committee may vote about it, and it takes {VOTES_NEEDED}"
        )


def remind_committee(*, now: datetime) -> int:
    """Remind those committee members who have not voted on requests older than `REMIND_AFTER`.

    There is only one reminder for each request. Returns the number of requests for which reminders were sent.
    """
    late = open_promotions().filter(reminded_at=None, asked_at__lte=now - REMIND_AFTER)
    return jobs.for_each_row(
        REMINDERS_JOB, late, partial(_remind_committee, now=now), most=PROMOTIONS_PER_PASS, now=now
    )


def _remind_committee(promotion_id: int, *, now: datetime) -> int:
    promotion = _locked_promotion(promotion_id)
    waits = promotion.status == Promotion.Status.OPEN and promotion.prototype.status == Prototype.Status.READY
    if not waits or promotion.reminded_at is not None:
        return 0
    promotion.reminded_at = now
    promotion.save(update_fields=["reminded_at"])
    remind_of_promotion(promotion=promotion, now=now)
    return 1


def _decide(promotion: Promotion, now: datetime) -> None:
    """Carry out the decision on a request if it has enough votes.

    The caller must hold the prototype's row lock. Votes of former members do not count, and are deleted with
    the decision.
    """
    counting = promotion.votes.filter(user__in=voters_about(promotion))
    for choice, outcome in OUTCOMES.items():
        if counting.filter(choice=choice).count() >= VOTES_NEEDED:
            promotion.votes.exclude(pk__in=list(counting.values_list("pk", flat=True))).delete()
            promotion.status, promotion.ended_at = outcome, now
            promotion.save(update_fields=["status", "ended_at"])
            _carry_out(promotion, now)
            notify_of_decision(promotion=promotion, now=now)
            return


def _carry_out(promotion: Promotion, now: datetime) -> None:
    prototype = promotion.prototype
    if promotion.status == Promotion.Status.PROMOTED:
        _launch(promotion, now)
    elif promotion.status == Promotion.Status.CLOSED:
        retire_starship(starship_id=prototype.starship_id)
        _set(prototype, Prototype.Status.CLOSED, ended_at=now)
    else:
        _back_to_its_bay(prototype, now)


def _launch(promotion: Promotion, now: datetime) -> None:
    """Add the revision in a request for promotion to the fleet, at the last position."""
    starship = promotion.prototype.starship
    save_starship(
        starship_id=starship.pk,
        document=promotion.revision.document,
        section=Starship.Section.FLEET,
        seats_least=starship.seats_least,
        seats_most=starship.seats_most,
        position=next_position(Starship.Section.FLEET),
        by=starship.owner,
        known=True,
        now=now,
    )
    Starship.objects.filter(pk=starship.pk).update(launched_at=now)
    _set(promotion.prototype, Prototype.Status.LAUNCHED, ended_at=now)


def _back_to_its_bay(prototype: Prototype, now: datetime) -> None:
    """Set a prototype's status to testing, and restart the time until it becomes idle."""
    prototype.used_at, prototype.warned_at = now, None
    prototype.save(update_fields=["used_at", "warned_at"])
    _set(prototype, Prototype.Status.TESTING)


def _set(prototype: Prototype, status: Prototype.Status, ended_at: datetime | None = None) -> None:
    prototype.status, prototype.ended_at = status, ended_at
    prototype.save(update_fields=["status", "ended_at"])


def _end_what_is_open(prototype: Prototype, now: datetime) -> None:
    """Close the open requests for promotion of a prototype, as if the builder had withdrawn them."""
    prototype.promotions.filter(status=Promotion.Status.OPEN).update(
        status=Promotion.Status.TAKEN_BACK, ended_at=now
    )


def _locked_for_builder(user: User, starship_id: int) -> Prototype:
    """Lock a builder and one of their prototypes, so that the builder cannot publish a new version meanwhile.

    Raises the errors of `prototype_for_builder`, and Forbidden for guests.
    """
    refuse_guests(user)
    lock_person(user)
    return _locked(prototype_for_builder(viewer=user, starship_id=starship_id).pk)


def _locked_promotion(promotion_id: int) -> Promotion:
    """Return a request for promotion in its current state, with its prototype locked."""
    prototype = Promotion.objects.filter(pk=promotion_id).values_list("prototype", flat=True).first()
    if prototype is None:
        raise NotFound("no-promotion", _("There is no such request for promotion."))
    held = _locked(prototype)
    promotion = Promotion.objects.select_related("revision").get(pk=promotion_id)
    promotion.prototype = held
    return promotion


def _locked(prototype_id: int) -> Prototype:
    held = Prototype.objects.select_for_update(no_key=True, of=("self",))
    return held.select_related("starship__current", "starship__owner", "draft").get(pk=prototype_id)


def _check_open(promotion: Promotion) -> None:
    if promotion.status == Promotion.Status.TAKEN_BACK:
        raise Conflict("taken-back", _("The builder withdrew this ship. No decision is needed."))
    if promotion.status == Promotion.Status.TAKEN_DOWN:
        raise Conflict("taken-down", _("Staff took this ship down. No decision is needed."))
    if promotion.status != Promotion.Status.OPEN:
        raise Conflict("decided", _("The committee has already decided on this ship."))
    if promotion.prototype.status != Prototype.Status.READY:
        raise Conflict("not-deciding", _("This ship has left its bay. No decision is needed."))
