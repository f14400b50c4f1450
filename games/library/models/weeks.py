"""Ships of the week."""

from django.db import models
from django.db.models import Q


class StarshipWeek(models.Model):
    """The starship of a week, which begins on a Monday in UTC; it stays so, whatever happens in that week.

    ``stars`` are those that it had when it was chosen, None where too few people had rated it. ``before`` is
    the week in which it was chosen the last time before.
    """

    week = models.DateField(unique=True)
    starship = models.ForeignKey("Starship", on_delete=models.CASCADE, related_name="weeks")
    stars = models.DecimalField(max_digits=3, decimal_places=2, null=True)
    before = models.DateField(null=True)
    chosen_at = models.DateTimeField()

    class Meta:
        ordering = ["-week"]
        constraints = [
            models.CheckConstraint(name="starship_week_begins_on_monday", condition=Q(week__iso_week_day=1)),
        ]

    def __str__(self) -> str:
        return f"starship {self.starship_id}, week of {self.week}"
