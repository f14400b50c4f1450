"""What people say about starships after a game on them, and what it comes to."""

from typing import Final

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

MOST_STARS: Final = 5
MOST_TAGS: Final = 3
LONGEST_REVIEW: Final = 2_000
"""Characters of a review, and of the answer to it."""

SHOWN_FROM: Final = 5
"""How many people a ship needs before its stars are shown."""


class Tag(models.TextChoices):
    """What a review may say of a ship in a word or two."""

    CLEVER_ROUTES = "clever-routes", _("Clever routes")
    FAIR_STARTS = "fair-starts", _("Fair starts")
    FULL_OF_ACTION = "full-of-action", _("Full of action")
    FUN_ELEMENTS = "fun-elements", _("Fun elements")
    CLOSE_FINISH = "close-finish", _("Close finish")
    FOR_BEGINNERS = "for-beginners", _("Good for beginners")
    TOO_LONG = "too-long", _("Too long")
    TOO_SHORT = "too-short", _("Too short")
    UNFAIR_STARTS = "unfair-starts", _("Unfair starts")
    TOO_DEADLY = "too-deadly", _("Too deadly")
    TOO_CROWDED = "too-crowded", _("Too crowded")
    LITTLE_HAPPENS = "little-happens", _("Little happens")


class Review(models.Model):
    """What a person says about a starship in one version, after a game on it.

    ``changed_at`` says when its author last changed it. One of a burst waits until ``held_until``, and one
    that staff took away has been hidden since ``hidden_at``: both count for nothing, and only their authors
    and staff see them. The builder answers once.
    """

    starship = models.ForeignKey("Starship", on_delete=models.CASCADE, related_name="reviews")
    revision = models.ForeignKey("StarshipRevision", on_delete=models.CASCADE, related_name="reviews")
    author = models.ForeignKey("accounts.User", on_delete=models.PROTECT, related_name="reviews")
    stars = models.PositiveSmallIntegerField()
    tags = ArrayField(models.CharField(max_length=20, choices=Tag), default=list)
    text = models.TextField(max_length=LONGEST_REVIEW, blank=True)
    written_at = models.DateTimeField()
    changed_at = models.DateTimeField(null=True)
    held_until = models.DateTimeField(null=True)
    hidden_at = models.DateTimeField(null=True)
    answer = models.TextField(max_length=LONGEST_REVIEW, blank=True)
    answered_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-written_at", "-pk"]
        indexes = [
            models.Index(fields=["starship", "-id"], name="reviews_of_a_starship"),
            models.Index(fields=["held_until"], name="reviews_held", condition=Q(held_until__isnull=False)),
        ]
        constraints = [
            models.UniqueConstraint(fields=["revision", "author"], name="review_one_each"),
            models.CheckConstraint(name="review_has_stars", condition=Q(stars__range=(1, MOST_STARS))),
            models.CheckConstraint(name="review_has_few_tags", condition=Q(tags__len__lte=MOST_TAGS)),
            models.CheckConstraint(
                name="review_answered_at_some_time",
                condition=Q(answer="", answered_at=None) | ~Q(answer="") & Q(answered_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"review {self.pk} of starship {self.starship_id}"

    @property
    def is_shown(self) -> bool:
        """Whether others see it, and it counts."""
        return self.held_until is None and self.hidden_at is None


class Rating(models.Model):
    """What the reviews of a starship come to: of each person the one about the newest version.

    ``reviews`` is how many people count, and ``total`` their stars together. ``stars`` is their mean, None
    while they are too few to be shown. ``shrunk`` is for sorting: the mean as if there were ten more reviews
    with the mean of the whole site (`services.ratings`). A ship without reviews has no rating.
    """

    starship = models.OneToOneField("Starship", on_delete=models.CASCADE, related_name="rating")
    reviews = models.PositiveIntegerField()
    total = models.PositiveIntegerField()
    stars = models.DecimalField(max_digits=3, decimal_places=2, null=True)
    shrunk = models.DecimalField(max_digits=4, decimal_places=3, db_index=True)

    class Meta:
        ordering = ["-shrunk", "-pk"]
        constraints = [
            models.CheckConstraint(
                name="rating_of_somebody",
                condition=Q(reviews__gte=1, total__gte=F("reviews"), total__lte=F("reviews") * MOST_STARS),
            ),
            models.CheckConstraint(
                name="rating_shown_from_enough_people",
                condition=Q(reviews__lt=SHOWN_FROM, stars=None)
                | Q(reviews__gte=SHOWN_FROM, stars__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"rating of starship {self.starship_id}"
