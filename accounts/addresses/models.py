"""The table of addresses that get no mail about games."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class ClosedAddress(models.Model):
    """An address, as a hash, to which no mail about games goes, and why (`addresses.closures`)."""

    class Cause(models.TextChoices):
        """Why it gets no mail."""

        CAME_BACK = "came back", _("Mail bounced")
        ASKED = "asked", _("The owner opted out")

    digest = models.CharField(max_length=64, primary_key=True)
    cause = models.CharField(max_length=10, choices=Cause)
    reason = models.CharField(max_length=300, blank=True)
    closed_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.digest
