"""Notifications about ships: to builders, to people who review, and to the design committee.

The caller holds a row of what they are about, so that no one is told twice.
"""

from datetime import datetime
from typing import Final

from accounts.limits import Limit, take
from games.contacts.selectors import reachable
from games.dock.models import Moderation, Promotion, PromotionVote, Prototype, Review
from games.dock.selectors.committee import voters_about
from games.fleet.models import Starship
from games.news.services.notifications import tell_of_starship

OFTEN: Final = Limit("told-of-ship", 3, 24 * 60 * 60)
"""How often a person's deeds are told of a ship: to take back and do again must not send mail for ever."""


def tell_of_review(*, review: Review, now: datetime) -> None:
    """Tell the builder of a review as soon as others see it; one that was hidden meanwhile is told then."""
    if review.is_shown and not take(OFTEN, f"review:{review.author_id}:{review.starship_id}"):
        builder = [review.starship.owner] if review.starship.owner else []
        tell_of_starship(
            users=reachable(user=review.author, people=builder),
            kind="review",
            starship_id=review.starship_id,
            about=review.pk,
            now=now,
        )


def tell_of_answer(*, review: Review, now: datetime) -> None:
    """Tell the author of a review that the builder has answered."""
    builder = review.starship.owner
    users = reachable(user=builder, people=[review.author]) if builder else [review.author]
    tell_of_starship(users=users, kind="answer", starship_id=review.starship_id, about=review.pk, now=now)


def tell_of_decision(*, promotion: Promotion, now: datetime) -> None:
    """Tell the builder what the committee has decided."""
    _tell_builder(promotion.prototype.starship, "decision", promotion.pk, now)


def tell_committee(*, promotion: Promotion, now: datetime) -> None:
    """Tell its members that a ship waits for their votes."""
    ship = promotion.prototype.starship_id
    if not take(OFTEN, f"ready:{ship}"):
        tell_of_starship(
            users=voters_about(promotion), kind="ready", starship_id=ship, about=promotion.pk, now=now
        )


def remind_of_promotion(*, promotion: Promotion, now: datetime) -> None:
    """Remind members who have not voted."""
    voted = PromotionVote.objects.filter(promotion=promotion).values("user")
    ship = promotion.prototype.starship_id
    late = voters_about(promotion).exclude(pk__in=voted)
    tell_of_starship(users=late, kind="undecided", starship_id=ship, about=promotion.pk, now=now)


def warn_of_idleness(*, prototype: Prototype, now: datetime) -> None:
    """Tell the builder that a prototype leaves its bay `WARNING` from now, unless it is used.

    They are told once for each time that it has not been used for so long.
    """
    _tell_builder(prototype.starship, "idle", int(prototype.used_at.timestamp()), now)


def tell_of_takedown(*, moderation: Moderation, now: datetime) -> None:
    """Tell the builder that staff have taken down a ship, with the reason that was given."""
    assert moderation.starship
    _tell_builder(moderation.starship, "taken-down", moderation.pk, now)


def _tell_builder(starship: Starship, kind: str, about: int, now: datetime) -> None:
    users = [starship.owner] if starship.owner else []
    tell_of_starship(users=users, kind=kind, starship_id=starship.pk, about=about, now=now)
