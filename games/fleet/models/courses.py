"""Boards put together for one game."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.belonging import BelongsToGame
from games.documents import has_format
from rules.notation import LARGEST, STARSHIP_FORMAT, TEXTS


class Course(BelongsToGame):
    """A board that its creator put together for a game, for good: joined, turned, with other checkpoints.

    One without pieces was drawn, and is flown to try it.
    """

    known_by = "of_game__id"

    name = models.CharField(max_length=TEXTS["name"])
    document = models.JSONField(help_text=_("The board as a canonical starship/1 document."))
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="course_has_its_format", condition=has_format("document", STARSHIP_FORMAT)
            ),
            models.CheckConstraint(
                name="course_has_a_size", condition=Q(width__range=(1, LARGEST), height__range=(1, LARGEST))
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Piece(BelongsToGame):
    """A board in a course: its place, counted in boards from 0, and its quarter turns clockwise.

    The first one that was saved is the first that was laid.
    """

    known_by = "course__of_game__id"

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="pieces")
    revision = models.ForeignKey("StarshipRevision", on_delete=models.PROTECT, related_name="pieces")
    column = models.PositiveSmallIntegerField()
    row = models.PositiveSmallIntegerField()
    turned = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["course", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["course", "column", "row"], name="piece_alone_in_its_place"),
            models.CheckConstraint(name="piece_turned_by_quarters", condition=Q(turned__range=(0, 3))),
        ]

    def __str__(self) -> str:
        return f"piece of course {self.course_id}"
