"""Add, change, test and remove group channels."""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext

from accounts.languages import as_read_by
from accounts.limits import Limit
from accounts.models import User
from games.clubs.models import Club
from games.errors import Conflict, Invalid
from games.groups.delivery import note_success
from games.groups.messages import Item
from games.groups.models import GroupChannel, Service
from games.groups.posts import POSTERS, Matrix, Message, service_of
from games.groups.selectors import Owner, channel_to_manage, news_of
from games.moderation.sanctions import refuse_muted
from games.news.channels import Undeliverable
from games.news.channels.outbound import address_of
from games.news.channels.webhook import new_secret
from games.play.models import Game
from games.work.models import consume_limit, lock_person

MOST_CHANNELS: Final = 3
"""The maximum number of channels of a game, club or tournament."""

TESTS: Final = Limit("group-tests", 10, 600)
"""The limit for test messages, and so for new channels, of one person."""


def add_channel(
    *,
    user: User,
    owner: Owner,
    address: str,
    service: str = "",
    room: str = "",
    token: str = "",
    language: str = "",
    news: Iterable[str] | None = None,
    now: datetime,
) -> GroupChannel:
    """Add a channel to a game, club or tournament, once a test message has arrived there.

    ``owner`` comes from `selectors`, which checks that the user may change its channels. An empty ``service``
    is recognised by the address. Raises Forbidden for a muted player, Conflict if there are too many
    channels, TooMany after many tests, and Invalid if the values do not fit, the channel was added before, or
    the test does not arrive.
    """
    refuse_muted(user=user, now=now)
    channel = GroupChannel(
        **{_column_of(owner): owner},
        service=service or service_of(address.strip()),
        address=address.strip(),
        language=language or settings.LANGUAGES[0][0],
        news=[each for each in news_of(owner) if news is None or each in news],
        made_by=user,
        made_at=now,
        answered_at=now,
    )
    _check_address(channel.address)
    if channel.service == Service.MATRIX:
        channel.room, channel.token = room.strip(), token.strip()
        if not channel.room or not channel.token:
            detail = gettext("Matrix needs a room and an access token.")
            raise Invalid(
                "no-room", detail, [{"code": "token" if channel.room else "room", "detail": detail}]
            )
        if not re.fullmatch("[!-~]+", channel.token):
            detail = gettext("This is not an access token. Copy the whole token, without spaces.")
            raise Invalid("token", detail, [{"code": "token", "detail": detail}])
    elif channel.service == Service.WEBHOOK:
        channel.secret = new_secret()
    _refuse_many(owner, channel)
    with transaction.atomic():
        detail = gettext("You have sent many tests. Wait a few minutes.")
        consume_limit(TESTS, user=user, detail=detail, now=now)
    _test(channel, now, joins=True)
    with transaction.atomic():
        lock_person(user)
        _refuse_many(owner, channel)
        channel.save()
    return channel


def change_channel(
    *, user: User, channel_id: int, language: str | None = None, news: Iterable[str] | None = None
) -> GroupChannel:
    """Change the language or the kinds of news of a channel. Values that are None do not change.

    Raises NotFound for anyone who may not change the channel.
    """
    channel = channel_to_manage(user=user, channel_id=channel_id)
    channel.language = channel.language if language is None else language
    if news is not None:
        wanted = set(news)
        channel.news = [each for each in news_of(channel.owner) if each in wanted]
    channel.save(update_fields=["language", "news"])
    return channel


def try_channel(*, user: User, channel_id: int, now: datetime) -> GroupChannel:
    """Send a test message to a channel. Switch the channel on if the message arrives.

    Raises NotFound for anyone who may not change the channel, TooMany after many tests, and Invalid with the
    reason if the message does not arrive.
    """
    channel = channel_to_manage(user=user, channel_id=channel_id)
    refuse_muted(user=user, now=now)
    _check_address(channel.address)
    with transaction.atomic():
        detail = gettext("You have sent many tests. Wait a few minutes.")
        consume_limit(TESTS, user=user, detail=detail, now=now)
    _test(channel, now)
    note_success(channel=channel, now=now)
    return channel_to_manage(user=user, channel_id=channel_id)


def remove_channel(*, user: User, channel_id: int) -> Owner:
    """Remove a channel, with its address and keys. Return the game, club or tournament that it belonged to.

    Raises NotFound for anyone who may not change the channel.
    """
    channel = channel_to_manage(user=user, channel_id=channel_id)
    owner = channel.owner
    channel.delete()
    return owner


def _column_of(owner: Owner) -> str:
    if isinstance(owner, Game):
        return "game"
    return "club" if isinstance(owner, Club) else "tournament"


def _check_address(address: str) -> None:
    try:
        address_of(address)
    except ValueError as error:
        raise Invalid("address", str(error), [{"code": "address", "detail": str(error)}]) from None


def _refuse_many(owner: Owner, channel: GroupChannel) -> None:
    """Refuse a new channel beyond the limit, and a second one that would post the same news twice."""
    if owner.group_channels.filter(address=channel.address, room=channel.room).exists():
        detail = gettext("This channel has already been added.")
        raise Invalid("added", detail, [{"code": "address", "detail": detail}])
    if owner.group_channels.count() >= MOST_CHANNELS:
        detail = gettext("There are already {most} channels, which is the limit. Remove one first.")
        raise Conflict("too-many-channels", detail.format(most=MOST_CHANNELS))


def _test(channel: GroupChannel, now: datetime, *, joins: bool = False) -> None:
    """Send a test message to a channel. Raises Invalid with the reason if it does not arrive.

    If it ``joins``, the account of a Matrix channel first joins the room, and the ID replaces an alias.
    """
    poster = POSTERS[channel.service]
    owner: Owner = channel.owner
    with as_read_by(None, channel.language):
        said = gettext("This is a test. The news of {name} will appear here.").format(name=owner.name)
    facts: dict[str, Any] = {"kind": "test", "created_at": now}
    item = Item([], owner.name, [said], settings.BASE_URL + owner.get_absolute_url(), facts=facts)
    key = f"test-{_column_of(owner)}-{owner.pk}-{int(now.timestamp() * 1000)}"
    try:
        if joins and isinstance(poster, Matrix):
            channel.room = poster.join(address=channel.address, token=channel.token, room=channel.room)
        poster.post(channel, Message(key, [item], now), begin=lambda: None)
    except Undeliverable as error:
        detail = gettext("The test failed. {reason}").format(reason=error)
        raise Invalid("test-failed", detail, [{"code": "address", "detail": detail}]) from None
