"""Webhooks: each notification is posted once and signed, with limited retries."""

import doctest
import json
from base64 import b64decode, b64encode
from datetime import datetime, timedelta
from hashlib import sha256
from hmac import HMAC

import pytest
from django.core import mail

from accounts import guests
from accounts.models import Frequency, User
from games import live
from games.chat.services import post_line
from games.errors import Forbidden, Invalid, NotFound, TooMany
from games.lobby.invitations import invite
from games.news import feeds
from games.news.channels import Gone, webhook
from games.news.channels.mail import compose
from games.news.channels.webhook import (
    SWITCH_OFF_AFTER,
    drop_webhook,
    note_failure,
    renew_secret,
    set_webhook,
    try_webhook,
)
from games.news.delivery import ATTEMPTS, send_notification
from games.news.kinds import KINDS
from games.news.models import Notice, Webhook
from games.news.services import change_notification_settings, send_again
from games.play.models import Game
from games.play.orders import submit_orders
from games.play.services import change_game_mail
from games.play.stored import chips_of
from games.staff.selectors import backlog
from tests.games.support import NOW, Table, hand_of, later, open_turn, orders_for
from tests.support.receiver import Posted, Receiver

pytestmark = pytest.mark.usefixtures("private_webhooks", "base_url")


@pytest.fixture
def hook(receiver: Receiver, alice: User) -> Webhook:
    return set_webhook(user=alice, url=receiver.url, now=NOW)


def notice_of(game: Game, user: User, turn: int = 0, kind: str = "turn") -> Notice:
    return Notice.objects.get(game=game, user=user, turn=turn, kind=kind, channel="webhook")


def deliver(notice: Notice, now: datetime = NOW) -> str:
    """Try to deliver a notification. Return its status afterwards."""
    send_notification(notice_id=notice.pk, now=now)
    notice.refresh_from_db()
    return notice.status


def proven(posted: Posted, secret: str) -> bool:
    """Return whether a request's signature is right, as its specification says."""
    key = b64decode(secret.removeprefix("whsec_"))
    signed = b".".join(
        [posted.headers["webhook-id"].encode(), posted.headers["webhook-timestamp"].encode(), posted.body]
    )
    return (
        posted.headers["webhook-signature"] == f"v1,{b64encode(HMAC(key, signed, sha256).digest()).decode()}"
    )


def test_a_turn_is_posted_once_with_its_events_and_a_signature(
    hook: Webhook, receiver: Receiver, table: Table, alice: User, bob: User
) -> None:
    game = table.game(alice, bob)
    table.play(game, alice, bob, now=later(hours=1))
    notice = notice_of(game, alice, 1)
    assert deliver(notice, later(hours=2)) == Notice.Status.SENT
    deliver(notice, later(hours=3))
    (posted,) = receiver.posted
    assert json.loads(posted.body) == {
        "format": "notice/1",
        "kind": "turn",
        "created_at": "2026-11-21T13:00:00Z",
        "to": "Alice",
        "game": {"id": game.pk, "name": "First flight"},
        "starship": None,
        "turn": 1,
        "deadline": "2026-11-22T13:00:00Z",
        "text": "First flight, turn 1: your move",
        "lines": json.loads(posted.body)["lines"],
        "hand": [{"number": chip.number, "kind": chip.kind} for chip in chips_of(hand_of(game, alice))],
        "url": f"https://robo.example/games/{game.pk}/move/",
    }
    assert posted.headers["webhook-id"] == f"notice-{notice.pk}"
    assert posted.headers["webhook-timestamp"] == str(int(later(hours=2).timestamp()))
    assert proven(posted, hook.secret)
    assert not proven(posted, renew_secret(user=alice).secret)
    assert not Notice.objects.filter(user=bob, channel="webhook").exists()
    hook.refresh_from_db()
    assert hook.answered_at == later(hours=2)


def test_mail_is_sent_independently(hook: Webhook, receiver: Receiver, duel: Game, alice: User) -> None:
    by_mail = Notice.objects.get(game=duel, user=alice, channel="mail")
    assert deliver(by_mail) == Notice.Status.SENT
    assert (len(mail.outbox), receiver.posted) == (1, [])
    assert deliver(notice_of(duel, alice)) == Notice.Status.SENT
    assert (len(mail.outbox), len(receiver.posted)) == (1, 1)


