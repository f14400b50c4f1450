"""Where accounts and games meet: a guest's missions come along, and a new password ends the old tokens."""

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts import guests
from accounts.adapter import AccountAdapter as PlainAdapter
from accounts.models import User
from games.people.services.adoption import adopt_guest
from games.tokens.services import revoke_tokens


class EntranceAdapter(PlainAdapter):
    """Accounts as they are without games, but that what guests have flown goes over to people."""

    def login(self, request: HttpRequest, user: User) -> None:
        """Sign someone in; missions that were flown in this browser by a guest are theirs from now on."""
        guest = guests.guest_of(request)
        super().login(request, user)
        if guest and guest.pk != user.pk:
            adopt_guest(guest_id=guest.pk, user=user)
        request.session.pop(guests.CLAIM, None)

    def set_password(self, user: User, password: str) -> None:
        """Give someone a new password, and end their tokens with it (`TokensEnd`)."""
        with transaction.atomic():
            super().set_password(user, password)


class TokensEnd:
    """Revokes a person's tokens whenever they get a new password, in whatever way.

    Django asks each of ``AUTH_PASSWORD_VALIDATORS`` to take note of a new password once it is saved: when it
    is changed or reset, by staff, and by ``manage.py changepassword``.
    """

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        """Refuse nothing."""

    def password_changed(self, password: str, user: AbstractBaseUser | None = None) -> None:
        """Revoke the tokens that were made by the password of before."""
        if isinstance(user, User):
            revoke_tokens(user=user)

    def get_help_text(self) -> str:
        return _("A new password revokes all API tokens of the account.")
