"""Log in: check passwords and second factors, and count wrong passwords.

Each session stores the dotted name of `AuthenticationBackend`. A new name would log everyone out.

allauth counts attempts by the typed text, so it counts the Robo Name and the address of an account
separately. This module counts attempts by account: for the login page, the API, password changes and
reauthentication. After too many attempts by name, an attempt by address gets the same answer as a wrong
password. Any other answer would reveal whose address it is.

`allauth.mfa` checks second factors. Their secrets are encrypted with a key derived from ``SECRET_KEY``, so
the database alone is not enough to log in.
"""

import base64
import hashlib
import logging
from contextlib import suppress
from typing import Any, Final

from allauth.account import auth_backends
from allauth.account.adapter import get_adapter
from allauth.account.internal.userkit import get_user_by_username
from allauth.account.models import EmailAddress
from allauth.core.internal import ratelimit
from allauth.core.internal.ratelimit import RateLimitUsage
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import generate_totp_secret
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy as _

from accounts.mail import owner_of
from accounts.models import User
from roborunner.postgres.queries import PreparedQuery

ACTION: Final = "account_failed"
"""The name of the rate limit on login attempts in `settings.ACCOUNT_RATE_LIMITS`."""


def take_attempt(user: User) -> RateLimitUsage | None:
    """Count a login attempt for an account. Return the record of it, or None after too many attempts.

    If the password is right, the caller must roll back the record, because only wrong passwords count.
    """
    return _consume(user)


def attempts_are_used_up(user: User) -> bool:
    """Return whether an account is locked after too many wrong passwords."""
    return _consume(user, dry_run=True) is None


def forget_attempts(user: User) -> None:
    """Reset the count of wrong passwords for an account, after its owner has set a new password."""
    ratelimit.clear(None, app="allauth.account", action=ACTION, key=_key(user))


def _consume(user: User, *, dry_run: bool = False) -> RateLimitUsage | None:
    usage: RateLimitUsage | None = ratelimit.consume(
        None, app="allauth.account", action=ACTION, key=_key(user), dry_run=dry_run, limit_get=True
    )
    return usage


def _key(user: User) -> str:
    return f"account:{user.pk}"


_PEOPLE: Final = PreparedQuery(lambda pk: User.objects.filter(pk=pk), int)


class AuthenticationBackend(auth_backends.AuthenticationBackend):  # type: ignore[misc]
    """allauth's backend, but it finds accounts only by confirmed addresses, and counts attempts by account.

    allauth's own backend stays in the settings for sessions that began with it. Django never uses it for a
    login, because this backend raises PermissionDenied if the login fails.
    """

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> User | None:
        """Return the account that matches the login. Raises PermissionDenied if no account matches."""
        user: User | None = super().authenticate(request, **credentials)
        if user is None:
            raise PermissionDenied
        return user

    def get_user(self, user_id: int) -> User | None:
        """Return the account of a session, or None if the account is closed or locked."""
        user = _PEOPLE.first(user_id)
        return user if user and self.user_can_authenticate(user) else None

    def _authenticate(self, request: HttpRequest | None, **credentials: Any) -> User | None:
        """Return the account if the password is right, or None. Count a wrong password.

        If there is no such account, or no attempt is left, this method checks no password. In these cases,
        `authenticate` hashes a password, so that the response time does not reveal whether the account
        exists.
        """
        user = account_of(email=credentials.get("email"), name=credentials.get("username"))
        attempt = take_attempt(user) if user else None
        if attempt is None:
            return None
        known: User | None = self._check_password(user, credentials["password"])
        if known:
            attempt.rollback()
        return known


def account_of(*, email: str | None, name: str | None) -> User | None:
    """Return the account with this confirmed address or, if no address is given, with this Robo Name."""
    if email:
        return owner_of(email)
    found: User | None = get_user_by_username(name) if name and "\0" not in name else None
    return found


log = logging.getLogger(__name__)


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """allauth's second factors, with this site's messages and with encrypted secrets."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "cannot_generate_recovery_codes": _("Recovery codes need a second factor. Set one up first."),
        "incorrect_code": _(
            "This code is wrong. Each code from an app works only once, and only for 30 seconds."
        ),
        "no_passkey": _("Your browser sent no matching passkey. Try again."),
    }

    def get_totp_issuer(self) -> str:
        """Return the name that an authenticator app shows for this site."""
        return str(settings.SITE_NAME)

    def get_totp_label(self, user: User) -> str:
        """Return the name that an authenticator app shows for the account: the Robo Name, not the address."""
        return user.robo_name

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:  # noqa: A002
        """Return the default name of a new passkey, numbered if the person already has one."""
        number = Authenticator.objects.filter(user=user, type=type).count() + 1
        return gettext("My passkey") if number == 1 else gettext("My passkey {number}").format(number=number)

    def get_public_key_credential_user_entity(self, user: User) -> dict[str, Any]:
        """Return the user data to store in a passkey. Both names in it are the Robo Name."""
        entity: dict[str, Any] = super().get_public_key_credential_user_entity(user)
        return entity | {"name": user.robo_name, "display_name": user.robo_name}

    def encrypt(self, text: str) -> str:
        """Encrypt a secret for the database."""
        return _ciphers().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Decrypt a secret from the database.

        If the key is lost, logs an error and returns a random secret, so that every code counts as wrong.
        """
        try:
            return _ciphers().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            log.error("A second factor can't be read. Add its old SECRET_KEY to SECRET_KEY_OLD.")
            return str(generate_totp_secret())


