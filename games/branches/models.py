"""The table of branches."""

from typing import Final

from django.db import models
from django.db.models import Q

from games.errors import has_format
from rules.review.branches import MAX_MORE

BRANCH_FORMAT: Final = "branch/1"

LONGEST_NAME: Final = 40


class Branch(models.Model):
    """A person's changes to a played turn of a game.

    ``token`` is the secret part of the branch's address. ``document`` has the changed orders and headings, by
    seat. ``more`` is the number of turns that computers play afterwards. A ``blind`` branch was made while
    the game was running, so it uses only what its owner could see then: the hand of ``seat``, if any.

    The turns of a branch are not stored: they follow from the changes.
    """

    game = models.ForeignKey("Game", on_delete=models.CASCADE, related_name="branches")
    owner = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="branches")
    token = models.CharField(max_length=64, unique=True)
    turn = models.PositiveIntegerField()
    name = models.CharField(max_length=LONGEST_NAME, blank=True)
    document = models.JSONField()
    more = models.PositiveSmallIntegerField(default=0)
    blind = models.BooleanField()
    seat = models.PositiveSmallIntegerField(null=True)
    created_at = models.DateTimeField()
    changed_at = models.DateTimeField()

    class Meta:
        ordering = ["turn", "pk"]
        indexes = [models.Index(fields=["game", "owner"], name="branch_game_owner")]
        constraints = [
            models.CheckConstraint(name="branch_format", condition=has_format("document", BRANCH_FORMAT)),
            models.CheckConstraint(name="branch_more", condition=Q(more__lte=MAX_MORE)),
        ]

    def __str__(self) -> str:
        return self.name or f"branch {self.pk}"
