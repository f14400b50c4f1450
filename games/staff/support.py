"""Help people with their accounts: addresses, logins, locks, mail and personal data.

Each function checks the rights of the member of staff, and tells the person by mail. The admin pages record
each action with its reason in the log of the admin.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Final

from allauth.account.models import EmailAddress
from allauth.usersessions.adapter import get_adapter
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts import mail, rights
from accounts.models import User, mailbox_of
from accounts.services import correct_address
from games.errors import Conflict, NotFound
from games.news import services as notices
from games.news.models import Notice
from games.people.tokens import revoke_tokens
from games.rights import Right, require, require_other, require_superuser
from games.work.models import lock_person

MAX_LOCK_DAYS: Final = 3_650
"""The maximum length of a lock with an end, in days."""


@contextmanager
def _locked(user: User, person_id: int) -> Iterator[User]:
    """Lock and yield the account that a member of staff acts on.

    Raises NotFound for guests and deleted accounts, and Forbidden for accounts of staff, unless the member is
    a superuser.
    """
    with transaction.atomic():
        person = User.objects.filter(pk=person_id, deleted_at=None, is_guest=False).first()
        if person is None:
            raise NotFound("no-person", _("There is no such account. It may be deleted."))
        lock_person(person)
        person.refresh_from_db()
        if person.deleted_at is not None:
            raise NotFound("no-person", _("There is no such account. It may be deleted."))
        require_other(user, person)
        yield person


# --- Logging in ---------------------------------------------------------------------------------------------


def give_address(*, user: User, person_id: int, email: str, reason: str, now: datetime) -> EmailAddress:
    """Send a confirmation link to a new address for a person who has lost the old mailbox.

    The person is also told at the old address, which stays until the link is opened. Raises Forbidden for
    anyone except superusers, NotFound, and Conflict if an account already has the address.
    """
    require_superuser(user)
    with _locked(user, person_id) as person:
        if mailbox_of(email) == person.email:
            raise Conflict("same", _("This is already the address of the account."))
        if rights.is_address_taken(email, user=person):
            raise Conflict("taken", _("Another account has this email address."))
        if person.awaits_confirmation:
            correct_address(user=person, email=email)
        return rights.begin_address_change(user=person, email=email, reason=reason, now=now)


def remove_factors(*, user: User, person_id: int, reason: str, now: datetime) -> User:
    """Remove all second factors, passkeys and recovery codes of a person, and end the person's sessions.

    Raises Forbidden for anyone except superusers, NotFound, and Conflict if there is no second factor.
    """
    require_superuser(user)
    with _locked(user, person_id) as person:
        if not rights.remove_all_factors(user=person, reason=reason, now=now):
            raise Conflict("no-factor", _("This account has no second factor."))
        _end_sessions(person)
    return person


def log_out(*, user: User, person_id: int, reason: str, now: datetime) -> User:
    """End all sessions of a person, and revoke the person's API tokens."""
    require(user, Right.END_SESSIONS)
    with _locked(user, person_id) as person:
        _end_sessions(person)
        rights.tell_by_mail(person, "logged-out", now=now, reason=reason)
    return person


def lock(*, user: User, person_id: int, days: int | None, reason: str, now: datetime) -> User:
    """Lock an account for some days, or until staff unlock it. The person reads the reason at the login.

    A locked account can be locked again, with another reason and end. Raises NotFound, Forbidden without the
    right to change accounts, and Conflict for the member's own account and for the last superuser.
    """
    require(user, Right.CHANGE_ACCOUNTS)
    with _locked(user, person_id) as person:
        if person.pk == user.pk:
            raise Conflict("own", _("You can’t lock your own account."))
        if rights.is_last_superuser(person):
            raise Conflict("last-superuser", _("This is the last superuser. Make another one first."))
        until = now + timedelta(days=days) if days else None
        rights.lock_account(user=person, reason=reason, until=until, now=now)
        _end_sessions(person)
    return person


def unlock(*, user: User, person_id: int, reason: str, now: datetime) -> User:
    """Unlock an account. Raises Conflict if it is not locked, and the errors of `lock`."""
    require(user, Right.CHANGE_ACCOUNTS)
    with _locked(user, person_id) as person:
        if person.is_active:
            raise Conflict("not-locked", _("This account is not locked."))
        rights.unlock_account(user=person, reason=reason, now=now)
    return person