@pytest.mark.parametrize("manner", [Frequency.DAILY, Frequency.NONE])
def test_webhooks_are_immediate_for_any_frequency_of_mail_and_while_the_player_is_present(
    hook: Webhook, receiver: Receiver, duel: Game, alice: User, manner: Frequency
) -> None:
    change_notification_settings(user=alice, manner=manner, daily_hour=8, now=NOW)
    live.record_viewers([(duel.pk, alice.pk)])
    assert deliver(notice_of(duel, alice)) == Notice.Status.SENT
    assert len(receiver.posted) == 1


def test_a_muted_game_is_not_posted(hook: Webhook, receiver: Receiver, duel: Game, alice: User) -> None:
    change_game_mail(user=alice, game_id=duel.pk, manner="none", now=NOW)
    assert deliver(notice_of(duel, alice)) == Notice.Status.UNWANTED
    assert receiver.posted == []


def test_outdated_notifications_are_not_posted(
    hook: Webhook, receiver: Receiver, table: Table, duel: Game, alice: User
) -> None:
    table.move(duel, alice)
    assert deliver(notice_of(duel, alice)) == Notice.Status.SEEN
    assert receiver.posted == []


def test_mentions_and_invitations_are_posted(
    hook: Webhook, receiver: Receiver, table: Table, duel: Game, alice: User, bob: User
) -> None:
    for _ in range(2):
        post_line(user=bob, game_id=duel.pk, text="@Alice, are you there?", now=NOW)
    assert deliver(notice_of(duel, alice, 0, "mention")) == Notice.Status.SENT
    lobby = table.game(bob, seats=2, name="Second flight", private=True)
    invite(user=bob, game_id=lobby.pk, robo_name="Alice", now=NOW)
    assert deliver(notice_of(lobby, alice, 0, "invited")) == Notice.Status.SENT
    said = [json.loads(posted.body) for posted in receiver.posted]
    assert [each["kind"] for each in said] == ["mention", "invited"]
    assert said[1]["text"] == "Bob invites you to Second flight"


def test_a_failure_is_retried_and_given_up_with_its_reason(
    hook: Webhook, receiver: Receiver, duel: Game, alice: User
) -> None:
    receiver.status = 500
    notice, now = notice_of(duel, alice), NOW
    for _ in range(ATTEMPTS):
        assert notice.status == Notice.Status.PENDING
        deliver(notice, now)
        assert notice.lease_until and notice.lease_until > now
        now = notice.lease_until
    assert notice.status == Notice.Status.UNANSWERED
    assert notice.last_error == "status: 500"
    assert backlog(now=now).notices_given_up == 0
    assert {posted.headers["webhook-id"] for posted in receiver.posted} == {f"notice-{notice.pk}"}
    assert len(receiver.posted) == ATTEMPTS
    hook.refresh_from_db()
    assert (hook.failing_since, hook.failure, hook.switched_off_at) == (NOW, "status: 500", None)


def test_a_notification_that_was_given_up_can_be_sent_again(
    hook: Webhook, receiver: Receiver, duel: Game, alice: User, erin: User
) -> None:
    notice = notice_of(duel, alice)
    Notice.objects.filter(pk=notice.pk).update(status=Notice.Status.UNANSWERED, attempts=ATTEMPTS)
    send_again(user=erin, notice_id=notice.pk)
    notice.refresh_from_db()
    assert deliver(notice) == Notice.Status.SENT


def test_an_internal_error_waits_for_staff(
    hook: Webhook, duel: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: object, **more: object) -> None:
        raise RuntimeError("a loose screw")

    monkeypatch.setattr(webhook, "send", broken)
    notice = notice_of(duel, alice)
    Notice.objects.filter(pk=notice.pk).update(attempts=ATTEMPTS - 1)
    assert deliver(notice) == Notice.Status.GIVEN_UP
    assert backlog(now=NOW).notices_given_up == 1


def test_a_webhook_that_fails_for_days_is_turned_off(
    hook: Webhook, receiver: Receiver, table: Table, alice: User, bob: User
) -> None:
    receiver.status = 503
    duel = table.game(alice, bob, pace=None)
    deliver(notice_of(duel, alice))
    table.play(duel, alice, bob, now=later(days=2))
    deliver(notice_of(duel, alice, 1), later(days=2))
    hook.refresh_from_db()
    assert hook.switched_off_at is None
    deliver(notice_of(duel, alice, 1), NOW + SWITCH_OFF_AFTER)
    hook.refresh_from_db()
    assert hook.switched_off_at == NOW + SWITCH_OFF_AFTER
    notice = Notice.objects.get(kind="hook-off")
    assert (notice.user, notice.channel) == (alice, "mail")
    text = str(compose(notice).body)
    assert receiver.url in text and "It answered 503." in text
    assert deliver(notice_of(duel, alice, 1), later(days=4)) == Notice.Status.UNWANTED
    table.play(duel, alice, bob, now=later(days=4))
    assert not Notice.objects.filter(user=alice, channel="webhook", turn=2).exists()
    assert Notice.objects.filter(kind="hook-off").count() == 1
    set_webhook(user=alice, url=receiver.url, now=later(days=5))
    assert KINDS["hook-off"].settled(notice) == Notice.Status.OUTDATED


