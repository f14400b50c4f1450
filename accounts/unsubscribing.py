"""The signed links by which a person stops mail without logging in."""

from django.core.signing import BadSignature, Signer

from accounts.models import User

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
