"""Robo Names that look like another player's: nobody takes one to pass for somebody else."""

from django.core.exceptions import ValidationError

from accounts import robo_names


def check(name: str) -> None:
    """Raise Django's ValidationError for a name that looks like a player's, and is not the same."""
    from accounts.models import User  # whose module needs this one

    alike = User.objects.filter(skeleton=robo_names.skeleton(name), is_guest=False, deleted_at=None)
    if alike.exclude(robo_name__iexact=name).exists():
        raise ValidationError(robo_names.LOOKS_LIKE_ANOTHER, code="robo_name")
