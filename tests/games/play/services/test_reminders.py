"""Players without orders get a reminder, or several at steps of their choice, and never at night."""

from datetime import time

from django.core import mail
from django.db import connection, transaction

from accounts.models import User
from accounts.settings import change_preferences
from games.clocks.services import change_rest
from games.news.delivery import send_notification
from games.news.models import Notice
from games.news.services import change_notification_settings
from games.play.deadlines import pause_game, send_reminders
from games.play.models import Game, Hand, Turn
from games.play.services import locked_game
from games.work.sweeper import sweep
from tests.games.support import Table, hand_of, later


def reminded(game: Game) -> list[tuple[int, str]]:
    rows = Notice.objects.filter(game=game, kind="reminder").order_by("pk")
    return [(row.turn, row.user.robo_name) for row in rows.select_related("user") if row.user]


def send_turn(game: Game, player: User, **time: float) -> None:
    """Send a player's notification that the open turn has begun."""
    turn = Notice.objects.get(game=game, user=player, kind="turn", turn=game.turn)
    assert send_notification(notice_id=turn.pk, now=later(**time))


def reminder_of(game: Game, player: User, **time: float) -> Notice:
    """Remind a player. Return the reminder with its new status."""
    send_reminders(now=later(**time))
    notice = Notice.objects.get(game=game, user=player, kind="reminder")
    return tried(notice, **time)


def tried(notice: Notice, **time: float) -> Notice:
    """Try to send a notification. Return it with its new status."""
    send_notification(notice_id=notice.pk, now=later(**time))
    notice.refresh_from_db()
    return notice


def test_a_player_without_orders_is_reminded_when_a_quarter_of_the_time_is_left(
    table: Table, alice: User, bob: User
) -> None:
    game = table.game(alice, bob, pace={"hours": 8})  # from 12:00 to 20:00
    table.move(game, bob)
    assert send_reminders(now=later(hours=5, minutes=59)) == 0
    assert send_reminders(now=later(hours=6)) == 1
    assert send_reminders(now=later(hours=7)) == 0
    assert reminded(game) == [(0, "Alice")]
    send_turn(game, alice, hours=0)
    notice = Notice.objects.get(game=game, kind="reminder")
    assert send_notification(notice_id=notice.pk, now=later(hours=6))
    assert mail.outbox[-1].subject == "First flight, turn 0: deadline on Sat 21 Nov, 20:00"
    assert "still needs your robot’s starting heading" in str(mail.outbox[-1].body)


