"""Results of games, ratings, players' monthly figures, and awards."""

from typing import Final

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.errors import has_format
from games.people.models import Counters
from games.standings.awards import AWARDS
from games.standings.ratings import MU, SIGMA, points

# --- Ratings ------------------------------------------------------------------------------------------------


RESULT_FORMAT: Final = "result/1"

OVERALL: Final = "all"
"""The key of the overall rating pool, for all rulesets together."""


class Result(models.Model):
    """The result of a rated game: the order of its players. A row never changes.

    If a game's log is repaired and then gives another order, a new row with the next ``revision`` replaces
    the earlier ones. Results apply to ratings in the order of ``ended_at``, then ``of_game``, and not in the
    order of ``seq``.
    """

    # No foreign key, because the result outlives its game.
    of_game = models.PositiveBigIntegerField(_("game number"))
    revision = models.PositiveSmallIntegerField(default=1)
    seq = models.PositiveBigIntegerField(_("result number"))
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
    """A rating pool: the players on one rating scale, for one ruleset or for all rulesets together.

    The row stores the state of a `ratings.Pool`. Before workers apply a result to any pool, they lock the row
    of the pool `OVERALL`, so that results apply one after the other.
    """

    key = models.CharField(max_length=40, primary_key=True)
    offset = models.FloatField(default=0.0, help_text=_("The number added to each mean before it is shown."))
    variance = models.FloatField(default=0.0)
    month = models.DateField(null=True, help_text=_("The month whose games are being compared."))
    residual = models.FloatField(default=0.0)
    noise = models.FloatField(default=0.0)
    slope = models.FloatField(default=0.0)

    def __str__(self) -> str:
        return self.key


class RatingShift(models.Model):
    """The shift of a pool's rating scale at the end of a month, as a partial correction of an error."""

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
    """A player's rating in one pool: mean and deviation of their skill.

    The pool's offset is not included.

    ``floor`` is the mean minus two deviations. The pool's list of the best players has the ``listed``
    ratings, sorted by ``floor``.
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
        """Return the rating to display."""
        return points(self.mu + self.pool.offset)


class RatingChange(models.Model):
    """The effect of a game's result on a player's rating in one pool.

    ``side`` is the index of the player's side in the result, from 0.
    """

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
        constraints = [models.UniqueConstraint(fields=["user", "pool", "seq"], name="rating_change_once")]

    def __str__(self) -> str:
        return f"{self.pool_id} rating of {self.user_id} by result {self.seq}"


# --- Awards -------------------------------------------------------------------------------------------------


GAMES_TO_COUNT: Final = 10
"""The minimum number of games in a month for a player to be in the database indexes for awards.

It equals the default of `settings.AWARD_GAMES`.
"""


class PlayerMonth(Counters):
    """A player's figures for a month, from rated games among people.

    ``month`` is its first day, in UTC. A game belongs to the month of its end. ``in_time`` counts
    a game if the player missed no turn and kept the seat to the end. ``tested`` counts prototypes that
    the player tested. Games on prototypes count for no other figure. ``gained`` is the change of the overall
    rating, in points.
    """

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="months")
    month = models.DateField()
    games = models.PositiveIntegerField(default=0)
    won = models.PositiveIntegerField(_("games won"), default=0)
    turns = models.PositiveIntegerField(_("turns played"), default=0)
    checkpoints = models.PositiveIntegerField(_("checkpoints reached"), default=0)
    in_time = models.PositiveIntegerField(_("games without a missed turn"), default=0)
    tested = models.PositiveIntegerField(_("prototypes tested"), default=0)
    gained = models.IntegerField(_("rating gained"), default=0)

    class Meta:
        indexes = [
            models.Index(fields=["month", "games"], name="months_by_games"),
            *(
                models.Index(
                    F("month"),
                    award.value.asc() if award.fewest else award.value.desc(),
                    F("games").desc(),
                    F("user"),
                    name=f"months_{key}".replace("-", "_"),
                    condition=award.takes_part(GAMES_TO_COUNT),
                )
                for key, award in AWARDS.items()
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["user", "month"], name="player_month_once"),
            models.CheckConstraint(name="player_month_begins_on_the_first", condition=Q(month__day=1)),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.month:%Y-%m}"


class MonthClose(models.Model):
    """A closed month: its awards have been made, and never change."""

    month = models.DateField(unique=True)
    closed_at = models.DateTimeField()

    class Meta:
        ordering = ["-month"]

    def __str__(self) -> str:
        return f"{self.month:%Y-%m}, closed"


class Award(models.Model):
    """A place among the best three in an award (``key``) of a month, with the player's figure."""

    close = models.ForeignKey(MonthClose, on_delete=models.CASCADE, related_name="awards")
    key = models.SlugField(max_length=40)
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="awards")
    place = models.PositiveSmallIntegerField()
    value = models.FloatField()

    class Meta:
        ordering = ["close", "key", "place", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["close", "key", "user"], name="award_once_a_month"),
            models.CheckConstraint(name="award_for_the_best", condition=Q(place__range=(1, 3))),
        ]

    def __str__(self) -> str:
        return f"{self.key} {self.place} for {self.user_id}"
