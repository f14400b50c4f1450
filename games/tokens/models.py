"""Keys with which programs act for people."""

from datetime import timedelta
from typing import Final

from django.db import models
from django.db.models.functions import Now

LONGEST_NAME: Final = 40
"""Characters of the longest name of a token."""


LIFETIME: Final = 90
"""Days after which a token expires for which nothing else was chosen."""


class ApiToken(models.Model):
    """A token of the API; only its hash is kept, so that the database gives no one access."""

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="api_tokens")
    digest = models.CharField("SHA-256 of the token", max_length=64, unique=True)
    name = models.CharField(
        max_length=LONGEST_NAME, blank=True, default="", db_default="", help_text="What its owner calls it."
    )
    created_at = models.DateTimeField()
    used_at = models.DateTimeField("last used", null=True)
    expires_at = models.DateTimeField(
        "expires",
        db_index=True,
        db_default=Now() + timedelta(days=LIFETIME),
        help_text="Then it opens nothing.",
    )

    class Meta:
        ordering = ["-created_at"]
        verbose_name = "API token"

    def __str__(self) -> str:
        return f"token {self.pk} of {self.user_id}"
