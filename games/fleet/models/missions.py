"""Training missions: games played alone, each of which teaches something."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.documents import has_format

LESSON_FORMAT = "lesson/1"


class Mission(models.Model):
    """A training mission: a starship, and the lesson that is told on its board.

    ``number`` is its place in the row of missions, from 1. ``lesson`` says what there is to learn, and
    points at cells: see ``docs/formats.md``.
    """

    slug = models.SlugField(max_length=100, unique=True)
    number = models.PositiveSmallIntegerField(unique=True)
    title = models.CharField(max_length=80)
    starship = models.ForeignKey("Starship", on_delete=models.PROTECT, related_name="missions")
    options = models.JSONField(default=dict, help_text=_("The Robo Runner options that it is played with."))
    lesson = models.JSONField(help_text=_("A lesson/1 document."))
    saved_by = models.ForeignKey(
        "accounts.User",
        on_delete=models.PROTECT,
        null=True,
        editable=False,
        related_name="+",
        help_text=_("Which member of staff saved it last; empty where it came with the game."),
    )

    class Meta:
        ordering = ["number"]
        constraints = [
            models.CheckConstraint(name="mission_counted_from_1", condition=Q(number__gte=1)),
            models.CheckConstraint(
                name="mission_has_a_lesson", condition=has_format("lesson", LESSON_FORMAT)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number}. {self.title}"
