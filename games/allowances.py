"""How often a person may do something within a time, whatever becomes of what they did."""

from datetime import datetime, timedelta
from typing import Final

from django.db import models

from accounts.limits import Limit
from accounts.models import User
from games.errors import TooMany

DAY: Final = 24 * 60 * 60


class LimitedUse(models.Model):
    """Something that a person did, and may do only so often. It stays if what they made is deleted."""

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="+")
    limit = models.CharField(max_length=30)
    at = models.DateTimeField()

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["user", "limit", "at"], name="uses_of_a_limit")]

    def __str__(self) -> str:
        return f"{self.limit} of {self.user_id}"


def spend(limit: Limit, *, user: User, detail: str, now: datetime) -> None:
    """Note one more use of a limit; raise TooMany with the ``detail`` if it is used up.

    The person's row is held until the transaction ends, always after the rows of games. If that is rolled
    back, the use does not count.
    """
    User.objects.select_for_update(no_key=True).only("pk").get(pk=user.pk)
    time = timedelta(seconds=limit.seconds)
    uses = LimitedUse.objects.filter(user=user, limit=limit.name)
    recent = list(uses.filter(at__gt=now - time).values_list("at", flat=True)[: limit.most])
    if len(recent) >= limit.most:
        raise TooMany(detail, (recent[-1] + time - now).total_seconds())
    uses.filter(at__lte=now - time).delete()
    LimitedUse.objects.create(user=user, limit=limit.name, at=now)