def _end_sessions(person: User) -> None:
    get_adapter().end_sessions(UserSession.objects.filter(user=person))
    revoke_tokens(user=person)


# --- Mail ---------------------------------------------------------------------------------------------------


def send_test(*, user: User, person_id: int, reason: str, now: datetime) -> User:
    """Send a person a test email. Its outcome is recorded, as for all account mail."""
    require(user, Right.CHANGE_NOTICES)
    with _locked(user, person_id) as person:
        if not person.email:
            raise Conflict("no-address", _("This account has no confirmed address."))
        rights.tell_by_mail(person, "test", now=now, reason=reason)
    return person


def confirm_again(*, user: User, person_id: int, now: datetime) -> User:
    """Send the confirmation link of a person's unconfirmed address again.

    Raises Conflict if no address waits for confirmation.
    """
    require(user, Right.CHANGE_NOTICES)
    with _locked(user, person_id) as person:
        address = EmailAddress.objects.filter(user=person, verified=False).order_by("-pk").first()
        if address is None:
            raise Conflict("confirmed", _("No address of this account waits for confirmation."))
        rights.send_confirmation_again(address=address)
    return person


def forgive_bounce(*, user: User, person_id: int, reason: str, now: datetime) -> User:
    """Send mail about games to a bounced address again.

    Raises Conflict if mail to the address did not bounce, for example because its owner opted out.
    """
    require(user, Right.CHANGE_NOTICES)
    with _locked(user, person_id) as person:
        if mail.bounce_closure_of(person.email) is None:
            raise Conflict("open", _("No mail to this address has bounced."))
        mail.reopen_address(person.email)
        rights.tell_by_mail(person, "open", now=now, reason=reason)
    return person


def send_failed_again(*, user: User, person_id: int, now: datetime) -> int:
    """Send a person's failed and bounced notifications again. Return their number.

    A worker decides again about each of them, and drops outdated ones.
    """
    require(user, Right.CHANGE_NOTICES)
    with _locked(user, person_id) as person:
        failed = Notice.objects.filter(user=person, status__in=notices.FAILED)
        numbers = list(failed.order_by("-pk").values_list("pk", flat=True)[:NOTICES_SENT_AGAIN])
        if not numbers:
            raise Conflict("none-failed", _("No notification to this person has failed."))
        for number in numbers:
            notices.send_again(user=user, notice_id=number)
    return len(numbers)


NOTICES_SENT_AGAIN: Final = 50
"""The maximum number of failed notifications to send again at a time, newest first."""


# --- Personal data ------------------------------------------------------------------------------------------


DATA_LINK_DAYS: Final = 7
"""How long a link to the file of personal data works, in days."""

_SIGNER: Final = TimestampSigner(salt="games.staff.personal_data")


def send_data_link(*, user: User, person_id: int, reason: str, now: datetime) -> User:
    """Send a link to the file of personal data to a person who cannot log in, at the confirmed address.

    Raises Conflict for an account without a confirmed address.
    """
    require(user, Right.CHANGE_ACCOUNTS)
    with _locked(user, person_id) as person:
        if not person.email:
            raise Conflict("no-address", _("This account has no confirmed address."))
        url = settings.BASE_URL + reverse("people:data_by_link", args=[data_token(person)])
        rights.tell_by_mail(person, "data", now=now, reason=reason, data_url=url, days=DATA_LINK_DAYS)
    return person


def give_data(*, user: User, person_id: int, reason: str, now: datetime) -> User:
    """Check that a member of staff may download a person's data, and tell the person.

    Raises Forbidden for anyone except superusers.
    """
    require_superuser(user)
    with _locked(user, person_id) as person:
        rights.tell_by_mail(person, "data-given", now=now, reason=reason)
    return person


def data_token(person: User) -> str:
    """Return the token in a link to a person's data. It stops working when the address changes."""
    return _SIGNER.sign(f"{person.pk}-{mail.digest_of(person.email)[:16]}").replace(":", ".")


def person_of_data_token(token: str) -> User | None:
    """Return the person whose data a link leads to, or None if the link is invalid or too old."""
    try:
        value = _SIGNER.unsign(token.replace(".", ":"), max_age=timedelta(days=DATA_LINK_DAYS))
    except BadSignature:
        return None
    number, _dash, digest = value.partition("-")
    person = User.objects.filter(pk=number, deleted_at=None).exclude(email="").first()
    known = person is not None and digest in {each[:16] for each in mail.digests_of(person.email)}
    return person if known else None
