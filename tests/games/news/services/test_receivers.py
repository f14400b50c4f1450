"""Calls to other people's servers: a slow server delays only its own notifications."""

import pytest

from accounts.models import User
from games.news import delivery
from games.news.channels import Undeliverable, browser
from games.news.channels.webhook import set_webhook
from games.news.delivery import LONGEST_REST, REST, Busy, forget_receivers, receiver_slot, send_notification
from games.news.models import Device, Notice, Receiver
from games.play.models import Game
from games.work.sweeper import sweep
from tests.games.support import NOW, Table, later

pytestmark = pytest.mark.usefixtures("private_webhooks")

SILENT = "https://silent.example/news"
OTHER = "https://other.example/news"


@pytest.fixture
def notices(table: Table, alice: User, bob: User) -> list[Notice]:
    """Three claimed notifications to Alice's webhook, about three games."""
    set_webhook(user=alice, url=SILENT, now=NOW)
    for _ in range(3):
        table.game(alice, bob)
    found = Notice.objects.filter(user=alice, channel="webhook").order_by("pk")
    found.update(attempts=1, lease_until=later(minutes=1))
    return list(found)


SLOW_SECONDS = delivery.SLOW_SECONDS


def fails_after(seconds: float, monkeypatch: pytest.MonkeyPatch, notice: Notice, **given: object) -> None:
    """Make a call that fails, as if after ``seconds`` seconds."""
    slow = seconds >= SLOW_SECONDS
    monkeypatch.setattr(delivery, "SLOW_SECONDS", 0.0 if slow else 60.0)
    options = {"url": SILENT, "slots": 1, "now": NOW, **given}
    with pytest.raises(Undeliverable), receiver_slot(row=notice, **options):  # type: ignore[arg-type]
        raise Undeliverable("timeout", 1)


def test_a_receiver_gets_one_call_at_a_time_and_others_wait_without_an_attempt(
    notices: list[Notice],
) -> None:
    first, second, _ = notices
    with receiver_slot(row=first, url=SILENT, slots=1, now=NOW):
        with pytest.raises(Busy) as found, receiver_slot(row=second, url=SILENT, slots=1, now=NOW):
            pytest.fail("there is no room")
        with receiver_slot(row=second, url=OTHER, slots=1, now=NOW):
            pass  # another receiver has room
    assert not found.value.rests
    second.refresh_from_db()
    assert (second.status, second.attempts) == (Notice.Status.PENDING, 0)


def test_the_end_of_a_call_sends_the_next_and_leaves_no_row(
    notices: list[Notice], messages: list[tuple[str, int]]
) -> None:
    first, *others = notices
    with receiver_slot(row=first, url=SILENT, slots=1, now=NOW):
        for other in reversed(others):
            with pytest.raises(Busy), receiver_slot(row=other, url=SILENT, slots=1, now=NOW):
                pytest.fail("there is no room")
    assert messages == [("post_webhook", others[0].pk)]
    assert not Receiver.objects.exists()
    others[0].refresh_from_db()
    assert (others[0].waits_for, others[0].lease_until) == ("", None)


def test_a_push_service_gets_several_calls_at_a_time(notices: list[Notice]) -> None:
    first, second, third = notices
    with (
        receiver_slot(row=first, url=SILENT, slots=2, now=NOW),
        receiver_slot(row=second, url=SILENT, slots=2, now=NOW),
        pytest.raises(Busy),
        receiver_slot(row=third, url=SILENT, slots=2, now=NOW),
    ):
        pytest.fail("there is no room")


def test_a_slow_receiver_rests_longer_each_time_up_to_a_limit(
    notices: list[Notice], monkeypatch: pytest.MonkeyPatch
) -> None:
    now, rests = NOW, []
    for _ in range(7):
        fails_after(10, monkeypatch, notices[0], now=now)
        with pytest.raises(Busy) as found, receiver_slot(row=notices[1], url=SILENT, slots=1, now=now):
            pytest.fail("it rests")
        assert found.value.rests
        until = Receiver.objects.get().busy_until
        rests.append((until - now) / REST)
        now = until
    assert rests == [1, 2, 4, 8, 16, 16, 16]
    assert LONGEST_REST / REST == 16


