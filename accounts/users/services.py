"""Accounts that are made without a sign-up."""

from django.db import transaction

from accounts.users.models import User


def open_account(*, robo_name: str, email: str, password: str, time_zone: str = "UTC") -> User:
    """Make an account whose address counts as confirmed: for demonstrations, on the site's own behalf.

    Raises ValidationError when name, address or time zone will not do.
    """
    with transaction.atomic():
        user = User(robo_name=robo_name, email=email, time_zone=time_zone)
        user.set_password(password)
        user.full_clean()
        user.save()
        user.confirm_email()
    return user
