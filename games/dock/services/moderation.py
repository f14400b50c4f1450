"""What staff do about reviews. Each deed takes a reason, which the author reads."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games import errors
from games.dock.models import Review
from games.dock.models.moderation import LONGEST_REASON, Moderation
from games.dock.models.reports import Report
from games.dock.reviews import locked_starship, rate
from games.dock.services import notify_of_review
from games.dock.services.reports import Thing, close_reports
from games.errors import Conflict, Invalid, NotFound
from games.rights import Right, require
from games.shipyard.models import StarshipDraft


def hide_review(*, user: User, review_id: int, reason: str, now: datetime) -> Review:
    """Hide a review, as staff: only its author and staff see it, and it counts no more. Its reports close.

    Raises Forbidden for all others, Invalid without a reason, NotFound, and Conflict for one that is hidden.
    """
    return _moderate(user, review_id, Moderation.Action.HIDE, reason, now)


def show_review(*, user: User, review_id: int, reason: str, now: datetime) -> Review:
    """Show a review again that staff have hidden. Raises what `hide_review` does."""
    return _moderate(user, review_id, Moderation.Action.SHOW, reason, now)


def release_review(*, user: User, review_id: int, reason: str, now: datetime) -> Review:
    """Show a review at once that waits as one of many in a day. Raises what `hide_review` does."""
    return _moderate(user, review_id, Moderation.Action.RELEASE, reason, now)


def _moderate(user: User, review_id: int, action: Moderation.Action, reason: str, now: datetime) -> Review:
    reason = checked_reason(user, Right.CHANGE_REVIEWS, reason)
    return moderate(user, review_id, action, reason, now)


def moderate(user: User, review_id: int, action: Moderation.Action, reason: str, now: datetime) -> Review:
    """Do to a review what staff with the right have decided; raises NotFound and Conflict."""
    with transaction.atomic():
        starship_id = Review.objects.filter(pk=review_id).values_list("starship", flat=True).first()
        starship = locked_starship(starship_id or 0)
        review = starship.reviews.filter(pk=review_id).first()
        if review is None:
            raise NotFound("no-review", _("There is no such review."))
        if action == Moderation.Action.RELEASE:
            if review.held_until is None:
                raise Conflict("not-held", _("This review does not wait."))
            review.held_until = None
        elif (review.hidden_at is not None) == (action == Moderation.Action.HIDE):
            hidden, shown = _("This review is hidden already."), _("This review is not hidden.")
            raise Conflict("done", hidden if review.hidden_at else shown)
        else:
            review.hidden_at = now if action == Moderation.Action.HIDE else None
        review.save(update_fields=["held_until", "hidden_at"])
        record(user, action, review, reason, now)
        if action == Moderation.Action.HIDE:
            close_reports(thing=review, outcome=Report.Outcome.TAKEN_DOWN, now=now)
        rate(starship)
        notify_of_review(review=review, now=now)
    return review


def record(user: User, action: Moderation.Action, thing: Thing, reason: str, now: datetime) -> Moderation:
    """Keep what staff have done about a ship, a draft or a review, whose row is held."""
    kept = {"action": action, "reason": reason, "by": user, "at": now}
    if isinstance(thing, Review):
        return Moderation.objects.create(starship_id=thing.starship_id, review=thing, **kept)
    if isinstance(thing, StarshipDraft):
        return Moderation.objects.create(draft=thing, **kept)
    return Moderation.objects.create(starship=thing, **kept)


def checked_reason(user: User, right: Right, reason: str) -> str:
    """Return the reason of staff with a right, as it is kept; raises Forbidden and Invalid."""
    require(user, right)
    tidy = " ".join(reason.split())
    needed = _("Say why you do this. The reason is kept.")
    if problems := errors.problems_of(tidy, longest=LONGEST_REASON, code="reason", needed=needed):
        raise Invalid("reason", problems[0]["detail"], problems)
    return tidy
