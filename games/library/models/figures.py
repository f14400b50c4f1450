"""What games on starships come to."""

from django.db import models


class StarshipFigures(models.Model):
    """How a starship plays: it follows from the games on it that are over, and can be made from them again.

    ``played`` counts the games on it as a ship of the library, ``prototype_played`` those on it as a
    prototype, which are in none of the others. ``people`` is how many have played on it. ``among_people``
    counts the games that two people or more played to the end: ``lengths`` has, by number of turns, how many
    those were, and ``median`` their middle; ``starts`` has, by start cell as “x,y”, how many robots started
    there and how many of them won.
    """

    starship = models.OneToOneField(
        "Starship", on_delete=models.CASCADE, primary_key=True, related_name="figures"
    )
    played = models.PositiveIntegerField(default=0)
    prototype_played = models.PositiveIntegerField(default=0)
    people = models.PositiveIntegerField(default=0)
    among_people = models.PositiveIntegerField(default=0)
    median = models.PositiveIntegerField(null=True)
    lengths = models.JSONField(default=dict)
    starts = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"figures of starship {self.starship_id}"


class Flier(models.Model):
    """Somebody who has played a game on a starship to its end."""

    starship = models.ForeignKey("Starship", on_delete=models.CASCADE, related_name="fliers")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="flown")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["starship", "user"], name="flier_once")]

    def __str__(self) -> str:
        return f"{self.user_id} on starship {self.starship_id}"


class UncountedGame(models.Model):
    """A game that is over, and not in the figures of its starship yet."""

    game = models.OneToOneField("Game", on_delete=models.CASCADE, primary_key=True, related_name="+")

    def __str__(self) -> str:
        return f"game {self.game_id}, not counted yet"
