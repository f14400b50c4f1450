"""The tables of this room: results of games, and the ratings that follow from them."""

from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.documents import has_format
from games.play.models import Game
from games.ratings.scale import MU, SIGMA, points

RESULT_FORMAT: Final = "result/1"

ALL: Final = "all"
"""The pool of all rulesets together."""


class PendingResult(models.Model):
    """A game that is over, and whose result was not looked at yet."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True, related_name="+")

    def __str__(self) -> str:
        return f"result of game {self.game_id}, pending"


class Result(models.Model):
    """How a rated game ended: in which order its players finished. It never changes.

    If a game's log was repaired, and tells another order now, a further ``revision`` replaces the ones before
    it. Results apply in the order in which games ended, by ``ended_at`` and ``of_game``, not by ``seq``.
    """

    # A number alone: the result stays where its game is deleted.
    of_game = models.PositiveBigIntegerField(_("number of the game"))
    revision = models.PositiveSmallIntegerField(default=1)
    seq = models.PositiveBigIntegerField(_("number of the result"))
    ruleset = models.CharField(max_length=40)
    outcome = models.JSONField(help_text=_("Sides and their ranks, as a result/1 document."))
    ended_at = models.DateTimeField()

    class Meta:
        ordering = ["ended_at", "of_game", "revision"]
        indexes = [models.Index(fields=["ended_at", "of_game"], name="result_order")]
        constraints = [
            models.UniqueConstraint(fields=["of_game", "revision"], name="result_once"),
            models.UniqueConstraint(fields=["seq", "revision"], name="result_in_its_place"),
            models.CheckConstraint(
                name="result_has_its_format", condition=has_format("outcome", RESULT_FORMAT)
            ),
        ]

    def __str__(self) -> str:
        return f"result {self.seq}.{self.revision} of game {self.of_game}"


class RatingPool(models.Model):
    """Players who are rated on one scale: those of a ruleset, or all (`games.ratings.fold.Pool`).

    To apply a result, a worker holds the row of all: so results are applied one after the other.
    """

    key = models.CharField(max_length=40, primary_key=True)
    offset = models.FloatField(default=0.0, help_text=_("What is added to means before they are shown."))
    variance = models.FloatField(default=0.0)
    month = models.DateField(null=True, help_text=_("The month whose games are compared now."))
    residual = models.FloatField(default=0.0)
    noise = models.FloatField(default=0.0)
    slope = models.FloatField(default=0.0)

    def __str__(self) -> str:
        return self.key


class RatingShift(models.Model):
    """By how much the scale of a pool moved when a month was over, and by how much it had been wrong."""

    pool = models.ForeignKey(RatingPool, on_delete=models.CASCADE, related_name="shifts")
    month = models.DateField()
    error = models.FloatField()
    amount = models.FloatField()

    class Meta:
        ordering = ["pool", "month"]
        constraints = [models.UniqueConstraint(fields=["pool", "month"], name="shift_once_a_month")]

    def __str__(self) -> str:
        return f"shift of {self.pool_id} in {self.month:%Y-%m}"


class PlayerRating(models.Model):
    """How good a player is, in one pool: mean and deviation, before the pool's offset.

    ``floor`` is the mean less two deviations, by which those who are ``listed`` are ordered.
    """

    pool = models.ForeignKey(RatingPool, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="ratings")
    mu = models.FloatField(default=MU)
    sigma = models.FloatField(default=SIGMA)
    floor = models.FloatField()
    games = models.PositiveIntegerField(default=0)
    met = models.PositiveSmallIntegerField(_("people met"), default=0)
    played_at = models.DateTimeField()
    listed = models.BooleanField(default=False)

    class Meta:
        indexes = [
            models.Index(
                fields=["pool", "-floor", "user"], name="ratings_listed", condition=models.Q(listed=True)
            ),
            models.Index(fields=["played_at"], name="ratings_by_last_game", condition=models.Q(listed=True)),
        ]
        constraints = [models.UniqueConstraint(fields=["user", "pool"], name="rating_one_each")]

    def __str__(self) -> str:
        return f"{self.pool_id} rating of {self.user_id}"

    @property
    def points(self) -> int:
        """The rating as it is shown."""
        return points(self.mu + self.pool.offset)


class RatingChange(models.Model):
    """What one result made of a player's rating in one pool; ``side`` is that of the result, from 0."""

    result = models.ForeignKey(Result, on_delete=models.CASCADE, related_name="changes")
    pool = models.ForeignKey(RatingPool, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="rating_changes")
    seq = models.PositiveBigIntegerField()
    side = models.PositiveSmallIntegerField()
    rank = models.PositiveSmallIntegerField()
    mu_before = models.FloatField()
    mu = models.FloatField()
    sigma = models.FloatField()
    played_at = models.DateTimeField()

    class Meta:
        ordering = ["user", "pool", "played_at", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["user", "pool", "seq"], name="rating_change_once"),
        ]

    def __str__(self) -> str:
        return f"{self.pool_id} rating of {self.user_id} by result {self.seq}"
