"""When people have no time to play."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.clocks.clock import MOST_DAYS_OFF

WEEKDAYS = tuple(range(7))
"""The days of the week, from Monday on."""


class Rest(models.Model):
    """When the clocks of a person stand still each week and each night, in their time zone.

    Who has no row takes no rest. Each hand keeps how it was when it was dealt (`Hand.calendar`).
    """

    user = models.OneToOneField("accounts.User", on_delete=models.CASCADE, related_name="rest")
    days_off = ArrayField(
        models.PositiveSmallIntegerField(),
        size=MOST_DAYS_OFF,
        default=list,
        blank=True,
        help_text=_("Days of the week, from 0 for Monday to 6."),
    )
    night_from = models.TimeField(null=True, blank=True)
    night_until = models.TimeField(null=True, blank=True)
    takes_vacation = models.BooleanField(
        default=False, db_default=False, help_text=_("Takes a day of vacation even where none is planned.")
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="rest_on_days_of_the_week",
                condition=Q(days_off__contained_by=list(WEEKDAYS), days_off__len__lte=MOST_DAYS_OFF),
            ),
            models.CheckConstraint(
                name="rest_of_a_night_that_begins_and_ends",
                condition=Q(night_from=None, night_until=None)
                | Q(night_from__isnull=False, night_until__isnull=False) & ~Q(night_from=F("night_until")),
            ),
        ]

    def __str__(self) -> str:
        return f"rest of {self.user_id}"
