"""What a person shows beside the password: an app's code, a passkey, or a recovery code.

`allauth.mfa` does the work. Here is what this site says about it, and how its secrets are kept: enciphered
with a key that follows from ``SECRET_KEY``, so that anyone who reads the database alone can log in as no one.
"""

import base64
import hashlib
import logging
from typing import Any

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import generate_totp_secret
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.users.models import User

log = logging.getLogger(__name__)


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Second factors as allauth has them, in this site's words, with secrets that are enciphered."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "cannot_generate_recovery_codes": _("Recovery codes need a second factor: set one up first."),
        "incorrect_code": _("This code is wrong. A code from an app works only once, and for half a minute."),
        "no_passkey": _("Your browser sent no matching passkey. Please try again."),
    }

    def get_totp_issuer(self) -> str:
        """What an app calls this site."""
        return "Robo Runner"

    def get_totp_label(self, user: User) -> str:
        """What an app calls the account: its address is no one's business."""
        return user.robo_name

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:  # noqa: A002
        """What a passkey is called that was given no name."""
        number = Authenticator.objects.filter(user=user, type=type).count() + 1
        return gettext("My passkey") if number == 1 else gettext("My passkey {number}").format(number=number)

    def get_public_key_credential_user_entity(self, user: User) -> dict[str, Any]:
        """Who a passkey says that it is for."""
        entity: dict[str, Any] = super().get_public_key_credential_user_entity(user)
        return entity | {"name": user.robo_name, "display_name": user.robo_name}

    def encrypt(self, text: str) -> str:
        """Encipher a secret, for the database."""
        return _ciphers().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Decipher what the database has; what was enciphered by a key that is gone fits no code any more."""
        try:
            return _ciphers().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            log.error("A second factor cannot be read: its SECRET_KEY is gone. Name it in SECRET_KEY_OLD.")
            return str(generate_totp_secret())


def _ciphers() -> MultiFernet:
    """Return what enciphers by the present key, and deciphers by the one before as well."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    derived = (
        hashlib.blake2b(key.encode(), digest_size=32, person=b"second factor").digest() for key in keys
    )
    return MultiFernet([Fernet(base64.urlsafe_b64encode(each)) for each in derived])
