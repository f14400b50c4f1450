"""Prototypes, their promotions, and reviews of starships."""

from datetime import datetime, timedelta
from typing import Final

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.shipyard.models import MOST_PLAYERS, StarshipDraft

IDLE_AFTER: Final = timedelta(days=90)
"""A prototype is idle if there has been no joint game (of two or more people) on it for this long."""

WARNING_PERIOD: Final = timedelta(days=14)
"""The time between the warning to the builder and the removal of the idle prototype from its bay."""


class Prototype(models.Model):
    """A starship in its present or past role as a prototype of its owner, the builder.

    The prototype's versions are revisions of the starship. The latest version was published from version
    ``draft_version`` of ``draft``, for ``players`` players and ``ruleset``, under ``licence``. ``used_at`` is
    the time of the last recorded publication or joint game (a game with two or more people). ``warned_at`` is
    the time when the builder was warned that the prototype will leave its bay (its place in the Space Dock).
    ``taken_from`` is the prototype's status before staff took it down, or empty.
    """

    class Status(models.TextChoices):
        TESTING = "testing", _("Being tested")
        READY = "ready", _("With the design committee")
        LAUNCHED = "launched", _("In the fleet")
        CLOSED = "closed", _("Closed")
        IDLE = "idle", _("Left its bay")
        TAKEN_DOWN = "taken-down", _("Taken down")

    IN_BAY: Final = (Status.TESTING, Status.READY)

    starship = models.OneToOneField("Starship", on_delete=models.CASCADE, related_name="prototype")
    draft = models.ForeignKey(StarshipDraft, on_delete=models.SET_NULL, null=True, related_name="prototypes")
    draft_version = models.PositiveIntegerField()
    ruleset = models.CharField(max_length=40)
    players = models.PositiveSmallIntegerField()
    licence = models.CharField(max_length=200)
    status = models.CharField(max_length=10, choices=Status, default=Status.TESTING)
    taken_from = models.CharField(max_length=10, choices=Status, blank=True, default="", db_default="")
    published_at = models.DateTimeField()
    used_at = models.DateTimeField()
    warned_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-published_at", "-pk"]
        indexes = [
            models.Index(
                fields=["used_at"], name="prototypes_in_bays", condition=Q(status__in=["testing", "ready"])
            )
        ]
        constraints = [
            models.CheckConstraint(name="prototype_counted_from_1", condition=Q(draft_version__gte=1)),
            models.CheckConstraint(
                name="prototype_has_players", condition=Q(players__range=(1, MOST_PLAYERS))
            ),
            models.CheckConstraint(
                name="prototype_in_its_bay_or_ended",
                condition=Q(status__in=["testing", "ready"], ended_at=None)
                | Q(status__in=["launched", "closed", "idle", "taken-down"], ended_at__isnull=False),
            ),
            models.CheckConstraint(
                name="prototype_taken_down_from_a_status",
                condition=Q(status="taken-down") & ~Q(taken_from__in=["", "taken-down"])
                | ~Q(status="taken-down") & Q(taken_from=""),
            ),
        ]

    def __str__(self) -> str:
        return f"prototype of starship {self.starship_id}"

    @property
    def is_in_bay(self) -> bool:
        """Whether the prototype is in a bay of the Space Dock, so that people may play on it."""
        return self.status in self.IN_BAY

    @property
    def leaves_at(self) -> datetime | None:
        """The time when the prototype leaves its bay, unless people play together on it first.

        None until the builder has been warned, while the design committee decides on the prototype, and
        after it has left its bay.
        """
        if self.status != self.Status.TESTING or self.warned_at is None:
            return None
        return self.warned_at + WARNING_PERIOD


LONGEST_REASONS: Final = 2000
"""The maximum number of characters in a committee member's reason for a vote."""


