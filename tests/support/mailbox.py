"""A real SMTP server that stores the mail it receives."""

import asyncio
import email
import email.policy
import socket
import threading
import time
from email.message import EmailMessage

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session


class Mailbox:
    """An SMTP server with all emails that it received, in order, and their envelopes.

    It accepts each email after ``pause`` seconds, and sets the event ``coming`` when the first one begins. If
    ``refusal`` is set, the server responds with it to each recipient or, if ``after_data`` is True, after
    each email.
    """

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.envelopes: list[Envelope] = []
        self.coming = threading.Event()
        self.pause = 0.0
        self.refusal = ""
        self.after_data = False
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self._controller = Controller(self, hostname="127.0.0.1", port=self.port)

    @property
    def url(self) -> str:
        """The server's address in the form of ``EMAIL_URL``."""
        return f"smtp://127.0.0.1:{self.port}"

    def to(self, address: str) -> list[EmailMessage]:
        """Return the emails to the given address."""
        return [mail for mail in self.mails if address in str(mail["To"])]

    def wait_for(self, count: int, *, to: str, seconds: float = 60.0) -> list[EmailMessage]:
        """Wait until the address `to` has at least `count` emails. Return its emails."""
        end = time.monotonic() + seconds
        while len(self.to(to)) < count:
            subjects = [str(mail["Subject"]) for mail in self.to(to)]
            assert time.monotonic() < end, (
                f"{len(subjects)} of {count} emails for {to} after {seconds} s: {subjects}"
            )
            time.sleep(0.05)
        return self.to(to)

    def start(self) -> None:
        self._controller.start()

    def stop(self) -> None:
        self._controller.stop()

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Accept or refuse a recipient. aiosmtpd calls this."""
        if self.refusal and not self.after_data:
            return self.refusal
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Accept or refuse an email. aiosmtpd calls this."""
        self.coming.set()
        await asyncio.sleep(self.pause)
        if self.refusal:
            return self.refusal
        content = envelope.content
        assert isinstance(content, bytes)
        self.envelopes.append(envelope)
        self.mails.append(email.message_from_bytes(content, policy=email.policy.default))
        return "250 OK"
