"""Whether the mail server takes mail."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q


class MailServer(models.Model):
    """What became of the latest mails. There is one row.

    ``failing_since`` is the first failure after the last success. Since then ``failures`` attempts have
    failed, the last with ``error``. ``is_down`` says that one of them failed whatever its recipient was, and
    ``refused`` holds hashes of up to three recipients that the server refused. ``taken_at`` may be a minute
    old.
    """

    taken_at = models.DateTimeField(null=True)
    failing_since = models.DateTimeField(null=True)
    failures = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True, default="")
    is_down = models.BooleanField(default=False)
    refused = ArrayField(models.CharField(max_length=64), default=list, blank=True)
    given_up_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.CheckConstraint(name="mail_server_alone", condition=Q(pk=1))]

    def __str__(self) -> str:
        return f"mail server, taken at {self.taken_at}, failing since {self.failing_since}"
