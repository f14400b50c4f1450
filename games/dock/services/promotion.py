"""Promotion: a builder asks that a prototype joins the fleet, and the design committee decides."""

from datetime import datetime, timedelta
from functools import partial
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games import jobs, texts
from games.dock.models import MOST_WORDS, Promotion, PromotionVote, Prototype
from games.dock.selectors.committee import NEEDED, open_promotions, refuse_others, voters_about
from games.dock.selectors.prototypes import own_prototype_for
from games.dock.selectors.readiness import readiness_of
from games.dock.services.notices import remind_of_promotion, tell_committee, tell_of_decision
from games.errors import Conflict, Forbidden, Invalid, NotFound, refuse_guests
from games.fleet.models import Starship
from games.fleet.services import next_position, retire_starship, save_starship
from games.play.selectors.words import refuse_words
from games.play.services.locks import hold_person

OUTCOMES: Final = {
    PromotionVote.Choice.PROMOTE.value: Promotion.Status.PROMOTED,
    PromotionVote.Choice.SEND_BACK.value: Promotion.Status.SENT_BACK,
    PromotionVote.Choice.CLOSE.value: Promotion.Status.CLOSED,
}
"""What becomes of a request for promotion by the votes that decide it."""


JOB: Final = "committee"
"""The job of the sweeper that looks after what waits for the committee."""

REMINDERS: Final = "committee reminders"
"""The job of the sweeper that reminds the committee."""

PATIENCE: Final = timedelta(days=14)
"""How long a ship waits before the committee is reminded."""

MOST: Final = 500
"""Ships that a pass of it looks at."""


class TooFew(Exception):
    """Fewer members may vote than it takes to decide."""


