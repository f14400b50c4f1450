"""By which channels people are told."""

from collections.abc import Iterable
from typing import TypedDict

from django.db.models import QuerySet

from accounts.models import User
from games.news.models import Device, Notice, Webhook


class Way(TypedDict):
    """A person, and a channel by which they are told."""

    user: User
    channel: Notice.Channel


def webhook_of(*, user: User) -> Webhook | None:
    """Return somebody's webhook, None where they have none."""
    return Webhook.objects.filter(user=user).first()


def channels_of(*, users: Iterable[User]) -> list[Way]:
    """Return by which channels these people are told: all by mail, whether or not they want it just now.

    Guests have no address, and are told nothing.
    """
    people = {user.pk: user for user in users if not user.is_guest}
    ways = [Way(user=user, channel=Notice.Channel.MAIL) for user in people.values()]
    hooked = Webhook.objects.filter(user__in=people, switched_off_at=None).order_by("user")
    shown = Device.objects.filter(user__in=people).order_by("user").distinct()
    others = {Notice.Channel.WEBHOOK: hooked, Notice.Channel.PUSH: shown} if people else {}
    for channel, rows in others.items():
        reached = rows.values_list("user", flat=True)
        ways += [Way(user=people[pk], channel=channel) for pk in reached]
    return ways


def devices_of(*, user: User) -> QuerySet[Device]:
    """Return the browsers that show somebody's notices, the newest first."""
    return Device.objects.filter(user=user).order_by("-made_at", "-pk")


def is_reached(*, user: User, channel: Notice.Channel) -> bool:
    """Return whether somebody is told by a channel."""
    return Way(user=user, channel=channel) in channels_of(users=[user])