def test_a_webhook_with_occasional_successes_is_not_failing(
    hook: Webhook, receiver: Receiver, table: Table, duel: Game, alice: User, bob: User
) -> None:
    receiver.status = 500
    deliver(notice_of(duel, alice))
    receiver.status = 200
    deliver(notice_of(duel, alice), later(days=1))
    hook.refresh_from_db()
    assert (hook.failing_since, hook.failure) == (None, "")


def test_a_webhook_that_is_gone_is_abandoned_immediately(
    hook: Webhook, receiver: Receiver, duel: Game, alice: User
) -> None:
    receiver.status = 410
    deliver(notice_of(duel, alice))
    hook.refresh_from_db()
    assert hook.switched_off_at == NOW
    assert deliver(notice_of(duel, alice), later(hours=1)) == Notice.Status.UNWANTED


def test_a_successful_test_turns_it_on_again(hook: Webhook, receiver: Receiver, alice: User) -> None:
    Webhook.objects.update(failing_since=NOW, failure="status: 500", switched_off_at=NOW)
    receiver.status = 404
    with pytest.raises(Invalid, match=r"The test failed\. It answered 404\."):
        try_webhook(user=alice, now=later(days=1))
    with pytest.raises(TooMany, match="You just sent a test"):
        try_webhook(user=alice, now=later(days=1, seconds=9))
    receiver.status = 204
    try_webhook(user=alice, now=later(days=1, seconds=10))
    hook.refresh_from_db()
    assert (hook.failing_since, hook.failure, hook.switched_off_at) == (None, "", None)
    assert json.loads(receiver.posted[-1].body)["kind"] == "test"
    assert proven(receiver.posted[-1], hook.secret)


def test_a_new_address_starts_afresh_with_the_same_secret(hook: Webhook, alice: User) -> None:
    Webhook.objects.update(failing_since=NOW, failure="status: 500", switched_off_at=NOW)
    changed = set_webhook(user=alice, url=" https://robots.example.org/hook ", now=later(days=1))
    assert (changed.pk, changed.url, changed.secret) == (
        hook.pk,
        "https://robots.example.org/hook",
        hook.secret,
    )
    assert changed.switched_off_at is None


def test_a_failure_of_the_old_address_does_not_affect_the_new_one(hook: Webhook, alice: User) -> None:
    set_webhook(user=alice, url="https://robots.example.org/hook", now=NOW)
    note_failure(webhook=hook, error=Gone("gone", 410), now=NOW + timedelta(minutes=1))
    assert Webhook.objects.get(switched_off_at=None, failing_since=None).user == alice


def test_nothing_is_posted_after_its_removal(
    hook: Webhook, receiver: Receiver, duel: Game, alice: User
) -> None:
    drop_webhook(user=alice)
    assert deliver(notice_of(duel, alice)) == Notice.Status.UNWANTED
    assert receiver.posted == []
    for deed in (renew_secret, lambda user: try_webhook(user=user, now=NOW)):
        with pytest.raises(NotFound):
            deed(user=alice)


def test_an_invalid_address_is_refused_and_guests_get_no_posts(db: None, alice: User) -> None:
    with pytest.raises(Invalid, match="must begin with https://"):
        set_webhook(user=alice, url="robots.example.org", now=NOW)
    with pytest.raises(Forbidden):
        set_webhook(user=guests.make_guest(), url="https://robots.example.org/", now=NOW)
    assert not Webhook.objects.exists()


def test_no_notification_contains_orders_or_hands(
    hook: Webhook, receiver: Receiver, table: Table, duel: Game, alice: User, bob: User
) -> None:
    table.play(duel, alice, bob)
    submit_orders(user=bob, game_id=duel.pk, turn_number=1, document=orders_for(duel, bob), now=NOW)
    chips = open_turn(duel).hands.get(seat__user=bob).chips["chips"]
    deliver(notice_of(duel, alice, 1))
    assert str(chips)[1:-1] not in receiver.posted[-1].body.decode()


def test_the_examples_in_docstrings_are_true() -> None:
    for module in (webhook, feeds):
        results = doctest.testmod(module)
        assert results.attempted and not results.failed
