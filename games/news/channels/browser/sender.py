"""Browsers as a channel."""

import time
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from accounts.models import User
from games.news.channels import FAILED, NOT_SET_UP, SENT, Attempt, Channel, Gone, Undeliverable
from games.news.channels.browser import messages
from games.news.channels.browser.models import Device
from games.news.models import Notice
from games.news.services.receivers import Busy, call

AT_ONCE: Final = 4
"""How many messages are sent to one push service at a time: many people share it."""

ENOUGH: Final = 20.0
"""Seconds after which no further browser is told of a notification: its worker holds it for a minute."""


class Browsers(Channel):
    """A browser shows notifications also while the site is closed."""

    name = "push"
    label = "Browser"
    task = "games.tasks.push_message"

    receivers = "SELECT DISTINCT user_id FROM games_device WHERE user_id = ANY(%s::bigint[]) ORDER BY 1"

    def send(self, notice: Notice, *, now: datetime) -> bool:
        """Send it to its person's browsers; return whether any of them took it.

        Browsers that take nothing any more are forgotten. Raises Undeliverable if none took it now, and Busy
        if the first push service has no room, or all of them rest.
        """
        told: list[int] = []
        failure: Busy | Undeliverable | None = None
        begun = time.monotonic()
        for device in list(Device.objects.filter(user=notice.user_id).order_by("pk")):
            if time.monotonic() - begun > ENOUGH:
                break
            try:
                with call(notice=notice, url=device.endpoint, at_once=AT_ONCE, now=now):
                    messages.send(notice, device, now=now)
                told.append(device.pk)
            except Busy as error:
                if not (told or error.rests):
                    raise
                failure = failure or error
            except Gone:
                device.delete()
            except Undeliverable as error:
                failure = error
        Device.objects.filter(pk__in=told).update(told_at=now)
        if not told and failure:
            raise failure
        return bool(told)

    def try_out(self, *, user: User | None, address: str, now: datetime) -> Iterator[Attempt]:
        """Show a test in each browser. Browsers that take nothing any more are not forgotten by a test."""
        if user is None:
            return
        devices = list(Device.objects.filter(user=user).order_by("pk"))
        if not devices:
            yield Attempt(self.name, NOT_SET_UP, "No browser of this account shows notices.")
        for device in devices:
            try:
                messages.send_test(device, now=now)
            except Undeliverable as error:
                yield Attempt(self.name, FAILED, f"{device.label}: {error}")
            else:
                yield Attempt(self.name, SENT, f"The push service of {device.label} took it.")

    def settings_of(self, user: User) -> dict[str, Any]:
        """Return a person's browsers, the newest first, and the key by which push services know this site."""
        devices = Device.objects.filter(user=user).order_by("-made_at", "-pk")
        return {"devices": devices, "push_key": messages.application_key()}
