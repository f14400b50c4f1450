"""The tables of this room."""

from typing import Final

from django.db import models
from django.db.models import F, Q

LONGEST_NOTE: Final = 1000
"""Characters of a note."""


class Follow(models.Model):
    """A player follows another, who sees that."""

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="follows")
    followed = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="followers")
    since = models.DateTimeField()

    class Meta:
        ordering = ["user", "-since", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["user", "followed"], name="follow_once"),
            models.CheckConstraint(name="follow_of_another", condition=~Q(user=F("followed"))),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} follows {self.followed_id}"


class Block(models.Model):
    """A player wants to have nothing to do with another, who is not told."""

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="blocks")
    blocked = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="+")
    since = models.DateTimeField()

    class Meta:
        ordering = ["user", "-since", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["user", "blocked"], name="block_once"),
            models.CheckConstraint(name="block_of_another", condition=~Q(user=F("blocked"))),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} blocks {self.blocked_id}"


class Housemate(models.Model):
    """A player says that another lives with them. It counts once both have said so."""

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="housemates")
    person = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="+")
    since = models.DateTimeField()

    class Meta:
        ordering = ["user", "-since", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["user", "person"], name="housemate_once"),
            models.CheckConstraint(name="housemate_of_another", condition=~Q(user=F("person"))),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} lives with {self.person_id}"


class PlayerNote(models.Model):
    """What a player has noted about another; no one else reads it."""

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="player_notes")
    about = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="+")
    text = models.CharField(max_length=LONGEST_NOTE)
    changed_at = models.DateTimeField()

    class Meta:
        ordering = ["user", "-changed_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["user", "about"], name="player_note_once"),
            models.CheckConstraint(name="player_note_of_another", condition=~Q(user=F("about"))),
            models.CheckConstraint(name="player_note_says_something", condition=~Q(text="")),
        ]

    def __str__(self) -> str:
        return f"note of {self.user_id} about {self.about_id}"