def _ciphers() -> MultiFernet:
    """Return a cipher that encrypts with the current key and decrypts with the current and older keys."""
    return MultiFernet([_cipher(key) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _cipher(key: str) -> Fernet:
    derived = hashlib.blake2b(key.encode(), digest_size=32, person=b"second factor").digest()
    return Fernet(base64.urlsafe_b64encode(derived))


def reencrypt_second_factors() -> int:
    """Encrypt all secrets of second factors with the current key. Return the number of changed rows.

    Secrets that no key can decrypt stay as they are. It is safe to run again, and while people log in.
    """
    changed = 0
    for number in Authenticator.objects.order_by("pk").values_list("pk", flat=True).iterator():
        with transaction.atomic():
            row = Authenticator.objects.select_for_update().filter(pk=number).first()
            if row is not None and (data := _with_new_key(row.data)) != row.data:
                row.data = data
                row.save(update_fields=["data"])
                changed += 1
    return changed


def _with_new_key(data: dict[str, Any]) -> dict[str, Any]:
    """Return a second factor's data with all texts encrypted by the current key.

    Texts that the current key or no key can decrypt stay as they are.
    """

    def renewed(value: Any) -> Any:
        if isinstance(value, list):
            return [renewed(each) for each in value]
        if not isinstance(value, str):
            return value
        with suppress(InvalidToken):
            _cipher(settings.SECRET_KEY).decrypt(value.encode())
            return value
        with suppress(InvalidToken):
            return _ciphers().rotate(value.encode()).decode()
        return value

    return {name: renewed(value) for name, value in data.items()}


FACTORS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
"""The kinds of second factor. Recovery codes do not count as a second factor."""


def has_second_factor(user: User) -> bool:
    """Return whether a person has set up a second factor."""
    return bool(Authenticator.objects.filter(user=user, type__in=FACTORS).exists())


def check_code(*, user: User, code: str) -> bool:
    """Return whether a code of a second factor is right. A right code cannot be used again.

    Wrong codes count like wrong passwords. Raises ValidationError after too many wrong codes or passwords.
    """
    form = AuthenticateForm(user=user, data={"code": code})
    if form.is_valid():
        form.authenticator.record_usage()
        return True
    if form.has_error("code", "too_many_login_attempts"):
        raise get_adapter().validation_error("too_many_login_attempts")
    return False


WAIT: Final = 300
"""The seconds to wait after too many wrong passwords for a Robo Name or address."""


class TooManyAttempts(Exception):
    """Raised after too many wrong passwords or codes for a login. Try again after ``WAIT`` seconds."""


class AccountLocked(Exception):
    """Raised if the password is right, but staff have locked the account."""


class AddressUnconfirmed(Exception):
    """Raised if the password is right, but the email address is not confirmed yet."""


class CodeMissing(Exception):
    """Raised if the password is right, but the required code of a second factor is missing."""


def person_of(*, request: HttpRequest, login: str, password: str, code: str = "") -> User | None:
    """Return the account for a Robo Name or address, a password and, if needed, a code.

    Returns None if they do not match. Wrong passwords and codes count together with wrong ones on the login
    page. Raises TooManyAttempts or, if the password is right, AccountLocked, AddressUnconfirmed or
    CodeMissing.
    """
    key = "email" if "@" in login else "username"  # a Robo Name has no @
    try:
        user: User | None = get_adapter().authenticate(request, password=password, **{key: login})
    except ValidationError as error:
        raise TooManyAttempts from error
    if user is None:
        return None
    if not user.is_active:
        raise AccountLocked
    if not EmailAddress.objects.filter(user=user, verified=True).exists():
        raise AddressUnconfirmed
    return user if _second_factor(user, code) else None


def _second_factor(user: User, code: str) -> bool:
    """Return whether a person's code is right, or True if they have no second factor.

    Raises CodeMissing if the code is required but empty, and TooManyAttempts after too many wrong codes.
    """
    if not has_second_factor(user):
        return True
    if not code:
        raise CodeMissing
    try:
        return check_code(user=user, code=code)
    except ValidationError as error:
        raise TooManyAttempts from error
