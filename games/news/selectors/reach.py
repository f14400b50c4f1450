"""By which channels people are reached."""

from collections.abc import Iterable
from typing import TypedDict

from accounts.models import User
from games.news.channels import CHANNELS
from roborunner.postgres.queries import Answer, Pipeline


class Way(TypedDict):
    """A person, and a channel by which they are reached."""

    user: User
    channel: str


Reach = dict[str, Answer]
"""Who is reached by each channel that does not reach everyone."""


def ask_reach(*, users: Iterable[User], batch: Pipeline) -> Reach:
    """Ask by which channels these people are reached."""
    people = [user.pk for user in users]
    return {each.name: batch.ask(each.receivers, people) for each in CHANNELS.values() if each.receivers}


def channels_of(*, users: Iterable[User], reach: Reach | None = None) -> list[Way]:
    """Return by which channels these people are reached, as was asked before where it was.

    Guests have no address, and are reached by none.
    """
    people = {user.pk: user for user in users if not user.is_guest}
    if not people:
        return []
    if reach is None:
        batch = Pipeline()
        reach = ask_reach(users=people.values(), batch=batch)
        batch.send()
    ways = []
    for each in CHANNELS.values():
        reached = [row[0] for row in reach[each.name].rows] if each.receivers else people
        ways += [Way(user=people[pk], channel=each.name) for pk in reached if pk in people]
    return ways
