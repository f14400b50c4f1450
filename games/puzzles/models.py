"""The tables of puzzles: the puzzles, players' tries, and their ratings."""

from typing import Final

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.errors import has_format
from games.standings.ratings import MU, SIGMA

PUZZLE_FORMAT: Final = "puzzle/1"


class Puzzle(models.Model):
    """A position with one best program.

    ``origin`` says where the puzzle was found, so that it is not added twice: the number of a game, or the
    seed and the number of a simulated game, with turn and robot. ``mu`` and ``sigma`` are the rating.
    ``tries`` and ``solved`` count the first tries that were rated.
    """

    revision = models.ForeignKey("StarshipRevision", on_delete=models.CASCADE, related_name="puzzles")
    document = models.JSONField(help_text=_("Robots, hand, programs and solution, as a puzzle/1 document."))
    origin = models.CharField(max_length=120, unique=True)
    made_at = models.DateTimeField()
    mu = models.FloatField(default=MU)
    sigma = models.FloatField(default=SIGMA)
    tries = models.PositiveIntegerField(default=0)
    solved = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                name="puzzle_has_its_format", condition=has_format("document", PUZZLE_FORMAT)
            ),
            models.CheckConstraint(name="puzzle_solved_when_tried", condition=Q(solved__lte=F("tries"))),
        ]
        indexes = [models.Index(fields=["mu", "id"], name="puzzles_by_rating")]

    def __str__(self) -> str:
        return f"puzzle {self.pk}"


class PuzzleTry(models.Model):
    """A player's tries at one puzzle.

    ``program`` and ``solved`` are of the first try, which counts. ``change`` is its effect on the player's
    rating in points, or None if it was not rated, as for guests. ``last_program`` is the program of the last
    try.
    """

    # Two other indexes begin with these columns.
    puzzle = models.ForeignKey(Puzzle, on_delete=models.CASCADE, db_index=False, related_name="player_tries")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, db_index=False, related_name="+")
    tried_at = models.DateTimeField()
    program = models.JSONField()
    solved = models.BooleanField()
    change = models.SmallIntegerField(null=True)
    last_program = models.JSONField()

    class Meta:
        ordering = ["-tried_at", "-pk"]
        constraints = [models.UniqueConstraint(fields=["puzzle", "user"], name="puzzle_try_once")]
        indexes = [models.Index(fields=["user", "-tried_at"], name="puzzle_tries_of_person")]

    def __str__(self) -> str:
        return f"try {self.pk} of {self.puzzle_id}"


class PuzzleRating(models.Model):
    """A player's rating at puzzles. Only the player sees it."""

    user = models.OneToOneField("accounts.User", on_delete=models.CASCADE, related_name="puzzle_rating")
    mu = models.FloatField(default=MU)
    sigma = models.FloatField(default=SIGMA)
    tries = models.PositiveIntegerField(default=0)
    solved = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                name="puzzle_rating_solved_when_tried", condition=Q(solved__lte=F("tries"))
            )
        ]

    def __str__(self) -> str:
        return f"puzzle rating {self.pk}"
