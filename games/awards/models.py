"""The tables of this room: what players did in a month, and the awards that it made."""

from typing import Final

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.awards.definitions import AWARDS
from games.people.models.records import Counters
from games.play.models import Game

FEWEST_GAMES: Final = 10
"""With fewer games in a month no player is in the indexes of awards: as `settings.AWARD_GAMES` usually is."""


class PendingMonth(models.Model):
    """A game that is over, and that was not counted for its month yet."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True, related_name="+")

    def __str__(self) -> str:
        return f"game {self.game_id}, not counted for its month yet"


class PlayerMonth(Counters):
    """What a player did in the rated games among people that ended in a month.

    ``month`` is its first day, in UTC. In games ``in_time`` they missed no turn and kept their seat.
    ``tested`` are prototypes, which count for nothing else. ``gained`` is by how many points their rating in
    all rulesets has changed.
    """

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="months")
    month = models.DateField()
    games = models.PositiveIntegerField(default=0)
    won = models.PositiveIntegerField(_("games won"), default=0)
    turns = models.PositiveIntegerField(_("turns played"), default=0)
    checkpoints = models.PositiveIntegerField(_("checkpoints inspected"), default=0)
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
                    condition=award.takes_part(FEWEST_GAMES),
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
    """A month whose awards were made: once, and for good."""

    month = models.DateField(unique=True)
    closed_at = models.DateTimeField()

    class Meta:
        ordering = ["-month"]

    def __str__(self) -> str:
        return f"{self.month:%Y-%m}, closed"


class Award(models.Model):
    """One of the three best of a month at something: ``key`` says at what, ``value`` how good that was."""

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
