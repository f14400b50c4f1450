"""Machines outside that are called."""

from django.db import models


class Receiver(models.Model):
    """A call to a machine outside that is under way, or that the machine has just left without an answer.

    ``name`` is the channel with host and port, and ``slot`` counts the calls that it may get at a time. Until
    ``busy_until`` no other notification takes this slot: that is the lease of the call, and after a call that
    took too long the end of a rest, which grows with ``failures`` in a row. A call that ends well removes its
    row.
    """

    name = models.CharField(max_length=300)
    slot = models.PositiveSmallIntegerField()
    busy_until = models.DateTimeField()
    failures = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["name", "slot"], name="receiver_slot_once")]

    def __str__(self) -> str:
        return f"{self.name}, call {self.slot + 1}"
