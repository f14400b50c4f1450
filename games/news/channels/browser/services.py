"""Browsers that show people's notifications: added by their page, and removed once they take nothing."""

from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _

from accounts.browsers import recognised
from accounts.models import User
from games.errors import Invalid, NotFound, refuse_guests
from games.news.channels.browser.messages import keys_of
from games.news.channels.browser.models import Device
from games.news.outbound import address_of

MOST: Final = 10
"""The most browsers of one person; anyone who adds another loses the one that was added first."""


def add_device(*, user: User, endpoint: str, p256dh: str, auth: str, agent: str, now: datetime) -> Device:
    """Show someone's notifications in a browser from now on; it is theirs alone, whosever it was before.

    Raises Forbidden for guests, and Invalid for what is no subscription of a browser.
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
    device, _created = Device.objects.update_or_create(endpoint=endpoint, defaults={**mine, "told_at": None})
    surplus = Device.objects.filter(user=user).order_by("-made_at", "-pk").values("pk")[MOST:]
    Device.objects.filter(pk__in=list(surplus.values_list("pk", flat=True))).delete()
    return device


def drop_device(*, user: User, device_id: int) -> None:
    """Show nothing more in one of someone's browsers. Raises NotFound where they have no such one."""
    if not Device.objects.filter(user=user, pk=device_id).delete()[0]:
        raise NotFound("no-device", _("This browser is not on your list."))
