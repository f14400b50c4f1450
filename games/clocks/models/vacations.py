"""When people are on vacation."""

from django.db import models
from django.db.models import F, Q


class Vacation(models.Model):
    """A vacation that a person has planned: from the ``first`` day to the ``last``, by their own calendar.

    It stops no clock by itself: `VacationDay` does, when a deadline in it would be missed.
    """

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="vacations")
    first = models.DateField()
    last = models.DateField()
    planned_at = models.DateTimeField()

    class Meta:
        ordering = ["first", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["user", "first"], name="vacation_begins_once"),
            models.CheckConstraint(name="vacation_lasts", condition=Q(last__gte=F("first"))),
        ]

    def __str__(self) -> str:
        return f"vacation of {self.user_id} from {self.first} to {self.last}"


class VacationDay(models.Model):
    """24 hours in which the clocks of a person stand still, since their time was up when it began.

    It is one of the days that they have each year; ``planned`` says that it was in a `Vacation`, else it was
    taken by itself.
    """

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="vacation_days")
    began_at = models.DateTimeField()
    planned = models.BooleanField()

    class Meta:
        ordering = ["began_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["user", "began_at"], name="vacation_day_spent_once"),
        ]

    def __str__(self) -> str:
        return f"day of vacation of {self.user_id} at {self.began_at.isoformat()}"
