"""Reviews of starships by people who finished a game on them, and the builder's answers."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games import jobs, texts
from games.dock.models import Review
from games.dock.models.reviews import LONGEST_REVIEW, MOST_STARS, MOST_TAGS, Tag
from games.dock.selectors.reviews import is_builder, review_of, version_to_review
from games.dock.services.notices import tell_of_answer, tell_of_review
from games.dock.services.ratings import level_ratings, locked_starship, rate
from games.errors import Conflict, Forbidden, Gone, Invalid, NotFound, ProblemDocument, refuse_guests
from games.fleet.models import Starship
from games.play.selectors.words import refuse_words
from games.sanctions.selectors import refuse_muted

BURST: Final = 10
"""Reviews of one ship within `WHILE` that are shown at once; further ones wait."""

WHILE: Final = timedelta(hours=24)

HELD: Final = timedelta(hours=48)
"""How long a review of a burst waits, unless staff release it sooner."""

MOST_HELD: Final = 200
"""Reviews that one pass of the sweeper releases."""


def write_review(
    *,
    user: User,
    starship_id: int,
    stars: int,
    tags: Sequence[str] = (),
    text: str = "",
    version: int | None = None,
    now: datetime,
) -> Review:
    """Review a starship in a version on which the person finished a game, or change the review of it.

    Without ``version`` it is the newest that they finished a game on. One review of a burst is held: it
    waits, uncounted. Raises Forbidden for guests, muted players, the builder, and people without such a game,
    NotFound, Gone for a ship that was taken down, Invalid with all that is wrong, and Conflict for a review
    that staff have hidden.
    """
    refuse_guests(user)
    refuse_muted(user=user, now=now)
    refuse_words(user=user, words=[text], now=now)
    with transaction.atomic():
        starship = locked_starship(starship_id)
        if starship.taken_down_at:
            raise Gone("taken-down", _("Staff took this ship down, so it cannot be reviewed."))
        revision = version_to_review(user=user, starship=starship, version=version)
        stars, tags, text = _checked(stars, tags, text)
        review = Review.objects.filter(revision=revision, author=user).first()
        if review is None:
            held_until = now + HELD if _is_burst(starship, now) else None
            review = Review(
                starship=starship, revision=revision, author=user, written_at=now, held_until=held_until
            )
        else:
            _refuse_hidden(review)
            if (review.stars, review.tags, review.text) == (stars, tags, text):
                return review
            review.changed_at = now
        review.stars, review.tags, review.text = stars, list(tags), text
        review.save()
        rate(starship)
        if review.changed_at is None:
            tell_of_review(review=review, now=now)
    return review


def take_back_review(*, user: User, starship_id: int, version: int | None = None) -> None:
    """Take back what a person wrote about a starship; without ``version`` about the newest version.

    Raises NotFound where there is no such review, and Conflict for one that staff have hidden.
    """
    with transaction.atomic():
        starship = locked_starship(starship_id)
        review = review_of(author=user, starship=starship, version=version)
        _refuse_hidden(review)
        review.delete()
        rate(starship)


def answer_review(*, user: User, review_id: int, text: str, now: datetime) -> Review:
    """Answer a review of one's own ship, once and for good.

    Raises NotFound for reviews that the builder does not see, Forbidden for others, Conflict for a review
    that was answered, and Invalid.
    """
    refuse_words(user=user, words=[text], now=now)
    with transaction.atomic():
        found = Review.objects.select_for_update(no_key=True, of=("self",)).select_related(
            "starship", "author"
        )
        review = found.filter(pk=review_id, held_until=None, hidden_at=None).first()
        if review is None or review.starship.taken_down_at:
            raise NotFound("no-review", _("There is no such review."))
        if not is_builder(user, review.starship):
            raise Forbidden("not-builder", _("Only the builder of a ship answers its reviews."))
        problems: list[ProblemDocument] = []
        answer = _checked_text(text, problems)
        if not texts.says_something(answer):
            problems.append({"code": "text", "detail": _("Your answer is empty. Write something first.")})
        if problems:
            raise Invalid("answer", _("Your answer cannot be published like this."), problems)
        if review.answer:
            raise Conflict("answered", _("You have answered this review. An answer cannot be changed."))
        review.answer, review.answered_at = answer, now
        review.save(update_fields=["answer", "answered_at"])
        tell_of_answer(review=review, now=now)
    return review


def release_reviews(*, now: datetime) -> int:
    """Show reviews that have been held for long enough, and follow the site's mean; return how many."""
    due = Review.objects.filter(held_until__lte=now).order_by("held_until", "pk")
    released = jobs.each("reviews", due, partial(release, now=now), most=MOST_HELD, now=now)
    level_ratings()
    return released


def release(review_id: int, *, now: datetime) -> int:
    """Show a review that is held; return 1 if it was. Raises NotFound."""
    with transaction.atomic():
        starship_id = Review.objects.filter(pk=review_id).values_list("starship", flat=True).first()
        if starship_id is None:
            raise NotFound("no-review", _("There is no such review."))
        starship = locked_starship(starship_id)
        review = starship.reviews.filter(pk=review_id, held_until__isnull=False).first()
        if review is None:
            return 0
        review.held_until = None
        review.save(update_fields=["held_until"])
        rate(starship)
        tell_of_review(review=review, now=now)
    return 1


def _checked(stars: object, tags: object, text: object) -> tuple[int, list[str], str]:
    """Return a review as it is kept; raises Invalid with all that is wrong with it."""
    problems: list[ProblemDocument] = []
    if type(stars) is not int or not 1 <= stars <= MOST_STARS:
        detail = _("Give the ship 1 to {most} stars.").format(most=MOST_STARS)
        problems.append({"code": "stars", "detail": detail})
    asked = list(tags) if isinstance(tags, list | tuple) else [tags]
    chosen = [tag for tag in Tag.values if tag in asked]
    if unknown := next((tag for tag in asked if tag not in Tag.values), None):
        detail = _("There is no tag “{name}”.").format(name=str(unknown)[:40])
        problems.append({"code": "tags", "detail": detail})
    elif len(chosen) > MOST_TAGS:
        detail = _("Choose at most {most} tags.").format(most=MOST_TAGS)
        problems.append({"code": "tags", "detail": detail})
    tidy = _checked_text(str(text), problems)
    if problems or not isinstance(stars, int):
        raise Invalid("review", _("Your review cannot be saved like this."), problems)
    return stars, chosen, tidy


def _checked_text(text: str, problems: list[ProblemDocument]) -> str:
    """Return a text as it is kept, and add what is wrong with it to the problems."""
    tidy = texts.tidied(text)
    problems += texts.problems_of(tidy, longest=LONGEST_REVIEW)
    return tidy


def _refuse_hidden(review: Review) -> None:
    if review.hidden_at is not None:
        detail = _("Staff have hidden this review. It stays as it is until they show it again.")
        raise Conflict("hidden", detail)


def _is_burst(starship: Starship, now: datetime) -> bool:
    """Return whether a ship got as many reviews lately as are shown at once."""
    lately = starship.reviews.filter(written_at__gt=now - WHILE, held_until=None)
    return lately.count() >= BURST
