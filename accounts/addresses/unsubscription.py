"""The signed links by which a person stops mail without logging in."""

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.urls import reverse

from accounts.users.choices import Frequency
from accounts.users.models import User

_SIGNER = Signer(salt="accounts.unsubscribe")


def token(user: User) -> str:
    """What the link of `user` ends with; it stays good, since mails are kept for years."""
    return _SIGNER.sign(str(user.pk)).replace(":", "-", 1)


def user_of(token: str) -> User | None:
    """Whose link ends with `token`; None when it was not made here, or its account is gone."""
    try:
        key = _SIGNER.unsign(token.replace("-", ":", 1))
    except BadSignature:
        return None
    return User.objects.filter(pk=key).first()


def stop_mail(*, user: User) -> None:
    """Send `user` no more mail about games, but for those for which they chose it."""
    user.manner = Frequency.NONE
    user.save(update_fields=["manner"])


def unsubscribe_url(user: User) -> str:
    """The address that stops mail about games to `user`: for a link, and for the List-Unsubscribe header.

    A GET asks for confirmation; a POST does it at once (RFC 8058), logged in or not.
    """
    return settings.BASE_URL + reverse("accounts:unsubscribe", args=[token(user)])
