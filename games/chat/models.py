"""The table of chat lines. A line is one message in the chat of a game."""

from django.db import models
from django.db.models import Q

MAX_LINE_LENGTH = 500
"""The maximum length of a chat line, in characters."""


class ChatLine(models.Model):
    """A chat line: one message by a player.

    Lines never change, and newer lines have larger IDs. So the ID of the last line read is enough to mark a
    reader's position. ``name`` is the author's Robo Name when the line was written. Staff hide a line by
    setting ``hidden_at``; its text stays stored. ``rude`` is the result of the word filter when the line was
    written.
    """

    game = models.ForeignKey("Game", on_delete=models.CASCADE, related_name="chat")
    user = models.ForeignKey("accounts.User", on_delete=models.SET_NULL, null=True, related_name="+")
    name = models.CharField("Robo Name", max_length=40)
    text = models.CharField(max_length=MAX_LINE_LENGTH)
    at = models.DateTimeField()
    hidden_at = models.DateTimeField(null=True)
    rude = models.BooleanField(default=False)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["game", "id"], name="chat_of_a_game")]
        constraints = [models.CheckConstraint(name="chat_line_says_something", condition=~Q(text=""))]

    def __str__(self) -> str:
        return f"{self.name}: {self.text}"
