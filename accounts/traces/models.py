"""The table of traces."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Trace(models.Model):
    """A browser or a network from which an account was used, as a hash with the key of the site.

    Staff get to see which accounts have one in common, and never the hash.
    """

    class Kind(models.TextChoices):
        """What two accounts may have in common."""

        BROWSER = "browser", _("browser")
        NETWORK = "network", _("network")

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="traces")
    kind = models.CharField(max_length=10, choices=Kind)
    digest = models.CharField(max_length=64)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["digest"], name="traces_alike"),
            models.Index(fields=["last_at"], name="traces_by_age"),
        ]
        constraints = [models.UniqueConstraint(fields=["user", "kind", "digest"], name="trace_once")]

    def __str__(self) -> str:
        return f"{self.kind} of {self.user_id}"
