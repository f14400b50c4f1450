"""Run a mail server that records when each notification arrives."""

import email
import email.policy
import re
import socket
import threading
import time

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

NOTICE = re.compile(r"<notice-(\d+)@")


class MailServer:
    """An SMTP server. ``taken`` has the times at which emails arrived, by the notification's ID.

    ``strange`` is the number of emails that belong to no notification.
    """

    def __init__(self) -> None:
        self.taken: dict[int, list[float]] = {}
        self.strange = 0
        self._lock = threading.Lock()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self._controller = Controller(self, hostname="127.0.0.1", port=self.port)

    @property
    def url(self) -> str:
        """The server's address, in the format of ``EMAIL_URL``."""
        return f"smtp://127.0.0.1:{self.port}"

    def start(self) -> None:
        self._controller.start()

    def stop(self) -> None:
        self._controller.stop()

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Receive an email and record its arrival. aiosmtpd calls this method."""
        content = envelope.content
        assert isinstance(content, bytes)
        head = email.message_from_bytes(content, policy=email.policy.default)
        found = NOTICE.search(str(head["Message-ID"]))
        with self._lock:
            if found:
                self.taken.setdefault(int(found[1]), []).append(time.time())
            else:
                self.strange += 1
        return "250 OK"
