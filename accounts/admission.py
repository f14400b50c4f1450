"""Decide who can sign up: the mode, invitations, blocks, and the approval by staff.

Every way to an account goes through these functions. The adapter calls `is_open` before a sign-up,
`record_sign_up` after it, and `settle` when the person has confirmed the address or logs in for the first
time. Forms call `check_address`.

An account that waits for staff is locked (``is_active`` is false) until they approve it. If they decline,
the account is deleted, as an unconfirmed sign-up would be.
"""

import secrets
from collections.abc import Collection
from datetime import datetime, timedelta
from functools import cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import DomainNameValidator, validate_email
from django.db import transaction
from django.db.models import Count, F, Q, QuerySet
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from accounts import mail
from accounts.languages import as_read_by
from accounts.limits import UNKNOWN_IP
from accounts.models import User, mailbox_of
from accounts.sign_ups import InvitationLink, SignUp, SignUpBlock, SignUpMode, SignUpRule, ThrowawayDomain

# --- The mode -----------------------------------------------------------------------------------------------


def mode() -> SignUpMode:
    """Return the mode of sign-up: the last choice of staff, or else the setting."""
    newest = SignUpRule.objects.values_list("mode", flat=True).first()
    return SignUpMode(newest or settings.SIGN_UP)


def is_open(*, ip: str, token: str, by_mail: bool, now: datetime) -> str:
    """Return an empty string if a person at this IP address can sign up, or else the reason why not.

    The reason is ``closed``, ``network`` or ``invited``. ``token`` is the token of the person's invitation
    link. ``by_mail`` means that the person says that a game or a club has invited them by mail.
    """
    current = mode()
    if current == SignUpMode.CLOSED:
        return "closed"
    if is_blocked_network(ip, now=now):
        return "network"
    if current == SignUpMode.INVITED and not by_mail and valid_link(token, now=now) is None:
        return "invited"
    return ""


# --- Blocks -------------------------------------------------------------------------------------------------


NETWORK_BITS: Final = {4: 24, 6: 48}
"""The length of the network prefix that the site stores of an IP address, by the address's version."""


def network_of(ip: str) -> IPv4Network | IPv6Network | None:
    """Return the network that is stored for an IP address, or None for an unknown address.

    >>> network_of("203.0.113.77"), network_of("::ffff:203.0.113.77"), network_of("2001:db8:1:2::3")
    (IPv4Network('203.0.113.0/24'), IPv4Network('203.0.113.0/24'), IPv6Network('2001:db8:1::/48'))
    """
    try:
        address = ip_address(ip)
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    if str(address) == UNKNOWN_IP:
        return None
    return ip_network(f"{address}/{NETWORK_BITS[address.version]}", strict=False)


def normal_block(kind: str, value: str) -> str:
    """Return the value of a block in normal form. Raises ValidationError for an invalid value.

    >>> normal_block("domain", " @Mail.Example.ORG "), normal_block("network", "203.0.113.9/24")
    ('mail.example.org', '203.0.113.0/24')
    """
    value = value.strip()
    if kind == SignUpBlock.Kind.NETWORK:
        try:
            return str(ip_network(value, strict=False))
        except ValueError:
            raise ValidationError(_("Enter a network such as 203.0.113.0/24 or 2001:db8::/48.")) from None
    if kind == SignUpBlock.Kind.ADDRESS:
        validate_email(address := mailbox_of(value))
        return address
    domain = mailbox_of(f"a@{value.rpartition('@')[2]}").partition("@")[2]
    DomainNameValidator()(domain)
    return domain


def blocks_in_force(*, now: datetime) -> QuerySet[SignUpBlock]:
    return SignUpBlock.objects.filter(Q(ends_at=None) | Q(ends_at__gt=now))


def is_blocked_network(ip: str, *, now: datetime) -> bool:
    """Return whether staff have blocked the network of an IP address."""
    try:
        address = ip_address(ip)
    except ValueError:
        return False
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    around = [str(ip_network(f"{address}/{bits}", strict=False)) for bits in range(address.max_prefixlen + 1)]
    return blocks_in_force(now=now).filter(kind=SignUpBlock.Kind.NETWORK, value__in=around).exists()


