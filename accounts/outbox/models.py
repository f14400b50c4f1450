"""The table of mail about accounts that waits to be sent."""

from django.db import models


class AccountMail(models.Model):
    """One mail about an account: a link to confirm an address, a new password, a warning, a farewell.

    Its text may hold a link that opens an account. So the row is deleted when the mail is sent, or given up
    at ``good_until``. A worker claims it until ``lease_until``, and after that any worker may try again.
    ``kind`` is its template.
    """

    kind = models.CharField(max_length=80)
    address = models.EmailField()
    subject = models.TextField()
    body = models.TextField()
    created_at = models.DateTimeField()
    good_until = models.DateTimeField()
    attempts = models.PositiveIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    offered_at = models.DateTimeField(null=True)
    last_error = models.TextField(blank=True, default="")

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"
