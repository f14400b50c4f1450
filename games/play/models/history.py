"""What was done in a game besides playing: in its lobby, by vote, by staff."""

from django.db import models


class LobbyEntry(models.Model):
    """Something that was changed in a lobby, in a sentence: all who are there get to see it.

    ``by`` did it, None where the service did so by itself.
    """

    game = models.ForeignKey("Game", on_delete=models.CASCADE, related_name="lobby")
    by = models.ForeignKey("accounts.User", on_delete=models.CASCADE, null=True, related_name="+")
    text = models.TextField()
    at = models.DateTimeField()

    class Meta:
        ordering = ["game", "pk"]
        verbose_name_plural = "lobby entries"

    def __str__(self) -> str:
        return self.text
