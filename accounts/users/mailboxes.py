"""One spelling for each mailbox.

A domain may be written in its own script or as ASCII (RFC 5890), and browsers send either. Accounts, bounces
and limits compare addresses, so they use the ASCII spelling. Pages show the other one.
"""

from contextlib import suppress

import idna


def mailbox_of(email: str) -> str:
    """Return the one spelling of an address: lower case, with its domain in ASCII.

    An address that has no valid domain only becomes lower case: validators refuse it.

    >>> mailbox_of(" Pat@Müller.example "), mailbox_of("pat@xn--mller-kva.example")
    ('pat@xn--mller-kva.example', 'pat@xn--mller-kva.example')
    """
    local, at, domain = email.strip().rpartition("@")
    if not domain.isascii():
        with suppress(idna.IDNAError):
            domain = idna.encode(domain, uts46=True).decode("ascii")
    return f"{local}{at}{domain}".lower()


def readable(email: str) -> str:
    """Return an address with its domain in its own script.

    >>> readable("pat@xn--mller-kva.example"), readable("pat@example.org"), readable("pat@xn--a.example")
    ('pat@müller.example', 'pat@example.org', 'pat@xn--a.example')
    """
    local, at, domain = email.rpartition("@")
    if "xn--" not in domain:
        return email
    try:
        return f"{local}{at}{idna.decode(domain)}"
    except idna.IDNAError:
        return email
