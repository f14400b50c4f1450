"""What a game leaves behind: counters for each robot, and what its player earned by them (GR-4).

All of it follows from the logs, and can be made from them again.
"""

from django.db import models


class Counters(models.Model):
    """What is counted of a robot (GR-4.1)."""

    forward = models.PositiveIntegerField("cells walked forward", default=0)
    backward = models.PositiveIntegerField("cells walked backward", default=0)
    left_turns = models.PositiveIntegerField(default=0)
    right_turns = models.PositiveIntegerField(default=0)
    half_turns = models.PositiveIntegerField(default=0)
    damage_taken = models.PositiveIntegerField(default=0)
    deaths = models.PositiveIntegerField("times destroyed", default=0)
    damage_dealt = models.PositiveIntegerField(default=0)
    destroyed = models.PositiveIntegerField("robots destroyed", default=0)
    repaired = models.PositiveIntegerField("damage repaired", default=0)
    power_downs = models.PositiveIntegerField(default=0)
    pushed = models.PositiveIntegerField("robots pushed", default=0)

    class Meta:
        abstract = True


class Tally(Counters):
    """What a player's robot did in one game so far (GR-4.1)."""

    seat = models.OneToOneField("Seat", on_delete=models.CASCADE, related_name="tally")

    class Meta:
        verbose_name_plural = "tallies"

    def __str__(self) -> str:
        return f"tally of seat {self.seat_id}"


class Share(Counters):
    """What a robot did in one game while one of its players steered it; kept of seats that passed on.

    Each turn is whose robot's player has the seat when it is played.
    """

    seat = models.ForeignKey("Seat", on_delete=models.CASCADE, related_name="shares")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="shares")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["seat", "user"], name="share_one_each")]

    def __str__(self) -> str:
        return f"share of {self.user_id} in seat {self.seat_id}"


class Achievement(models.Model):
    """Something that a player has earned (GR-4.2), once, in the turn of a game in which it was complete.

    ``key`` is that of its definition. ``seen_at`` says since when its owner knows.
    """

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="achievements")
    key = models.SlugField(max_length=40)
    game = models.ForeignKey("Game", on_delete=models.CASCADE, related_name="achievements")
    turn = models.PositiveIntegerField("number of the turn")
    earned_at = models.DateTimeField()
    seen_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-earned_at", "-pk"]
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="achievement_earned_once")]

    def __str__(self) -> str:
        return f"{self.key} of {self.user_id}"