def test_no_one_is_reminded_during_their_own_night(table: Table, alice: User, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(time_zone="Asia/Tokyo")
    bob.refresh_from_db()
    game = table.game(alice, bob, pace={"hours": 12})
    assert hand_of(game, alice).remind_at == later(hours=9)
    assert hand_of(game, bob).remind_at == later(hours=11), "8:00 in Tokyo, and no sooner"


def test_no_one_is_reminded_during_quiet_hours(table: Table, alice: User, bob: User) -> None:
    change_rest(user=bob, days_off=[], night=(time(1), time(10)))
    game = table.game(alice, bob, pace={"hours": 20})
    assert hand_of(game, bob).remind_at == later(hours=9, minutes=30), "and not at 9:45 next day"


def test_a_late_reminder_waits_for_the_morning(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, bob, pace={"hours": 13})  # until 1:00
    send_turn(game, alice, hours=0)
    Hand.objects.filter(turn__game=game).update(deadline=later(hours=24))
    notice = Notice.objects.create(user=alice, game=game, turn=0, kind="reminder", created_at=later(hours=9))
    assert tried(notice, hours=11).status == Notice.Status.HELD
    assert notice.due_at == later(hours=20), "8:00"
    sweep(now=later(hours=20))
    assert tried(notice, hours=20).status == Notice.Status.SENT


def test_a_reminder_waits_after_its_deadline_moved(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, bob, pace={"hours": 8})
    send_turn(game, alice, hours=0)
    send_reminders(now=later(hours=6))
    notice = Notice.objects.get(game=game, user=alice, kind="reminder")
    Hand.objects.filter(turn__game=game).update(deadline=later(hours=80))
    assert tried(notice, hours=6).status == Notice.Status.HELD
    assert notice.due_at == later(hours=57, minutes=30), "in the evening"


def test_an_overdue_reminder_is_not_sent(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, bob, pace={"hours": 8})
    send_turn(game, alice, hours=0)
    send_turn(game, bob, hours=0)
    assert reminder_of(game, bob, hours=7, minutes=51).status == Notice.Status.OUTDATED
    assert reminder_of(game, alice, hours=8).status == Notice.Status.OUTDATED
    assert len(mail.outbox) == 2


def test_a_turn_is_not_announced_and_reminded_at_the_same_time(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, bob, pace={"hours": 8})
    assert reminder_of(game, alice, hours=6).status == Notice.Status.OUTDATED, "its mail still waits"
    send_reminders(now=later(hours=6))
    send_turn(game, bob, hours=6, minutes=1)
    notice = Notice.objects.get(game=game, user=bob, kind="reminder")
    assert tried(notice, hours=6, minutes=2).status == Notice.Status.OUTDATED, "it was sent just now"
    assert len(mail.outbox) == 1


def test_a_reminder_moves_with_its_deadline(duel: Game) -> None:
    Turn.objects.filter(game=duel).update(deadline=later(hours=72))
    Hand.objects.filter(turn__game=duel).update(deadline=later(hours=72))
    assert send_reminders(now=later(hours=20)) == 0
    assert send_reminders(now=later(hours=54)) == 2


def test_games_without_a_deadline_have_no_reminders(table: Table, alice: User, bob: User) -> None:
    for pace, at in ((None, None), ({"hours": 1}, later(minutes=45))):
        hands = Hand.objects.filter(turn__game=table.game(alice, bob, pace=pace))
        assert [hand.remind_at for hand in hands] == [at] * 2


def test_a_player_who_has_moved_meanwhile_is_not_reminded(table: Table, duel: Game, alice: User) -> None:
    send_reminders(now=later(hours=20))
    table.move(duel, alice)
    notice = Notice.objects.get(game=duel, user=alice, kind="reminder")
    assert not send_notification(notice_id=notice.pk, now=later(hours=20))
    notice.refresh_from_db()
    assert notice.status == Notice.Status.SEEN


def test_no_one_is_reminded_after_the_deadline(duel: Game) -> None:
    assert send_reminders(now=later(hours=24)) == 0
    assert not Hand.objects.exclude(remind_at=None).exists()


def test_the_sweeper_sends_reminders(duel: Game, messages: list[tuple[str, int]]) -> None:
    sweep(now=later(hours=20))
    assert sorted(reminded(duel)) == [(0, "Alice"), (0, "Bob")]
    due = Notice.objects.filter(kind="reminder").values_list("pk", flat=True)
    assert {("send_mail", pk) for pk in due} <= set(messages)


def test_due_reminders_are_found_by_an_index(duel: Game) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off")
    plan = Hand.objects.filter(remind_at__lte=later(hours=20)).order_by("remind_at").explain()
    assert "hands_to_remind" in plan
    held = Notice.objects.filter(status="held", due_at__lte=later(hours=20)).order_by("due_at").explain()
    assert "notices_held" in held


def steps(player: User, *hours: int) -> None:
    change_notification_settings(
        user=player, manner=player.manner, daily_hour=8, reminder_hours=hours, now=later(hours=0)
    )


def kinds_sent(game: Game, player: User) -> list[str]:
    notices = Notice.objects.filter(game=game, user=player).exclude(kind="turn").order_by("pk")
    return [notice.kind for notice in notices]


def test_a_player_is_reminded_at_each_chosen_step_once(table: Table, alice: User, bob: User) -> None:
    steps(alice, 1, 6, 24)
    game = table.game(alice, bob, pace={"hours": 33})  # until 21:00 on the next day
    table.move(game, bob)
    for hours, count in ((8, 0), (9, 1), (9.1, 0), (26, 0), (27, 1), (31, 0), (32, 1), (32.5, 0)):
        assert send_reminders(now=later(hours=hours)) == count, hours
    assert kinds_sent(game, alice) == ["remind-24h", "remind-6h", "remind-1h"]
    send_turn(game, alice, hours=0)
    last = tried(Notice.objects.get(game=game, user=alice, kind="remind-1h"), hours=32)
    assert last.status == Notice.Status.SENT
    assert "You chose this reminder" in str(mail.outbox[-1].body)


def test_a_step_as_long_as_the_turn_has_no_reminder(table: Table, alice: User, bob: User) -> None:
    steps(alice, 24, 6)
    steps(bob, 24)
    game = table.game(alice, bob, pace={"hours": 24})
    assert hand_of(game, alice).remind_at == later(hours=9, minutes=30), "6:00 is at night"
    assert hand_of(game, bob).remind_at is None


def test_steps_move_with_the_deadline_and_are_not_sent_again(table: Table, alice: User, bob: User) -> None:
    steps(alice, 24, 6)
    game = table.game(alice, bob, pace={"hours": 48})
    assert send_reminders(now=later(hours=24)) == 1, "at 12:00"
    with transaction.atomic():
        pause_game(game=locked_game(game.pk), until=later(hours=24 + 48), now=later(hours=24))
    assert not Hand.objects.filter(seat__user=alice, remind_at__lte=later(hours=71)).exists()
    sent = [hours for hours in range(25, 96) if send_reminders(now=later(hours=hours)) and hours]
    assert kinds_sent(game, alice) == ["remind-24h", "remind-6h"]
    assert sent[-1] == 82, "at 22:00, a moment after the evening's time, as 6:00 is at night"


def test_steps_that_fall_into_one_night_send_one_reminder(table: Table, alice: User, bob: User) -> None:
    steps(alice, 6, 1)
    game = table.game(
        alice, bob, pace={"hours": 16}
    )  # until 4:00, so one comes at 22:00, and the other at 21:30
    table.move(game, bob)
    assert send_reminders(now=later(hours=9.5)) == 1
    assert send_reminders(now=later(hours=10)) == 0
    assert kinds_sent(game, alice) == ["remind-1h"]
    assert hand_of(game, alice).remind_at is None


def test_steps_are_not_sent_to_those_who_turned_reminders_off(table: Table, alice: User, bob: User) -> None:
    steps(alice, 6)
    game = table.game(alice, bob, pace={"hours": 10})
    send_turn(game, alice, hours=0)
    send_reminders(now=later(hours=4))
    change_preferences(user=alice, silenced=["reminder"])
    notice = Notice.objects.get(game=game, user=alice, kind="remind-6h")
    assert tried(notice, hours=4).status == Notice.Status.UNWANTED
