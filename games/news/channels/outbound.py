"""Call addresses that people have entered, within a time limit and never in private networks.

A host name is looked up once. The call goes to one of the IP addresses that were found and checked, so that
the name cannot lead elsewhere between the check and the call. Redirects are not followed. Of an answer, the
status and the header `Retry-After` are read, and only a limited part of the body.
"""

import http.client
import socket
import ssl
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final, NamedTuple
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils.translation import gettext, gettext_lazy as _

from games.news.channels import Undeliverable
from roborunner import faults

TIMEOUT: Final = 10.0
"""The time limit for a call, in seconds. The time to look up the host name does not count."""

NAT64: Final = IPv6Network("64:ff9b::/96")
"""IPv6 addresses for NAT64, with an IPv4 address inside (RFC 6052)."""

RESERVED_NETWORKS: Final = (IPv4Network("192.0.0.0/24"), IPv6Network("fec0::/10"))
"""Networks for protocol assignments (RFC 6890) and site-local addresses (RFC 3879).

They are listed here because Python's ``is_global`` is true for some of their addresses.
"""

LONGEST_URL: Final = 1000
"""The maximum number of characters in an address."""


def address_of(url: str) -> SplitResult:
    """Split an address into its parts.

    Raises ValueError, with a sentence for people, if posting to the address is not allowed.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise ValueError(gettext("This is not a web address.")) from None
    if len(url) > LONGEST_URL or not url.isascii() or not url.isprintable() or " " in url:
        raise ValueError(
            gettext("The address can have up to {most} characters, all ASCII.").format(most=LONGEST_URL)
        )
    schemes = ("https", "http") if settings.PRIVATE_WEBHOOKS else ("https",)
    if parts.scheme not in schemes or not parts.hostname or port == 0:
        raise ValueError(gettext("The address must begin with https:// and a host name."))
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise ValueError(
            gettext(
                "The address must not contain a user name, password or fragment. Put this information in"
                " the path or query instead."
            )
        )
    try:
        literal = ip_address(parts.hostname)
    except ValueError:
        return parts  # a name: its machines are checked after the look-up
    if not _may_be_asked(literal):
        raise ValueError(PRIVATE)
    return parts


MACHINES: Final = 4
"""The maximum number of IP addresses of a host to try, one after another. They share the time of the call."""

PRIVATE: Final = _("The address leads to a private network. Use a public one.")


class Answer(NamedTuple):
    """The answer to a call: its HTTP status, the value of `Retry-After` or "", and a part of its body."""

    status: int
    retry_after: str
    body: bytes


def post(url: str, *, body: bytes, headers: Mapping[str, str], seconds: float = TIMEOUT) -> int:
    """Post a body to an address. Return the HTTP status of the answer, or raise Undeliverable."""
    return call(url, body=body, headers=headers, seconds=seconds).status


def call(
    url: str,
    *,
    method: str = "POST",
    body: bytes,
    headers: Mapping[str, str],
    seconds: float = TIMEOUT,
    begin: Callable[[], object] | None = None,
    most: int = 0,
) -> Answer:
    """Send a body to an address. Return the answer with at most ``most`` bytes of its body.

    ``begin`` is called once the connection is open, right before anything is sent. Raises Undeliverable if
    there is no answer.
    """
    try:
        parts = address_of(url)
    except ValueError as error:
        raise Undeliverable("private" if str(error) == str(PRIVATE) else "address") from None
    machines, port = _looked_up(parts)
    host = parts.hostname or ""
    attempt = _Call(machines, port, host if parts.scheme == "https" else None, seconds)
    timer = threading.Timer(seconds, attempt.cut)
    timer.daemon = True
    timer.start()
    try:
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        sent = {"Host": parts.netloc, "User-Agent": "Robo Runner", "Connection": "close", **headers}
        return attempt.send(method, target, body, sent, begin, most)
    except ssl.SSLError as error:
        raise Undeliverable("certificate", _reason(error)) from None
    except (OSError, http.client.HTTPException, UnicodeError) as error:
        if faults.is_temporary(error):
            raise  # this machine's own fault
        if attempt.was_cut or isinstance(error, TimeoutError):
            raise Undeliverable("timeout", f"{seconds:g}") from None
        if isinstance(error, http.client.HTTPException):
            raise Undeliverable("no-http") from None
        raise Undeliverable("unreachable", _reason(error)) from None
    finally:
        timer.cancel()
        attempt.close()


class _Call:
    """An HTTP call to another machine. A second thread may end the call early."""

    def __init__(self, machines: Sequence[str], port: int, name: str | None, seconds: float) -> None:
        self.was_cut = False
        self._machines, self._port, self._name, self._seconds = machines, port, name, seconds
        self._socket: socket.socket | None = None

    def send(
        self,
        method: str,
        target: str,
        body: bytes,
        headers: Mapping[str, str],
        begin: Callable[[], object] | None,
        most: int,
    ) -> Answer:
        self._socket = self._connected()
        if self._name is not None:
            context = ssl.create_default_context()
            self._socket = context.wrap_socket(
                self._socket, server_hostname=self._name, do_handshake_on_connect=False
            )
            self._socket.do_handshake()
        connection = http.client.HTTPConnection(self._machines[0], self._port, timeout=self._seconds)
        connection.sock = self._socket
        if begin is not None:
            begin()
        connection.request(method, target, body=body, headers=dict(headers))
        answer = connection.getresponse()
        return Answer(answer.status, answer.getheader("Retry-After", ""), answer.read(most) if most else b"")

    def _connected(self) -> socket.socket:
        """Connect to the first IP address that accepts, or raise the last error."""
        *firsts, last = self._machines
        each = self._seconds / len(self._machines)
        for machine in firsts:
            with suppress(OSError):  # for example IPv6 without a route, or a server without IPv6
                return self._connect(machine, each)
        return self._connect(last, each)

    def _connect(self, machine: str, seconds: float) -> socket.socket:
        connected = socket.create_connection((machine, self._port), timeout=seconds)
        connected.settimeout(self._seconds)
        return connected

    def cut(self) -> None:
        """End the call early. The thread that waits for the answer gets an error at once."""
        self.was_cut = True
        if self._socket is not None:
            try:
                self._socket.shutdown(socket.SHUT_RDWR)
            except OSError:
                self._socket.close()

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()


def _looked_up(parts: SplitResult) -> tuple[list[str], int]:
    """Look up up to `MACHINES` IP addresses and the port of an address, or raise Undeliverable.

    All IP addresses of the host must be public.
    """
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        found = socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Undeliverable("unknown-host") from None
    machines = [str(address[0]) for *_, address in found]
    if not all(_may_be_asked(ip_address(machine.partition("%")[0])) for machine in machines):
        raise Undeliverable("private")
    return list(dict.fromkeys(machines))[:MACHINES], port


def _may_be_asked(machine: IPv4Address | IPv6Address) -> bool:
    """Return whether a machine's IP address and all addresses embedded in it are public."""
    if settings.PRIVATE_WEBHOOKS:
        return True
    if isinstance(machine, IPv6Address):
        inner = [machine.ipv4_mapped, machine.sixtofour, *(machine.teredo or ())]
        if machine in NAT64:
            inner.append(IPv4Address(int(machine) & 0xFFFFFFFF))
        if not all(_may_be_asked(each) for each in inner if each is not None):
            return False
    if any(machine in network for network in RESERVED_NETWORKS):
        return False
    special = machine.is_multicast or machine.is_reserved or machine.is_unspecified or machine.is_loopback
    return machine.is_global and not special


def _reason(error: OSError | UnicodeError) -> str:
    """Return the system's error message, without numbers and paths."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return error.verify_message
    said = error.strerror if isinstance(error, OSError) else None
    return (said or type(error).__name__).lower()
