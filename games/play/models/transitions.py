"""What the release before this one needs as it was."""

from django.db import models


class Transition(models.Model):
    """Something that is still written as the release before this one reads it, by its ``name``.

    A migration notes it where there is something to read; it goes once an operator says that no process of
    that release runs any more, nor is to run again. New sites have none.
    """

    name = models.CharField(max_length=40, unique=True)

    def __str__(self) -> str:
        return self.name
