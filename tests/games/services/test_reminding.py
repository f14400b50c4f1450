"""Reminders: once a turn, before the time is up, to those who have not moved, and never by night."""

from datetime import timedelta

import pytest
from django.core import mail
from django.db import connection

from accounts.models import User
from games import services
from games.models import Game, Hand, Notice, Turn
from tests.games.support import Table, hand_of, later, open_turn


def reminded(game: Game) -> list[tuple[int, str]]:
    rows = Notice.objects.filter(game=game, kind=Notice.Kind.REMINDER).order_by("pk")
    return [(row.turn, row.user.robo_name) for row in rows.select_related("user") if row.user]


def test_who_has_not_moved_is_reminded_when_a_quarter_of_the_time_is_left(
    table: Table, alice: User, bob: User
) -> None:
    game = table.game(alice, bob, pace={"hours": 8})  # from 12:00 to 20:00
    table.move(game, bob)
    assert services.remind(now=later(hours=5, minutes=59)) == 0
    assert services.remind(now=later(hours=6)) == 1
    assert services.remind(now=later(hours=7)) == 0
    assert reminded(game) == [(0, "Alice")]
    notice = Notice.objects.get(game=game, kind=Notice.Kind.REMINDER)
    assert services.send_notice(notice_id=notice.pk, now=later(hours=6))
    assert mail.outbox[-1].subject == "First flight, turn 0: your time is up on Saturday, 20:00"
    assert "still waits for the heading" in str(mail.outbox[-1].body)


def test_nobody_is_reminded_by_their_own_night(table: Table, alice: User, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(time_zone="Asia/Tokyo")
    bob.refresh_from_db()
    game = table.game(alice, bob, pace={"hours": 12})
    assert hand_of(game, alice).remind_at == later(hours=9)
    assert hand_of(game, bob).remind_at == later(hours=11), "8:00 in Tokyo, and no sooner"


def test_a_reminder_moves_with_its_deadline(duel: Game) -> None:
    Turn.objects.filter(game=duel).update(deadline=later(hours=72))
    Hand.objects.filter(turn__game=duel).update(deadline=later(hours=72))
    assert services.remind(now=later(hours=20)) == 0
    assert services.remind(now=later(hours=54)) == 2


@pytest.mark.parametrize("pace", [None, {"hours": 1}])
def test_games_without_a_deadline_have_no_reminders(
    table: Table, alice: User, bob: User, pace: dict[str, int] | None
) -> None:
    game = table.game(alice, bob, pace=pace)
    waits = [hand.remind_at for hand in Hand.objects.filter(turn__game=game)]
    assert waits == [None if pace is None else later(minutes=45)] * 2


def test_after_a_turn_nobody_is_reminded_of_it(table: Table, duel: Game, alice: User, bob: User) -> None:
    turn = table.play(duel, alice, bob)
    assert not turn.hands.exclude(remind_at=None).exists()
    assert open_turn(duel).hands.exclude(remind_at=None).exists()


def test_a_reminder_comes_too_late_for_who_has_moved_meanwhile(table: Table, duel: Game, alice: User) -> None:
    services.remind(now=later(hours=20))
    table.move(duel, alice)
    notice = Notice.objects.get(game=duel, user=alice, kind=Notice.Kind.REMINDER)
    assert not services.send_notice(notice_id=notice.pk, now=later(hours=20))
    notice.refresh_from_db()
    assert notice.status == Notice.Status.SEEN


def test_nobody_is_reminded_after_the_deadline(duel: Game) -> None:
    assert services.remind(now=later(hours=24)) == 0
    assert not Hand.objects.exclude(remind_at=None).exists()


def test_the_sweeper_reminds(duel: Game, messages: list[tuple[str, int]]) -> None:
    services.sweep(now=later(hours=20))
    assert reminded(duel) == [(0, "Alice"), (0, "Bob")]
    due = Notice.objects.filter(kind=Notice.Kind.REMINDER).values_list("pk", flat=True)
    assert {("send_notice", pk) for pk in due} <= set(messages)


def test_what_is_due_is_found_by_an_index(duel: Game) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    plan = Hand.objects.filter(remind_at__lte=later(hours=20)).order_by("remind_at").explain()
    assert "hands_to_remind" in plan
    held = Notice.objects.filter(status="held", due_at__lte=later(hours=20)).order_by("due_at").explain()
    assert "notices_held" in held


def test_reminders_are_never_closer_than_they_help(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, bob, pace={"hours": 24})
    for hand in Hand.objects.filter(turn__game=game):
        assert hand.remind_at
        assert hand.remind_at <= later(hours=24) - timedelta(minutes=10)
