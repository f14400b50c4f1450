"""Announcements arrive in order and once, also after failures."""

import json
from typing import Any
from unittest.mock import Mock

import pytest
from django.db import OperationalError
from django.db.models import QuerySet

from accounts.models import User
from games.groups import delivery
from games.groups.announcements import forget_announcements
from games.groups.models import Announcement, GroupChannel
from games.news.delivery import Busy
from games.news.models import Notice
from games.news.services import judge
from games.play.models import Game
from games.work import sweeper
from tests.games.groups.conftest import ChannelOf, bodies, post
from tests.games.support import NOW, Table, later
from tests.support.receiver import Receiver

Messages = list[tuple[str, int]]

Status = Announcement.Status


def statuses(channel: GroupChannel) -> list[tuple[str, int, str]]:
    return list(channel.announcements.order_by("pk").values_list("kind", "number", "status"))


def interrupt(channel: GroupChannel, monkeypatch: pytest.MonkeyPatch) -> None:
    """Post a message as a worker that dies before it stores that the message was accepted."""
    with monkeypatch.context() as dying, pytest.raises(KeyboardInterrupt):
        dying.setattr(delivery, "_note_sent", Mock(side_effect=KeyboardInterrupt))
        post(channel)


def test_a_turn_is_announced_once_with_the_next_one(
    messages: Messages,
    discord: GroupChannel,
    duel: Game,
    table: Table,
    alice: User,
    bob: User,
    receiver: Receiver,
) -> None:
    table.play(duel, alice, bob)
    assert ("post_announcements", discord.pk) in messages
    assert post(discord) == 1
    assert post(discord) == 0
    [embed] = bodies(receiver)[0]["embeds"]
    assert embed["title"] == "First flight"
    assert embed["description"].splitlines()[:2] == [
        "All headings are set.",
        "It’s turn 1. Waiting for Alice and Bob.",
    ]
    assert embed["image"]["url"].endswith(f"/games/{duel.pk}/turns/0/board-light.png")
    assert statuses(discord) == [("played", 0, "sent"), ("turn", 1, "sent")]


def test_news_that_is_old_or_no_longer_true_is_left_out(
    messages: Messages,
    discord: GroupChannel,
    duel: Game,
    table: Table,
    alice: User,
    bob: User,
    receiver: Receiver,
) -> None:
    table.play(duel, alice, bob)
    table.play(duel, alice, bob)
    assert post(discord) == 1
    assert [status for _, _, status in statuses(discord)] == ["sent", "outdated", "sent", "sent"]
    addresses = [embed["url"] for embed in bodies(receiver)[0]["embeds"]]
    assert len(set(addresses)) == len(addresses) == 2  # Discord merges embeds with the same address
    table.play(duel, alice, bob)
    assert post(discord, now=later(days=1, seconds=1)) == 0
    assert len(receiver.posted) == 1


def test_kinds_that_are_switched_off_are_not_announced(
    messages: Messages, discord: GroupChannel, duel: Game, table: Table, alice: User, bob: User
) -> None:
    GroupChannel.objects.update(news=["end"])
    table.play(duel, alice, bob)
    assert statuses(discord) == []


def test_the_end_is_announced_after_the_last_turn(
    messages: Messages, channel_of: ChannelOf, lane: Table, alice: User, bob: User, receiver: Receiver
) -> None:
    game = lane.game(alice, bob, options={"lives": 1})
    channel = channel_of(game=game)
    while game.status == Game.Status.RUNNING:
        lane.play(game, *[alice, bob])
    post(channel)
    assert statuses(channel)[-2:] == [("played", game.turn, "sent"), ("end", 0, "sent")]
    assert "The game is over." in json.dumps(bodies(receiver)[-1])


@pytest.mark.parametrize(("service", "again"), [("discord", False), ("slack", False), ("webhook", True)])
def test_an_interrupted_message_is_sent_again_only_if_the_service_recognises_it(
    messages: Messages,
    channel_of: ChannelOf,
    duel: Game,
    table: Table,
    alice: User,
    bob: User,
    receiver: Receiver,
    monkeypatch: pytest.MonkeyPatch,
    service: str,
    again: bool,
) -> None:
    channel = channel_of(service, game=duel, secret="whsec_c2VjcmV0", news=["played"])
    table.play(duel, alice, bob)
    interrupt(channel, monkeypatch)
    channel.refresh_from_db()
    assert post(channel) == 0  # the lease of the dead worker
    assert post(channel, now=later(seconds=61)) == int(again)
    assert len(receiver.posted) == 1 + again
    assert len({each.headers.get("webhook-id") for each in receiver.posted}) == 1
    assert statuses(channel)[0][2] == ("sent" if again else "uncertain")


