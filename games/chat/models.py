"""The lines of the chat in a game."""

from django.db import models
from django.db.models import Q

MAX_LINE_LENGTH = 500
"""Characters in a line of the chat, at most."""


class ChatLine(models.Model):
    """A line of a chat, by a player.

    Lines never change, and their ids grow: a reader's place in the chat is the id of the last line read.
    ``name`` is the author's Robo Name at that time. Staff hide a line by setting ``hidden_at``, without
    deleting its text. ``rude`` is the result of the filter at that time.
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