def check_address(email: str, *, now: datetime) -> str:
    """Return the address of a sign-up in normal form. Raises ValidationError if it is blocked.

    The answer depends only on the blocks, never on accounts.
    """
    email = mailbox_of(email)
    domains = _domains_above(email.rpartition("@")[2])
    kinds = SignUpBlock.Kind
    found = blocks_in_force(now=now).filter(
        Q(kind=kinds.ADDRESS, value=email) | Q(kind__in=(kinds.DOMAIN, kinds.ALLOWED), value__in=domains)
    )
    hits = set(found.values_list("kind", flat=True))
    if hits & {kinds.ADDRESS.value, kinds.DOMAIN.value}:
        raise ValidationError(
            _("You can’t sign up with this address. Use another one, or contact us if this is a mistake."),
            code="blocked",
        )
    if not settings.THROWAWAY_ADDRESSES and kinds.ALLOWED.value not in hits and _is_throwaway(domains):
        raise ValidationError(
            _("This is a throw-away address. Use one at which you can read mail later, too."),
            code="throwaway",
        )
    return email


def _domains_above(domain: str) -> list[str]:
    """Return a domain and the domains above it, without the top level. Very long domains are cut.

    >>> _domains_above("a.mail.example.org")
    ['a.mail.example.org', 'mail.example.org', 'example.org']
    """
    labels = domain.split(".")[-20:]
    return [".".join(labels[first:]) for first in range(max(1, len(labels) - 1))]


@cache
def packaged_domains() -> frozenset[str]:
    """Return the throw-away domains in the package. They are imported only if they are needed."""
    from disposable_email_domains import blocklist

    return frozenset(blocklist)


def _is_throwaway(domains: list[str]) -> bool:
    if ThrowawayDomain.objects.filter(domain__in=domains).exists():
        return True
    return not packaged_domains().isdisjoint(domains) and not ThrowawayDomain.objects.exists()


def load_throwaway_domains(domains: Collection[str]) -> None:
    """Replace the list of throw-away domains. The domains must be in normal form (`normal_block`)."""
    with transaction.atomic():
        ThrowawayDomain.objects.exclude(domain__in=domains).delete()
        rows = (ThrowawayDomain(domain=domain) for domain in sorted(domains))
        ThrowawayDomain.objects.bulk_create(rows, ignore_conflicts=True, batch_size=5000)


def reset_throwaway_domains() -> None:
    """Drop the loaded list of throw-away domains, so that the package's list counts again."""
    ThrowawayDomain.objects.all().delete()


# --- Invitation links ---------------------------------------------------------------------------------------


LINK_LIFETIME: Final = timedelta(days=14)

MAX_PEOPLE_PER_LINK: Final = 10
"""The maximum number of people for one link of a player. Links of staff have no maximum."""

MAX_OPEN_LINKS: Final = 5
"""The maximum number of links of one player that have not ended."""


def valid_link(token: str, *, now: datetime) -> InvitationLink | None:
    """Return the invitation link with this token, if another person can still sign up with it."""
    if not token or "\0" in token:
        return None
    links = InvitationLink.objects.filter(token=token, ends_at__gt=now, made_by__is_active=True)
    return links.annotate(used=Count("sign_ups")).filter(used__lt=F("most")).first()


def make_link(*, user: User, most: int, unlimited: bool = False, now: datetime) -> InvitationLink:
    """Make an invitation link. Raises ValidationError for too many people, or too many open links.

    ``unlimited`` is for staff.
    """
    if most < 1 or (most > MAX_PEOPLE_PER_LINK and not unlimited):
        raise ValidationError(
            _("A link is for 1 to {most} people.").format(most=MAX_PEOPLE_PER_LINK), code="people"
        )
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        opened = InvitationLink.objects.filter(made_by=user, ends_at__gt=now)
        if not unlimited and opened.count() >= MAX_OPEN_LINKS:
            raise ValidationError(
                _("You have {most} open links, which is the limit. End one first.").format(
                    most=MAX_OPEN_LINKS
                ),
                code="too-many",
            )
        return InvitationLink.objects.create(
            token=secrets.token_urlsafe(16),
            made_by=user,
            most=most,
            made_at=now,
            ends_at=now + LINK_LIFETIME,
        )


def end_link(*, user: User, link_id: int, now: datetime) -> bool:
    """End a player's link early. Return whether it was open."""
    opened = InvitationLink.objects.filter(pk=link_id, made_by=user, ends_at__gt=now)
    return opened.update(ends_at=now) > 0


def links_of(user: User, *, now: datetime) -> QuerySet[InvitationLink]:
    """Return a player's open links, each with ``used``, the number of people who signed up with it."""
    return InvitationLink.objects.filter(made_by=user, ends_at__gt=now).annotate(used=Count("sign_ups"))


# --- Sign-ups -----------------------------------------------------------------------------------------------


SIGN_UP_KEPT: Final = timedelta(days=90)
"""How long the site keeps the network and the invitation link of a sign-up."""

ROWS_PER_PASS: Final = 1000


