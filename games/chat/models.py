"""What players say to each other in a game."""

from django.db import models
from django.db.models import Q

LONGEST_LINE = 500
"""Characters of a line of the chat."""


class ChatLine(models.Model):
    """A player's line in a chat. ``name`` is the player's name then, for good.

    Lines never change, and their ids grow: a reader's place in the chat is the id of the last line read.
    Staff may have hidden one, at ``hidden_at``, and its text is kept. ``rude`` says whether the filter found
    rude words in it at the time.
    """

    game = models.ForeignKey("Game", on_delete=models.CASCADE, related_name="chat")
    user = models.ForeignKey("accounts.User", on_delete=models.SET_NULL, null=True, related_name="+")
    name = models.CharField("Robo Name", max_length=40)
    text = models.CharField(max_length=LONGEST_LINE)
    at = models.DateTimeField()
    hidden_at = models.DateTimeField(null=True)
    rude = models.BooleanField(default=False)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["game", "id"], name="chat_of_a_game")]
        constraints = [models.CheckConstraint(name="chat_line_says_something", condition=~Q(text=""))]

    def __str__(self) -> str:
        return f"{self.name}: {self.text}"