def test_a_receiver_that_refuses_quickly_does_not_rest(
    notices: list[Notice], monkeypatch: pytest.MonkeyPatch
) -> None:
    fails_after(0.1, monkeypatch, notices[0])
    assert not Receiver.objects.exists()


def test_a_successful_call_ends_the_rests(notices: list[Notice], monkeypatch: pytest.MonkeyPatch) -> None:
    fails_after(10, monkeypatch, notices[0])
    with receiver_slot(row=notices[0], url=SILENT, slots=1, now=later(minutes=1)):
        pass
    assert not Receiver.objects.exists()


def test_a_dead_worker_s_call_makes_room_after_its_lease(notices: list[Notice]) -> None:
    with pytest.raises(KeyboardInterrupt), receiver_slot(row=notices[0], url=SILENT, slots=1, now=NOW):
        raise KeyboardInterrupt
    with pytest.raises(Busy), receiver_slot(row=notices[1], url=SILENT, slots=1, now=later(seconds=59)):
        pytest.fail("there is no room")
    with receiver_slot(row=notices[1], url=SILENT, slots=1, now=later(seconds=60)):
        pass


def test_the_sweeper_offers_notifications_for_a_resting_receiver(
    notices: list[Notice], monkeypatch: pytest.MonkeyPatch
) -> None:
    fails_after(10, monkeypatch, notices[0])
    with pytest.raises(Busy), receiver_slot(row=notices[1], url=SILENT, slots=1, now=later(seconds=10)):
        pytest.fail("it rests")
    notices[1].refresh_from_db()
    assert notices[1].lease_until == later(minutes=1)


def test_an_unused_receiver_is_deleted(notices: list[Notice], monkeypatch: pytest.MonkeyPatch) -> None:
    fails_after(10, monkeypatch, notices[0])
    assert forget_receivers(now=later(hours=24)) == 0
    assert forget_receivers(now=later(hours=25)) == 1


def test_many_webhooks_leave_room_for_mail_in_the_sweeper(
    duel: Game, notices: list[Notice], monkeypatch: pytest.MonkeyPatch
) -> None:
    from games.work import sweeper

    monkeypatch.setattr(sweeper, "OFFERED_PER_PASS", 2)
    Notice.objects.update(lease_until=later(minutes=-1), offered_at=None)
    Notice.objects.filter(channel="mail").update(lease_until=NOW)
    sweep(now=later(minutes=1))
    offered = Notice.objects.exclude(offered_at=None).values_list("channel", flat=True)
    assert sorted(offered) == ["mail", "mail", "webhook", "webhook"]


def test_a_resting_push_service_does_not_delay_other_browsers(
    duel: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for url in (SILENT, OTHER):
        Device.objects.create(user=alice, endpoint=url, p256dh="", auth="", name="A browser", made_at=NOW)
    notice = Notice.objects.create(kind="turn", channel="push", user=alice, game=duel, turn=0, created_at=NOW)
    told: list[str] = []
    monkeypatch.setattr(browser, "send", lambda notice, device, now: told.append(device.endpoint))
    for slot in range(browser.PARALLEL_MESSAGES):
        Receiver.objects.create(
            name="push silent.example", slot=slot, busy_until=later(minutes=1), failures=1
        )
    assert send_notification(notice_id=notice.pk, now=NOW)
    assert told == [OTHER]
    notice.refresh_from_db()
    assert notice.status == Notice.Status.SENT


def test_a_notification_waits_for_room_at_a_push_service_rather_than_skip_a_browser(
    duel: Game, alice: User
) -> None:
    Device.objects.create(user=alice, endpoint=SILENT, p256dh="", auth="", name="A browser", made_at=NOW)
    notice = Notice.objects.create(kind="turn", channel="push", user=alice, game=duel, turn=0, created_at=NOW)
    for slot in range(browser.PARALLEL_MESSAGES):
        Receiver.objects.create(name="push silent.example", slot=slot, busy_until=later(seconds=60))
    assert not send_notification(notice_id=notice.pk, now=NOW)
    notice.refresh_from_db()
    assert (notice.status, notice.attempts) == (Notice.Status.PENDING, 0)
    assert (notice.waits_for, notice.lease_until) == ("push silent.example", later(seconds=60))