def record_sign_up(*, user: User, ip: str, token: str, now: datetime) -> SignUp:
    """Record how an account began, and use a place of the invitation link. A correction changes the row."""
    network = network_of(ip)
    with transaction.atomic():
        # Two people must not use the last place of a link.
        list(InvitationLink.objects.select_for_update().filter(token=token or "-").values_list("pk"))
        row, _made = SignUp.objects.get_or_create(
            user=user,
            defaults={"at": now, "network": str(network.network_address) if network else None},
        )
        if row.invitation_id is None and row.status == SignUp.Status.NEW:
            row.invitation = valid_link(token, now=now)
            row.save(update_fields=["invitation"])
    return row


def may_confirm(*, user: User, invited: bool) -> bool:
    """Return whether the site sends a confirmation link to this sign-up.

    ``invited`` means that a game or a club has invited the address.
    """
    by_link = SignUp.objects.filter(user=user, invitation__isnull=False).exists()
    return mode() != SignUpMode.INVITED or by_link or invited


def settle(*, user: User, invited: bool, now: datetime) -> bool:
    """Admit a new account, or lock it until staff decide. Return whether the account is not waiting.

    An invitation admits a person without approval. If the mode became stricter after the sign-up, staff
    decide. ``invited`` means that a game or a club has invited the address.
    """
    with transaction.atomic():
        row = SignUp.objects.select_for_update().filter(user=user).first()
        if row is None or row.status != SignUp.Status.NEW:
            return row is None or row.status == SignUp.Status.ADMITTED
        current = mode()
        known = row.invitation_id is not None or invited
        if current == SignUpMode.OPEN or (known and current != SignUpMode.CLOSED):
            row.status = SignUp.Status.ADMITTED
        else:
            row.status, row.waits_since = SignUp.Status.WAITING, now
            User.objects.filter(pk=user.pk).update(is_active=False)
            user.is_active = False
        row.save(update_fields=["status", "waits_since"])
    return row.status == SignUp.Status.ADMITTED


def waiting() -> QuerySet[SignUp]:
    """Return the sign-ups that wait for staff."""
    return SignUp.objects.filter(status=SignUp.Status.WAITING)


def is_waiting(user: User) -> bool:
    return waiting().filter(user=user).exists()


def approve(*, user_id: int, reason: str = "", now: datetime) -> bool:
    """Admit a person who waits, and tell them by mail. Return False if they no longer wait."""
    with transaction.atomic():
        person = _lock_waiting(user_id)
        if person is None:
            return False
        waiting().filter(user=person).update(status=SignUp.Status.ADMITTED, waits_since=None)
        person.is_active = True
        person.save(update_fields=["is_active"])
        _tell(person, "sign_up_approved", reason, now)
    return True


def decline(*, user_id: int, reason: str, now: datetime) -> bool:
    """Tell a person who waits that staff declined, and delete the account. Return False if they don't wait.

    The person has never played, so the row can go. The Robo Name and the address are free again.
    """
    with transaction.atomic():
        person = _lock_waiting(user_id)
        if person is None:
            return False
        mail.discard_mail(user=person)
        _tell(person, "sign_up_declined", reason, now)
        person.delete()
    return True


def discard(*, user_id: int) -> bool:
    """Delete a person who waits, without a word. Return False if they don't wait."""
    with transaction.atomic():
        person = _lock_waiting(user_id)
        if person is None:
            return False
        mail.discard_mail(user=person)
        person.delete()
    return True


def _lock_waiting(user_id: int) -> User | None:
    held = User.objects.select_for_update(of=("self",)).filter(
        pk=user_id, sign_up__status=SignUp.Status.WAITING
    )
    return held.first()


def _tell(person: User, letter: str, reason: str, now: datetime) -> None:
    kind = f"account/email/{letter}"
    context = {"site_url": settings.BASE_URL, "reason": reason, "name": person.robo_name}
    with as_read_by(person):
        subject = render_to_string(f"{kind}_subject.txt", context).strip()
        body = render_to_string(f"{kind}_message.txt", context)
    mail.post_mail(kind=kind, address=person.email, subject=subject, body=body, now=now)


def forget_origins(*, now: datetime) -> int:
    """Delete the records of sign-ups and links after `SIGN_UP_KEPT`, and blocks that ended then.

    A record stays while staff have not decided. Returns the number of deleted rows.
    """
    before = now - SIGN_UP_KEPT
    old = SignUp.objects.filter(at__lte=before).exclude(status=SignUp.Status.WAITING).order_by("at")
    gone = SignUp.objects.filter(pk__in=list(old.values_list("pk", flat=True)[:ROWS_PER_PASS])).delete()[0]
    gone += InvitationLink.objects.filter(ends_at__lte=before).delete()[0]
    return gone + SignUpBlock.objects.filter(ends_at__lte=before).delete()[0]
