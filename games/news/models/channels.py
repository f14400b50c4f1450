"""The channels beside mail by which people are told."""

from django.db import models
from django.db.models import Q


class Webhook(models.Model):
    """An address of somebody's own program, to which each of their notices is posted, signed with the secret.

    ``failing_since`` says since when nothing got through; what fails for days is switched off. ``failure`` is
    why, as a sentence.
    """

    user = models.OneToOneField("accounts.User", on_delete=models.CASCADE, related_name="webhook")
    url = models.URLField(max_length=1000)
    secret = models.CharField(max_length=64)
    made_at = models.DateTimeField()
    answered_at = models.DateTimeField("got through last", null=True)
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
        return f"webhook of {self.user_id}"


class Device(models.Model):
    """A browser that shows somebody's notices, reached at an address of its maker's push service.

    ``p256dh`` and ``auth`` are what messages are enciphered with, as the browser gave them.
    """

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="devices")
    endpoint = models.URLField(max_length=1000, unique=True)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=30)
    name = models.CharField(max_length=60)
    made_at = models.DateTimeField()
    told_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.name} of {self.user_id}"


class Receiver(models.Model):
    """A call to a machine outside that is under way, or that the machine has just left without an answer.

    ``name`` is the channel with host and port, and ``slot`` counts the calls that it may get at a time. Until
    ``busy_until`` no other notice takes this slot: that is the lease of the call, and after a call that took
    too long the end of a rest, which grows with ``failures`` in a row. A call that ends well removes its row.
    """

    name = models.CharField(max_length=300)
    slot = models.PositiveSmallIntegerField()
    busy_until = models.DateTimeField()
    failures = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["name", "slot"], name="receiver_slot_once")]

    def __str__(self) -> str:
        return f"{self.name}, call {self.slot + 1}"
