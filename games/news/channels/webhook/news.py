"""The notification that a person's webhook was switched off."""

from typing import Final

from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.news.channels.webhook.models import Webhook
from games.news.kinds import PLAIN, Kind, Told, plain
from games.news.models import Notice
from games.work.jobs import reason_in_words


def _page(notice: Notice) -> tuple[str, str]:
    return gettext("Your webhook"), reverse("people:news")


def _switched_off(notice: Notice) -> Told:
    webhook = Webhook.objects.get(user=notice.user)
    return plain(
        notice,
        path=_page(notice)[1],
        subject=gettext("Your webhook was switched off"),
        said=gettext("Your webhook took no notifications, so it gets no more. Fix it, then send a test."),
        lines=[webhook.url, reason_in_words(webhook.failure)],
        heading=gettext("Its address, and the last reason"),
        call=gettext("Look at your webhook"),
        why=gettext("You get this mail because you set up a webhook."),
    )


def _settled(notice: Notice) -> str | None:
    off = Webhook.objects.filter(user=notice.user, switched_off_at__isnull=False).exists()
    return None if off else Notice.Status.OUTDATED


SWITCHED_OFF: Final = Kind(
    name="hook-off",
    label=_("Your webhook was switched off"),
    template=PLAIN,
    tell=_switched_off,
    settled=_settled,
    page=_page,
    to_players=False,
    drawn=False,
    illustrated=False,
)

KINDS: Final = (SWITCHED_OFF,)
