"""The table of names that no one can take."""

from django.db import models


class RetiredName(models.Model):
    """The Robo Name of someone whose account was deleted, as a hash: no one can take it on."""

    digest = models.CharField(max_length=64, primary_key=True)

    def __str__(self) -> str:
        return self.digest
