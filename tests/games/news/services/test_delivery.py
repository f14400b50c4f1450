"""Notifications are delivered once, only if still wanted, and with limited retries."""

import smtplib
import time
from datetime import timedelta
from unittest.mock import patch

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.db import OperationalError, connection

from accounts.models import User
from games.errors import Conflict, NotFound
from games.news import delivery
from games.news.delivery import ATTEMPTS, LEASE, send_notification
from games.news.models import Notice
from games.news.services import send_again
from games.play.models import Game
from games.work.sweeper import sweep
from tests.games.support import NOW, Table, later

DOWN = smtplib.SMTPServerDisconnected("the mail server is having a nap")


def outcome(notice: Notice) -> str:
    notice.refresh_from_db()
    return notice.status


def test_it_is_sent_once(notice: Notice) -> None:
    assert send_notification(notice_id=notice.pk, now=later(minutes=1))
    assert not send_notification(notice_id=notice.pk, now=later(minutes=2))
    assert [message.to for message in mail.outbox] == [["alice@example.org"]]
    assert outcome(notice) == Notice.Status.SENT
    assert (notice.sent_at, notice.attempts) == (later(minutes=1), 1)


def test_no_second_worker_sends_it_meanwhile(notice: Notice) -> None:
    def somebody_else_comes(message: EmailMessage) -> None:
        assert not send_notification(notice_id=notice.pk, now=NOW + LEASE / 2)

    with patch.object(EmailMessage, "send", autospec=True, side_effect=somebody_else_comes) as delivery:
        assert send_notification(notice_id=notice.pk, now=NOW)
    assert delivery.call_count == 1


def test_a_dead_worker_s_lease_expires(notice: Notice) -> None:
    with patch.object(EmailMessage, "send", side_effect=SystemExit), pytest.raises(SystemExit):
        send_notification(notice_id=notice.pk, now=NOW)
    assert outcome(notice) == Notice.Status.PENDING
    assert not send_notification(notice_id=notice.pk, now=NOW + LEASE / 2)
    assert send_notification(notice_id=notice.pk, now=NOW + LEASE)


def test_a_lost_database_is_not_counted_as_a_failure_of_the_mail(notice: Notice) -> None:
    """The email is sent when the lease expires, without the longer waits after refusals."""
    gone = OperationalError("terminating connection due to administrator command")
    with patch.object(EmailMessage, "send", side_effect=gone), pytest.raises(OperationalError):
        send_notification(notice_id=notice.pk, now=NOW)
    assert outcome(notice) == Notice.Status.PENDING
    assert notice.last_error == ""
    assert send_notification(notice_id=notice.pk, now=NOW + LEASE)


def test_a_slow_mail_server_is_abandoned_before_the_lease_ends(notice: Notice) -> None:
    with (
        patch.object(delivery, "SENDING_TIME", timedelta(seconds=1)),
        patch.object(EmailMessage, "send", side_effect=lambda: time.sleep(20)),
    ):
        assert not send_notification(notice_id=notice.pk, now=NOW)
    assert outcome(notice) == Notice.Status.PENDING
    assert notice.last_error == "TimeoutError: it took longer than 1 s"
    assert delivery.SENDING_TIME < LEASE


@pytest.mark.django_db(transaction=True)
def test_a_mail_sent_while_the_database_was_lost_is_recorded_once_it_is_back(
    table: Table, alice: User
) -> None:
    """The mail server has accepted the email, so the worker must not send it again."""
    notice = Notice.objects.get(game=table.game(alice, seats=1))

    def lose_the_connection(message: EmailMessage) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            (victim,) = cursor.fetchone()
        with connection.copy().cursor() as other:
            other.execute("SELECT pg_terminate_backend(%s, 5000)", [victim])

    with patch.object(EmailMessage, "send", autospec=True, side_effect=lose_the_connection):
        assert send_notification(notice_id=notice.pk, now=later(minutes=1))
    assert outcome(notice) == Notice.Status.SENT
    assert not send_notification(notice_id=notice.pk, now=later(minutes=9))