class Promotion(models.Model):
    """A builder's request to add a ``revision`` of a prototype to the fleet.

    ``run`` is a green or amber run of this revision in the wind tunnel, or None if the run was deleted.
    ``reminded_at`` is the time when the design committee was reminded of the request, or None if it was not.
    Members of the committee have the permission ``decide_promotion``.
    """

    class Status(models.TextChoices):
        OPEN = "open", _("Waiting for a decision")
        PROMOTED = "promoted", _("Promoted")
        SENT_BACK = "sent-back", _("Sent back")
        CLOSED = "closed", _("Closed")
        TAKEN_BACK = "taken-back", _("Withdrawn by its builder")
        TAKEN_DOWN = "taken-down", _("Taken down by staff")

    DECIDED: Final = (Status.PROMOTED, Status.SENT_BACK, Status.CLOSED, Status.TAKEN_DOWN)

    prototype = models.ForeignKey(Prototype, on_delete=models.CASCADE, related_name="promotions")
    revision = models.ForeignKey("StarshipRevision", on_delete=models.PROTECT, related_name="+")
    run = models.ForeignKey("TunnelRun", on_delete=models.SET_NULL, null=True, related_name="+")
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    asked_at = models.DateTimeField()
    reminded_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        permissions = [("decide_promotion", "Can decide about promotions, as the design committee")]
        indexes = [
            models.Index(fields=["asked_at"], name="promotions_open", condition=Q(status="open")),
            models.Index(
                fields=["-ended_at"],
                name="promotions_decided",
                condition=Q(status__in=["promoted", "sent-back", "closed", "taken-down"]),
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["prototype"], name="promotion_open_one_each", condition=Q(status="open")
            ),
            models.CheckConstraint(
                name="promotion_open_or_ended",
                condition=Q(status="open", ended_at=None) | ~Q(status="open") & Q(ended_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"promotion {self.pk} of prototype {self.prototype_id}"


class PromotionVote(models.Model):
    """A committee member's vote on a request for promotion. It can change until the decision.

    ``words`` is the reason. It may be empty only for a vote to promote.
    """

    class Choice(models.TextChoices):
        PROMOTE = "promote", _("Promote")
        SEND_BACK = "send-back", _("Send back")
        CLOSE = "close", _("Close")

    promotion = models.ForeignKey(Promotion, on_delete=models.CASCADE, related_name="votes")
    user = models.ForeignKey("accounts.User", on_delete=models.PROTECT, related_name="+")
    choice = models.CharField(max_length=10, choices=Choice)
    words = models.TextField(blank=True, max_length=LONGEST_REASONS)
    cast_at = models.DateTimeField()

    class Meta:
        ordering = ["cast_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["promotion", "user"], name="promotion_vote_one_each"),
            models.CheckConstraint(
                name="promotion_vote_has_reasons", condition=Q(choice="promote") | ~Q(words="")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.choice} of {self.user_id} for promotion {self.promotion_id}"


MOST_STARS: Final = 5
MOST_TAGS: Final = 3
LONGEST_REVIEW: Final = 2_000
"""The maximum number of characters in a review, and in the builder's answer."""

REVIEWERS_FOR_STARS: Final = 5
"""The minimum number of reviewers for showing a ship's stars."""


class Tag(models.TextChoices):
    """A short phrase about a starship, to choose in a review."""

    CLEVER_ROUTES = "clever-routes", _("Clever routes")
    FAIR_STARTS = "fair-starts", _("Fair starts")
    FULL_OF_ACTION = "full-of-action", _("Action-packed")
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
    """A person's review of one version of a starship, after a game on this version.

    ``changed_at`` is the time of the author's last change. ``held_until`` is the time until which the review
    is withheld, because the ship got many reviews in a day. ``hidden_at`` is the time when staff hid it.
    Withheld and hidden reviews do not count, and only their authors and staff see them. The builder can write
    one ``answer``.
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
        """Whether the review is visible to everyone and counts towards the rating."""
        return self.held_until is None and self.hidden_at is None


class ShipRating(models.Model):
    """The rating of a starship. Each reviewer counts once, with the newest version that they reviewed.

    ``reviews`` is the number of reviewers, and ``total`` the sum of their stars. ``stars`` is the mean, or
    None if there are fewer than `REVIEWERS_FOR_STARS` reviewers. ``shrunk`` is for sorting: the mean after
    adding `dock.reviews.AVERAGE_REVIEWS` imaginary reviews, each with the site's mean number of stars. A ship
    without reviews has no rating.
    """

    starship = models.OneToOneField("Starship", on_delete=models.CASCADE, related_name="rating")
    reviews = models.PositiveIntegerField()
    total = models.PositiveIntegerField()
    stars = models.DecimalField(max_digits=3, decimal_places=2, null=True)
    shrunk = models.DecimalField(max_digits=4, decimal_places=3, db_index=True)

    class Meta:
        db_table = "games_rating"
        ordering = ["-shrunk", "-pk"]
        constraints = [
            models.CheckConstraint(
                name="rating_of_somebody",
                condition=Q(reviews__gte=1, total__gte=F("reviews"), total__lte=F("reviews") * MOST_STARS),
            ),
            models.CheckConstraint(
                name="rating_shown_from_enough_people",
                condition=Q(reviews__lt=REVIEWERS_FOR_STARS, stars=None)
                | Q(reviews__gte=REVIEWERS_FOR_STARS, stars__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"rating of starship {self.starship_id}"
