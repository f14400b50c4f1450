"""The browsers of a player."""

from django.db import models

from accounts.sessions import browser_in_words


class Device(models.Model):
    """A browser that shows someone's notifications, reached at an address of its maker's push service.

    ``name`` is its browser and system, as `accounts.sessions` keeps them. ``p256dh`` and ``auth`` are what
    messages are enciphered with, as the browser gave them. ``browser`` is the hash of the browser's number
    (`accounts.traces`): logging out in it ends its notifications.
    """

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="devices")
    endpoint = models.URLField(max_length=1000, unique=True)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=30)
    name = models.CharField(max_length=60)
    browser = models.CharField(max_length=64, blank=True, default="", db_default="")
    made_at = models.DateTimeField()
    told_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.name} of {self.user_id}"

    @property
    def label(self) -> str:
        """What to call the browser."""
        return browser_in_words(self.name)