def test_a_failure_is_recorded_and_retried_after_a_while(notice: Notice) -> None:
    with patch.object(EmailMessage, "send", side_effect=DOWN):
        assert not send_notification(notice_id=notice.pk, now=NOW)
    assert outcome(notice) == Notice.Status.PENDING
    assert notice.last_error == "SMTPServerDisconnected: the mail server is having a nap"
    assert not send_notification(notice_id=notice.pk, now=later(seconds=59))
    assert send_notification(notice_id=notice.pk, now=later(seconds=60))
    assert outcome(notice) == Notice.Status.SENT
    assert notice.last_error == ""


def test_neither_reason_nor_log_contains_the_address(
    notice: Notice, caplog: pytest.LogCaptureFixture
) -> None:
    greylisted = {"alice@example.org": (450, b"4.2.0 <alice@example.org>: greylisted")}
    for error, reason in (
        (smtplib.SMTPRecipientsRefused(greylisted), "mail-server: 450 4.2.0 the address: greylisted"),
        (smtplib.SMTPDataError(554, "5.7.1 spam"), "mail-server: 554 5.7.1 spam"),
        (ConnectionRefusedError("nobody listens"), "ConnectionRefusedError: nobody listens"),
    ):
        with patch.object(EmailMessage, "send", side_effect=error):
            assert not send_notification(notice_id=notice.pk, now=NOW)
        assert outcome(notice) == Notice.Status.PENDING
        assert notice.last_error == reason
        assert f"attempt 1: {reason}" in caplog.text
        Notice.objects.update(attempts=0, lease_until=None)
    assert "alice@example.org" not in caplog.text


def test_the_waits_grow_until_it_is_given_up_with_its_reason(notice: Notice) -> None:
    now, waits = NOW, []
    with patch.object(EmailMessage, "send", side_effect=DOWN):
        for _ in range(ATTEMPTS):
            assert not send_notification(notice_id=notice.pk, now=now)
            notice.refresh_from_db()
            assert notice.lease_until
            waits.append((notice.lease_until - now).total_seconds() / 60)
            now = notice.lease_until
    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]
    assert sum(waits[:-1]) == 8.5 * 60 + 1, "a mail server may be away for a night"
    assert outcome(notice) == Notice.Status.GIVEN_UP
    assert "nap" in notice.last_error
    assert not send_notification(notice_id=notice.pk, now=later(days=9))


def test_a_notification_that_kills_every_worker_is_given_up(notice: Notice) -> None:
    now = NOW
    for _ in range(ATTEMPTS):
        with patch.object(EmailMessage, "send", side_effect=SystemExit), pytest.raises(SystemExit):
            send_notification(notice_id=notice.pk, now=now)
        now += LEASE
    sweep(now=now - LEASE / 2)
    assert outcome(notice) == Notice.Status.PENDING
    assert not send_notification(notice_id=notice.pk, now=now)
    sweep(now=now)
    assert outcome(notice) == Notice.Status.GIVEN_UP
    assert notice.last_error == "interrupted"


def test_staff_can_send_it_again(erin: User, notice: Notice, messages: list[tuple[str, int]]) -> None:
    Notice.objects.filter(pk=notice.pk).update(status=Notice.Status.GIVEN_UP, attempts=ATTEMPTS)
    send_again(user=erin, notice_id=notice.pk)
    assert messages == [("send_mail", notice.pk)]
    assert send_notification(notice_id=notice.pk, now=NOW)
    with pytest.raises(Conflict):
        send_again(user=erin, notice_id=notice.pk)
    with pytest.raises(NotFound):
        send_again(user=erin, notice_id=999)


def test_a_closed_account_gets_no_notification(notice: Notice, alice: User) -> None:
    alice.is_active = False
    alice.save()
    assert not send_notification(notice_id=notice.pk, now=NOW)
    assert outcome(notice) == Notice.Status.UNWANTED


def test_a_notification_of_a_resolved_turn_is_not_sent(
    table: Table, duel: Game, alice: User, bob: User, notice: Notice
) -> None:
    table.play(duel, alice, bob)
    assert not send_notification(notice_id=notice.pk, now=NOW)
    assert outcome(notice) == Notice.Status.OUTDATED


def test_the_end_of_a_game_is_sent_however_late(solo_loss: Game) -> None:
    notice = Notice.objects.get(game=solo_loss, kind="over")
    assert send_notification(notice_id=notice.pk, now=later(days=1))
