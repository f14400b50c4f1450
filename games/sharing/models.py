"""The model of a clip."""

from django.db import models
from django.db.models import Q

from games.play.models import Game
from roborunner.leases import LeasedWork


class Clip(LeasedWork):
    """A clip of a played turn: an animated WebP file that a worker makes.

    ``progress`` is in percent. ``failure`` is the reason why a clip could not be made, encoded by
    `games.work.jobs`. The row names no person. ``attempts`` counts the workers' attempts.
    """

    class Status(models.TextChoices):
        WAITING = "waiting"
        MAKING = "making"
        DONE = "done"
        FAILED = "failed"

    UNDER_WAY = (Status.WAITING, Status.MAKING)
    OPEN = Q(status__in=UNDER_WAY)

    # The constraint's index covers queries by game.
    game = models.ForeignKey(Game, on_delete=models.CASCADE, db_index=False, related_name="clips")
    number = models.PositiveIntegerField()
    status = models.CharField(max_length=7, choices=Status.choices, default=Status.WAITING)
    progress = models.PositiveSmallIntegerField(default=0)
    file = models.BinaryField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(
                fields=["created_at"], name="clips_under_way", condition=Q(status__in=["waiting", "making"])
            ),
            models.Index(fields=["finished_at"], name="clips_by_end"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="clip_once_a_turn"),
            models.CheckConstraint(name="clip_progress_in_percent", condition=Q(progress__lte=100)),
            models.CheckConstraint(
                name="clip_under_way_or_finished",
                condition=Q(status__in=["waiting", "making"], finished_at=None)
                | Q(status__in=["done", "failed"], finished_at__isnull=False),
            ),
            models.CheckConstraint(
                name="clip_done_has_a_file",
                condition=Q(status="done", file__isnull=False) | ~Q(status="done") & Q(file=None),
            ),
        ]

    def __str__(self) -> str:
        return f"clip of turn {self.number} of game {self.game_id}"
