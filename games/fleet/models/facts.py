"""What starships are found by."""

from django.contrib.postgres.fields import ArrayField
from django.db import models


class StarshipFacts(models.Model):
    """What the library finds a starship by: it follows from the current ``revision``, and can be made again.

    ``rulesets`` are the keys of those that it suits, first those for which it looks built. It follows from
    the rulesets of ``edition``, which is another once one of them has changed. ``elements`` are those of
    `games.fleet.elements` that stand on it. ``cells`` settles its class (`games.fleet.classes`).
    ``turns`` are how long games are expected to be, by the way that robots have to go; None where that cannot
    be told.
    """

    starship = models.OneToOneField(
        "Starship", on_delete=models.CASCADE, primary_key=True, related_name="facts"
    )
    revision = models.ForeignKey(
        "StarshipRevision", on_delete=models.CASCADE, related_name="+", db_index=False
    )
    edition = models.CharField(max_length=16)
    cells = models.PositiveIntegerField()
    turns = models.PositiveSmallIntegerField(null=True)
    elements = ArrayField(models.CharField(max_length=20))
    rulesets = ArrayField(models.CharField(max_length=40))

    def __str__(self) -> str:
        return f"facts of starship {self.starship_id}"
