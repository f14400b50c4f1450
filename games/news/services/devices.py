"""Browsers in which people have notices shown: added by their page, and removed once they take nothing."""

import time
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from accounts.models import User
from games.errors import Invalid, NotFound
from games.lobby.services.admission import refuse_guests
from games.news.channels import push as channel
from games.news.channels.outbound import Undeliverable, address_of
from games.news.models import Device, Notice
from games.news.services.receivers import Busy, call

MOST: Final = 10
"""The most browsers of one person; whoever adds another loses the one that was added first."""

AT_ONCE: Final = 4
"""How many messages are sent to one push service at a time: many people share it."""

ENOUGH: Final = 20.0
"""Seconds after which no further browser is told of a notice: its worker holds it for a minute."""

BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("Chrom", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMS: Final = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)
"""By what in a browser's name for itself one knows it, and its system; the first that fits."""


def add_device(*, user: User, endpoint: str, p256dh: str, auth: str, agent: str, now: datetime) -> Device:
    """Show somebody's notices in a browser from now on; it is theirs alone, whosever it was before.

    Raises Forbidden for guests, and Invalid for what is no subscription of a browser.
    """
    refuse_guests(user)
    try:
        address_of(endpoint)
        p256dh, auth = channel.keys_of(p256dh=p256dh, auth=auth)
    except ValueError:
        raise Invalid("no-device", "This browser has not said how it can be told anything.") from None
    mine = {"user": user, "p256dh": p256dh, "auth": auth, "name": name_of(agent), "made_at": now}
    device, _ = Device.objects.update_or_create(endpoint=endpoint, defaults={**mine, "told_at": None})
    surplus = Device.objects.filter(user=user).order_by("-made_at", "-pk").values("pk")[MOST:]
    Device.objects.filter(pk__in=list(surplus.values_list("pk", flat=True))).delete()
    return device


def drop_device(*, user: User, device_id: int) -> None:
    """Show nothing more in one of somebody's browsers. Raises NotFound where they have no such one."""
    if not Device.objects.filter(user=user, pk=device_id).delete()[0]:
        raise NotFound("no-device", "You have no such browser.")


def name_of(agent: str) -> str:
    """Return what to call a browser, by what it says of itself.

    >>> name_of("Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0")
    'Firefox on Linux'
    >>> name_of("curl/8")
    'A browser'
    """
    browser = next((name for mark, name in BROWSERS if mark in agent), "A browser")
    system = next((name for mark, name in SYSTEMS if mark in agent), "")
    return f"{browser} on {system}" if system else browser


def push(*, notice: Notice, now: datetime) -> bool:
    """Send a notice to its person's browsers; return whether there was any that took it.

    Those that take nothing any more are forgotten. Raises Undeliverable where none took it now, and Busy
    where the first push service to be asked has no room, or all of them rest.
    """
    devices: Sequence[Device] = list(Device.objects.filter(user=notice.user_id).order_by("pk"))
    told: list[int] = []
    failure: Busy | Undeliverable | None = None
    begun = time.monotonic()
    for device in devices:
        if time.monotonic() - begun > ENOUGH:
            break
        try:
            with call(notice=notice, url=device.endpoint, at_once=AT_ONCE, now=now):
                channel.send(notice, device, now=now)
            told.append(device.pk)
        except Busy as error:
            if not (told or error.rests):
                raise
            failure = failure or error
        except channel.Gone:
            device.delete()
        except Undeliverable as error:
            failure = error
    Device.objects.filter(pk__in=told).update(told_at=now)
    if not told and failure:
        raise failure
    return bool(told)
