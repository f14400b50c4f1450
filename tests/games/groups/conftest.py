"""A channel of a game of Alice and Bob, and the messages that its service gets."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import User
from games.groups.delivery import post_announcements
from games.groups.models import GroupChannel, all_news
from games.play.models import Game
from tests.games.support import NOW
from tests.support.receiver import Receiver

ChannelOf = Callable[..., GroupChannel]


@pytest.fixture
def channel_of(private_webhooks: None, receiver: Receiver, alice: User) -> ChannelOf:
    """A function that adds a channel to a game, club or tournament, without a test message."""

    def add(service: str = "discord", /, **of: Any) -> GroupChannel:
        given = {"address": receiver.url, "language": "en", "news": all_news(), "made_by": alice, **of}
        return GroupChannel.objects.create(service=service, made_at=NOW, **given)

    return add


@pytest.fixture
def discord(channel_of: ChannelOf, duel: Game) -> GroupChannel:
    return channel_of(game=duel)


def bodies(receiver: Receiver) -> list[Any]:
    """Return the JSON objects that a service got, in order."""
    return [json.loads(each.body) for each in receiver.posted]


def post(channel: GroupChannel, **more: Any) -> int:
    return post_announcements(channel_id=channel.pk, **{"now": NOW, **more})
