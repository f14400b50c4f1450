"""By which channels people are reached."""

from collections.abc import Iterable
from typing import TypedDict

from accounts.models import User
from games.news.channels import CHANNELS


class Way(TypedDict):
    """A person, and a channel by which they are reached."""

    user: User
    channel: str


def channels_of(*, users: Iterable[User]) -> list[Way]:
    """Return by which channels these people are reached. Guests have no address, and are reached by none."""
    people = {user.pk: user for user in users if not user.is_guest}
    if not people:
        return []
    return [
        Way(user=people[pk], channel=each.name) for each in CHANNELS.values() for pk in each.reached(people)
    ]
