"""What a game leaves behind: counters for each robot, and what its player earned by them (GR-4).

All of it follows from the logs, and can be made from them again.
"""

from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.work.models import BelongsToGame


class Counters(models.Model):
    """What is counted of a robot (GR-4.1)."""

    forward = models.PositiveIntegerField(_("cells walked forward"), default=0)
    backward = models.PositiveIntegerField(_("cells walked backward"), default=0)
    left_turns = models.PositiveIntegerField(_("left turns"), default=0)
    right_turns = models.PositiveIntegerField(_("right turns"), default=0)
    half_turns = models.PositiveIntegerField(_("half turns"), default=0)
    damage_taken = models.PositiveIntegerField(_("damage taken"), default=0)
    deaths = models.PositiveIntegerField(_("times destroyed"), default=0)
    damage_dealt = models.PositiveIntegerField(_("damage dealt"), default=0)
    destroyed = models.PositiveIntegerField(_("robots destroyed"), default=0)
    repaired = models.PositiveIntegerField(_("damage repaired"), default=0)
    power_downs = models.PositiveIntegerField(_("power downs"), default=0)
    pushed = models.PositiveIntegerField(_("robots pushed"), default=0)

    class Meta:
        abstract = True


class Tally(BelongsToGame, Counters):
    """What a player's robot did in one game so far (GR-4.1)."""

    known_by = "seat__game_id"

    seat = models.OneToOneField("Seat", on_delete=models.CASCADE, related_name="tally")

    class Meta:
        verbose_name_plural = _("tallies")

    def __str__(self) -> str:
        return gettext("tally of seat {seat}").format(seat=self.seat_id)


class Share(BelongsToGame, Counters):
    """What a robot did in one game while one of its players steered it; kept of seats that passed on.

    Each turn is whose robot's player has the seat when it is played.
    """

    known_by = "seat__game_id"

    seat = models.ForeignKey("Seat", on_delete=models.CASCADE, related_name="shares")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="shares")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["seat", "user"], name="share_one_each")]

    def __str__(self) -> str:
        return gettext("share of {player} in seat {seat}").format(player=self.user_id, seat=self.seat_id)


class Achievement(models.Model):
    """Something that a player has earned (GR-4.2), once, in the turn of a game in which it was complete.

    ``key`` is that of its definition. ``seen_at`` says since when its owner knows.
    """

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="achievements")
    key = models.SlugField(max_length=40)
    game = models.ForeignKey("Game", on_delete=models.CASCADE, related_name="achievements")
    turn = models.PositiveIntegerField(_("turn number"))
    earned_at = models.DateTimeField()
    seen_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-earned_at", "-pk"]
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="achievement_earned_once")]

    def __str__(self) -> str:
        return f"{self.key} of {self.user_id}"
