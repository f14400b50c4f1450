"""The notification that a group channel was switched off."""

from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy as _

from games.groups.models import GroupChannel
from games.groups.selectors import manager_of
from games.news.kinds import PLAIN, Content, Kind, plain, subject_of
from games.news.models import Notice
from games.work.jobs import reason_in_words


def channels_path(owner: Any) -> str:
    """Return the path of the page with the channels of a game, club or tournament."""
    return f"{owner.get_absolute_url()}channels/"


def _channel(notice: Notice) -> GroupChannel | None:
    rows = GroupChannel.objects.select_related("game__host", "club", "tournament__host")
    return rows.filter(pk=subject_of(notice)["channel"]).first()


def _page(notice: Notice) -> tuple[str, str]:
    channel = _channel(notice)
    if channel is None:
        return gettext("Group channel"), reverse("people:news")
    owner: Any = channel.owner
    return owner.name, channels_path(owner)


def _switched_off(notice: Notice) -> Content:
    channel = _channel(notice)
    assert channel
    owner: Any = channel.owner
    return plain(
        notice,
        path=channels_path(owner),
        subject=gettext("The {service} channel of {name} was turned off").format(
            service=channel.get_service_display(), name=owner.name
        ),
        message=gettext(
            "The channel didn’t accept messages, so we turned it off. Check it at the service, then send a"
            " test."
        ),
        lines=[channel.hint, reason_in_words(channel.failure)],
        heading=gettext("Address and last error"),
        link_text=gettext("View the channels"),
        why=gettext("You got this email because you can change this channel."),
    )


def _settled(notice: Notice) -> str | None:
    channel = _channel(notice)
    if channel is None or channel.switched_off_at is None or manager_of(channel) != notice.user:
        return Notice.Status.OUTDATED
    return None


SWITCHED_OFF: Final = Kind(
    name="group-off",
    label=_("A group channel was turned off"),
    template=PLAIN,
    content=_switched_off,
    settled=_settled,
    topic_page=_page,
    to_players=False,
    drawn=False,
    illustrated=False,
)

KINDS: Final = (SWITCHED_OFF,)
