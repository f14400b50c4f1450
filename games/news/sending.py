"""The DNS records that let other mail servers trust the site's mail.

`check_records` looks up MX, SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 7489) and reverse DNS. It sends no
mail.
"""

import base64
import binascii
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any, Final

import dns.exception
import dns.name
import dns.resolver
import dns.reversename
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_der_public_key

RIGHT: Final = "right"
WRONG: Final = "wrong"
UNKNOWN: Final = "not checked"

SPF_LOOKUPS: Final = 10
"""The maximum number of look-ups for one SPF record (RFC 7208, section 4.6.4)."""

MIN_KEY_BITS: Final = 1024
"""The minimum length of an RSA key for DKIM (RFC 8301)."""

DNS_SECONDS: Final = 5.0
"""The time limit for one look-up, in seconds."""

SPF_OF_PROVIDERS: Final = {"Mailgun": "mailgun.org", "Postmark": "spf.mtasv.net"}
"""The name that an SPF record includes for each mail provider."""

Address = IPv4Address | IPv6Address


@dataclass(frozen=True)
class Finding:
    """The result of one check: its subject, `RIGHT`, `WRONG` or `UNKNOWN`, and the next action."""

    subject: str
    state: str
    text: str


@dataclass(frozen=True)
class Sending:
    """How a site sends mail.

    `domain` is of the sender in ``From``, `bounces` of the return address. `addresses` belong to the
    sending mail server. They are empty if a provider sends.
    """

    domain: str
    bounces: str
    addresses: Sequence[Address]
    provider: str = ""
    selectors: Sequence[str] = ()


class NoAnswer(Exception):
    """Raised if DNS does not answer. The text names the record."""


class _TooManyLookups(Exception):
    """Raised for an SPF record with more than `SPF_LOOKUPS` look-ups."""


class Records:
    """DNS, through one server or the servers of this machine."""

    def __init__(self, server: str = "", port: int = 53) -> None:
        self._resolver = dns.resolver.Resolver(configure=not server)
        if server:
            self._resolver.nameservers = [server]
            self._resolver.port = port
        self._resolver.lifetime = DNS_SECONDS

    def texts(self, name: str) -> list[str]:
        """Return the TXT records of a name."""
        return [b"".join(each.strings).decode("utf-8", "replace") for each in self._ask(name, "TXT")]

    def addresses(self, name: str) -> list[Address]:
        """Return the IPv4 and IPv6 addresses of a name."""
        return [ip_address(each.address) for kind in ("A", "AAAA") for each in self._ask(name, kind)]

    def mail_servers(self, name: str) -> list[str]:
        """Return the mail servers of a domain, the preferred one first. A null MX (RFC 7505) is ``""``."""
        found = sorted(self._ask(name, "MX"), key=lambda each: int(each.preference))
        return [each.exchange.to_text(omit_final_dot=True).rstrip(".") for each in found]

    def names(self, address: Address) -> list[str]:
        """Return the names in the reverse DNS of an address."""
        where = dns.reversename.from_address(str(address)).to_text()
        return [each.target.to_text(omit_final_dot=True) for each in self._ask(where, "PTR")]

    def _ask(self, name: str, kind: str) -> list[Any]:
        try:
            return list(self._resolver.resolve(name, kind, search=False))
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return []
        except (dns.exception.DNSException, UnicodeError) as error:
            raise NoAnswer(
                f"DNS did not answer for the {kind} record of {name}: {type(error).__name__}."
            ) from error


def check_records(sending: Sending, records: Records) -> Iterator[Finding]:
    """Check the records of a site's sender. Yield each finding as soon as it is known."""
    checks = (
        ("MX", _check_mail_servers),
        ("SPF", _check_spf),
        ("DKIM", _check_dkim),
        ("DMARC", _check_dmarc),
        ("Reverse DNS", _check_names),
    )
    for subject, check in checks:
        try:
            for state, text in check(sending, records):
                yield Finding(subject, state, text)
        except NoAnswer as problem:
            yield Finding(subject, UNKNOWN, f"{problem} Try again, or name another server with --server.")


def _check_mail_servers(sending: Sending, records: Records) -> Iterator[tuple[str, str]]:
    for domain in dict.fromkeys((sending.bounces, sending.domain)):
        servers = records.mail_servers(domain)
        if servers == [""]:
            yield (
                WRONG,
                f"{domain} says that it gets no mail, so others refuse mail from it. Add an MX record.",
            )
        elif missing := [server for server in servers if not records.addresses(server)]:
            yield WRONG, f"{missing[0]}, a mail server of {domain}, has no address. Correct the MX record."
        elif servers:
            yield RIGHT, f"{domain} gets mail at {', '.join(servers)}."
        elif records.addresses(domain):
            yield RIGHT, f"{domain} has no MX record, and gets mail at its own address."
        else:
            yield (
                WRONG,
                f"{domain} can't get replies or bounces. Add an MX record that names its mail server.",
            )