def ask_for_promotion(*, user: User, starship_id: int, now: datetime) -> Promotion:
    """Put a prototype before the design committee; until it decides, the ship stays as it is.

    Raises Forbidden for everyone but its builder, NotFound, and Conflict for a ship that is not being tested,
    or that lacks something, with everything that it lacks.
    """
    with transaction.atomic():
        prototype = _held_for_builder(user, starship_id)
        if prototype.status == Prototype.Status.READY:
            raise Conflict("deciding", _("The design committee is already deciding about this ship."))
        if prototype.status != Prototype.Status.TESTING:
            raise Conflict("not-testing", _("Only a prototype in a bay can be promoted."))
        readiness = readiness_of(prototype=prototype)
        if not readiness.is_ready:
            lacking = [need for need in readiness.needs if not need.met]
            raise Conflict(
                "not-ready",
                _("This ship is not ready yet. {lacking}").format(
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
        tell_committee(promotion=promotion, now=now)
    return promotion


def take_back(*, user: User, starship_id: int, now: datetime) -> Prototype:
    """Take a prototype back from the committee, to change it; raises as `ask_for_promotion` does."""
    with transaction.atomic():
        prototype = _held_for_builder(user, starship_id)
        if prototype.status != Prototype.Status.READY:
            raise Conflict("not-deciding", _("The design committee is not deciding about this ship."))
        _end_what_is_open(prototype, now)
        _back_to_its_bay(prototype, now)
    return prototype


def vote_about(*, user: User, promotion_id: int, choice: str, words: str = "", now: datetime) -> Promotion:
    """Vote about a prototype, or change a vote; what is decided by it is done at once.

    Raises Forbidden for everyone who is not on the committee and for the builder, NotFound, Conflict for what
    is not open any more, and Invalid for no choice, for words that are no text or too long, and where reasons
    are needed and there are none.
    """
    refuse_others(user)
    with transaction.atomic():
        promotion = _held_promotion(promotion_id)
        if promotion.prototype.starship.owner_id == user.pk:
            raise Forbidden("own-ship", _("You cannot vote about a ship of your own."))
        _check_open(promotion)
        reasons = _reasons(choice, words)
        refuse_words(user=user, words=[reasons], now=now)
        PromotionVote.objects.update_or_create(
            promotion=promotion,
            user=user,
            defaults={"choice": choice, "words": reasons, "cast_at": now},
        )
        _decide(promotion, now)
    return promotion


def watch_committee(*, now: datetime) -> int:
    """Raise an alarm about each ship whose committee is too small to decide, until it is large enough."""
    return jobs.each(JOB, open_promotions(), _check_committee, most=MOST, now=now)


def _check_committee(promotion_id: int) -> None:
    promotion = open_promotions().filter(pk=promotion_id).first()
    if promotion is not None and (voters := voters_about(promotion).count()) < NEEDED:
        raise TooFew(f"{voters} members of the design committee may vote about it, and it takes {NEEDED}")


def remind_committee(*, now: datetime) -> int:
    """Remind members once who have not voted about a ship for long; return of how many ships."""
    late = open_promotions().filter(reminded_at=None, asked_at__lte=now - PATIENCE)
    return jobs.each(REMINDERS, late, partial(_remind_committee, now=now), most=MOST, now=now)


def _remind_committee(promotion_id: int, *, now: datetime) -> int:
    promotion = _held_promotion(promotion_id)
    waits = promotion.status == Promotion.Status.OPEN and promotion.prototype.status == Prototype.Status.READY
    if not waits or promotion.reminded_at is not None:
        return 0
    promotion.reminded_at = now
    promotion.save(update_fields=["reminded_at"])
    remind_of_promotion(promotion=promotion, now=now)
    return 1


def _decide(promotion: Promotion, now: datetime) -> None:
    """Do what enough members have voted for, to a prototype whose row is held.

    Votes of people who have left the committee do not count; once it is decided, they go.
    """
    counting = promotion.votes.filter(user__in=voters_about(promotion))
    for choice, outcome in OUTCOMES.items():
        if counting.filter(choice=choice).count() >= NEEDED:
            promotion.votes.exclude(pk__in=list(counting.values_list("pk", flat=True))).delete()
            promotion.status, promotion.ended_at = outcome, now
            promotion.save(update_fields=["status", "ended_at"])
            _carry_out(promotion, now)
            tell_of_decision(promotion=promotion, now=now)
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
    """Have a prototype, as it was judged, join the fleet as another revision, behind all ships there."""
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
    """Have a prototype be tested again; the time with the committee counts as use."""
    prototype.used_at, prototype.warned_at = now, None
    prototype.save(update_fields=["used_at", "warned_at"])
    _set(prototype, Prototype.Status.TESTING)


def _set(prototype: Prototype, status: Prototype.Status, ended_at: datetime | None = None) -> None:
    prototype.status, prototype.ended_at = status, ended_at
    prototype.save(update_fields=["status", "ended_at"])


def _end_what_is_open(prototype: Prototype, now: datetime) -> None:
    """End what the committee has before it about a prototype."""
    prototype.promotions.filter(status=Promotion.Status.OPEN).update(
        status=Promotion.Status.TAKEN_BACK, ended_at=now
    )


def _held_for_builder(user: User, starship_id: int) -> Prototype:
    """Return a prototype of a person's own, held together with the person: it is not published meanwhile."""
    refuse_guests(user)
    hold_person(user)
    return _held(own_prototype_for(viewer=user, starship_id=starship_id).pk)


def _held_promotion(promotion_id: int) -> Promotion:
    """Return a request for promotion as it is now, with its prototype held."""
    prototype = Promotion.objects.filter(pk=promotion_id).values_list("prototype", flat=True).first()
    if prototype is None:
        raise NotFound("no-promotion", _("There is no such request for promotion."))
    held = _held(prototype)
    promotion = Promotion.objects.select_related("revision").get(pk=promotion_id)
    promotion.prototype = held
    return promotion


def _held(prototype_id: int) -> Prototype:
    held = Prototype.objects.select_for_update(no_key=True, of=("self",))
    return held.select_related("starship__current", "starship__owner", "draft").get(pk=prototype_id)


def _check_open(promotion: Promotion) -> None:
    if promotion.status == Promotion.Status.TAKEN_BACK:
        raise Conflict("taken-back", _("The builder has taken this ship back. There is nothing to decide."))
    if promotion.status == Promotion.Status.TAKEN_DOWN:
        raise Conflict("taken-down", _("Staff took this ship down. There is nothing to decide."))
    if promotion.status != Promotion.Status.OPEN:
        raise Conflict("decided", _("The committee has already decided about this ship."))
    if promotion.prototype.status != Prototype.Status.READY:
        raise Conflict("not-deciding", _("This ship has left its bay. There is nothing to decide."))


def _reasons(choice: str, words: str) -> str:
    """Return what a member writes about a vote, tidied; raises Invalid."""
    if choice not in PromotionVote.Choice.values:
        raise _refused("vote", _("Choose one: promote, send back or close."))
    tidy = texts.tidied(words)
    if problems := texts.problems_of(tidy, longest=MOST_WORDS, code="words"):
        raise Invalid("no-vote", problems[0]["detail"], problems)
    if choice != PromotionVote.Choice.PROMOTE and not texts.says_something(tidy):
        raise _refused("words", _("Write why. The builder and everyone else can read it."))
    return tidy


def _refused(code: str, detail: str) -> Invalid:
    return Invalid("no-vote", detail, [{"code": code, "detail": detail}])
