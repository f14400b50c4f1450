"""Robo Names that look like another player's: no one can pass for another player by such a name."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import QuerySet

from accounts.robo_names.spelling import LOOKS_LIKE_ANOTHER, skeleton


def check(name: str, *, among: QuerySet[Any]) -> None:
    """Raise Django's ValidationError for a name that looks like one of their own, and is not the same."""
    alike = among.filter(skeleton=skeleton(name), is_guest=False, deleted_at=None)
    if alike.exclude(robo_name__iexact=name).exists():
        raise ValidationError(LOOKS_LIKE_ANOTHER, code="robo_name")
