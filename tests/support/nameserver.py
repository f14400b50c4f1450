"""A DNS server on this machine, which answers from a table."""

import socket
from collections.abc import Mapping
from threading import Thread
from typing import Self

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset


class Nameserver:
    """A DNS server by UDP. ``records`` has texts such as ``10 mail.example.org.`` by name and type.

    It answers SERVFAIL for names in ``broken``, and NXDOMAIN for unknown names.
    """

    def __init__(self, records: Mapping[tuple[str, str], list[str]]) -> None:
        self.records = dict(records)
        self.broken = set[str]()
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]

    def __enter__(self) -> Self:
        Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._socket.sendto(b"", ("127.0.0.1", self.port))

    def _serve(self) -> None:
        with self._socket:
            while True:
                packet, client = self._socket.recvfrom(4096)
                if not packet:
                    return
                self._socket.sendto(self._answer(packet), client)

    def _answer(self, packet: bytes) -> bytes:
        query = dns.message.from_wire(packet)
        [question] = query.question
        name, kind = question.name.to_text().rstrip("."), dns.rdatatype.to_text(question.rdtype)
        response = dns.message.make_response(query)
        response.flags |= dns.flags.RA
        if name in self.broken:
            response.set_rcode(dns.rcode.SERVFAIL)
        elif (name, kind) in self.records:
            response.answer.append(
                dns.rrset.from_text(question.name, 60, "IN", kind, *self.records[name, kind])
            )
        elif name not in {known for known, _ in self.records}:
            response.set_rcode(dns.rcode.NXDOMAIN)
        return response.to_wire(max_size=65535)
