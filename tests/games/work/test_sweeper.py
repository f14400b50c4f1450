"""The sweeper offers overdue work to workers again, with pauses."""

import pytest
from django.conf import settings

from accounts.models import User
from games.clocks.models import Heartbeat
from games.lobby.seats import add_computer
from games.news.delivery import LEASE, SENDING_TIME
from games.news.models import Notice
from games.play.models import Game
from games.staff.services import cancel_as_staff
from games.work import sweeper
from games.work.sweeper import (
    BUSY_QUEUE,
    OFFER_AGAIN_AFTER,
    THINKING_TIME,
    offer_notifications,
    offer_turns,
    sweep,
)
from roborunner import celery
from roborunner.celery import app
from tests.games.support import NOW, Table, later, open_turn

Messages = list[tuple[str, int]]


@pytest.fixture(autouse=True)
def no_backlog() -> None:
    """Delete messages of earlier tests."""
    app.control.purge()


@pytest.fixture
def notified_duel(duel: Game) -> Game:
    """The duel, after all notifications have been sent."""
    Notice.objects.update(status=Notice.Status.SENT, sent_at=NOW)
    return duel


def test_nothing_is_offered_if_nothing_is_due(table: Table, notified_duel: Game, alice: User) -> None:
    table.move(notified_duel, alice)
    assert sweep(now=later(hours=9)) == (0, 0, 0)


def test_a_complete_unresolved_turn_is_offered(
    table: Table, notified_duel: Game, alice: User, bob: User, messages: Messages
) -> None:
    table.move(notified_duel, alice, bob)
    messages.clear()
    assert sweep(now=later(minutes=1)) == (1, 0, 0)
    assert messages == [("resolve_turn", open_turn(notified_duel).pk)]


def test_a_turn_past_its_deadline_is_offered(notified_duel: Game, messages: Messages) -> None:
    assert sweep(now=later(hours=24)) == (1, 0, 0)
    assert messages == [("resolve_turn", open_turn(notified_duel).pk)]


def test_an_offer_is_repeated_only_if_it_must_have_been_lost(notified_duel: Game) -> None:
    offers = [offer_turns(now=later(hours=24, seconds=second)) for second in range(0, 151, 15)]
    assert offers == [1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0]


def test_an_offer_in_the_future_is_ignored_since_a_clock_was_wrong(notified_duel: Game) -> None:
    notified_duel.turns.update(offered_at=later(days=400))
    assert sweep(now=later(hours=24)).turns == 1


def test_offers_are_repeated_less_often_to_workers_who_are_behind(
    notified_duel: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Repeated messages would delay busy workers further."""
    monkeypatch.setattr(sweeper.enqueue, "queue_length", lambda task: BUSY_QUEUE)
    offers = [offer_turns(now=later(hours=24, minutes=minute)) for minute in range(11)]
    assert offers == [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]


def test_an_overdue_turn_is_offered_even_if_computers_have_just_been_asked(
    table: Table, alice: User, messages: Messages
) -> None:
    game = table.game(alice, seats=2)
    add_computer(user=alice, game_id=game.pk, strength="rookie", now=NOW)
    Notice.objects.update(status=Notice.Status.SENT, sent_at=NOW)
    turn = open_turn(game)
    turn.hands.update(remind_at=None)
    assert sweep(now=later(hours=23, minutes=59, seconds=50)) == (0, 0, 1)
    messages.clear()
    assert sweep(now=later(hours=24)) == (1, 0, 0)
    assert messages == [("resolve_turn", turn.pk)]
    assert sweep(now=later(hours=24, seconds=30)) == (0, 0, 0)


def test_lost_work_is_found_within_two_minutes_of_recovery() -> None:
    """The calculation is the one in docs/reliability.md.

    The worst cases, in seconds, leave half a minute for the work itself.
    """
    back = celery.MAX_RETRY_PAUSE + settings.SWEEP_SECONDS
    offered = back + OFFER_AGAIN_AFTER.total_seconds()
    leased = back + LEASE.total_seconds()
    thought = back + THINKING_TIME.total_seconds()
    assert thought <= offered <= 80
    assert leased <= 95
    assert SENDING_TIME < LEASE


def test_an_unsent_notification_is_offered(duel: Game, messages: Messages) -> None:
    assert sweep(now=later(minutes=1)) == (0, 2, 0)
    assert sorted(messages) == sorted(("send_mail", notice.pk) for notice in duel.notices.all())
    assert sweep(now=later(minutes=1, seconds=30)) == (0, 0, 0)
    assert sweep(now=later(minutes=2)) == (0, 2, 0)


def test_a_notification_being_sent_is_not_offered(duel: Game) -> None:
    Notice.objects.update(lease_until=later(minutes=5), offered_at=NOW)
    assert sweep(now=later(minutes=4)).notices == 0


def test_an_expired_lease_is_offered_at_the_next_pass(duel: Game) -> None:
    Notice.objects.update(lease_until=later(minutes=1), offered_at=NOW)
    assert sweep(now=later(minutes=2)).notices == 2
    assert sweep(now=later(minutes=2, seconds=30)).notices == 0


def test_settled_notifications_are_not_offered(duel: Game) -> None:
    for status in ("unwanted", "outdated", "given up"):
        Notice.objects.update(status=status)
        assert offer_notifications(now=later(hours=1)) == 0


def test_each_pass_updates_the_heartbeat(db: None) -> None:
    sweep(now=NOW)
    sweep(now=later(minutes=1))
    assert Heartbeat.objects.get().at == later(minutes=1)


def test_games_that_have_ended_are_not_swept(notified_duel: Game, erin: User) -> None:
    cancel_as_staff(user=erin, game_id=notified_duel.pk, reason="So.", now=NOW)
    offers = sweep(now=later(days=9))
    assert (offers.turns, offers.thoughts) == (0, 0)
