"""Subjects of notifications that no other table keeps."""

from typing import Final

from django.db import models

from games.errors import has_format

SUBJECT_FORMAT: Final = "subject/1"


class NoticeSubject(models.Model):
    """A thing that happened to several people, whose row may be gone when they read of it.

    ``parameters`` are what their notifications name: a club or a ladder. Each notification has its number as
    ``about``.
    """

    parameters = models.JSONField()
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                name="notice_subject_has_its_format", condition=has_format("parameters", SUBJECT_FORMAT)
            )
        ]

    def __str__(self) -> str:
        return f"subject {self.pk}"
