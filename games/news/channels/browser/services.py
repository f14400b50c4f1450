"""Browsers in which people have notices shown: added by their page, and removed once they take nothing."""

from datetime import datetime
from typing import Final

from accounts.models import User
from games.errors import Invalid, NotFound, refuse_guests
from games.news.channels.browser.messages import keys_of
from games.news.channels.browser.models import Device
from games.news.outbound import address_of

MOST: Final = 10
"""The most browsers of one person; anyone who adds another loses the one that was added first."""

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
    """Show someone's notices in a browser from now on; it is theirs alone, whosever it was before.

    Raises Forbidden for guests, and Invalid for what is no subscription of a browser.
    """
    refuse_guests(user)
    try:
        address_of(endpoint)
        p256dh, auth = keys_of(p256dh=p256dh, auth=auth)
    except ValueError:
        raise Invalid("no-device", "This browser has not said how it can be told anything.") from None
    mine = {"user": user, "p256dh": p256dh, "auth": auth, "name": name_of(agent), "made_at": now}
    device, _ = Device.objects.update_or_create(endpoint=endpoint, defaults={**mine, "told_at": None})
    surplus = Device.objects.filter(user=user).order_by("-made_at", "-pk").values("pk")[MOST:]
    Device.objects.filter(pk__in=list(surplus.values_list("pk", flat=True))).delete()
    return device


def drop_device(*, user: User, device_id: int) -> None:
    """Show nothing more in one of someone's browsers. Raises NotFound where they have no such one."""
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
