"""The address of a player's own program."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _


class Webhook(models.Model):
    """An address of someone's own program: their notifications are posted to it, signed with the secret.

    ``failing_since`` says since when nothing got through; what fails for days is switched off. ``failure`` is
    why (`games.work.jobs`).
    """

    user = models.OneToOneField("accounts.User", on_delete=models.CASCADE, related_name="webhook")
    url = models.URLField(max_length=1000)
    secret = models.CharField(max_length=64)
    made_at = models.DateTimeField()
    answered_at = models.DateTimeField(_("last success"), null=True)
    tested_at = models.DateTimeField(null=True)
    failing_since = models.DateTimeField(null=True)
    failure = models.CharField(max_length=300, blank=True)
    switched_off_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="webhook_off_for_a_reason",
                condition=Q(switched_off_at=None) | Q(failing_since__isnull=False) & ~Q(failure=""),
            ),
        ]

    def __str__(self) -> str:
        return gettext("webhook of {player}").format(player=self.user_id)