def test_a_message_that_may_have_arrived_keeps_its_announcements(
    messages: Messages,
    channel_of: ChannelOf,
    duel: Game,
    table: Table,
    alice: User,
    bob: User,
    receiver: Receiver,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Matrix ignores a message whose ID it has, so the next turn needs a message of its own."""
    channel = channel_of("matrix", game=duel, room="!r:a", token="t", news=["played"])
    table.play(duel, alice, bob)
    interrupt(channel, monkeypatch)
    with monkeypatch.context() as busy:
        busy.setattr(delivery, "receiver_slot", Mock(side_effect=Busy(rests=False)))
        assert post(channel, now=later(seconds=61)) == 0
    table.play(duel, alice, bob)
    assert post(channel, now=later(seconds=200)) == 2
    sent = [each for each in receiver.posted if "/send/" in each.path]
    first, again, second = [each.path for each in sent]
    assert first == again != second
    assert "Turn 1 was played" in sent[-1].body.decode()


def test_a_fault_of_the_database_before_the_sending_loses_nothing(
    messages: Messages,
    discord: GroupChannel,
    duel: Game,
    table: Table,
    alice: User,
    bob: User,
    receiver: Receiver,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table.play(duel, alice, bob)
    update = QuerySet.update

    def fail(rows: Any, **columns: Any) -> int:
        done = update(rows, **columns)
        if columns.get("message"):
            raise OperationalError("the connection was lost after the commit")
        return done

    monkeypatch.setattr(QuerySet, "update", fail)
    with pytest.raises(OperationalError):
        post(discord)
    monkeypatch.undo()
    assert not receiver.posted
    assert post(discord, now=later(seconds=61)) == 1
    assert [status for _, _, status in statuses(discord)] == ["sent", "sent"]


def test_a_service_that_is_too_busy_gets_nothing_for_as_long_as_it_says(
    messages: Messages,
    discord: GroupChannel,
    duel: Game,
    table: Table,
    alice: User,
    bob: User,
    receiver: Receiver,
) -> None:
    table.play(duel, alice, bob)
    receiver.status, receiver.headers = 429, {"Retry-After": "7.5"}
    assert post(discord) == 0
    receiver.status = 204
    assert post(discord, now=later(seconds=7)) == 0
    assert post(discord, now=later(seconds=8)) == 1
    discord.refresh_from_db()
    assert discord.failing_since is None


def test_a_refused_message_does_not_block_the_next(
    messages: Messages,
    discord: GroupChannel,
    duel: Game,
    table: Table,
    alice: User,
    bob: User,
    receiver: Receiver,
) -> None:
    table.play(duel, alice, bob)
    receiver.status = 400
    post(discord)
    table.play(duel, alice, bob)
    receiver.status = 204
    assert post(discord) == 1
    assert [status for _, _, status in statuses(discord)] == ["refused", "refused", "sent", "sent"]


def test_a_channel_that_fails_for_days_or_is_gone_is_switched_off_and_its_host_knows(
    messages: Messages,
    discord: GroupChannel,
    duel: Game,
    table: Table,
    alice: User,
    bob: User,
    receiver: Receiver,
) -> None:
    table.play(duel, alice, bob)
    receiver.status = 500
    post(discord)
    discord.refresh_from_db()
    assert (discord.failing_since, discord.switched_off_at) == (NOW, None)
    GroupChannel.objects.update(failing_since=later(days=-3), lease_until=None)
    post(discord)
    discord.refresh_from_db()
    assert discord.switched_off_at == NOW
    notice = Notice.objects.get(kind="group-off", channel="mail")
    assert (notice.user, judge(notice, NOW).status) == (alice, "pending")
    table.play(duel, alice, bob)
    assert "pending" not in [status for _, _, status in statuses(discord)]


def test_404_switches_a_channel_off_at_once(
    messages: Messages,
    discord: GroupChannel,
    duel: Game,
    table: Table,
    alice: User,
    bob: User,
    receiver: Receiver,
) -> None:
    table.play(duel, alice, bob)
    receiver.status = 404
    post(discord)
    discord.refresh_from_db()
    assert discord.switched_off_at == NOW


def test_the_sweeper_offers_channels_with_waiting_announcements(
    messages: Messages, discord: GroupChannel, duel: Game, table: Table, alice: User, bob: User
) -> None:
    table.play(duel, alice, bob)
    messages.clear()
    assert sweeper.offer_announcements(now=NOW) == 1
    assert sweeper.offer_announcements(now=later(seconds=10)) == 0
    assert messages == [("post_announcements", discord.pk)]


def test_a_worker_whose_claim_has_ended_sends_nothing(
    messages: Messages,
    discord: GroupChannel,
    duel: Game,
    table: Table,
    alice: User,
    bob: User,
    receiver: Receiver,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table.play(duel, alice, bob)
    items = delivery._items

    def slowly(*given: Any) -> Any:
        GroupChannel.objects.update(lease_until=later(seconds=99))  # another worker's claim
        return items(*given)

    monkeypatch.setattr(delivery, "_items", slowly)
    assert post(discord) == 0
    assert not receiver.posted


def test_channels_and_announcements_are_deleted_long_after_the_end(
    messages: Messages, discord: GroupChannel, duel: Game, table: Table, alice: User, bob: User
) -> None:
    table.play(duel, alice, bob)
    forget_announcements(now=later(days=89))
    assert discord.announcements.exists()
    forget_announcements(now=later(days=90))
    assert not discord.announcements.exists()
    Game.objects.update(status="cancelled", ended_at=NOW)
    forget_announcements(now=later(days=30))
    assert not GroupChannel.objects.exists()
