"""By which channels people are told."""

from collections.abc import Iterable
from typing import TypedDict

from accounts.models import User
from games.models import Notice, Webhook


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
    if people:
        hooked = Webhook.objects.filter(user__in=people, switched_off_at=None).order_by("user")
        for pk in hooked.values_list("user", flat=True):
            ways.append(Way(user=people[pk], channel=Notice.Channel.WEBHOOK))
    return ways
