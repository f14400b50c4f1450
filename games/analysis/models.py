"""Analyses of games."""

from django.db import models
from django.db.models import F, Q

from games.errors import has_format
from games.play.models import Game
from roborunner.leases import LeasedWork
from rules.review import REVIEW_FORMAT


class Analysis(LeasedWork):
    """The review of a game's turns, by one version of the engine's value function.

    The analysis of a finished game covers all robots, and has no ``player``. Everyone who may see the game
    may read it. In a running game, a ``player`` has their own analysis. It is made from what the player
    knows, covers only their own robot, and is only for them.

    ``turns`` is the number of turns to review, and ``reviewed`` the number of turns in ``review``, a review/1
    document. Workers add to it in pieces, one worker at a time. ``attempts`` counts the claims since the last
    finished piece. While it is under way, ``asked_by`` is the person who started it.
    """

    class Status(models.TextChoices):
        WAITING = "waiting"
        WORKING = "working"
        DONE = "done"
        STOPPED = "stopped"
        FAILED = "failed"

    UNDER_WAY = (Status.WAITING, Status.WORKING)
    OPEN = Q(status__in=UNDER_WAY)
    CLEARED = ("asked_by",)

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="analyses")
    player = models.ForeignKey(
        "accounts.User", on_delete=models.CASCADE, null=True, related_name="own_analyses"
    )
    version = models.PositiveSmallIntegerField()
    asked_by = models.ForeignKey(
        "accounts.User", on_delete=models.CASCADE, null=True, related_name="requested_analyses"
    )
    asked_at = models.DateTimeField()
    status = models.CharField(max_length=9, choices=Status.choices, default=Status.WAITING)
    turns = models.PositiveIntegerField()
    reviewed = models.PositiveIntegerField(default=0)
    review = models.JSONField(null=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(
                fields=["asked_at"],
                name="analyses_under_way",
                condition=Q(status__in=["waiting", "working"]),
            )
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["game", "version"], name="analysis_of_all_unique", condition=Q(player=None)
            ),
            models.UniqueConstraint(
                fields=["game", "version", "player"],
                name="analysis_of_a_player_unique",
                condition=Q(player__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["asked_by"],
                name="analysis_one_under_way",
                condition=Q(status__in=["waiting", "working"]),
            ),
            models.CheckConstraint(
                name="analysis_counts_its_turns", condition=Q(turns__gte=1, reviewed__lte=F("turns"))
            ),
            models.CheckConstraint(
                name="analysis_review_has_its_format",
                condition=Q(review__isnull=True) | has_format("review", REVIEW_FORMAT),
            ),
            models.CheckConstraint(
                name="analysis_done_has_a_review",
                condition=~Q(status="done") | Q(review__isnull=False, reviewed=F("turns")),
            ),
            models.CheckConstraint(
                name="analysis_under_way_or_finished",
                condition=Q(status__in=["waiting", "working"], asked_by__isnull=False, finished_at=None)
                | Q(status__in=["done", "stopped", "failed"], asked_by=None, finished_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"analysis of game {self.game_id}"
