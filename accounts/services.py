"""What can be done to an account, apart from what allauth does."""

from typing import Any

from django.conf import settings
from django.db import transaction
from django.urls import reverse

from accounts import unsubscribing
from accounts.models import AUDIENCES, User

PREFERENCES = ("look", "time_zone", "mail_my_turn", *AUDIENCES)
"""What a person may choose."""


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


def change_preferences(*, user: User, **chosen: Any) -> None:
    """Keep what `user` chose, by the fields of `PREFERENCES`; what is not named stays as it is.

    Raises ValidationError when something is none of what there is to choose from, and KeyError for what is no
    preference.
    """
    for name in chosen:
        if name not in PREFERENCES:
            raise KeyError(name)
        setattr(user, name, chosen[name])
    user.clean_fields(exclude={"robo_name", "email", "password"})
    user.validate_constraints(exclude={"robo_name", "email"})
    user.save(update_fields=list(chosen))


def stop_turn_mail(*, user: User) -> None:
    """Send `user` no more mail about turns."""
    user.mail_my_turn = False
    user.save(update_fields=["mail_my_turn"])


def unsubscribe_url(user: User) -> str:
    """The address that stops mail about turns to `user`: for a link, and for the List-Unsubscribe header.

    A GET asks for confirmation; a POST does it at once (RFC 8058), signed in or not.
    """
    return settings.BASE_URL + reverse("accounts:unsubscribe", args=[unsubscribing.token(user)])
