"""Ratings of starships, made from their reviews in the transaction that changes one."""

from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from django.db import transaction
from django.db.models import DecimalField, ExpressionWrapper, F, Sum, Value
from django.db.models.functions import Abs, Round

from games.dock.models import Rating, Review
from games.dock.models.reviews import SHOWN_FROM
from games.errors import NotFound
from games.fleet.models import Starship
from games.fleet.selectors import starship_for

WEIGHT: Final = 10
"""How many reviews with the site's mean are added to those of a ship, for sorting."""

DRIFT: Final = Decimal("0.01")
"""How far a value for sorting may be from what the site's mean has become."""


def locked_starship(starship_id: int) -> Starship:
    """Return a starship, held until the transaction ends: its reviews and its rating change one at a time.

    It may have been taken down. Raises NotFound.
    """
    held = Starship.objects.select_for_update(no_key=True).filter(pk=starship_id).values_list("pk", flat=True)
    list(held.order_by())
    return starship_for(starship_id=starship_id, taken_down=True)


def rate(starship: Starship) -> None:
    """Make the rating of a starship, whose row is held, from its reviews."""
    stars = list(_counted(starship.pk))
    if not stars:
        Rating.objects.filter(starship=starship).delete()
        return
    others = Rating.objects.exclude(starship=starship).aggregate(
        total=Sum("total", default=0), reviews=Sum("reviews", default=0)
    )
    mean = Decimal(others["total"] + sum(stars)) / (others["reviews"] + len(stars))
    Rating.objects.update_or_create(
        starship=starship,
        defaults={
            "reviews": len(stars),
            "total": sum(stars),
            "stars": _rounded(Decimal(sum(stars)) / len(stars), "0.01") if len(stars) >= SHOWN_FROM else None,
            "shrunk": _rounded((sum(stars) + WEIGHT * mean) / (len(stars) + WEIGHT), "0.001"),
        },
    )


def level_ratings() -> int:
    """Follow the site's mean with all values for sorting that are off by `DRIFT`; return how many were."""
    site = Rating.objects.aggregate(total=Sum("total"), reviews=Sum("reviews"))
    if not site["reviews"]:
        return 0
    # With decimals, so that SQL divides numbers and not integers.
    added = Value(_rounded(Decimal(WEIGHT * site["total"]) / site["reviews"], "0.000001"))
    exact = DecimalField(max_digits=12, decimal_places=9)
    shrunk = ExpressionWrapper((F("total") + added) / (F("reviews") + WEIGHT), exact)
    off = Abs(ExpressionWrapper(F("shrunk") - shrunk, exact))
    return Rating.objects.alias(off=off).filter(off__gte=DRIFT).update(shrunk=Round(shrunk, precision=3))


def rate_all() -> int:
    """Make all ratings again from the reviews; return how many were wrong. It may be repeated at any time."""
    wrong = 0
    reviewed = Starship.objects.filter(reviews__isnull=False) | Starship.objects.filter(rating__isnull=False)
    for starship_id in reviewed.distinct().order_by("pk").values_list("pk", flat=True):
        with transaction.atomic():
            try:
                starship = locked_starship(starship_id)
            except NotFound:
                continue  # deleted meanwhile
            before = _kept(starship)
            rate(starship)
            wrong += before != _kept(starship)
    level_ratings()
    return wrong


def _kept(starship: Starship) -> tuple[int, int, Decimal | None] | None:
    """Return what is kept of a ship's rating that its own reviews decide."""
    return Rating.objects.filter(starship=starship).values_list("reviews", "total", "stars").first()


def _counted(starship_id: int) -> list[int]:
    """Return the stars that count for a ship: of each person those for the newest version that they saw."""
    shown = Review.objects.filter(starship=starship_id, held_until=None, hidden_at=None)
    newest = shown.order_by("author_id", "-revision__number").distinct("author_id")
    return list(newest.values_list("stars", flat=True))


def _rounded(number: Decimal, to: str) -> Decimal:
    return number.quantize(Decimal(to), ROUND_HALF_UP)