def _check_spf(sending: Sending, records: Records) -> Iterator[tuple[str, str]]:
    domain = sending.bounces
    found = _spf_of(domain, records)
    included = SPF_OF_PROVIDERS.get(sending.provider)
    terms = [f"include:{included}"] if included else []
    terms += [f"ip{address.version}:{address}" for address in sending.addresses]
    example = " ".join(["v=spf1", *terms, "-all"])
    if not found:
        yield WRONG, f"{domain} has no SPF record. Add a TXT record: {example}"
        return
    if len(found) > 1:
        yield WRONG, f"{domain} has {len(found)} SPF records, and only one is allowed. Merge them."
        return
    if included:
        named = f"include:{included}" in found[0].casefold().split()
        hint = f"{sending.provider} may send for {domain}."
        wanted = f"Add include:{included} to the SPF record of {domain}."
        yield (RIGHT, hint) if named else (WRONG, wanted)
    for address in sending.addresses:
        try:
            result = _evaluate(domain, address, records, [SPF_LOOKUPS])
        except _TooManyLookups:
            yield (
                WRONG,
                f"The SPF record of {domain} needs more than {SPF_LOOKUPS} look-ups. Name addresses.",
            )
            return
        if result == "+":
            yield RIGHT, f"{address} may send for {domain}."
        elif result == "":
            yield (
                UNKNOWN,
                f"The SPF record of {domain} has a term that this command can't evaluate.",
            )
        else:
            term = f"ip{address.version}:{address}"
            yield WRONG, f"{address} may not send for {domain}. Add {term} to its SPF record: {found[0]}"


def _spf_of(domain: str, records: Records) -> list[str]:
    texts = records.texts(domain)
    return [text for text in texts if text.casefold() == "v=spf1" or text.casefold().startswith("v=spf1 ")]


def _evaluate(domain: str, address: Address, records: Records, left: list[int]) -> str:
    """Return the result of an SPF record for an address: ``+``, ``-``, ``~`` or ``?``, or "" if unknown.

    ``left`` has the number of look-ups that are left, which also limits the depth.
    """
    found = _spf_of(domain, records)
    if len(found) != 1:
        return ""
    redirect = ""
    for term in found[0].casefold().split()[1:]:
        sign, mechanism = (term[0], term[1:]) if term[0] in "+-~?" else ("+", term)
        if mechanism.startswith("redirect="):
            redirect = mechanism.removeprefix("redirect=")
        elif "=" in mechanism.partition(":")[0]:
            continue  # a modifier without effect, such as exp=
        else:
            match = _matches(mechanism, domain, address, records, left)
            if match is None:
                return ""
            if match:
                return sign
    if not redirect:
        return "?"
    _count_lookup(left)
    return "" if "%" in redirect else _evaluate(redirect, address, records, left)


def _matches(mechanism: str, domain: str, address: Address, records: Records, left: list[int]) -> bool | None:
    """Return whether an address matches a mechanism of SPF, or None if that is unknown."""
    head, slash, length = mechanism.partition("/")
    kind, _, value = head.partition(":")
    target = value or domain
    if kind == "all":
        return True
    if kind in ("ip4", "ip6"):
        _, _, text = mechanism.partition(":")
        try:
            network = ip_network(text, strict=False)
        except ValueError:
            return None
        return address in network
    if "%" in target or kind not in ("a", "mx", "include", "exists"):
        return None
    _count_lookup(left)
    if kind == "include":
        inner = _evaluate(target, address, records, left)
        return None if not inner else inner == "+"
    if kind == "exists":
        return bool(records.addresses(target))
    servers = records.mail_servers(target)[:SPF_LOOKUPS] if kind == "mx" else [target]
    known = [each for server in servers if server for each in records.addresses(server)]
    four, _, six = length.partition("//")
    bits = (four if address.version == 4 else six) if slash else ""
    if not bits:
        return address in known
    return any(
        address in ip_network(f"{each}/{bits}", strict=False)
        for each in known
        if each.version == address.version
    )


def _count_lookup(left: list[int]) -> None:
    if not left[0]:
        raise _TooManyLookups
    left[0] -= 1


