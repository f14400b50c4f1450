"""Starships that people like best."""

from django.db import models


class Favourite(models.Model):
    """A starship that a person keeps among their favourites."""

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="favourites")
    starship = models.ForeignKey("Starship", on_delete=models.CASCADE, related_name="favourites")
    added_at = models.DateTimeField()

    class Meta:
        ordering = ["-added_at", "-pk"]
        constraints = [models.UniqueConstraint(fields=["user", "starship"], name="favourite_once")]

    def __str__(self) -> str:
        return f"starship {self.starship_id}, favourite of {self.user_id}"
