"""Browsers that show people's notifications: added by their page, and removed once they take nothing."""

from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _

from accounts.models import User
from accounts.sessions import browser_hashes, recognised
from games.errors import Invalid, NotFound, refuse_guests
from games.news.channels.browser.messages import keys_of
from games.news.channels.browser.models import Device
from games.news.outbound import address_of

MOST: Final = 10
"""The most browsers of one person; anyone who adds another loses the one that was added first."""


def add_device(
    *, user: User, endpoint: str, p256dh: str, auth: str, agent: str, browser: str = "", now: datetime
) -> Device:
    """Show someone's notifications in a browser from now on; it is theirs alone, whosever it was before.

    ``browser`` is its number (`browser_of`). Raises Forbidden for guests, and Invalid for what is no
    subscription of a browser.
    """
    refuse_guests(user)
    try:
        address_of(endpoint)
        p256dh, auth = keys_of(p256dh=p256dh, auth=auth)
    except ValueError:
        raise Invalid(
            "no-device",
            _("This browser sent no usable subscription. Allow notifications in your browser and try again."),
        ) from None
    mine = {"user": user, "p256dh": p256dh, "auth": auth, "name": recognised(agent), "made_at": now}
    mine["browser"] = next(iter(browser_hashes(browser)), "")
    device, _created = Device.objects.update_or_create(endpoint=endpoint, defaults={**mine, "told_at": None})
    surplus = Device.objects.filter(user=user).order_by("-made_at", "-pk").values("pk")[MOST:]
    Device.objects.filter(pk__in=list(surplus.values_list("pk", flat=True))).delete()
    return device


def log_out_of(*, user: User, browser: str) -> None:
    """Show nothing more of a person's in a browser, by its number: they have logged out there."""
    Device.objects.filter(user=user, browser__in=browser_hashes(browser)).delete()


def log_in_to(*, user: User, browser: str) -> None:
    """Show nothing more of other people's in a browser, by its number: a person has logged in there."""
    Device.objects.filter(browser__in=browser_hashes(browser)).exclude(user=user).delete()


def keep_only(*, user: User, browser: str) -> None:
    """Show nothing more of a person's in other browsers than this one: their sessions there have ended."""
    Device.objects.filter(user=user).exclude(browser__in=browser_hashes(browser)).delete()


def drop_device(*, user: User, device_id: int) -> None:
    """Show nothing more in one of someone's browsers. Raises NotFound where they have no such one."""
    if not Device.objects.filter(user=user, pk=device_id).delete()[0]:
        raise NotFound("no-device", _("This browser is not on your list."))
