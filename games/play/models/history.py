"""What was done in a game besides playing: in its lobby, by vote, by staff."""

from django.db import models
from django.db.models import Value
from django.utils.translation import gettext_lazy as _


class LobbyEntry(models.Model):
    """Something that was done in a game besides playing: ``kind`` and ``parameters`` say what.

    `games.play.history` tells it to everyone who sees the lobby. ``by`` did it, None for the service itself.
    """

    game = models.ForeignKey("Game", on_delete=models.CASCADE, related_name="lobby")
    by = models.ForeignKey("accounts.User", on_delete=models.CASCADE, null=True, related_name="+")
    kind = models.CharField(max_length=30, blank=True, default="", db_default="")
    parameters = models.JSONField(
        default=dict, db_default=Value({}, models.JSONField()), help_text=_("An entry/1 document.")
    )
    at = models.DateTimeField()

    class Meta:
        ordering = ["game", "pk"]
        verbose_name_plural = _("lobby entries")

    def __str__(self) -> str:
        return f"{self.kind} in {self.game_id}"
