"""Invitations to games, and the history of games."""

from django.db import models
from django.db.models import Q, Value
from django.db.models.functions import Lower
from django.utils.translation import gettext, gettext_lazy as _


class Invitation(models.Model):
    """An invitation to a game, for a person or for an email address.

    It lets its ``user`` open the game, even if the game is private. If the email address belongs to no
    account, ``user`` is empty, and the link in the email opens the game.
    """

    class Answer(models.TextChoices):
        PENDING = "pending", _("Not answered")
        ACCEPTED = "accepted", _("Accepted")
        DECLINED = "declined", _("Declined")

    game = models.ForeignKey("Game", on_delete=models.CASCADE, related_name="invitations")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, null=True, related_name="invitations")
    email = models.EmailField(blank=True)
    invited_by = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="+")
    answer = models.CharField(max_length=10, choices=Answer, default=Answer.PENDING)
    created_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [models.Index(fields=["invited_by", "created_at"], name="invitations_by_person")]
        constraints = [
            models.UniqueConstraint(fields=["game", "user"], name="invitation_one_each"),
            # Each player invites an address separately, and learns nothing about earlier invitations.
            models.UniqueConstraint(
                "game",
                "invited_by",
                Lower("email"),
                name="invitation_one_each_from_each",
                condition=~Q(email=""),
            ),
            models.CheckConstraint(
                name="invitation_to_a_person_or_an_address", condition=Q(user__isnull=False) | ~Q(email="")
            ),
        ]

    def __str__(self) -> str:
        return gettext("invitation for {whom} to game {game}").format(
            game=self.game_id, whom=self.user_id or self.email
        )


class LobbyEntry(models.Model):
    """A change in a game's history: its ``kind`` and the ``parameters`` of its sentence.

    `games.play.history` turns it into a sentence. ``by`` is the person who made the change, or None if the
    service did.
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
