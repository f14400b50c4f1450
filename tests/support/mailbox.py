"""A real SMTP server that stores its mail."""

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
    """All emails that reached the server, in order of arrival, with their envelopes.

    It accepts each email after a ``pause`` in seconds, and sets ``coming`` when the first one begins. It
    answers each recipient, or each email if ``after_data``, with ``refusal`` if that is set.
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
        """The address in the form of ``EMAIL_URL``."""
        return f"smtp://127.0.0.1:{self.port}"

    def to(self, address: str) -> list[EmailMessage]:
        """Return the emails for one person."""
        return [mail for mail in self.mails if address in str(mail["To"])]

    def wait_for(self, count: int, *, to: str, seconds: float = 60.0) -> list[EmailMessage]:
        """Wait until `to` has at least `count` emails, and return all of them."""
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
        """Accept or refuse a recipient. Called by aiosmtpd."""
        if self.refusal and not self.after_data:
            return self.refusal
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Accept or refuse an email. Called by aiosmtpd."""
        self.coming.set()
        await asyncio.sleep(self.pause)
        if self.refusal:
            return self.refusal
        content = envelope.content
        assert isinstance(content, bytes)
        self.envelopes.append(envelope)
        self.mails.append(email.message_from_bytes(content, policy=email.policy.default))
        return "250 OK"
