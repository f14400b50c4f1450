"""Whether an account has a second factor, and whether a code fits."""

from allauth.account.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.models import Authenticator

from accounts.users.models import User

FACTORS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
"""What makes a second factor; recovery codes come with the first of them."""


def is_set_up(user: User) -> bool:
    """Return whether someone is asked for more than a password."""
    return bool(Authenticator.objects.filter(user=user, type__in=FACTORS).exists())


def fits(*, user: User, code: str) -> bool:
    """Return whether a code is right, and use it up; wrong ones count as wrong passwords do.

    Raises ValidationError after too many of them.
    """
    form = AuthenticateForm(user=user, data={"code": code})
    if form.is_valid():
        form.authenticator.record_usage()
        return True
    if form.has_error("code", "too_many_login_attempts"):
        raise get_adapter().validation_error("too_many_login_attempts")
    return False