def _check_dkim(sending: Sending, records: Records) -> Iterator[tuple[str, str]]:
    if not sending.selectors:
        text = (
            "Sign mail in your mail server or at your provider, and name the key's selector with --selector."
        )
        yield UNKNOWN, text
    for selector in sending.selectors:
        name = f"{selector}._domainkey.{sending.domain}"
        texts = records.texts(name)
        if len(texts) != 1:
            much = f"has {len(texts)} TXT records, and only one is allowed" if texts else "has no TXT record"
            yield WRONG, f"{name} {much}. Copy the record that your mail server or provider shows."
        elif problem := _problem_of_key(_tags(texts[0])):
            yield WRONG, f"The key at {name} {problem}."
        else:
            yield RIGHT, f"{name} has a valid key."


def _problem_of_key(tags: dict[str, str]) -> str:
    """Return the fault in the record of a DKIM key, or ""."""
    if tags.get("v", "DKIM1") != "DKIM1":
        return "does not begin with v=DKIM1. Copy it again"
    if not tags.get("p"):
        return "is revoked, because p= is empty. Publish the current key"
    try:
        key = base64.b64decode("".join(tags["p"].split()), validate=True)
        if tags.get("k", "rsa") == "ed25519":
            return "" if len(key) == 32 else "is not a valid Ed25519 key. Copy it again"
        public = load_der_public_key(key)
    except (binascii.Error, ValueError, UnsupportedAlgorithm):
        return "is not valid, perhaps because a part of p= is missing. Copy it again"
    if isinstance(public, RSAPublicKey) and public.key_size < MIN_KEY_BITS:
        return f"has only {public.key_size} bits. Use a key of 2048 bits"
    return ""


def _check_dmarc(sending: Sending, records: Records) -> Iterator[tuple[str, str]]:
    owner, found = "", list[str]()
    for owner in _with_parents(sending.domain):
        found = [text for text in records.texts(f"_dmarc.{owner}") if text.casefold().startswith("v=dmarc1")]
        if found:
            break
    if not found:
        text = f"v=DMARC1; p=none; rua=mailto:postmaster@{sending.domain}"
        yield (
            WRONG,
            f"{sending.domain} has no DMARC record. Add a TXT record at _dmarc.{sending.domain}: {text}",
        )
        return
    policy = _tags(found[0]).get("p", "").casefold()
    if len(found) > 1:
        yield (
            WRONG,
            f"_dmarc.{owner} has {len(found)} DMARC records, and only one is allowed. Remove the others.",
        )
    elif policy not in ("none", "quarantine", "reject"):
        yield WRONG, f"The policy of _dmarc.{owner} is not none, quarantine or reject. Set p=none at first."
    else:
        later = " Once all mail passes, use p=quarantine or p=reject." if policy == "none" else ""
        yield RIGHT, f"_dmarc.{owner} has the policy {policy}.{later}"
        if not _aligned(sending.bounces, sending.domain) and not sending.provider:
            yield (
                (RIGHT if sending.selectors else WRONG),
                (
                    f"Bounces go to {sending.bounces}, another domain than {sending.domain}, so only DKIM "
                    "counts for DMARC. Use a BOUNCE_ADDRESS in the domain of MAIL_FROM, or use DKIM."
                ),
            )


def _with_parents(domain: str) -> Iterator[str]:
    """Yield a domain, and its parents down to those with two labels, such as ``example.org``."""
    labels = domain.split(".")
    for first in range(max(1, len(labels) - 1)):
        yield ".".join(labels[first:])


def _aligned(one: str, other: str) -> bool:
    """Return whether one of two domains is the other or below it."""
    return one == other or one.endswith(f".{other}") or other.endswith(f".{one}")


def _tags(text: str) -> dict[str, str]:
    """Return the tags of a record such as ``v=DKIM1; p=…``."""
    pairs = (part.partition("=") for part in text.split(";") if "=" in part)
    return {name.strip().casefold(): value.strip() for name, _, value in pairs}


def _check_names(sending: Sending, records: Records) -> Iterator[tuple[str, str]]:
    if sending.provider:
        yield RIGHT, f"{sending.provider} sends from its own addresses, and takes care of their names."
    elif not sending.addresses:
        yield UNKNOWN, "The address of the mail server is not known. Name it with --address."
    for address in sending.addresses:
        if not address.is_global:
            yield (
                UNKNOWN,
                f"{address} is not public. Name the address that other mail servers see with --address.",
            )
            continue
        names = records.names(address)
        if any(address in records.addresses(name) for name in names):
            yield RIGHT, f"{address} is {names[0]}, and this name leads back to it."
        elif names:
            yield (
                WRONG,
                f"{address} is {names[0]}, but this name does not lead back to it. Correct either.",
            )
        else:
            yield (
                WRONG,
                f"{address} has no name. Ask the server's provider to set its reverse DNS.",
            )
