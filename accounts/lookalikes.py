"""Robo Names that look like another player's: nobody takes one to pass for somebody else."""

from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError

from accounts import robo_names

if TYPE_CHECKING:
    from accounts.models import User


def check(name: str, *, besides: "User | None" = None) -> None:
    """Raise Django's ValidationError for a name that looks like a player's, and is not the same.

    ``besides`` is a sign-up that is just being corrected: it may take a name that looks like its own.
    """
    from accounts.models import User  # whose module needs this one

    alike = User.objects.filter(skeleton=robo_names.skeleton(name), is_guest=False, deleted_at=None)
    if besides:
        alike = alike.exclude(pk=besides.pk)
    if alike.exclude(robo_name__iexact=name).exists():
        raise ValidationError(robo_names.LOOKS_LIKE_ANOTHER, code="robo_name")
