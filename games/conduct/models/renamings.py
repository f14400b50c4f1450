"""Names that staff took from people, until all games know the new ones."""

from django.db import models


class Renaming(models.Model):
    """A person was called ``before`` till now; once all their games are rewritten the row goes."""

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="+")
    before = models.CharField(max_length=40)
    at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.before} is {self.user}"
